import Basics

/// A JPEG's header segments as a list that can be changed before the JPEG is written again.
struct JPEGParts: Sendable {
  /// The maximum number of bytes in a segment's payload.
  static let payloadLimit = 65_533

  /// A segment, or several consecutive segments that belong together.
  struct Part: Sendable {
    /// The marker of the segments.
    let marker: UInt8
    /// The kind of metadata in the part, or nil if the metadata requires no special treatment.
    let kind: JPEGMetadataKind?
    /// The segments in the original.
    var segments: [JPEGSegment] = []
    /// The joined bytes of the segments after their signatures, or after the segment length if the kind requires no
    /// special treatment.
    var content: [UInt8]
    /// Whether `content` differs from the original.
    var isChanged = true
    /// Whether the part is omitted.
    var isRemoved = false

    /// The maximum size of `content` without an additional segment.
    var limit: Int {
      (kind?.room ?? payloadLimit) * max(segments.count, 1)
    }
  }

  /// The file that contains the parts.
  let file: JPEGFile
  /// The parts in file order. Segments between scans are not included: readers stop at the first scan, so moving such
  /// segments before it would make them effective.
  var list: [Part] = []

  init(_ file: JPEGFile) {
    self.file = file
    for segment in file.header.segments {
      let payload = file.bytes[segment.payload]
      let kind = JPEGMetadataKind(marker: segment.marker, payload: payload)
      let content = segment.isMetadata ? Array(payload.dropFirst(kind?.signature.prefix.count ?? 0)) : []
      if let kind, let last = list.indices.last, list[last].kind == kind, Self.continues(kind, content) {
        list[last].segments.append(segment)
        list[last].content += content
      } else {
        list.append(
          Part(marker: segment.marker, kind: kind, segments: [segment], content: content, isChanged: false))
      }
    }
  }

  /// Returns whether a segment continues the preceding segment of the same kind.
  private static func continues(_ kind: JPEGMetadataKind, _ content: [UInt8]) -> Bool {
    switch kind {
    case .exif: TIFFBlock(exif: content) == nil && !content.hasPrefix("II") && !content.hasPrefix("MM")
    case .photoshop: true
    default: false
    }
  }

  /// Returns the indices of the parts of a kind that are not omitted.
  func indices(of kind: JPEGMetadataKind) -> [Int] {
    list.indices.filter { list[$0].kind == kind && !list[$0].isRemoved }
  }

  /// Returns the contents of the parts of a kind that are not omitted.
  func contents(of kind: JPEGMetadataKind) -> [[UInt8]] { indices(of: kind).map { list[$0].content } }

  /// The readable Exif blocks.
  var exifBlocks: [TIFFBlock] { contents(of: .exif).compactMap { TIFFBlock(exif: $0) } }

  /// The readable XMP packets. Reading throws an error if a packet exceeds a limit.
  var packets: [XMPPacket] { get throws { try contents(of: .xmp).compactMap { try XMPPacket($0) } } }

  /// Omits all parts of the given kinds.
  mutating func remove(_ kinds: JPEGMetadataKind...) {
    for index in kinds.flatMap(indices) { list[index].isRemoved = true }
  }

  /// Adds a part.
  ///
  /// - Parameters:
  ///   - content: The bytes after the signature.
  ///   - others: The kinds after which the part is inserted. Without any part of these kinds, the new part comes first.
  mutating func insert(_ content: [UInt8], as kind: JPEGMetadataKind, behind others: Set<JPEGMetadataKind>) {
    let last = list.lastIndex { $0.kind.map(others.contains) ?? false }
    list.insert(
      Part(marker: kind.signature.marker, kind: kind, content: content), at: last.map { $0 + 1 } ?? 0)
  }

  /// Sets the content of a part.
  mutating func setContent(_ content: [UInt8], at index: Int) {
    guard list[index].content != content else { return }
    list[index].content = content
    list[index].isChanged = true
  }

  /// Inserts an Exif block at the beginning, but after JFIF, which must come first.
  mutating func insertExif(_ content: [UInt8]) {
    let place = list.firstIndex { $0.kind != .jfif && $0.kind != .jfxx } ?? list.count
    list.insert(Part(marker: 0xE1, kind: .exif, content: content), at: place)
  }

  /// Returns a part as segments. An unchanged part has the original's bytes.
  ///
  /// - Throws: ``MediaError`` if the content does not fit.
  func bytes(of part: Part) throws -> [UInt8] {
    guard part.isChanged else { return part.segments.flatMap { file.bytes[$0.range] } }
    guard part.content.count <= part.limit else {
      throw MediaError("the metadata has become too large for a JPEG segment", isUnsupported: true)
    }
    let prefix = part.kind?.signature.prefix ?? []
    let room = part.kind?.room ?? Self.payloadLimit
    return stride(from: 0, to: part.content.count, by: room).flatMap { start -> [UInt8] in
      let payload = prefix + part.content[start..<min(start + room, part.content.count)]
      return JPEGSegment.bytes(part.marker, payload)
    }
  }

  /// Returns the whole file: the metadata, the picture, its maps, and the data after them. The original's picture keeps
  /// the metadata between its scans. A new picture receives only the comments among it.
  ///
  /// - Parameters:
  ///   - picture: The file that contains the new picture, or nil to keep the original's picture.
  ///   - scans: The original's picture in the form in which it is to be written, or nil for its existing bytes.
  ///   - maps: The edited maps of a new picture, some of which are listed in the index.
  ///   - trailer: The data after the picture and its maps, or nil for the data after the original picture.
  func assembled(
    with picture: JPEGFile? = nil, scans: [UInt8]? = nil, maps: [JPEGMap] = [], trailer: [UInt8]? = nil
  ) throws -> [UInt8] {
    let kept = list.filter { part in
      !part.isRemoved && (picture == nil || part.segments.first?.isMetadata ?? true)
    }
    var bytes: [UInt8] = [0xFF, 0xD8]
    var index: (start: Int, part: Part)?
    for part in kept {
      if part.kind == .multiPicture { index = (bytes.count, part) }
      bytes += try self.bytes(of: part)
    }
    if let picture {
      bytes += file.laterComments.flatMap { file.bytes[$0.range] } + picture.codedPicture
    } else {
      bytes += scans ?? Array(file.bytes[file.picture])
    }
    if let index {
      // The offset after the marker and the length.
      let start = index.start + 4
      let payload = MultiPicture.signature + index.part.content
      if let pictures = MultiPicture(payload) {
        let growth = bytes.count - file.picture.upperBound
        let before = index.part.segments.first?.range.lowerBound ?? index.start
        var places = [(size: bytes.count, offset: 0)]
        var behind = bytes.count - start - MultiPicture.signature.count
        for map in maps {
          if map.isIndexed { places.append((map.bytes.count, behind)) }
          behind += map.bytes.count
        }
        let moved =
          maps.isEmpty
          ? pictures.moved(payload, growth: growth, shift: growth - (index.start - before))
          : pictures.placed(payload, places)
        bytes.replaceSubrange(start..<start + moved.count, with: moved)
      }
    }
    return bytes + maps.flatMap(\.bytes) + (trailer ?? Array(file.bytes[file.trailer]))
  }
}
