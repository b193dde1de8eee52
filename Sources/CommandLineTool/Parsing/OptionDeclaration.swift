import Basics

/// An option of a command, declared once for parsing, help, manual pages and completions.
struct OptionDeclaration: Sendable {
  /// The long name, without the dashes.
  var name: String
  /// The one-letter name of the option.
  var letter: Character?
  /// The values that the option accepts.
  var type = OptionType.flag
  /// The placeholder for the value in the help; nil for a flag.
  var placeholder: String?
  /// The default value; nil for a flag or for an option without a default.
  var standard: String?
  /// Whether the option can be given several times.
  var isRepeatable = false
  /// Other names and letters that users type for the option.
  var synonyms: [String] = []
  /// Other words that users type for the accepted values, each with the accepted value.
  var synonymsOfValues: KeyValuePairs<String, String> = [:]
  /// The words that shells suggest for the value; nil to derive the words from the option's type.
  var proposal: Proposal?
  /// The help line of the option.
  var help: Message
  /// The help line that the option shares with related options. The help of a command lists these options together.
  var family: Message?
}

/// The words that shells suggest for a value or an operand.
enum Proposal: Hashable, Sendable {
  /// No suggestions.
  case nothing
  /// A fixed list of words.
  case words([String])
  /// A list of the given words, separated by commas.
  case list([String])
  /// Files and the given words.
  case files([String] = [])
  /// Only folders.
  case folders
  /// Preset names and files.
  case presets
  /// Versions of the assets named on the command line, and the given words.
  case versions([String])
  /// Identifiers of all batches, or only of the command's interrupted batches.
  case batches(isInterrupted: Bool)
  /// Parts of a filter.
  case filter
  /// Albums in the current folder.
  case albums
  /// Commands and help topics.
  case commands
}

extension OptionDeclaration {
  /// The option that selects JSON output, shared by all commands that support JSON.
  static let json = OptionDeclaration(
    name: "json", help: "print JSON, one object per line for each Live Photo or file")
  /// The option that shows the help.
  static let help = OptionDeclaration(name: "help", letter: "h", synonyms: ["?"], help: "show this help")
  /// The option that shows the program's version.
  static let version = OptionDeclaration(
    name: "version", synonyms: ["V"], help: "show the version (for details: liveedit version --verbose)")
  /// The option that names the library, shared by all commands that read or change versions.
  static let library = OptionDeclaration(
    name: "library", type: .folder, placeholder: "DIR", synonyms: ["lib", "catalog", "catalogue"],
    help: "keep edited files, versions, marks and albums in DIR, not beside the originals")
  /// The options of the program that can be used without a command.
  static let ofProgram = [help, version]
  /// Other names and letters that users type for the option that sets the output folder.
  static let synonymsOfOutput = [
    "out", "output-dir", "outdir", "dest", "destination", "target", "folder", "d",
  ]
  /// The option that sets the output folder, shared by all commands that create files.
  static let destination = OptionDeclaration(
    name: "output", letter: "o", type: .folder, placeholder: "DIR", synonyms: synonymsOfOutput,
    help: "write the new files to DIR")

  /// Options of other programs that liveedit does not support, each with an explanation.
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

  /// The option with its placeholder, as shown in the help and in manual pages: `--degrees N`.
  var spelled: String {
    "--" + name + (placeholder.map { (type == .optionalText ? "" : " ") + $0 } ?? "")
  }

  /// The words that shells suggest for the option's value.
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
