import Basics

/// A command, declared once: parsing, help, manual pages and completions go by it.
struct CommandDeclaration: Sendable {
  /// The word that calls it; of a sub-command, behind that of its command: `preset save`.
  var name: String
  /// One line of help.
  var summary: Message
  /// The paragraphs of its help, in lines of at most 100 characters, divided by empty lines.
  var about: Message = ""
  /// The subject under which the program's help names it.
  var kind: Kind
  /// The ways to write a command line of it.
  var forms: [Form]
  /// The options that only this command has.
  var options: [OptionDeclaration] = []
  /// True if it takes files, lists and folders, see ``FileSelection``.
  var selects = false
  /// True if it changes many Live Photos, see ``BatchCommand``.
  var isBatch = false
  /// True if it takes `--json`.
  var hasJSON = true
  /// True if its operands are another command line: they are not looked into, but for its own options.
  var takesCommand = false
  /// True if an empty name among its operands means something: it is given the words of another command line.
  var takesEmptyNames = false
  /// The words that shells propose for its operands, one after the other; the last stands for all that follow.
  var operands: [Proposal] = [.files()]
  /// Words that people type in the place of its name.
  var synonyms: [String] = []
  /// The meaning of its exit statuses.
  var endings = Endings.ofChanges
  /// The files that it keeps, besides those of the library.
  var files: [KeptFile] = []
  /// Other commands that its readers may look for.
  var related: [String] = []
  /// Command lines as people type them.
  var examples: [Example] = []
  /// The commands of which one follows its name; none where it does something itself.
  var subcommands: [CommandDeclaration] = []
  /// Makes the command of its arguments, ready to run.
  var command: @Sendable (ParsedArguments) throws(UsageError) -> any Command

  /// The subject of a command, in the order of the help.
  enum Kind: CaseIterable {
    /// Edits and renders.
    case editing
    /// Edits on many computers.
    case spreading
    /// Deals with presets.
    case presets
    /// Deals with the versions that edits left.
    case versions
    /// Looks at files.
    case looking
    /// Deals with the assets of folders.
    case collecting
    /// Makes Live Photos, or takes them apart, in another folder.
    case making
    /// Deals with what arrives.
    case watching
    /// Deals with liveedit itself.
    case program

    /// The title in the help.
    var title: Message {
      switch self {
      case .editing: "Edit"
      case .spreading: "Edit on several computers"
      case .presets: "Presets"
      case .versions: "History and maintenance"
      case .looking: "Inspect"
      case .collecting: "Find and organise"
      case .making: "Create, repair, share"
      case .watching: "Watch folders"
      case .program: "About liveedit"
      }
    }
  }

  /// A way to write a command line.
  struct Form: Sendable {
    /// The options without which it makes no sense.
    var options: [OptionDeclaration] = []
    /// The operands, as help and manual pages name them.
    var operands = "FILE…"
  }

  /// A command line that can be typed as it stands.
  struct Example: Sendable {
    /// The command line without the program's name.
    var line: String
    /// A sentence that says what it does.
    var meaning: Message

    init(_ line: String, _ meaning: Message) { (self.line, self.meaning) = (line, meaning) }
  }

  /// True if it looks at versions, marks or albums, or changes them.
  private var hasVersions: Bool { [.editing, .versions, .collecting].contains(kind) }

  /// True if `--library` is among its options.
  var hasLibrary: Bool { allOptions.contains { $0.name == OptionDeclaration.library.name } }

  /// The options that only this command has, and those that it shares with others, under their subjects.
  var optionGroups: [(title: Message, options: [OptionDeclaration])] {
    let groups: [(Message, [OptionDeclaration])] = [
      ("Options", options), ("Output", kind == .editing ? EditRequest.renderOptions : []),
      ("File selection", selects ? FileSelection.options : []),
      ("Batch", isBatch ? BatchOptions.options : []),
      ("General", (hasJSON ? [.json] : []) + (hasVersions ? [.library] : []) + [.help]),
    ]
    var seen: Set<String> = []
    // A command's option may have the name of a general one.
    return groups.map { title, options in (title, options.filter { seen.insert($0.name).inserted }) }
      .filter { !$0.1.isEmpty }
  }

