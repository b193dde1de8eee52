import EditModel

/// A map stored after the first picture of a JPEG, which contains information about each position in that picture.
/// Examples are HDR gain maps and Apple's depth maps and mattes.
package struct JPEGMap: Sendable {
  /// The bytes of the map, which is a JPEG. In XMP, the map can also be a PNG.
  package var bytes: [UInt8]
  /// The kind of information in the map: “gain map”, the last word of Apple's `AuxiliaryImageType` (for example
  /// “disparity”), or the name in Google's directories (for example “Depth”).
  package let name: String
  /// The map's range in the original file, or nil if the map was not stored after the first picture.
  var source: Range<Int>?
  /// Whether the multi-picture index lists the map.
  var isIndexed = true

  init(bytes: [UInt8], name: String, source: Range<Int>? = nil, isIndexed: Bool = true) {
    (self.bytes, self.name, self.source, self.isIndexed) = (bytes, name, source, isIndexed)
  }

  /// Whether the map is an HDR gain map.
  package var isGainMap: Bool { name == Self.gainMap }
  /// Whether Google's directories list the map. The map may then be a PNG. If the map has the same aspect ratio as the
  /// stored picture, both show the same area.
  package var isGoogles: Bool { Self.googles.contains(name) }

  /// The name given to gain maps.
  static let gainMap = "gain map"
  /// The name of depth maps in Google's directories.
  static let depth = "Depth"
  private static let googles = [depth, "Confidence", "Segmentation"]

  /// Returns whether a kind belongs to a map in Google's directories.
  ///
  /// - Parameter kind: The kind that a directory states for a picture.
  fileprivate static func isGoogles(_ kind: String?) -> Bool { kind.map(googles.contains) ?? false }
}

/// Finds a JPEG's maps: pictures after the first picture that are listed by Apple's multi-picture index or by Google's
/// directories (Ultra HDR 1.1, Dynamic Depth 1.0).
extension JPEGParts {
  /// The ranges of further pictures after the first picture, according to the multi-picture index.
  var indexedPictures: [Range<Int>] {
    indices(of: .multiPicture).flatMap { index -> [Range<Int>] in
      guard let segment = list[index].segments.first, let pictures = MultiPicture(file.payload(segment))
      else { return [] }
      return pictures.ranges(payloadStart: segment.payload.lowerBound, within: file.trailer)
    }
  }

  /// Returns the distinct ranges of further pictures after the first picture, according to the multi-picture index and
  /// the directories.
  func furtherPictures(_ listing: JPEGListing) -> [Range<Int>] {
    var seen: Set<Range<Int>> = []
    return (indexedPictures + listing.items.map(\.range)).filter { seen.insert($0).inserted }
  }

  /// A map's range, its name, and whether the multi-picture index lists the map.
  typealias MapPlace = (range: Range<Int>, name: String, isIndexed: Bool)

  /// Returns the positions and kinds of the maps that can be kept. The maps listed in directories come first, in file
  /// order.
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
    // Only the first gain map is kept.
    let gainMap = maps.first { $0.name == JPEGMap.gainMap }
    let kept = maps.filter { $0.name != JPEGMap.gainMap || $0.range == gainMap?.range }
    let listed = kept.filter { map in listing.items.contains { $0.range == map.range } }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    return listed + kept.filter { map in !listing.items.contains { $0.range == map.range } }
  }

  /// Returns the name of a map, which states what information the map contains, or nil if the picture is not a map.
  ///
  /// - Parameter kind: The kind that a directory states for the picture.
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
  /// Returns the maps that can be kept, so that the caller can apply the photo's edits to the maps.
  ///
  /// - Throws: ``MediaError`` if the file contains too many pictures, or if its XMP lists too many pictures.
  package func maps() throws -> [JPEGMap] {
    let parts = JPEGParts(original)
    return try parts.maps(parts.listing()).map {
      JPEGMap(
        bytes: Array(original.bytes[$0.range]), name: $0.name, source: $0.range, isIndexed: $0.isIndexed)
    }
  }

  /// Replaces the pixels of a map. The map's metadata is kept if it still describes the new pixels.
  ///
  /// - Parameters:
  ///   - map: The map to change, which is a JPEG.
  ///   - image: A JPEG that contains the new pixels. The metadata of `image` is ignored.
  ///   - transform: The rotation and mirroring applied to the stored pixels.
  ///   - projection: The mapping from positions in the rotated picture to positions in the new picture, in fractions of
  ///     width and height, or nil if the edit does not change the framing.
  /// - Returns: The new JPEG, and the metadata that was removed from it.
  /// - Throws: ``MediaError`` if `map` or `image` is an incomplete JPEG.
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
