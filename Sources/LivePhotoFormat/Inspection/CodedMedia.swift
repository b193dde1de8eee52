import Basics

/// The parts of a photo or movie that decide how it looks and sounds, without what only describes it: two files with the
/// same parts show and play the same, whatever their tags say and wherever in the file the parts lie.
package struct CodedMedia: Sendable {
  /// Some bytes that count.
  package enum Part: Hashable, Sendable {
    /// Bytes that were put together of what the file says.
    case bytes([UInt8])
    /// Bytes of the file.
    case file(Range<Int>)
  }

  /// The number of the rules by which the parts are chosen. Other rules get another number.
  package static let form = 1

  /// The parts in an order that does not depend on their places in the file.
  package private(set) var parts: [Part] = []
  /// Bytes of the file that may still be added.
  private var left: Int
  /// Other bytes that may still be added; real files need some hundred kilobytes.
  private var room = 1 << 26

  /// Begins without parts.
  ///
  /// - Parameter source: the file that they are of.
  init(of source: any ByteSource) {
    // Parts may lie over each other, but not more than two deep on average.
    left = source.count.multipliedReportingOverflow(by: 2).overflow ? Int.max : 2 * source.count
  }

  /// Adds bytes, under a name and with their number, so that no two lists of parts look alike.
  ///
  /// - Throws: ``MediaError`` when there are far too many.
  mutating func add(_ name: String, _ bytes: [UInt8]) throws {
    room -= bytes.count
    guard room >= 0 else { throw Self.tooLarge }
    parts.append(.bytes(Self.head(name, bytes.count) + bytes))
  }

  /// Adds numbers.
  mutating func add(_ name: String, words: [Int]) throws { try add(name, [UInt8](words: words)) }

  /// Adds bytes of the file, under a name and with their number; how they are cut into ranges makes no difference.
  ///
  /// - Throws: ``MediaError`` when all ranges together are far larger than the file.
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

  private static let tooLarge = MediaError("its parts are larger than the file", isUnsupported: true)

  private static func head(_ name: String, _ count: Int) -> [UInt8] {
    Array("\(name) \(count)\n".utf8)
  }
}

extension Photo {
  /// The parts of the file that decide how the photo looks.
  ///
  /// - Throws: ``MediaError`` when it is no photo, or damaged.
  package func codedMedia() throws -> CodedMedia {
    let container = try container
    var media = CodedMedia(of: source)
    // A tag turns a JPEG; a HEIC is turned by its properties.
    let turn = try metadata().orientation.matrix
    try media.add("orientation", words: [turn.a, turn.b, turn.c, turn.d])
    try media.add("profile", try container.iccProfile() ?? [])
    try container.addCodedMedia(to: &media)
    return media
  }
}

extension JPEGHeader {
  func addCodedMedia(to media: inout CodedMedia) throws {
    // What libjpeg asks for the kind of colours besides the picture's own segments.
    try media.add("jfif", words: [segments.contains { $0.marker == 0xE0 } ? 1 : 0])
    for segment in segments where !segment.isMetadata || segment.marker == 0xEE {
      try media.add("segment", in: [segment.range])
    }
    let scans = try scans()
    try media.add("scans", in: scans)
    // Further pictures: a gain map changes how the photo looks on a bright screen.
    try media.add("trailer", in: [(scans.last?.upperBound ?? scanStart)..<source.count])
  }
}

extension HEIFFile {
  /// The types of items that describe others.
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
  /// The atoms of a track that describe it, or only say where its media lies.
  private static let passedOver: Set<FourCC> = [
    "meta", "udta", "uuid", "free", "skip", "wide", "stco", "co64", "stsc",
  ]

  /// The parts of the file that decide how the movie looks and sounds: the samples of all tracks, how they are coded and
  /// when and where they are shown.
  ///
  /// - Parameter source: the movie's file.
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
      // Without its dates: the number of the track, and from the layer on, see ``TrackHeader``.
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
