/// The placeholders of a format: `%1` to `%99`, as in GNU gettext's `qt-format`.
enum MessageFormat {
  /// Returns whether a text contains a placeholder.
  static func hasPlaceholder(_ text: String) -> Bool {
    var before: UInt8 = 0
    for byte in text.utf8 {
      if before == UInt8(ascii: "%"), isDigit(byte) { return true }
      before = byte
    }
    return false
  }

  /// Returns whether each placeholder occurs at most once in a format. Formats made from literals never contain a
  /// placeholder twice.
  static func hasEachOnce(_ format: String) -> Bool {
    var seen: Set<Int> = []
    var isOnce = true
    _ = filled(format) { number in
      isOnce = seen.insert(number).inserted && isOnce
      return nil
    }
    return isOnce
  }

  /// Returns whether a format contains a letter outside its placeholders, and therefore text to translate.
  static func hasWords(_ format: String) -> Bool {
    format.unicodeScalars.contains { $0.properties.isAlphabetic }
  }

  /// Returns the text of a format, with its placeholders replaced.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - value: A function that returns the text for the placeholder with a given number, or nil to leave the
  ///     placeholder unchanged.
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
