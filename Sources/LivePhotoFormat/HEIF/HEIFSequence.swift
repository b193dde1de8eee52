import Basics
import EditModel

/// The image sequence of a HEIF file: the tracks in its box `moov` (ISO/IEC 23008-12 section 7). Samples stay in the file.
struct HEIFSequence: Sendable {
  /// The box `moov`.
  let place: FileAtom
  /// Its tracks.
  let tracks: [Track]

  private var moov: Atom

  /// Pictures in time, and those auxiliary to them: depth, transparency (ISO/IEC 23008-12 section 7.5.3).
  private static let turnedHandlers: Set<FourCC> = ["pict", "auxv"]

  /// Reads the tracks.
  ///
  /// - Throws: ``MediaError`` when they are damaged or cannot be followed.
  init(_ place: FileAtom, of file: HEIFFile) throws {
    self.place = place
    guard file.atoms.count(where: { $0.kind == "moov" }) == 1 else {
      throw MediaError("it has more than one moov atom", isUnsupported: true)
    }
    moov = try Movie.moov(at: place, in: file.source)
    let atoms = try moov.all("trak")
    guard atoms.count <= ReadingLimit.tracks.value else {
      throw MediaError(beyond: .tracks, "it has \(atoms.count) tracks")
    }
    tracks = try atoms.map { try Track($0, fileSize: file.size) }
  }

  /// The bytes of the file that are samples, chunk by chunk.
  var chunks: [Range<Int>] {
    tracks.flatMap(\.samples.chunks).filter { $0.byteCount > 0 }
      .map { $0.offset..<$0.offset + $0.byteCount }
  }

  /// Makes sure that every offset into the file is known, so that bytes may move.
  ///
  /// - Throws: ``MediaError`` when one is not.
  func checkIsFollowed(in file: HEIFFile) throws {
    let fragments: Set<FourCC> = ["moof", "sidx", "mfra"]
    guard !file.atoms.contains(where: { fragments.contains($0.kind) }) else {
      throw MediaError("it is an image sequence in fragments", isUnsupported: true)
    }
    // Lists of items in tracks say where their data lies, too (ISO/IEC 14496-12 section 8.11.1).
    for holder in [moov] + tracks.map(\.atom) {
      for meta in try holder.all("meta") {
        let parts = try? Atom.parseAll(meta.bytes.dropFirst(4)).atoms
        guard let parts, !parts.contains(where: { $0.kind == "iloc" }) else {
          throw MediaError("it is an image sequence whose tracks have items", isUnsupported: true)
        }
      }
    }
    guard moov.bytes.count == place.contentSize, !chunks.contains(where: { $0.overlaps(place.range) }) else {
      throw MediaError("its moov atom is stored in a way that cannot be changed", isUnsupported: true)
    }
  }

  /// Turns all tracks of pictures by the matrices in their headers (ISO/IEC 14496-12 section 8.3.2).
  ///
  /// - Parameter turn: how the displayed picture is turned or mirrored further.
  /// - Throws: ``MediaError`` when a movie is beside them, or a picture is not upright on its track's canvas by a quarter turn or
  ///   mirror image.
  mutating func turn(by turn: Orientation) throws {
    guard turn != .identity else { return }
    guard !tracks.contains(where: { $0.handler == "vide" }) else {
      throw MediaError(
        "it holds a movie beside its picture, which would not be turned with it", isUnsupported: true)
    }
    guard let header = try moov.first("mvhd") else { throw MediaError("it has no movie header") }
    var rest = try MediaHeader(header).rest
    try rest.skip(16)
    let matrix = TrackHeader.Matrix(entries: try (0..<9).map { _ in try rest.int32() })
    guard matrix.orientation == .up else {
      throw MediaError("its movie header has a matrix of its own", isUnsupported: true)
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

  /// The content of the box `moov`, of the same size, once the samples lie elsewhere.
  ///
  /// - Parameter moved: returns where some bytes of the file, maybe none, begin then.
  /// - Throws: ``MediaError`` when an offset does not fit; what `moved` throws.
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
  /// Overwrites offsets that stand one after another.
  fileprivate mutating func setOffsets(_ offsets: [Int], at place: Int, width: Int) throws {
    var bytes = bytes
    guard bytes.count >= place + offsets.count * width else {
      throw MediaError("its atom “\(kind)” is too short")
    }
    for (index, offset) in offsets.enumerated() {
      guard width == 8 || offset <= UInt32.max else {
        throw MediaError("it is larger than its boxes can say", isUnsupported: true)
      }
      let start = place + index * width
      bytes.replaceSubrange(start..<start + width, with: ByteOrder.big.bytes(of: offset, width: width))
    }
    self.bytes = bytes
  }

  /// Corrects `saio`, where what belongs to single samples lies in the file (ISO/IEC 14496-12 section 8.7.9).
  fileprivate mutating func moveAuxiliaryInformation(_ moved: (Range<Int>) throws -> Int) throws {
    var reader = BigEndianReader(bytes)
    let head = try reader.uint32()
    if head & 1 == 1 { try reader.skip(8) }
    let width = head >> 24 == 0 ? 4 : 8
    let count = try reader.count(entrySize: width)
    let place = reader.offset
    let offsets = try (0..<count).map { _ in
      let offset = width == 4 ? UInt64(try reader.uint32()) : try reader.uint64()
      guard offset < 1 << 62 else { throw MediaError("its atom “saio” has an impossible offset") }
      return try moved(Int(offset)..<Int(offset) + 1)
    }
    try setOffsets(offsets, at: place, width: width)
  }
}

extension Track {
  /// Its references to other tracks, by kinds (ISO/IEC 14496-12 section 8.3.3).
  var references: [Atom] { get throws { try atom.first("tref")?.children ?? [] } }
}

extension HEIFFile {
  /// The image sequence in the file; nil without one.
  ///
  /// - Throws: ``MediaError`` when its tracks are damaged or cannot be followed.
  func sequence() throws -> HEIFSequence? {
    try atoms.first { $0.kind == "moov" }.map { try HEIFSequence($0, of: self) }
  }

  /// Makes sure that the picture stands alone.
  ///
  /// - Throws: ``MediaError`` when an image sequence is in the file.
  func checkHasNoSequence() throws {
    guard !atoms.contains(where: { $0.kind == "moov" }) else {
      throw MediaError(
        "it is an image sequence, and only its first picture would be edited", remedy: "turn it only",
        isUnsupported: true)
    }
  }
}
