public import Basics

/// The header facts of an ICC profile (ICC.1:2022).
public struct ICCProfile: Encodable, Hashable, Sendable {
  /// Bytes of the profile.
  public let size: Int
  /// Its description, «Display P3» say; nil when it has none that can be read.
  public let name: String?
  /// What colours it describes: `RGB`, `GRAY`, `CMYK`.
  public let colorSpace: String?

  /// The profile in a JPEG.
  ///
  /// - Parameter source: the file.
  /// - Returns: nil when it has none.
  /// - Throws: ``MediaError`` when it is no JPEG; what `source` throws.
  public static func bytes(inJPEG source: some ByteSource) throws -> [UInt8]? {
    let profile = try JPEGMetadataReader(JPEGHeader(reading: source), source).profile
    return profile.isEmpty ? nil : profile
  }

  /// - Parameter bytes: the profile, or what is there of it.
  init(_ bytes: [UInt8]) {
    size = bytes.count
    colorSpace =
      bytes.count >= 20
      ? String(decoding: bytes[16..<20].filter { $0 != 0x20 && $0 != 0 }, as: UTF8.self) : nil
    name = Self.description(bytes)
  }

  /// The text of the tag `desc`: type `desc` (ICC.1:2001-04 section 6.5.17) or `mluc` (ICC.1:2022 section
  /// 10.15), whose first record is taken.
  private static func description(_ bytes: [UInt8]) -> String? {
    func number(_ at: Int, _ width: Int = 4) -> Int? { ByteOrder.big.number(bytes, at: at, width: width) }
    guard let count = number(128), count <= (bytes.count - 132) / 12 else { return nil }
    for index in 0..<count {
      let at = 132 + 12 * index
      guard bytes[at..<at + 4].elementsEqual("desc".utf8), let start = number(at + 4),
        start <= bytes.count - 12
      else { continue }
      if bytes[start..<start + 4].elementsEqual("desc".utf8) {
        guard let length = number(start + 8), length > 0, length <= bytes.count - start - 12 else {
          return nil
        }
        let text = bytes[start + 12..<start + 12 + length].prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
      }
      guard bytes[start..<start + 4].elementsEqual("mluc".utf8), let length = number(start + 20),
        let offset = number(start + 24), length % 2 == 0, length <= bytes.count,
        offset <= bytes.count - start,
        length <= bytes.count - start - offset
      else { return nil }
      let units = stride(from: start + offset, to: start + offset + length, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      let text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
      return text.isEmpty ? nil : text
    }
    return nil
  }
}
