import EditModel

/// The HDR gain map of a JPEG: a second JPEG behind the first one, found by the index of a multi-picture file (as
/// Apple writes it) or by Google's container directory (Ultra HDR 1.1).
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

  /// Where the gain map stands; nil when there is none, or none that could be kept.
  var gainMapRange: Range<Int>? {
    // An item of another kind would have to be edited too.
    guard containerItems.allSatisfy({ ["Primary", "GainMap"].contains($0.semantic) }) else { return nil }
    return furtherPictures.first { range in
      let head = range.prefix(65_536)
      let marks = ["HDRGainMap", "hdr-gain-map", "hdrgainmap", "urn:iso:std:iso:ts:21496"]
      return file.bytes[range].starts(with: [0xFF, 0xD8, 0xFF])
        && marks.contains { file.bytes.firstIndex(of: $0, in: head) != nil }
    }
  }
}

extension JPEGSurgery {
  /// The gain map, a JPEG, for the caller to edit along; nil when there is none, or none that can be kept.
  package var gainMap: [UInt8]? { JPEGParts(original).gainMapRange.map { Array(original.bytes[$0]) } }

  /// Puts new pixels into a gain map. What it says of itself stays.
  ///
  /// - Parameters:
  ///   - image: a JPEG that holds the new pixels; its metadata is ignored.
  ///   - transform: how the stored pixels were moved.
  /// - Returns: the JPEG.
  /// - Throws: ``MediaError`` when one of them is no whole JPEG.
  package static func rewrittenGainMap(
    _ map: [UInt8], image: [UInt8], transform: Orientation
  ) throws -> [UInt8] {
    let original = try JPEGFile(map)
    let replacement = try JPEGFile(image)
    let change = PictureChange(
      transform: transform, orientation: .identity, old: original.header.frame.size,
      new: replacement.header.frame.size, isNewPicture: true, keepsGainMap: true)
    var rewriter = JPEGRewriter(parts: JPEGParts(original), change: change)
    rewriter.removeManifests()
    try rewriter.rewriteExif(identifier: nil, thumbnail: nil)
    rewriter.rewriteXMP(gainMap: nil)
    rewriter.rewriteJFIF()
    return try rewriter.parts.assembled(with: replacement, gainMap: nil, trailer: [])
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
