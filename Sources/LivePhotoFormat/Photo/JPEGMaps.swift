import EditModel

/// A picture behind a JPEG that tells something of each of its places: an HDR gain map, Apple's depth or one of its
/// mattes.
package struct JPEGMap: Sendable {
  /// The JPEG that it is; in XMP it may be a PNG.
  package var bytes: [UInt8]
  /// The kind of what it tells: “gain map”, or the last word of Apple's `AuxiliaryImageType`, as in “disparity”.
  package let name: String

  /// True for an HDR gain map.
  package var isGainMap: Bool { name == Self.gainMap }

  /// The name of gain maps.
  static let gainMap = "gain map"
}

/// The maps of a JPEG: JPEGs behind the first one, found by the index of a multi-picture file (as Apple writes it) or by
/// Google's container directory (Ultra HDR 1.1).
extension JPEGParts {
  /// Where further pictures stand behind the first one, by the indices.
  ///
  /// Container items follow one another from the end of the primary picture on, so only the lengths count.
  var furtherPictures: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for index in indices(of: .multiPicture) {
      if let segment = list[index].segments.first, let pictures = MultiPicture(file.payload(segment)) {
        ranges += pictures.ranges(payloadStart: segment.payload.lowerBound, within: file.trailer)
      }
    }
    var at = file.trailer.lowerBound
    for item in containerItems where item.semantic != "Primary" {
      guard let length = item.length, length > 0, length <= file.trailer.upperBound - at else { break }
      ranges.append(at..<at + length)
      at += length
    }
    return ranges
  }

  /// The items of the container directory.
  var containerItems: [XMPPacket.ContainerItem] { packets.flatMap(\.containerItems) }

  /// Where the maps stand that could be kept, and what they tell: in file order, but a gain map that a directory lists
  /// comes first.
  var maps: [(range: Range<Int>, name: String)] {
    // An item of another kind would have to be edited too.
    guard containerItems.allSatisfy({ ["Primary", "GainMap"].contains($0.semantic) }) else { return [] }
    var seen: [Range<Int>] = []
    for range in furtherPictures.prefix(Self.mostPictures) where !seen.contains(where: range.overlaps) {
      seen.append(range)
    }
    let maps = seen.compactMap { range in mapName(range).map { (range: range, name: $0) } }
    // Whoever has two gain maps has one too many.
    let gainMap = maps.first { $0.name == JPEGMap.gainMap }
    let kept = maps.filter { $0.name != JPEGMap.gainMap || $0.range == gainMap?.range }
    guard let gainMap, containerItems.contains(where: { $0.semantic == "GainMap" }) else { return kept }
    return [gainMap] + kept.filter { $0.range != gainMap.range }
  }

  /// Phones write four at most.
  private static let mostPictures = 64

  /// The kind of what a map tells; nil for another picture.
  private func mapName(_ range: Range<Int>) -> String? {
    guard file.bytes[range].starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    func isMarked(_ mark: String) -> Bool {
      file.bytes.firstIndex(of: mark, in: range.prefix(65_536)) != nil
    }
    let marks = ["HDRGainMap", "hdr-gain-map", "hdrgainmap", "urn:iso:std:iso:ts:21496"]
    if marks.contains(where: isMarked) { return JPEGMap.gainMap }
    guard isMarked(XMPPacket.Namespace.pixelData), let map = try? JPEGFile(Array(file.bytes[range]))
    else { return nil }
    let kinds = JPEGParts(map).packets.compactMap {
      $0.text("AuxiliaryImageType", in: XMPPacket.Namespace.pixelData)?.text
    }
    return kinds.first?.split(separator: ":").last.map { String($0) }
  }
}

extension JPEGSurgery {
  /// The maps, for the caller to edit along, as far as they can be kept.
  package var maps: [JPEGMap] {
    JPEGParts(original).maps.map { JPEGMap(bytes: Array(original.bytes[$0.range]), name: $0.name) }
  }

  /// Puts new pixels into a map. What it says of itself stays, as far as it is true of them.
  ///
  /// - Parameters:
  ///   - map: the map, a JPEG.
  ///   - image: a JPEG that holds the new pixels; its metadata is ignored.
  ///   - transform: how the stored pixels were moved.
  ///   - projection: from places of the turned picture to places of the new one, in fractions, where it is another part.
  /// - Returns: the JPEG, and what it does not carry any more.
  /// - Throws: ``MediaError`` when one of them is no whole JPEG.
  package static func rewrittenMap(
    _ map: [UInt8], image: [UInt8], transform: Orientation, projection: PictureProjection?
  ) throws -> Result {
    let original = try JPEGFile(map)
    let replacement = try JPEGFile(image)
    var change = PictureChange(
      transform: transform, projection: projection, orientation: .identity, old: original.header.frame.size,
      new: replacement.header.frame.size, isNewPicture: true, keepsGainMap: true)
    change.isMap = true
    var rewriter = JPEGRewriter(parts: JPEGParts(original), change: change)
    rewriter.removeManifests()
    try rewriter.rewriteExif(identifier: nil, thumbnail: nil)
    rewriter.rewriteXMP(gainMap: nil)
    rewriter.rewriteJFIF()
    let bytes = try rewriter.parts.assembled(with: replacement, trailer: [])
    return Result(bytes: bytes, removals: rewriter.removals)
  }
}

extension XMPPacket {
  /// One item of Google's container directory.
  struct ContainerItem {
    /// Its kind: “Primary”, “GainMap”, …
    let semantic: String
    /// Bytes, and where the packet says so; nil for the primary picture as a rule.
    let length: Int?
    let lengthRange: Range<Int>?
  }

  /// The items of the directory, in order.
  var containerItems: [ContainerItem] {
    properties(in: Namespace.container).flatMap { property -> [ContainerItem] in
      guard case .element(let directory) = property else { return [] }
      return descendants(of: directory).compactMap { element in
        let fields = fields(of: element)
        let isItem =
          element.attributes.contains { $0.name.namespace == Namespace.containerItem }
          || tree.children(of: element).contains { $0.name.namespace == Namespace.containerItem }
        guard isItem, let semantic = fields["Semantic"] else { return nil }
        return ContainerItem(
          semantic: semantic.text, length: fields["Length"].flatMap { Int($0.text) },
          lengthRange: fields["Length"]?.range)
      }
    }
  }

  /// Makes the directory true of a gain map of another length.
  mutating func setGainMapLength(_ count: Int) {
    for item in containerItems where item.semantic == "GainMap" {
      if let range = item.lengthRange { replace(range, with: String(count)) }
    }
  }
}
