import Basics
import FoundationEssentials

/// JSON text that contains its own checksum, used to detect corruption such as flipped bits.
///
/// The checksum is the SHA-256 of the text with 64 zeros in place of the checksum, written as 64 lower-case hexadecimal
/// digits.
enum SealedJSON {
  /// The value of `checksum` before the checksum is computed.
  static let blank = String(repeating: "0", count: 64)

  private static let key = Array("\"checksum\" : \"".utf8)

  /// Returns a value as readable JSON with its checksum.
  ///
  /// - Parameters:
  ///   - value: The value, whose member `checksum` is ``blank``.
  ///   - ending: Bytes that are appended to the JSON and covered by the checksum.
  static func bytes(_ value: some Encodable, ending: [UInt8] = []) -> [UInt8] {
    var bytes = VersionDescription.json(value) + ending
    if let place = place(in: bytes), let sum = try? Digest.of(bytes, .sha256) {
      bytes.replaceSubrange(place, with: Array(Digest.hexadecimal(sum).utf8))
    }
    return bytes
  }

  /// Whether a JSON text still matches its checksum. JSON without a checksum, as written by earlier builds, is
  /// accepted.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let place = place(in: bytes) else { return true }
    var blanked = bytes
    blanked.replaceSubrange(place, with: Array(blank.utf8))
    guard let sum = try? Digest.of(blanked, .sha256) else { return false }
    return Array(Digest.hexadecimal(sum).utf8) == Array(bytes[place])
  }

  private static func place(in bytes: [UInt8]) -> Range<Int>? {
    guard let found = bytes.firstRange(of: key), found.upperBound + blank.utf8.count <= bytes.count else {
      return nil
    }
    return found.upperBound..<found.upperBound + blank.utf8.count
  }
}
