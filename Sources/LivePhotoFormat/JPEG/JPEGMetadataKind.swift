/// The kinds of metadata in JPEG segments. Raw values are names for display. A kind is identified by the first bytes of
/// the payload.
enum JPEGMetadataKind: String, CaseIterable {
  case jfif = "JFIF"
  case jfxx = "JFXX"
  case exif = "Exif"
  case xmp = "XMP"
  case extendedXMP = "extended XMP"
  case multiPicture = "MPF"
  case gainMap = "gain map"
  case photoshop = "Photoshop"

  /// The marker of the segment, and the bytes at the beginning of the payload.
  var signature: (marker: UInt8, prefix: [UInt8]) {
    switch self {
    case .jfif: (0xE0, Array("JFIF".utf8) + [0])
    case .jfxx: (0xE0, Array("JFXX".utf8) + [0])
    case .exif: (0xE1, Array("Exif".utf8) + [0, 0])
    case .xmp: (0xE1, Array("http://ns.adobe.com/xap/1.0/".utf8) + [0])
    case .extendedXMP: (0xE1, Array("http://ns.adobe.com/xmp/extension/".utf8) + [0])
    case .multiPicture: (0xE2, MultiPicture.signature)
    case .gainMap: (0xE2, Array("urn:iso:std:iso:ts:21496:-1".utf8) + [0])
    case .photoshop: (0xED, PhotoshopResources.signature)
    }
  }

  private static let signatures = allCases.map { kind in
    (kind: kind, marker: kind.signature.marker, prefix: kind.signature.prefix)
  }

  /// Returns a segment of this kind.
  ///
  /// - Parameter content: The content after the signature.
  func segment(_ content: [UInt8]) -> [UInt8] {
    JPEGSegment.bytes(signature.marker, signature.prefix + content)
  }

  /// The maximum number of bytes after the signature in a single segment.
  var room: Int { JPEGParts.payloadLimit - signature.prefix.count }

  /// The length of the longest signature.
  static let longestPrefix = 35

  /// Identifies the kind of metadata in a segment.
  ///
  /// - Parameter payload: The segment's payload, or its first ``longestPrefix`` bytes.
  /// - Returns: nil if the kind requires no special treatment.
  init?(marker: UInt8, payload: some Collection<UInt8>) {
    guard Self.signatures.contains(where: { $0.marker == marker }) else { return nil }
    // The sixth byte of the Exif signature is padding and is not always zero.
    let isExif = marker == 0xE1 && payload.count >= 6 && payload.starts(with: Array("Exif".utf8) + [0])
    let kind = Self.signatures.first { $0.marker == marker && payload.starts(with: $0.prefix) }?.kind
    guard let kind = isExif ? .exif : kind else { return nil }
    self = kind
  }
}
