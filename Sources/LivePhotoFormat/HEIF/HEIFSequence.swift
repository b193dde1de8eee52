import Basics
import EditModel

/// The image sequence of a HEIF file: the tracks in the `moov` box (ISO/IEC 23008-12 section 7). The samples remain in
/// the file.
struct HEIFSequence: Sendable {
  /// The position of the `moov` box.
  let place: FileAtom
  /// The tracks of the image sequence.
  let tracks: [Track]

  private var moov: Atom

  /// The handlers of tracks that are rotated: image sequences, and auxiliary sequences such as depth and transparency
  /// (ISO/IEC 23008-12 section 7.5.3).
  private static let turnedHandlers: Set<FourCC> = ["pict", "auxv"]

  /// Reads the tracks of the image sequence.
  ///
  /// - Throws: ``MediaError`` if the tracks are damaged or their structure is not supported.
  init(_ place: FileAtom, of file: HEIFFile) throws {
    self.place = place
    guard file.atoms.count(where: { $0.kind == "moov" }) == 1 else {
      throw MediaError("the file has more than one moov box", isUnsupported: true)
    }
    moov = try Movie.moov(at: place, in: file.source)
    let atoms = try moov.all("trak")
    guard atoms.count <= ReadingLimit.tracks.value else {
      throw MediaError(beyond: .tracks, "the file has \(atoms.count) tracks, more than the limit")
    }
    tracks = try atoms.map { try Track($0, fileSize: file.size) }
  }

  /// The ranges of the file that contain samples, with one range for each chunk.
  var chunks: [Range<Int>] {
    tracks.flatMap(\.samples.chunks).filter { $0.byteCount > 0 }
      .map { $0.offset..<$0.offset + $0.byteCount }
  }

  /// Checks that all file offsets in the tracks are of supported kinds, so that data can be moved.
  ///
  /// - Throws: ``MediaError`` if an offset is of an unsupported kind.
  func checkIsFollowed(in file: HEIFFile) throws {
    let fragments: Set<FourCC> = ["moof", "sidx", "mfra"]
    guard !file.atoms.contains(where: { fragments.contains($0.kind) }) else {
      throw MediaError("the file is a fragmented image sequence, which is not supported", isUnsupported: true)
    }
    // Item lists in tracks also contain the locations of the items' data (ISO/IEC 14496-12 section 8.11.1).
    for holder in [moov] + tracks.map(\.atom) {
      for meta in try holder.all("meta") {
        let parts = try? Atom.parseAll(meta.bytes.dropFirst(4)).atoms
        guard let parts, !parts.contains(where: { $0.kind == "iloc" }) else {
          throw MediaError(
            "the file is an image sequence with items in its tracks, which is not supported",
            isUnsupported: true)
        }
      }
    }
    guard moov.bytes.count == place.contentSize, !chunks.contains(where: { $0.overlaps(place.range) }) else {
      throw MediaError("the moov box is stored in a form that cannot be changed", isUnsupported: true)
    }
  }

  /// Rotates all picture tracks by changing the matrices in their headers (ISO/IEC 14496-12 section 8.3.2).
  ///
  /// - Parameter turn: The rotation or mirroring to apply to the displayed picture.
  /// - Throws: ``MediaError`` if the file also contains a movie, or if a track's matrix does not describe a combination
  ///   of 90° rotations and mirroring.
  mutating func turn(by turn: Orientation) throws {
    guard turn != .identity else { return }
    guard !tracks.contains(where: { $0.handler == "vide" }) else {
      throw MediaError(
        "the file also contains a movie, which would not be rotated with the picture", isUnsupported: true)
    }
    guard let header = try moov.first("mvhd") else { throw MediaError("the file has no movie header") }
    var rest = try MediaHeader(header).rest
    try rest.skip(16)
    let matrix = TrackHeader.Matrix(entries: try (0..<9).map { _ in try rest.int32() })
    guard matrix.orientation == .up else {
      throw MediaError(
        "the movie header contains a transformation matrix, which is not supported", isUnsupported: true)
    }
    var left = tracks[...]
    try moov.changeAll("trak") { trak in
      guard let track = left.popFirst(), Self.turnedHandlers.contains(track.handler) else { return }
      let (orientation, header) = (try track.orientation.then(turn), track.header)
      try trak.update("tkhd") { tkhd in
        let matrix = TrackHeader.Matrix(orientation, width: header.width, height: header.height)
        try TrackHeader.rewrite(&tkhd, matrix: matrix, width: header.width, height: header.height)
      }
    }
  }

