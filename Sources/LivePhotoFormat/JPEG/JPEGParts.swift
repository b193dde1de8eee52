import Basics

/// A JPEG's header segments as a list that can be changed before the JPEG is written again.
struct JPEGParts: Sendable {
  /// The maximum number of bytes in a segment's payload.
  static let payloadLimit = 65_533

  /// A segment, or several consecutive segments that belong together.
  struct Part: Sendable {
    /// The marker of the part's segments.
    let marker: UInt8
    /// The kind of metadata in the part, or nil if the metadata requires no special treatment.
    let kind: JPEGMetadataKind?
    /// The segments in the original.
    var segments: [JPEGSegment] = []
    /// The joined content of the segments. The content of each segment begins after the signature, or after the segment
    /// length if the kind requires no special treatment.
    var content: [UInt8]
    /// Whether `content` differs from the original.
    var isChanged = true
    /// Whether the part is omitted.
    var isRemoved = false

    /// The maximum size of `content` in bytes without an additional segment.
    var limit: Int {
      (kind?.room ?? payloadLimit) * max(segments.count, 1)
    }
  }

  /// The file that contains the parts.
  let file: JPEGFile
  /// The parts in file order. Segments between scans are not included. Readers stop at the first scan and therefore
  /// ignore these segments, but would use them if they were moved before that scan.
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

  /// Returns the indices of the parts of a given kind, except for omitted parts.
  func indices(of kind: JPEGMetadataKind) -> [Int] {
    list.indices.filter { list[$0].kind == kind && !list[$0].isRemoved }
  }

  /// Returns the contents of the parts of a given kind, except for omitted parts.
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
  ///   - others: The kinds of parts after which the new part is inserted. If no part of these kinds exists, the new
  ///     part is inserted at the beginning.
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

  /// Inserts an Exif block at the beginning of the file, but after the JFIF segment, which must come first.
  mutating func insertExif(_ content: [UInt8]) {
    let place = list.firstIndex { $0.kind != .jfif && $0.kind != .jfxx } ?? list.count
    list.insert(Part(marker: 0xE1, kind: .exif, content: content), at: place)
  }

  /// Returns the bytes of a part's segments. The bytes of an unchanged part are the same as in the original.
  ///
  /// - Throws: ``MediaError`` if the content does not fit into the segments.
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

  /// Returns the complete file: the metadata, the picture, its maps, and the remaining data. If the original picture is
  /// kept, the metadata between its scans is kept too. If the picture is new, only the comments from that metadata are
  /// kept.
  ///
  /// - Parameters:
  ///   - picture: The file that contains the new picture, or nil to keep the original picture.
  ///   - scans: Changed bytes to write for the original picture, or nil to write its existing bytes.
  ///   - maps: The edited maps of a new picture. The index may list only some of these maps.
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
      // The offset after the index segment's marker and length.
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
