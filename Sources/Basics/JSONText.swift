import FoundationEssentials

/// JSON that anybody may have written, read by Foundation.
///
/// Everything that is read goes this way, so that how deep a text may be nested does not depend on what Foundation makes of it.
package enum JSONText {
  /// The most levels of a text; liveedit writes none that has half of them.
  package static let deepest = 128

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: the value's type.
  ///   - text: the text in UTF-8.
  ///   - decoder: decodes it.
  /// - Throws: `DecodingError` when it is nested too deeply, is not in UTF-8, or no such value.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from text: some Collection<UInt8>, by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    let bytes = Array(text)
    // Foundation takes UTF-16 and UTF-32 as well, whose brackets and quotes are not single bytes; each of them has zeros.
    guard !bytes.contains(0), nesting(of: bytes) <= deepest else {
      let problem = "the JSON text is nested more than \(deepest) levels deep or is not in UTF-8"
      throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: problem))
    }
    return try decoder.decode(type, from: Data(bytes))
  }

  /// The most arrays and objects within each other; brackets in strings are none. Closed ones that were never opened do not count.
  static func nesting(of text: [UInt8]) -> Int {
    var (level, most) = (0, 0)
    var (isString, isEscaped) = (false, false)
    for byte in text {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        level += 1
        most = max(most, level)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): level = max(0, level - 1)
      default: break
      }
    }
    return most
  }
}
