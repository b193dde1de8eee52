import Basics

/// A command, declared once for parsing, help, manual pages and completions.
struct CommandDeclaration: Sendable {
  /// The name of the command. The name of a subcommand includes the name of its command: `preset save`.
  var name: String
  /// The one-line summary in the help text.
  var summary: Message
  /// The paragraphs of the help text, in lines of at most 100 characters, separated by empty lines.
  var about: Message = ""
  /// The topic under which the program's help lists the command.
  var kind: Kind
  /// The accepted forms of the command line.
  var forms: [Form]
  /// The options that are specific to this command.
  var options: [OptionDeclaration] = []
  /// Whether the command accepts files, lists and folders; see ``FileSelection``.
  var selects = false
  /// Whether the command changes many Live Photos; see ``BatchCommand``.
  var isBatch = false
  /// Whether the command accepts `--json`.
  var hasJSON = true
  /// Whether the operands are another command line. In that command line, only this command's own options are
  /// recognised.
  var takesCommand = false
  /// Whether empty operands are allowed, because the command receives the words of another command line.
  var takesEmptyNames = false
  /// The words that shells suggest for the operands, in order. The last entry applies to all remaining operands.
  var operands: [Proposal] = [.files()]
  /// Other words that users type for the command's name.
  var synonyms: [String] = []
  /// The meaning of the command's exit statuses.
  var endings = Endings.ofChanges
  /// The files that the command maintains in addition to the library.
  var files: [KeptFile] = []
  /// Related commands.
  var related: [String] = []
  /// Example command lines.
  var examples: [Example] = []
  /// The subcommands, one of which must follow the command's name; empty if the command itself can be run.
  var subcommands: [CommandDeclaration] = []
  /// A closure that creates the command from its arguments.
  var command: @Sendable (ParsedArguments) throws(UsageError) -> any Command

  /// The topics that group the commands, in the order of the help.
  enum Kind: CaseIterable {
    /// Editing and rendering.
    case editing
    /// Distributing edits to many computers.
    case spreading
    /// Managing presets.
    case presets
    /// Managing the versions that edits created.
    case versions
    /// Inspecting files.
    case looking
    /// Managing the assets in folders.
    case collecting
    /// Creating or converting Live Photos in another folder.
    case making
    /// Processing new files.
    case watching
    /// Information about liveedit itself.
    case program

    /// The topic's title in the help.
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

  /// A form that the command line can have.
  struct Form: Sendable {
    /// The options that are required in this form.
    var options: [OptionDeclaration] = []
    /// The operands, as shown in the help and in manual pages.
    var operands = "FILE…"
  }

  /// An example command line that can be typed as shown.
  struct Example: Sendable {
    /// The command line without the program's name.
    var line: String
    /// A sentence that explains the effect of the command line.
    var meaning: Message

    init(_ line: String, _ meaning: Message) { (self.line, self.meaning) = (line, meaning) }
  }

  /// Whether the command reads or changes versions, marks or albums.
  private var hasVersions: Bool { [.editing, .versions, .collecting].contains(kind) }

  /// Whether the command accepts `--library`.
  var hasLibrary: Bool { allOptions.contains { $0.name == OptionDeclaration.library.name } }

  /// The command's own options and the options shared with other commands, grouped by topic.
  var optionGroups: [(title: Message, options: [OptionDeclaration])] {
    let groups: [(Message, [OptionDeclaration])] = [
      ("Options", options), ("Output", kind == .editing ? EditRequest.renderOptions : []),
      ("File selection", selects ? FileSelection.options : []),
      ("Batch", isBatch ? BatchOptions.options : []),
      ("General", (hasJSON ? [.json] : []) + (hasVersions ? [.library] : []) + [.help]),
    ]
    var seen: Set<String> = []
    // A command's own option may have the same name as a shared option.
    return groups.map { title, options in (title, options.filter { seen.insert($0.name).inserted }) }
      .filter { !$0.1.isEmpty }
  }

  /// All options that the command accepts. For a command with subcommands, these are the options of all subcommands.
  var allOptions: [OptionDeclaration] {
    var seen: Set<String> = []
    return (subcommands.flatMap(\.allOptions) + optionGroups.flatMap(\.options)).filter {
      seen.insert($0.name).inserted
    }
  }

  /// The last word of the command's name.
  var word: String { String(name.split(separator: " ").last ?? "") }

  /// The command lines for the usage section of the help.
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

  /// Creates the command from its arguments. Errors in the arguments name the command.
  func make(_ arguments: ParsedArguments) throws(UsageError) -> any Command {
    do throws(UsageError) { return try command(arguments) } catch { throw error.of(self) }
  }
}

extension OptionDeclaration {
  /// The option as shown in usage lines: with its words if the words are few and short; otherwise with its letter if
  /// the option has a letter.
  fileprivate var inUsage: String {
    if case .word(let words) = type, words.joined().count <= 14 {
      return "--\(name) \(words.joined(separator: "|"))"
    }
    return letter.map { letter in "-\(letter)" + (placeholder.map { " " + $0 } ?? "") } ?? spelled
  }
}

extension CommandDeclaration {
  /// Declares an editing command.
  ///
  /// - Parameter change: A closure that reads the change from the arguments.
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

  /// Declares a command that requires a subcommand.
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
