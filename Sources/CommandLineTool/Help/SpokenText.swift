import Basics
import FileSystem

/// Help text in the language of the environment. English text keeps the line breaks of the source code. Text in other
/// languages is wrapped to at most 80 columns.
enum SpokenText {
  /// The maximum line width in columns.
  static let columns = 80

  /// Returns the text of a message that consists of paragraphs.
  static func text(_ message: Message) -> String {
    if Spoken.isEnglish { return message.description }
    let paragraphs = message.paragraphs.map { divided($0.spoken, width: columns).joined(separator: "\n") }
    return paragraphs.joined(separator: "\n\n")
  }

  /// Returns the lines of a text after a heading. Lines after the first are indented to align with the text.
  ///
  /// - Parameters:
  ///   - message: The text.
  ///   - heading: The text before the first line.
  ///   - indent: The number of columns by which the caller indents the lines.
  ///   - english: The maximum width of English lines in columns; nil to leave English text unwrapped.
  static func lines(
    _ message: Message, behind heading: String, indent: Int = 0, columns english: Int? = nil
  ) -> [String] {
    if Spoken.isEnglish, english == nil { return [heading + message.description] }
    let columns = Spoken.isEnglish ? english ?? Self.columns : Self.columns
    var width = TerminalText.width(heading)
    var lines: [String] = []
    // If a heading leaves no space for the text, the heading gets a separate line.
    if !Spoken.isEnglish, columns - width - indent < leastWidth {
      lines.append(heading)
      width = min(width, deepestIndent)
    }
    let parts = divided(message.spoken, width: columns - width - indent)
    for part in parts {
      lines.append((lines.isEmpty ? heading : String(repeating: " ", count: width)) + part)
    }
    return lines
  }

  private static let leastWidth = 40
  private static let deepestIndent = 8

  /// Wraps text at word boundaries.
  ///
  /// - Parameters:
  ///   - text: The text. Its indentation is kept.
  ///   - width: The maximum width of a line in columns.
  static func divided(_ text: String, width: Int) -> [String] {
    let indent = String(text.prefix { $0 == " " })
    var lines = [indent]
    var used = 0
    for word in text.split(separator: " ") {
      let length = TerminalText.width(String(word))
      if used == 0 {
        lines[lines.count - 1] += String(word)
        used = indent.count + length
      } else if used + 1 + length <= width {
        lines[lines.count - 1] += " " + word
        used += 1 + length
      } else {
        lines.append(indent + word)
        used = indent.count + length
      }
    }
    return lines
  }
}
