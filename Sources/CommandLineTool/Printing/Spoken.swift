import Basics
import FileSystem
import FoundationEssentials
import Glibc
import Languages

/// Translates messages into the language of the environment.
enum Spoken {
  /// The speaker for the language of the environment.
  static let speaker = Speaker(Language(environment: ProcessInfo.processInfo.environment))

  /// The file to which untranslated messages are written; nil for no file.
  private static let noted = ProcessInfo.processInfo.environment["LIVEEDIT_MISSING_MESSAGES"]

  /// Returns the translated text of a message.
  static func text(_ message: Message) -> String {
    guard let noted else { return speaker.text(message) }
    return speaker.text(message) { missing in
      guard let file = fopen(noted, "a") else { return }
      fputs(missing + "\n", file)
      fclose(file)
    }
  }

  /// Whether the language is English. English text keeps the line breaks of the source code.
  static var isEnglish: Bool { speaker.language.name == .english }
}

extension Message {
  /// The text in the language of the environment.
  var spoken: String { Spoken.text(self) }
}

extension StandardStream {
  /// Writes a line in the language of the environment.
  func say(_ line: Message) { write(line: line.spoken) }
}

extension EditError {
  /// Returns a message stating that an option does not accept a value, followed by a remedy.
  func refusing(_ option: String, _ value: String) -> Message {
    let refusal: Message = "\(option) cannot be \(value)"
    return remedy.map { "\(refusal); \($0)" } ?? refusal
  }
}
