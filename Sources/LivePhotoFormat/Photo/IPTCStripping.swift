/// Takes out where a photo was taken from Photoshop's resources, in one of which IPTC-IIM stands.
extension PhotoshopResources {
  /// Datasets of the application record that name places (IPTC-NAA Information Interchange Model 4.2, chapter 6):
  /// content location, city, sublocation, province, country code and name.
  private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// The resources without places; damaged ones go as a whole where they may hold one.
  static func withoutLocation(_ bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    var at = 0
    while bytes.count - at >= 12 {
      guard let id = ByteOrder.big.number(bytes, at: at + 4, width: 2),
        let nameLength = ByteOrder.big.number(bytes, at: at + 6, width: 1)
      else { return kept }
      let sizeAt = at + 6 + (nameLength + 2) / 2 * 2
      guard let size = ByteOrder.big.number(bytes, at: sizeAt, width: 4), size <= bytes.count - sizeAt - 4
      else {
        return kept
      }
      let content = sizeAt + 4
      let end = min(content + size + size % 2, bytes.count)
      switch id {
      case 0x0404:
        let datasets = withoutPlaces(Array(bytes[content..<content + size]))
        kept += bytes[at..<sizeAt] + ByteOrder.big.bytes(of: datasets.count, width: 4) + datasets
        if datasets.count % 2 == 1 { kept.append(0) }
      // A digest of the datasets, and XMP.
      case 0x0425, 0x0424: break
      default: kept += bytes[at..<end]
      }
      at = end
    }
    return kept
  }

  private static func withoutPlaces(_ bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    var at = 0
    // 0x1C, record, dataset, length; longer ones than 32 kilobytes have another form.
    while bytes.count - at >= 5, bytes[at] == 0x1C,
      let size = ByteOrder.big.number(bytes, at: at + 3, width: 2),
      size < 0x8000, size <= bytes.count - at - 5
    {
      if bytes[at + 1] != 2 || !places.contains(bytes[at + 2]) { kept += bytes[at..<at + 5 + size] }
      at += 5 + size
    }
    return kept
  }
}
