/// Functions that make text safe for display in terminals.
///
/// File names and command-line arguments are untrusted input. Escape sequences can move the cursor, rename the window
/// or simulate typing. Bidirectional control characters can make one name look like another. Names can also contain
/// hidden, invisible characters.
package enum TerminalText {
  /// Returns a single line in which control characters and invisible characters are shown as escapes: `\u{1b}`,
  /// `\u{202e}`, `\u{a}`.
  package static func line(_ text: String) -> String {
    escaping(text) { "\\u{" + String($0.value, radix: 16) + "}" }
  }

  /// Returns JSON in which control characters and invisible characters are escaped as specified in RFC 8259 section 7.
  /// The meaning is unchanged: outside strings, the only such characters are line feeds, which are kept.
  package static func json(_ text: String) -> String {
    escaping(text, keepingLineFeeds: true) { scalar in
      Character(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
  }

  /// Returns bytes as a string, with invalid UTF-8 shown as escapes: `\xff`.
  package static func repaired(_ bytes: [UInt8]) -> String {
    var text = ""
    var rest = bytes[...]
    while let first = rest.first {
      let scalar = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }.first
      if let scalar {
        text += scalar
        rest = rest.dropFirst(scalar.utf8.count)
      } else {
        text += "\\x" + String(first, radix: 16)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  private static func escaping(
    _ text: String, keepingLineFeeds: Bool = false, _ escape: (Unicode.Scalar) -> String
  ) -> String {
    func isPlain(_ byte: UInt8) -> Bool {
      0x20..<0x7F ~= byte || keepingLineFeeds && byte == UInt8(ascii: "\n")
    }
    if text.utf8.allSatisfy(isPlain) { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if isVisible(scalar) || keepingLineFeeds && scalar == "\n" {
        escaped.unicodeScalars.append(scalar)
      } else {
        escaped += escape(scalar)
      }
    }
    return escaped
  }

  /// Returns whether a character is visible and has no other effect: the character is not a control character, a format
  /// character (including bidirectional controls), a line separator, or a character that Unicode declares ignorable.
  /// Variation selectors are allowed, because they are part of many emoji.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return 0x20..<0x7F ~= scalar.value }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return false
    default: return !properties.isDefaultIgnorableCodePoint || properties.isVariationSelector
    }
  }

  /// Returns the number of terminal columns that a line occupies. Wide East Asian characters and emoji occupy two
  /// columns. Combining marks occupy none. The emoji variation selector makes the preceding character wide.
  package static func width(_ line: String) -> Int {
    if line.utf8.allSatisfy({ $0 < 0x80 }) { return line.utf8.count }
    return widths(line).reduce(0, +)
  }

  /// Returns a line shortened to a number of columns; “…” stands for the omitted end of the line.
  package static func cut(_ line: String, to columns: Int) -> String {
    if width(line) <= columns { return line }
    var left = columns - 1
    guard left >= 0 else { return "" }
    var cut = String.UnicodeScalarView()
    for (scalar, width) in zip(line.unicodeScalars, widths(line)) {
      left -= width
      if left < 0 { break }
      cut.append(scalar)
    }
    return String(cut) + "…"
  }

  /// Returns a text padded with trailing spaces to a number of columns.
  package static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(text)))
  }

  private static func widths(_ line: String) -> [Int] {
    var last = 0
    return line.unicodeScalars.map { scalar in
      last = scalar.value == 0xFE0F ? (last == 1 ? 1 : 0) : width(scalar)
      return last
    }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }
  }

  /// Returns whether the East Asian Width of a character is wide or full-width (Unicode Standard Annex 11). The ranges
  /// cover whole blocks.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF,
      0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
      0x1AFF0...0x1B2FF,
      0x1F200...0x1F2FF, 0x1F300...0x1F320, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