  /// Returns the content of the `moov` box with updated offsets for moved samples. The size of the content does not
  /// change.
  ///
  /// - Parameter moved: A function that returns the new start of a range of the file. The range may be empty.
  /// - Throws: ``MediaError`` if an offset does not fit, or any error that `moved` throws.
  func content(moving moved: (Range<Int>) throws -> Int) throws -> [UInt8] {
    var moov = moov
    var left = tracks[...]
    try moov.changeAll("trak") { trak in
      guard let track = left.popFirst() else { return }
      try trak.update("mdia", "minf", "stbl") { stbl in
        let offsets = try track.samples.chunks.map { try moved($0.offset..<$0.offset + $0.byteCount) }
        try stbl.changeChildren { children in
          for index in children.indices {
            switch children[index].kind {
            case "stco": try children[index].setOffsets(offsets, at: 8, width: 4)
            case "co64": try children[index].setOffsets(offsets, at: 8, width: 8)
            case "saio": try children[index].moveAuxiliaryInformation(moved)
            default: break
            }
          }
        }
      }
    }
    return moov.bytes
  }
}

extension Atom {
  /// Overwrites consecutive offsets in the atom.
  fileprivate mutating func setOffsets(_ offsets: [Int], at place: Int, width: Int) throws {
    var bytes = bytes
    guard bytes.count >= place + offsets.count * width else {
      throw MediaError("the box “\(kind)” is too short")
    }
    for (index, offset) in offsets.enumerated() {
      guard width == 8 || offset <= UInt32.max else {
        throw MediaError("the file is too large for its 32-bit offsets", isUnsupported: true)
      }
      let start = place + index * width
      bytes.replaceSubrange(start..<start + width, with: ByteOrder.big.bytes(of: offset, width: width))
    }
    self.bytes = bytes
  }

  /// Updates `saio`, which contains the file offsets of auxiliary information about samples (ISO/IEC 14496-12 section
  /// 8.7.9).
  fileprivate mutating func moveAuxiliaryInformation(_ moved: (Range<Int>) throws -> Int) throws {
    var reader = BigEndianReader(bytes)
    let head = try reader.uint32()
    if head & 1 == 1 { try reader.skip(8) }
    let width = head >> 24 == 0 ? 4 : 8
    let count = try reader.count(entrySize: width)
    let place = reader.offset
    let offsets = try (0..<count).map { _ in
      let offset = width == 4 ? UInt64(try reader.uint32()) : try reader.uint64()
      guard offset < 1 << 62 else { throw MediaError("the box “saio” contains an impossible offset") }
      return try moved(Int(offset)..<Int(offset) + 1)
    }
    try setOffsets(offsets, at: place, width: width)
  }
}

extension Track {
  /// The track's references to other tracks, by type (ISO/IEC 14496-12 section 8.3.3).
  var references: [Atom] { get throws { try atom.first("tref")?.children ?? [] } }
}

extension HEIFFile {
  /// Returns the image sequence in the file, or nil if the file has none.
  ///
  /// - Throws: ``MediaError`` if the tracks are damaged or their structure is not supported.
  func sequence() throws -> HEIFSequence? {
    try atoms.first { $0.kind == "moov" }.map { try HEIFSequence($0, of: self) }
  }

  /// Checks that the file contains no image sequence.
  ///
  /// - Throws: ``MediaError`` if the file contains an image sequence.
  func checkHasNoSequence() throws {
    guard !atoms.contains(where: { $0.kind == "moov" }) else {
      throw MediaError(
        "the file is an image sequence, and only its first picture would be edited",
        remedy: "apply only a rotation",
        isUnsupported: true)
    }
  }
}
