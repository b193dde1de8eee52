import EditModel

/// A picture behind a JPEG that tells something of each of its places: an HDR gain map, Apple's depth or one of its
/// mattes.
package struct JPEGMap: Sendable {
  /// The JPEG that it is; in XMP it may be a PNG.
  package var bytes: [UInt8]
  /// The kind of what it tells: “gain map”, the last word of Apple's `AuxiliaryImageType`, as in “disparity”, or what Google's directories
  /// call it, as in “Depth”.
  package let name: String
  /// Where it stood behind the picture; nil where it did not.
  var source: Range<Int>?
  /// True if the index of a multi-picture file lists it.
  var isIndexed = true

  init(bytes: [UInt8], name: String, source: Range<Int>? = nil, isIndexed: Bool = true) {
    (self.bytes, self.name, self.source, self.isIndexed) = (bytes, name, source, isIndexed)
  }

  /// True if it is an HDR gain map.
  package var isGainMap: Bool { name == Self.gainMap }
  /// True if Google's directories list it: it may be a PNG, and shows what the stored picture does where it has its shape.
  package var isGoogles: Bool { Self.googles.contains(name) }

  /// The name of gain maps.
  static let gainMap = "gain map"
  /// The name of depth in Google's directories.
  static let depth = "Depth"
  private static let googles = [depth, "Confidence", "Segmentation"]

  /// - Parameter kind: what a directory calls a picture.
  fileprivate static func isGoogles(_ kind: String?) -> Bool { kind.map(googles.contains) ?? false }
}

/// The maps of a JPEG: pictures behind the first one, found by the index of a multi-picture file (as Apple writes it) or by
/// Google's directories (Ultra HDR 1.1, Dynamic Depth 1.0).
extension JPEGParts {
  /// Where further pictures stand behind the first one by the index of a multi-picture file.
  var indexedPictures: [Range<Int>] {
    indices(of: .multiPicture).flatMap { index -> [Range<Int>] in
      guard let segment = list[index].segments.first, let pictures = MultiPicture(file.payload(segment))
      else { return [] }
      return pictures.ranges(payloadStart: segment.payload.lowerBound, within: file.trailer)
    }
  }

  /// Where further pictures stand behind the first one, by the index and by directories, each once.
  func furtherPictures(_ listing: JPEGListing) -> [Range<Int>] {
    var seen: Set<Range<Int>> = []
    return (indexedPictures + listing.items.map(\.range)).filter { seen.insert($0).inserted }
  }

  /// The place of a map.
  typealias MapPlace = (range: Range<Int>, name: String, isIndexed: Bool)

  /// Where the maps stand that could be kept, and what they tell: those that directories list come first, as they stand in the file.
  func maps(_ listing: JPEGListing) throws -> [MapPlace] {
    let indexed = indexedPictures
    var seen: [Range<Int>] = []
    for range in furtherPictures(listing) where !seen.contains(where: range.overlaps) {
      seen.append(range)
    }
    let maps = try seen.compactMap { range -> MapPlace? in
      let kind = listing.items.first { $0.range == range }?.kind
      return try mapName(range, kind).map { (range, $0, indexed.contains(range) || !JPEGMap.isGoogles($0)) }
    }
    // Whoever has two gain maps has one too many.
    let gainMap = maps.first { $0.name == JPEGMap.gainMap }
    let kept = maps.filter { $0.name != JPEGMap.gainMap || $0.range == gainMap?.range }
    let listed = kept.filter { map in listing.items.contains { $0.range == map.range } }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    return listed + kept.filter { map in !listing.items.contains { $0.range == map.range } }
  }

  /// The kind of what a map tells; nil for another picture.
  ///
  /// - Parameter kind: what a directory calls it.
  private func mapName(_ range: Range<Int>, _ kind: String?) throws -> String? {
    let isJPEG = file.bytes[range].starts(with: [0xFF, 0xD8, 0xFF])
    if JPEGMap.isGoogles(kind) {
      return isJPEG || file.bytes[range].starts(with: PNGFile.signature) ? kind : nil
    }
    guard isJPEG, kind != "Original" else { return nil }
    func isMarked(_ mark: String) -> Bool {
      file.bytes.firstIndex(of: mark, in: range.prefix(65_536)) != nil
    }
    let marks = ["HDRGainMap", "hdr-gain-map", "hdrgainmap", "urn:iso:std:iso:ts:21496"]
    if marks.contains(where: isMarked) { return JPEGMap.gainMap }
    guard isMarked(XMPPacket.Namespace.pixelData), let map = try? JPEGFile(Array(file.bytes[range]))
    else { return nil }
    let kinds = try JPEGParts(map).packets.compactMap {
      $0.text("AuxiliaryImageType", in: XMPPacket.Namespace.pixelData)?.text
    }
    return kinds.first?.split(separator: ":").last.map { String($0) }
  }
}

extension JPEGSurgery {
  /// Finds the maps, for the caller to edit along, as far as they can be kept.
  ///
  /// - Throws: ``MediaError`` when it has, or its XMP lists, too many pictures.
  package func maps() throws -> [JPEGMap] {
    let parts = JPEGParts(original)
    return try parts.maps(parts.listing()).map {
      JPEGMap(
        bytes: Array(original.bytes[$0.range]), name: $0.name, source: $0.range, isIndexed: $0.isIndexed)
    }
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
    var rewriter = try JPEGRewriter(parts: JPEGParts(original), change: change)
    rewriter.removeManifests()
    rewriter.nameMetadataBetweenScans()
    try rewriter.rewriteExif(identifier: nil, thumbnail: nil)
    try rewriter.rewriteXMP()
    rewriter.rewritePhotoshop()
    rewriter.rewriteJFIF()
    rewriter.removePreviews()
    let bytes = try rewriter.parts.assembled(with: replacement, trailer: [])
    return Result(bytes: bytes, removals: rewriter.removals)
  }
}
