/// The placeholders of a format: `%1` to `%99`, as `qt-format` of GNU gettext has them.
enum MessageFormat {
  /// True if there is a placeholder in a text.
  static func hasPlaceholder(_ text: String) -> Bool {
    var before: UInt8 = 0
    for byte in text.utf8 {
      if before == UInt8(ascii: "%"), isDigit(byte) { return true }
      before = byte
    }
    return false
  }

  /// True if no placeholder stands twice in a format, as in all that are made of literals.
  static func hasEachOnce(_ format: String) -> Bool {
    var seen: Set<Int> = []
    var isOnce = true
    _ = filled(format) { number in
      isOnce = seen.insert(number).inserted && isOnce
      return nil
    }
    return isOnce
  }

  /// True if there is a letter outside of the placeholders: something to translate.
  static func hasWords(_ format: String) -> Bool {
    format.unicodeScalars.contains { $0.properties.isAlphabetic }
  }

  /// The text of a format.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - value: the text of a placeholder by its number; nil leaves it as it is.
  static func filled(_ format: String, _ value: (Int) -> String?) -> String {
    var text = ""
    var rest = Substring(format).utf8
    while let sign = rest.firstIndex(of: UInt8(ascii: "%")) {
      text += Substring(rest[..<sign])
      let behind = rest[rest.index(after: sign)...]
      let digits = behind.prefix(2).prefix(while: isDigit)
      if let number = Int(Substring(digits)), let value = value(number) {
        text += value
        rest = behind[digits.endIndex...]
      } else {
        text += "%"
        rest = behind
      }
    }
    return text + Substring(rest)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
