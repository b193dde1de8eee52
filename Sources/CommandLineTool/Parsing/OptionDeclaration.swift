import Basics

/// An option of a command, declared once: parsing, help, manual pages and completions go by it.
struct OptionDeclaration: Sendable {
  /// The long name without the dashes.
  var name: String
  /// A one-letter name.
  var letter: Character?
  /// The values that it takes.
  var type = OptionType.flag
  /// The word that stands for the value in the help; nil for a flag.
  var placeholder: String?
  /// The value that counts where the option is not given; nil for a flag, and where nothing does.
  var standard: String?
  /// True if it can be given several times.
  var isRepeatable = false
  /// Names and letters that people type in the place of its name.
  var synonyms: [String] = []
  /// The words that people type for its values, with the values.
  var synonymsOfValues: KeyValuePairs<String, String> = [:]
  /// The words that shells propose; nil leaves that to the type.
  var proposal: Proposal?
  /// One line of help.
  var help: Message
  /// The line of help that the option shares with related options: the help of a command lists these options together.
  var family: Message?
}

/// The words that shells propose for a value or an operand.
enum Proposal: Hashable, Sendable {
  /// None.
  case nothing
  /// These words.
  case words([String])
  /// Several of these words, divided by commas.
  case list([String])
  /// Files, and these words.
  case files([String] = [])
  /// Folders.
  case folders
  /// Names of presets, and files.
  case presets
  /// Versions of the assets that the command line names, and these words.
  case versions([String])
  /// Identifiers of batches: all, or those of the command that were interrupted.
  case batches(isInterrupted: Bool)
  /// Parts of filters.
  case filter
  /// Albums of the current folder.
  case albums
  /// Commands and subjects of the help.
  case commands
}

extension OptionDeclaration {
  /// The option of every command that prints.
  static let json = OptionDeclaration(
    name: "json", help: "print JSON, one object per line for each Live Photo or file")
  /// The option that shows the help.
  static let help = OptionDeclaration(name: "help", letter: "h", synonyms: ["?"], help: "show this help")
  /// The option that shows the program's version.
  static let version = OptionDeclaration(
    name: "version", synonyms: ["V"], help: "show the version (for details: liveedit version --verbose)")
  /// The option of every command that looks at versions or changes them.
  static let library = OptionDeclaration(
    name: "library", type: .folder, placeholder: "DIR", synonyms: ["lib", "catalog", "catalogue"],
    help: "keep edited files, versions, marks and albums in DIR, not beside the originals")
  /// The options of the program, without a command.
  static let ofProgram = [help, version]
  /// Names and letters that people type for the folder of new files.
  static let synonymsOfOutput = [
    "out", "output-dir", "outdir", "dest", "destination", "target", "folder", "d",
  ]
  /// The option of every command that makes files.
  static let destination = OptionDeclaration(
    name: "output", letter: "o", type: .folder, placeholder: "DIR", synonyms: synonymsOfOutput,
    help: "write the new files to DIR")

  /// Options that people know from other programs and that no command has, with the reason.
  static let absent: KeyValuePairs<String, Message> = [
    "force": "liveedit never overwrites files and never asks; omit this option",
    "overwrite": "liveedit never overwrites files; use another folder, or move the existing file",
    "in-place": "originals are never changed; edited files are written beside them automatically",
    "backup": "originals are never changed, and earlier versions are kept automatically",
    "yes": "liveedit never asks for confirmation; omit this option",
    "f": "liveedit never overwrites files and never asks; omit this option",
    "y": "liveedit never asks for confirmation; omit this option",
    "version": "liveedit version shows the program's version",
  ]

  /// The option with its value, as help and manual pages name it: `--degrees N`.
  var spelled: String {
    "--" + name + (placeholder.map { (type == .optionalText ? "" : " ") + $0 } ?? "")
  }

  /// The words that shells propose for its value.
  var proposed: Proposal {
    if let proposal { return proposal }
    return switch type {
    case .word(let words): .words(words)
    case .name(let words): .files(words)
    case .words(let words): .list(words)
    case .file: .files()
    case .folder: .folders
    case .flag, .number, .wholeNumber, .text, .optionalText: .nothing
    }
  }
}
