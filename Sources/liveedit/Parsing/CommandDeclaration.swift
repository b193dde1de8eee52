/// A command, declared once: parsing and help go by it.
struct CommandDeclaration: Sendable {
  /// The word that calls it.
  var name: String
  /// One line of help.
  var summary: String
  /// The arguments after the program's name.
  var usage: String
  /// The subject of the command.
  var kind: Kind
  /// The options that only this command has.
  var options: [OptionDeclaration] = []
  /// True if it takes files, lists and folders, see ``FileSelection``.
  var selects = false
  /// True if it changes many Live Photos, see ``BatchCommand``.
  var isBatch = false
  /// Command lines as people type them, without the program's name.
  var examples: [String]
  /// Makes the command of its arguments, ready to run.
  var command: @Sendable (ParsedArguments) throws(UsageError) -> any Command

  /// The subject of a command.
  enum Kind {
    /// Edits and renders.
    case editing
    /// Deals with the versions that edits left.
    case versions
    /// Looks at files.
    case looking
    /// Deals with the assets of folders.
    case collecting
    /// Deals with presets.
    case presets
    /// Deals with what arrives.
    case watching
    /// Makes Live Photos, or takes them apart, in another folder.
    case making
  }

  /// True if it looks at versions, marks or albums, or changes them.
  private var hasVersions: Bool { [.editing, .versions, .collecting].contains(kind) }

  /// All options that it understands.
  var allOptions: [OptionDeclaration] {
    let own =
      options + (kind == .editing ? EditRequest.renderOptions : []) + (isBatch ? BatchOptions.options : [])
      + (selects ? FileSelection.options : []) + [.json] + (hasVersions ? [.library] : [])
    // A command's option may have the name of a general one.
    return own
      + OptionDeclaration.general.filter { general in !own.contains { $0.name == general.name } }
  }
}

extension CommandDeclaration {
  /// Declares a command that edits.
  ///
  /// - Parameter change: reads from the arguments how edits are changed.
  init(
    editing name: String, summary: String, usage: String, options: [OptionDeclaration], examples: [String],
    change: @escaping @Sendable (ParsedArguments) throws(UsageError) -> any EditChange
  ) {
    self.init(
      name: name, summary: summary, usage: usage, kind: .editing, options: options, selects: true,
      isBatch: true, examples: examples
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
}
