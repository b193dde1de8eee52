import Basics

/// The parts of a photo or movie that determine what it looks and sounds like, without purely descriptive metadata. Two
/// files with equal parts are displayed and played in the same way, regardless of their tags and of the positions of
/// the parts in the files.
package struct CodedMedia: Sendable {
  /// A sequence of bytes that is compared.
  package enum Part: Hashable, Sendable {
    /// Bytes that were computed from the file's content.
    case bytes([UInt8])
    /// A range of bytes in the file.
    case file(Range<Int>)
  }

  /// The version of the rules that select the parts. The version changes whenever the rules change.
  package static let form = 1

  /// The parts in an order that does not depend on their positions in the file.
  package private(set) var parts: [Part] = []
  /// The number of bytes from the file that may still be added.
  private var left: Int
  /// The number of computed bytes that may still be added. Real files need a few hundred kilobytes.
  private var room = 1 << 26

  /// Creates an empty list of parts.
  ///
  /// - Parameter source: The file that contains the parts.
  init(of source: any ByteSource) {
    // Parts may overlap, but on average each byte may belong to at most two parts.
    left = source.count.multipliedReportingOverflow(by: 2).overflow ? Int.max : 2 * source.count
  }

  /// Adds bytes, preceded by a name and their length, so that different lists of parts can never produce the same
  /// bytes.
  ///
  /// - Throws: ``MediaError`` if the total number of bytes is too large.
  mutating func add(_ name: String, _ bytes: [UInt8]) throws {
    room -= bytes.count
    guard room >= 0 else { throw Self.tooLarge }
    parts.append(.bytes(Self.head(name, bytes.count) + bytes))
  }

  /// Adds numbers with a name.
  mutating func add(_ name: String, words: [Int]) throws { try add(name, [UInt8](words: words)) }

  /// Adds bytes from the file, preceded by a name and their length. The division of the bytes into ranges does not
  /// matter.
  ///
  /// - Throws: ``MediaError`` if the total size of all ranges is much larger than the file.
  mutating func add(_ name: String, in ranges: [Range<Int>]) throws {
    var count = 0
    var whole: [Range<Int>] = []
    for range in ranges where !range.isEmpty {
      left -= range.count
      guard left >= 0 else { throw Self.tooLarge }
      count += range.count
      if let last = whole.last, last.upperBound == range.lowerBound {
        whole[whole.count - 1] = last.lowerBound..<range.upperBound
      } else {
        whole.append(range)
      }
    }
    parts.append(.bytes(Self.head(name, count)))
    parts += whole.map(Part.file)
  }

  private static let tooLarge = MediaError("the parts are larger than the file", isUnsupported: true)

  private static func head(_ name: String, _ count: Int) -> [UInt8] {
    Array("\(name) \(count)\n".utf8)
  }
}

extension Photo {
  /// Returns the parts of the file that determine what the photo looks like.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
  package func codedMedia() throws -> CodedMedia {
    let container = try container
    var media = CodedMedia(of: source)
    // A JPEG is rotated by a tag, and a HEIC photo by its properties.
    let turn = try metadata().orientation.matrix
    try media.add("orientation", words: [turn.a, turn.b, turn.c, turn.d])
    try media.add("profile", try container.iccProfile() ?? [])
    try container.addCodedMedia(to: &media)
    return media
  }
}

extension JPEGHeader {
  func addCodedMedia(to media: inout CodedMedia) throws {
    // libjpeg uses these segments, in addition to the picture's own segments, to determine the colour encoding.
    try media.add("jfif", words: [segments.contains { $0.marker == 0xE0 } ? 1 : 0])
    for segment in segments where !segment.isMetadata || segment.marker == 0xEE {
      try media.add("segment", in: [segment.range])
    }
    let scans = try scans()
    try media.add("scans", in: scans)
    // The trailer may contain additional pictures. A gain map, for example, affects the photo on an HDR display.
    try media.add("trailer", in: [(scans.last?.upperBound ?? scanStart)..<source.count])
  }
}

extension HEIFFile {
  /// The types of items that describe other items.
  private static let describing: Set<FourCC> = ["Exif", "mime", "uri "]

  func addCodedMedia(to media: inout CodedMedia) throws {
    try media.add("primary", words: [Int(primaryItem)])
    let counted = itemOrder.filter { id in items[id].map { !Self.describing.contains($0.type) } ?? false }
    var left = Self.mostPieces
    let data = try counted.map { location(of: $0) == nil ? [] : try ranges(of: $0, left: &left) }
    for (id, pieces) in zip(counted, data) {
      guard let item = items[id] else { continue }
      try media.add(
        "item",
        words: [Int(id), Int(item.type.rawValue), item.isHidden ? 1 : 0, Int(item.protection)])
      for association in associations(of: id) {
        guard let property = properties.property(association) else { continue }
        try media.add(association.isEssential ? "essential" : "property", property.serialized)
      }
      for reference in references(from: id) {
        try media.add("reference", words: [Int(reference.kind.rawValue)] + reference.to.map(Int.init))
      }
      try media.add("data", in: pieces)
    }
    for group in groups {
      try media.add("group", words: [Int(group.kind.rawValue), Int(group.id)] + group.members.map(Int.init))
    }
    try media.add("movie", in: atoms.filter { $0.kind == "mpvd" }.map(\.range))
  }
}

extension Movie {
  /// The kinds of atoms in a track that only describe the track or state where its media is stored.
  private static let passedOver: Set<FourCC> = [
    "meta", "udta", "uuid", "free", "skip", "wide", "stco", "co64", "stsc",
  ]

  /// Returns the parts of the file that determine what the movie looks and sounds like: the samples of all tracks,
  /// their coding, and the time and position at which each sample is displayed.
  ///
  /// - Parameter source: The movie's file.
  package func codedMedia(of source: any ByteSource) throws -> CodedMedia {
    var media = CodedMedia(of: source)
    try media.add("movie", words: [Int(timeScale)])
    for track in tracks {
      try Self.add(track.atom, to: &media)
      try media.add(
        "samples", in: track.samples.chunks.map { $0.offset..<$0.offset + $0.byteCount })
    }
    return media
  }

  private static func add(_ atom: Atom, to media: inout CodedMedia) throws {
    if passedOver.contains(atom.kind) { return }
    switch (atom.kind, atom.content) {
    case ("tkhd", _):
      // The header is added without its dates. The added parts are the track ID, the enabled flag, and everything from
      // the layer onwards. See ``TrackHeader``.
      let header = try TrackHeader(atom)
      try media.add("tkhd", words: [Int(header.trackID), header.isEnabled ? 1 : 0])
      try media.add("place", Array(atom.bytes.suffix(52)))
    case ("mdhd", _): try media.add("mdhd", words: [Int(try MediaHeader(atom).timeScale)])
    case (_, .bytes(let bytes)): try media.add(atom.kind.description, bytes)
    case (_, .children(let children, _)):
      try media.add(atom.kind.description, [])
      for child in children { try add(child, to: &media) }
    }
  }
}
