import Basics

/// A JPEG's header segments as a list that can be changed before it is written again.
struct JPEGParts: Sendable {
  /// The most bytes that one segment's payload holds.
  static let payloadLimit = 65_533

  /// One segment, or several that continue each other.
  struct Part: Sendable {
    /// Its marker.
    let marker: UInt8
    /// The kind of metadata that it carries, where that needs care.
    let kind: JPEGMetadataKind?
    /// The segments in the original.
    var segments: [JPEGSegment] = []
    /// The bytes of the segments behind their signatures, joined; behind the marker's length where the kind
    /// needs no care.
    var content: [UInt8]
    /// True if `content` is not the original's.
    var isChanged = true
    /// True if it is left out.
    var isRemoved = false

    /// The most bytes that `content` may grow to without another segment.
    var limit: Int {
      (kind?.room ?? payloadLimit) * max(segments.count, 1)
    }
  }

  /// The file that the parts are of.
  let file: JPEGFile
  /// The parts in file order. What stands between scans is none of them: readers stop at the first scan, and there it would
  /// begin to count.
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

  /// True if a segment goes on where the one before it of the same kind ended.
  private static func continues(_ kind: JPEGMetadataKind, _ content: [UInt8]) -> Bool {
    switch kind {
    case .exif: TIFFBlock(exif: content) == nil && !content.hasPrefix("II") && !content.hasPrefix("MM")
    case .photoshop: true
    default: false
    }
  }

  /// Positions of the parts of a kind that are not removed.
  func indices(of kind: JPEGMetadataKind) -> [Int] {
    list.indices.filter { list[$0].kind == kind && !list[$0].isRemoved }
  }

  /// The contents of the parts of a kind that are not removed.
  func contents(of kind: JPEGMetadataKind) -> [[UInt8]] { indices(of: kind).map { list[$0].content } }

  /// The Exif blocks that can be read.
  var exifBlocks: [TIFFBlock] { contents(of: .exif).compactMap { TIFFBlock(exif: $0) } }

  /// The XMP packets that can be read. Throws where one is beyond a limit.
  var packets: [XMPPacket] { get throws { try contents(of: .xmp).compactMap { try XMPPacket($0) } } }

  /// Leaves out all parts of some kinds.
  mutating func remove(_ kinds: JPEGMetadataKind...) {
    for index in kinds.flatMap(indices) { list[index].isRemoved = true }
  }

  /// Adds a part.
  ///
  /// - Parameters:
  ///   - content: its bytes behind the signature.
  ///   - others: the kinds that stand before it; it comes first where there is none of them.
  mutating func insert(_ content: [UInt8], as kind: JPEGMetadataKind, behind others: Set<JPEGMetadataKind>) {
    let last = list.lastIndex { $0.kind.map(others.contains) ?? false }
    list.insert(
      Part(marker: kind.signature.marker, kind: kind, content: content), at: last.map { $0 + 1 } ?? 0)
  }

  /// Gives a part another content.
  mutating func setContent(_ content: [UInt8], at index: Int) {
    guard list[index].content != content else { return }
    list[index].content = content
    list[index].isChanged = true
  }

  /// Puts an Exif block first; JFIF insists on the first place.
  mutating func insertExif(_ content: [UInt8]) {
    let place = list.firstIndex { $0.kind != .jfif && $0.kind != .jfxx } ?? list.count
    list.insert(Part(marker: 0xE1, kind: .exif, content: content), at: place)
  }

  /// A part as segments: the original's bytes where it is unchanged.
  ///
  /// - Throws: ``MediaError`` when the content does not fit.
  func bytes(of part: Part) throws -> [UInt8] {
    guard part.isChanged else { return part.segments.flatMap { file.bytes[$0.range] } }
    guard part.content.count <= part.limit else {
      throw MediaError("its metadata does not fit into a JPEG segment any more", isUnsupported: true)
    }
    let prefix = part.kind?.signature.prefix ?? []
    let room = part.kind?.room ?? Self.payloadLimit
    return stride(from: 0, to: part.content.count, by: room).flatMap { start -> [UInt8] in
      let payload = prefix + part.content[start..<min(start + room, part.content.count)]
      return JPEGSegment.bytes(part.marker, payload)
    }
  }

  /// The whole file: the metadata, then the picture, its maps, and what stood behind them. Metadata between the original's scans
  /// stay there with them; a new picture gets the comments of them.
  ///
  /// - Parameters:
  ///   - picture: the file that holds the new picture; nil for the original one.
  ///   - scans: the original's picture as it is to be written; nil for its bytes.
  ///   - maps: the edited maps of a new picture, of which the index lists some.
  ///   - trailer: what follows; nil for what followed the original picture.
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
      // Behind marker and length.
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
