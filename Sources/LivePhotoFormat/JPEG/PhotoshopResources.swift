/// The image resources in a JPEG's APP13 segments (Adobe Photoshop file formats, “Image resource blocks”).
enum PhotoshopResources {
  /// The bytes that precede the resources in each segment.
  static let signature: [UInt8] = Array("Photoshop 3.0".utf8) + [0]

  /// An image resource.
  struct Resource {
    /// The resource's four-character signature, which is usually `8BIM`.
    let signature: String
    let id: Int
    /// The range of the complete resource, including padding.
    let range: Range<Int>
    let content: Range<Int>
  }

  /// Returns the resources that precede the first damaged resource.
  static func list(_ bytes: [UInt8]) -> [Resource] {
    var resources: [Resource] = []
    var at = 0
    while bytes.count - at >= 12, let id = ByteOrder.big.number(bytes, at: at + 4, width: 2) {
      let sizeAt = at + 6 + (Int(bytes[at + 6]) + 2) / 2 * 2  // behind Pascal text, padded to even
      guard let size = ByteOrder.big.number(bytes, at: sizeAt, width: 4), size <= bytes.count - sizeAt - 4
      else { break }
      let content = sizeAt + 4..<sizeAt + 4 + size
      let end = min(content.upperBound + size % 2, bytes.count)
      resources.append(
        Resource(
          signature: String(decoding: bytes[at..<at + 4], as: UTF8.self), id: id, range: at..<end,
          content: content))
      at = end
    }
    return resources
  }

  /// Removes the pictures, paths, guides and slices that do not match the rewritten picture, and returns the remaining
  /// resources. The remaining resources are kept byte for byte.
  ///
  /// - Parameters:
  ///   - bytes: The resources, without the signature.
  ///   - pixelsMoved: Whether resources that contain positions are also removed.
  /// - Returns: The remaining bytes, and the names of the removed pictures and of the removed position data. If the
  ///   resources are damaged, the damaged bytes are kept unchanged.
  static func withoutPictures(
    _ bytes: [UInt8], pixelsMoved: Bool
  ) -> (bytes: [UInt8], pictures: [String], places: [String]) {
    var kept: [UInt8] = []
    var (pictures, places): ([String], [String]) = ([], [])
    var at = 0
    for resource in list(bytes) {
      guard ["8BIM", "8BPS", "MeSa", "PHUT", "AgHg", "DCSR"].contains(resource.signature) else { break }
      switch resource.id {
      case 0x0409, 0x040C: pictures.append("PhotoshopThumbnail")
      case 0x0404 where IPTCDatasets.holdsPreview(Array(bytes[resource.content])):
        pictures.append("IPTC preview")
        let datasets = IPTCDatasets.withoutPreview(Array(bytes[resource.content]))
        kept += bytes[resource.range.lowerBound..<resource.content.lowerBound - 4]
        kept += ByteOrder.big.bytes(of: datasets.count, width: 4) + datasets
        kept += [UInt8](repeating: 0, count: datasets.count % 2)
      case _ where bytes.firstJPEG(in: resource.content) != nil:
        pictures.append("Photoshop resource \(resource.id)")
      // The last ID in the range identifies the clipping path's name.
      case 0x07D0...0x0BB7 where pixelsMoved: places.append("Photoshop path")
      case 0x0408 where pixelsMoved: places.append("Photoshop guides")
      case 0x041A where pixelsMoved: places.append("Photoshop slices")
      default: kept += bytes[resource.range]
      }
      at = resource.range.upperBound
    }
    return (kept + bytes[at...], pictures.unique, places.unique)
  }

  /// Returns the size in bytes of the IPTC-IIM resource, or 0 if that resource is missing.
  static func iptcSize(_ bytes: [UInt8]) -> Int {
    list(bytes).prefix { $0.signature == "8BIM" }.first { $0.id == 0x0404 }?.content.count ?? 0
  }

  /// The datasets in the application record that contain locations (IPTC-NAA Information Interchange Model 4.2, chapter
  /// 6): content location, city, sublocation, province, country code and country name.
  static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// Returns whether a resource contains a copy of the photo's Exif or XMP. The resource types are Exif data 1, Exif
  /// data 3, and XMP.
  private static func isCopy(_ resource: Resource) -> Bool { [0x0422, 0x0423, 0x0424].contains(resource.id) }

  /// Removes the copies of Exif and XMP that may reveal the photo's location, and returns the remaining resources.
  ///
  /// - Returns: The remaining bytes, or the unchanged `bytes` if the copies cannot reveal the location.
  static func withoutCopiesOfPlace(_ bytes: [UInt8]) -> [UInt8] {
    let gone = list(bytes).filter { resource in
      let content = Array(bytes[resource.content])
      return isCopy(resource) && (TIFFBlock(exif: content)?.listing(.gps) != nil || content.mayTellPlace)
    }
    return RangeSet(bytes.indices).subtracting(RangeSet(gone.map(\.range))).ranges.flatMap { bytes[$0] }
  }

  /// Removes the locations in IPTC-IIM and the copies of Exif and XMP, and returns the remaining resources. Damaged
  /// resources that may contain a location are removed completely.
  static func withoutLocation(_ bytes: [UInt8]) -> [UInt8] {
    list(bytes).flatMap { resource -> [UInt8] in
      switch resource.id {
      case 0x0404:
        let datasets = IPTCDatasets.withoutPlaces(Array(bytes[resource.content]))
        let head = Array(bytes[resource.range.lowerBound..<resource.content.lowerBound - 4])
        let padding = [UInt8](repeating: 0, count: datasets.count % 2)
        return head + ByteOrder.big.bytes(of: datasets.count, width: 4) + datasets + padding
      // The digest of the datasets is omitted.
      case 0x0425: return []
      case _ where isCopy(resource): return []
      default: return Array(bytes[resource.range])
      }
    }
  }
}
