import Basics
import EditModel

/// Metadata from the header of an ICC profile (ICC.1:2022).
package struct ICCProfile: Encodable, Hashable, Sendable {
  /// The size of the profile in bytes.
  package let size: Int
  /// The profile's description, such as “Display P3”, or nil if the profile has no readable description.
  package let name: String?
  /// The colour space that the profile describes: `RGB`, `GRAY` or `CMYK`.
  package let colorSpace: String?

  /// The maximum number of bytes that are searched for a profile. Real headers are smaller.
  private static let largest = 64 << 20

  /// Reads the profile of a JPEG, which may be split into several segments.
  ///
  /// - Returns: The profile, or nil if the JPEG has no profile.
  /// - Throws: ``MediaError`` if the segments to search are too large.
  static func bytes(in header: JPEGHeader) throws -> [UInt8]? {
    var parts: [(number: UInt8, bytes: [UInt8])] = []
    var left = largest
    for segment in header.segments where segment.marker == 0xE2 && segment.payload.count >= partHead {
      left -= segment.payload.count
      guard left >= 0 else {
        throw MediaError("the APP2 segments are larger than \(largest >> 20) MB", isUnsupported: true)
      }
      let payload = try header.source.read(at: segment.payload.lowerBound, count: segment.payload.count)
      if payload.starts(with: signature) {
        parts.append((payload[partHead - 2], Array(payload[partHead...])))
      }
    }
    let profile = parts.sorted { $0.number < $1.number }.flatMap(\.bytes)
    return profile.isEmpty ? nil : profile
  }

  /// Reads the header of a profile.
  ///
  /// - Parameter bytes: The profile, which may be incomplete.
  init(_ bytes: [UInt8]) {
    size = bytes.count
    colorSpace =
      bytes.count >= 20
      ? String(decoding: bytes[16..<20].filter { $0 != 0x20 && $0 != 0 }, as: UTF8.self) : nil
    name = Self.description(bytes)
  }

  /// Reads the text of the `desc` tag. If the tag has the type `mluc` (ICC.1:2022 section 10.15) instead of the type
  /// `desc` (ICC.1:2001-04 section 6.5.17), the first record is used.
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

  /// The first bytes of a segment that contains part of a profile (ICC.1:2022 annex B.4). These bytes are followed by
  /// the part's number and the number of parts.
  static let signature = Array("ICC_PROFILE".utf8) + [0]

  /// The number of bytes before a part of the profile: the signature, the part's number, and the number of parts.
  static let partHead = signature.count + 2

  /// Splits a profile into segments and returns their payloads. Returns an empty array if the number of segments would
  /// exceed the maximum.
  static func segments(of profile: [UInt8]) -> [[UInt8]] {
    let room = JPEGParts.payloadLimit - partHead
    let count = (profile.count + room - 1) / room
    guard count <= 255 else { return [] }
    return (0..<count).map { index in
      signature + [UInt8(index + 1), UInt8(count)]
        + profile[(index * room)..<min(profile.count, (index + 1) * room)]
    }
  }

  /// The tags that describe manufacturers and devices: copyright, device manufacturer and model, metadata, calibration
  /// time and characterisation target.
  private static let origins: Set<String> = ["cprt", "dmnd", "dmdd", "meta", "calt", "targ"]

  /// Returns the profile with its creator, date and device fields cleared (ICC.1:2022 sections 7.2 and 9.2). The
  /// colours do not change.
  static func withoutOrigin(_ profile: [UInt8]) -> [UInt8] {
    guard profile.count >= 132, let count = ByteOrder.big.number(profile, at: 128, width: 4),
      count <= (profile.count - 132) / 12
    else { return profile }
    var bytes = profile
    func blank(_ range: Range<Int>) {
      bytes.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
    }
    // These fields contain the colour management module, date and time, platform, manufacturer and model, creator, and
    // checksum.
    for range in [4..<8, 24..<36, 40..<44, 48..<56, 80..<100] { blank(range) }
    var kept: [Range<Int>] = []
    var told: [Range<Int>] = []
    for index in 0..<count {
      let at = 132 + 12 * index
      guard let start = ByteOrder.big.number(profile, at: at + 4, width: 4),
        let size = ByteOrder.big.number(profile, at: at + 8, width: 4), start >= 132 + 12 * count,
        start <= profile.count, size <= profile.count - start
      else { continue }
      let isOrigin = origins.contains(String(decoding: profile[at..<at + 4], as: UTF8.self))
      if isOrigin { told.append(start..<start + size) } else { kept.append(start..<start + size) }
    }
    // Tags may share bytes, so a value is cleared only if it does not overlap any kept value.
    let used = joined(kept)
    let free = told.filter { range in
      let next = used.partitioningIndex { $0.upperBound > range.lowerBound }
      return range.count > 8 && (next == used.endIndex || used[next].lowerBound >= range.upperBound)
    }
    // Clears the bytes after the type signature and the reserved bytes.
    for range in joined(free.map { $0.lowerBound + 8..<$0.upperBound }) { blank(range) }
    return bytes
  }

  /// Merges overlapping ranges and returns the merged ranges in order.
  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, last.upperBound >= range.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}
