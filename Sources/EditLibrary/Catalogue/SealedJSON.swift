import Basics
import FoundationEssentials

/// JSON text that holds a checksum of itself, so that a bit that flipped in it is found.
///
/// The checksum is SHA-256, as 64 lower-case hexadecimal digits, of the text with 64 zeros in the checksum's place.
enum SealedJSON {
  /// The value of `checksum` before the text is made.
  static let blank = String(repeating: "0", count: 64)

  private static let key = Array("\"checksum\" : \"".utf8)

  /// A value as JSON that people can read, with its checksum.
  ///
  /// - Parameters:
  ///   - value: has a member `checksum`, which is ``blank``.
  ///   - ending: bytes after it, which count.
  static func bytes(_ value: some Encodable, ending: [UInt8] = []) -> [UInt8] {
    var bytes = VersionDescription.json(value) + ending
    if let place = place(in: bytes), let sum = try? Digest.of(bytes, .sha256) {
      bytes.replaceSubrange(place, with: Array(Digest.hexadecimal(sum).utf8))
    }
    return bytes
  }

  /// True if a text is as it was written, or was written without a checksum, as earlier builds did.
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
