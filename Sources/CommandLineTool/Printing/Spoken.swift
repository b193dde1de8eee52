import Basics
import FileSystem
import FoundationEssentials
import Glibc
import Languages

/// Says messages in the language of the environment.
enum Spoken {
  /// The language.
  static let speaker = Speaker(Language(environment: ProcessInfo.processInfo.environment))

  /// The file in which messages without a translation are noted; nil for none.
  private static let noted = ProcessInfo.processInfo.environment["LIVEEDIT_MISSING_MESSAGES"]

  /// The text of a message.
  static func text(_ message: Message) -> String {
    guard let noted else { return speaker.text(message) }
    return speaker.text(message) { missing in
      guard let file = fopen(noted, "a") else { return }
      fputs(missing + "\n", file)
      fclose(file)
    }
  }

  /// True if it is English, whose lines the source has as they are printed.
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
  /// The sentence that an option cannot have a value, with the remedy.
  func refusing(_ option: String, _ value: String) -> Message {
    let refusal: Message = "\(option) cannot be \(value)"
    return remedy.map { "\(refusal); \($0)" } ?? refusal
  }
}
