import FoundationEssentials

/// Reads JSON of any origin, using Foundation.
///
/// All JSON is read through this type, so that the maximum nesting depth does not depend on Foundation.
package enum JSONText {
  /// The maximum nesting depth. JSON written by liveedit is nested less than half as deeply.
  package static let deepest = 128

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - text: The text in UTF-8.
  ///   - decoder: The decoder to use.
  /// - Throws: `DecodingError` if the text is nested too deeply, is not in UTF-8, or does not contain a value of the
  ///   type.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from text: some Collection<UInt8>, by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    let bytes = Array(text)
    // Foundation also accepts UTF-16 and UTF-32, in which brackets and quotation marks are not single bytes. Text in
    // these encodings contains zero bytes.
    guard !bytes.contains(0), nesting(of: bytes) <= deepest else {
      let problem = "the JSON text is nested more than \(deepest) levels deep or is not in UTF-8"
      throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: problem))
    }
    return try decoder.decode(type, from: Data(bytes))
  }

  /// Returns the maximum nesting depth of arrays and objects. Brackets in strings are ignored. Unmatched closing
  /// brackets are also ignored.
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
