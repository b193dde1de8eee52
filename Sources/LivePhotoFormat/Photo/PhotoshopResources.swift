/// The image resources in a JPEG's APP13 segments (Adobe Photoshop file formats, «Image resource blocks»).
enum PhotoshopResources {
  /// What stands before the resources in each segment.
  static let signature: [UInt8] = Array("Photoshop 3.0".utf8) + [0]

  /// The resources without the pictures and paths that are not true of the rewritten picture; all others
  /// byte for byte.
  ///
  /// - Parameters:
  ///   - bytes: the resources, signature left off.
  ///   - pixelsMoved: whether paths go too.
  /// - Returns: what is left, and the names of what is gone; the bytes unchanged where they are damaged.
  static func withoutPictures(_ bytes: [UInt8], pixelsMoved: Bool) -> (bytes: [UInt8], removed: [String]) {
    var kept: [UInt8] = []
    var removed: [String] = []
    var at = 0
    while bytes.count - at >= 4 {
      guard let id = ByteOrder.big.number(bytes, at: at + 4, width: 2),
        let nameLength = ByteOrder.big.number(bytes, at: at + 6, width: 1)
      else { break }
      let sizeAt = at + 6 + (nameLength + 2) / 2 * 2  // Pascal text, padded to even
      guard
        ["8BIM", "8BPS", "MeSa", "PHUT", "AgHg", "DCSR"].contains(
          String(decoding: bytes[at..<at + 4], as: UTF8.self)),
        let size = ByteOrder.big.number(bytes, at: sizeAt, width: 4), size <= bytes.count - sizeAt - 4
      else { break }
      let end = min(sizeAt + 4 + size + size % 2, bytes.count)
      switch id {
      case 0x0409, 0x040C:
        removed.append("PhotoshopThumbnail")
      case 0x07D0...0x0BB6 where pixelsMoved:
        removed.append("Photoshop path")
      default:
        kept += bytes[at..<end]
      }
      at = end
    }
    return (kept + bytes[at...], removed.unique)
  }
}
