/// The image resources in a JPEG's APP13 segments (Adobe Photoshop file formats, “Image resource blocks”).
enum PhotoshopResources {
  /// The bytes that stand before the resources in each segment.
  static let signature: [UInt8] = Array("Photoshop 3.0".utf8) + [0]

  /// One resource.
  struct Resource {
    /// Four characters: `8BIM` as a rule.
    let signature: String
    let id: Int
    /// The whole resource, padding included.
    let range: Range<Int>
    let content: Range<Int>
  }

  /// The resources up to the first that is damaged.
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

  /// The resources without the pictures, paths, guides and slices that are not true of the rewritten picture; all others
  /// byte for byte.
  ///
  /// - Parameters:
  ///   - bytes: the resources, signature left off.
  ///   - pixelsMoved: whether what describes places goes too.
  /// - Returns: what is left, and the names of the pictures and of the places that are gone; the bytes unchanged where they
  ///   are damaged.
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
      // The last one names the path that clips.
      case 0x07D0...0x0BB7 where pixelsMoved: places.append("Photoshop path")
      case 0x0408 where pixelsMoved: places.append("Photoshop guides")
      case 0x041A where pixelsMoved: places.append("Photoshop slices")
      default: kept += bytes[resource.range]
      }
      at = resource.range.upperBound
    }
    return (kept + bytes[at...], pictures.unique, places.unique)
  }

  /// Bytes of the resource with IPTC-IIM; 0 without one.
  static func iptcSize(_ bytes: [UInt8]) -> Int {
    list(bytes).prefix { $0.signature == "8BIM" }.first { $0.id == 0x0404 }?.content.count ?? 0
  }

  /// Datasets of the application record that name places (IPTC-NAA Information Interchange Model 4.2, chapter 6):
  /// content location, city, sublocation, province, country code and name.
  static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// True for a resource with a copy of the photo's Exif or XMP: Exif data 1 and 3, and XMP.
  private static func isCopy(_ resource: Resource) -> Bool { [0x0422, 0x0423, 0x0424].contains(resource.id) }

  /// The resources without the copies of Exif and XMP that may say where the photo was taken.
  ///
  /// - Returns: what is left; `bytes` unchanged where no copy does.
  static func withoutCopiesOfPlace(_ bytes: [UInt8]) -> [UInt8] {
    let gone = list(bytes).filter { resource in
      let content = Array(bytes[resource.content])
      return isCopy(resource) && (TIFFBlock(exif: content)?.listing(.gps) != nil || content.mayTellPlace)
    }
    return RangeSet(bytes.indices).subtracting(RangeSet(gone.map(\.range))).ranges.flatMap { bytes[$0] }
  }

  /// The resources without places, which stand in IPTC-IIM; damaged ones go as a whole where they may hold one.
  static func withoutLocation(_ bytes: [UInt8]) -> [UInt8] {
    list(bytes).flatMap { resource -> [UInt8] in
      switch resource.id {
      case 0x0404:
        let datasets = IPTCDatasets.withoutPlaces(Array(bytes[resource.content]))
        let head = Array(bytes[resource.range.lowerBound..<resource.content.lowerBound - 4])
        let padding = [UInt8](repeating: 0, count: datasets.count % 2)
        return head + ByteOrder.big.bytes(of: datasets.count, width: 4) + datasets + padding
      // A digest of the datasets.
      case 0x0425: return []
      case _ where isCopy(resource): return []
      default: return Array(bytes[resource.range])
      }
    }
  }
}