  /// All options that it understands; those of its sub-commands for a command that has some.
  var allOptions: [OptionDeclaration] {
    var seen: Set<String> = []
    return (subcommands.flatMap(\.allOptions) + optionGroups.flatMap(\.options)).filter {
      seen.insert($0.name).inserted
    }
  }

  /// The last word of its name.
  var word: String { String(name.split(separator: " ").last ?? "") }

  /// The command lines that show how it is written.
  var usage: [String] {
    if !subcommands.isEmpty { return subcommands.flatMap(\.usage) }
    return forms.map { form in
      var words = ["liveedit", name] + form.options.map(\.inUsage)
      let given = Set(form.options.map(\.name))
      if options.contains(where: { !given.contains($0.name) }) || selects || hasVersions {
        words.append("[options]")
      }
      if !form.operands.isEmpty { words.append(form.operands) }
      return words.joined(separator: " ")
    }
  }

  /// Makes the command of its arguments; what is wrong with them knows whose they are.
  func make(_ arguments: ParsedArguments) throws(UsageError) -> any Command {
    do throws(UsageError) { return try command(arguments) } catch { throw error.of(self) }
  }
}

extension OptionDeclaration {
  /// The option as a usage line writes it: its letter where it has one, and few short words in full.
  fileprivate var inUsage: String {
    if case .word(let words) = type, words.joined().count <= 14 {
      return "--\(name) \(words.joined(separator: "|"))"
    }
    return letter.map { letter in "-\(letter)" + (placeholder.map { " " + $0 } ?? "") } ?? spelled
  }
}

extension CommandDeclaration {
  /// Declares a command that edits.
  ///
  /// - Parameter change: reads from the arguments how edits are changed.
  init(
    editing name: String, summary: Message, about: Message = "", forms: [Form], options: [OptionDeclaration],
    synonyms: [String] = [], related: [String] = [], examples: [Example],
    change: @escaping @Sendable (ParsedArguments) throws(UsageError) -> any EditChange
  ) {
    self.init(
      name: name, summary: summary, about: about.isEmpty ? Self.aboutEdits : "\(about)\n\n\(Self.aboutEdits)",
      kind: .editing, forms: forms, options: options, selects: true, isBatch: true, synonyms: synonyms,
      files: [.batches], related: related, examples: examples
    ) { arguments throws(UsageError) in
      let options = try BatchOptions(arguments)
      if options.resumed != nil {
        return try BatchCommand(resuming: arguments, options, verb: "edited")
      }
      return BatchCommand(
        words: arguments.words, options: options, verb: "edited",
        task: .edit(try EditRequest(arguments, change: change(arguments))))
    }
  }

  /// Declares a command that does nothing without one of its sub-commands.
  init(
    _ name: String, summary: Message, about: Message, kind: Kind, synonyms: [String] = [],
    related: [String] = [],
    subcommands: [CommandDeclaration]
  ) {
    self.init(
      name: name, summary: summary, about: about, kind: kind, forms: [],
      hasJSON: subcommands.contains { $0.hasJSON }, synonyms: synonyms, related: related,
      examples: subcommands.compactMap(\.examples.first), subcommands: subcommands
    ) { _ throws(UsageError) in
      throw UsageError(
        message: "\(name) needs a subcommand: \(subcommands.map(\.word).joined(separator: ", "))")
    }
  }

  private static let aboutEdits: Message = """
    FILE can be a photo, a movie, or the edited file of either; both halves of a Live Photo change.
    Originals never change: for IMG_0001, the edited files IMG_E0001.* and IMG_0001.AAE are written
    beside them. An edit after liveedit revert discards the versions that redo would restore.

    A folder stands for all its photos and movies. Files named individually change one folder at a time:
    all of a folder's files, or none. In folders, lists and filters, each item changes independently.
    """
}
