import Basics
import FileSystem

/// Help in the language of the environment. English stands in the lines in which it was written; other languages are divided
/// into lines of at most 80 columns.
enum SpokenText {
  /// The columns of a terminal.
  private static let columns = 80

  /// Text of paragraphs.
  static func text(_ message: Message) -> String {
    if Spoken.isEnglish { return message.description }
    let paragraphs = message.paragraphs.map { divided($0.spoken, width: columns).joined(separator: "\n") }
    return paragraphs.joined(separator: "\n\n")
  }

  /// Lines of a text behind a heading, those after the first one below its beginning.
  ///
  /// - Parameters:
  ///   - message: the text.
  ///   - heading: what stands before it.
  ///   - indent: the columns that the lines will be moved to the right.
  ///   - english: the columns that English takes at most; nil where it is not divided.
  static func lines(
    _ message: Message, behind heading: String, indent: Int = 0, columns english: Int? = nil
  ) -> [String] {
    if Spoken.isEnglish, english == nil { return [heading + message.description] }
    let columns = Spoken.isEnglish ? english ?? Self.columns : Self.columns
    var width = TerminalText.width(heading)
    var lines: [String] = []
    // A heading that leaves no room for words has the line for itself.
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

  /// Text divided between words into lines.
  ///
  /// - Parameters:
  ///   - text: the text; what it is indented by stays.
  ///   - width: the columns of a line.
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
