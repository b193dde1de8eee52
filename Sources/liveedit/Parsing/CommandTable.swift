/// An option of a command, as parsing and help both need it.
struct OptionSpecification: Sendable {
  /// The long name without the dashes.
  var name: String
  /// A one-letter name.
  var letter: Character?
  /// What stands for the value in the help; nil for an option without one.
  var value: String?
  /// The values that are allowed; empty means any.
  var choices: [String] = []
  /// Whether it can be given several times.
  var isRepeatable = false
  /// One line of help.
  var help: String
}

/// A command, as parsing and help both need it.
struct CommandSpecification: Sendable {
  /// The word that calls it.
  var name: String
  /// One line of help.
  var summary: String
  /// How it is called, after the program's name.
  var usage: String
  /// The options that only this command has.
  var options: [OptionSpecification]
  /// What does it.
  var command: any Command.Type
  /// What it is about.
  var kind = Kind.editing

  /// What a command is about.
  enum Kind {
    /// It edits and renders.
    case editing
    /// It deals with the versions that edits left.
    case versions
    /// It looks at files.
    case looking
    /// It deals with the assets of folders.
    case collecting
    /// It deals with presets.
    case presets
    /// It makes Live Photos, or takes them apart, in another folder.
    case making
  }

  /// All options that it understands.
  var allOptions: [OptionSpecification] {
    let own = options + (kind == .editing ? CommandTable.renderOptions : [CommandTable.json])
    // A command's option may have the name of a general one.
    return own
      + CommandTable.generalOptions.filter { general in !own.contains { $0.name == general.name } }
  }
}

/// Everything that the command line understands.
enum CommandTable {
  /// The commands.
  static let commands =
    [
      CommandSpecification(
        name: "rotate", summary: "Turn Live Photos clockwise, photo and movie.",
        usage: "rotate --degrees 90|180|270|-90 [options] FILE…",
        options: [
          OptionSpecification(
            name: "degrees", value: "N", choices: ["90", "180", "270", "-90"],
            help: "how far to turn clockwise: 90, 180, 270 or -90")
        ], command: EditCommand.self),
      CommandSpecification(
        name: "flip", summary: "Mirror Live Photos, photo and movie.",
        usage: "flip --horizontal|--vertical [options] FILE…",
        options: [
          OptionSpecification(name: "horizontal", help: "left to right"),
          OptionSpecification(name: "vertical", help: "top to bottom"),
        ], command: EditCommand.self),
    ] + GeometryOptions.commands + [
      AdjustOptions.command,
      AutoOptions.command,
      ApplyOptions.command,
      PresetCommand.command,
      CommandSpecification(
        name: "revert", summary: "Go back to an earlier version; nothing is lost.",
        usage: "revert [--to previous|original|N] [--json] FILE…",
        options: [
          OptionSpecification(
            name: "to", value: "VERSION",
            help: "previous (the default), original, or a number that history shows")
        ], command: SwitchCommand.self, kind: .versions),
      CommandSpecification(
        name: "redo", summary: "Take the last revert back.", usage: "redo [--json] FILE…", options: [],
        command: SwitchCommand.self,
        kind: .versions),
      CommandSpecification(
        name: "history", summary: "List the versions of Live Photos.", usage: "history [--json] FILE…",
        options: [], command: HistoryCommand.self, kind: .versions),
      CommandSpecification(
        name: "check", summary: "Compare every file of a folder's versions with what was recorded.",
        usage: "check [--repair] [--json] [DIR…]",
        options: [
          OptionSpecification(
            name: "repair", help: "rebuild a catalogue that is lost or damaged from the versions' folders")
        ], command: CheckCommand.self, kind: .versions),
      CommandSpecification(
        name: "forget", summary: "Drop the records and earlier versions of Live Photos.",
        usage: "forget [--to DIR] [--json] FILE…",
        options: [
          OptionSpecification(
            name: "to", value: "DIR", help: "put versions there that cannot be rendered again")
        ], command: ForgetCommand.self, kind: .versions),
      CommandSpecification(
        name: "inspect", summary: "Say what photos, movies and adjustment data are.",
        usage: "inspect [--json] FILE…", options: [], command: InspectCommand.self, kind: .looking),
      CommandSpecification(
        name: "verify", summary: "Say whether files are valid Live Photos, and which rules they break.",
        usage: "verify [--json] FILE…", options: [], command: VerifyCommand.self, kind: .looking),
      CommandSpecification(
        name: "list", summary: "List the photos, movies and Live Photos of folders.",
        usage: "list [--filter EXPRESSION] [--sort FIELD] [options] [DIR…]",
        options: [
          OptionSpecification(
            name: "filter", value: "EXPR", help: "only those of which this holds, see below"),
          OptionSpecification(
            name: "sort", value: "FIELD", help: "by this field; -FIELD puts the greatest first"),
          OptionSpecification(name: "limit", value: "N", help: "at most so many"),
          OptionSpecification(name: "hidden", help: "those marked as hidden too"),
          OptionSpecification(name: "recursive", letter: "r", help: "the folders below each folder too"),
          OptionSpecification(
            name: "rescan", help: "look at every file, not only when names came or went"),
          OptionSpecification(
            name: "paths", help: "print nothing but a path a line, of the photo or the movie"),
          OptionSpecification(name: "print0", letter: "0", help: "the same for xargs -0"),
        ], command: ListCommand.self, kind: .collecting),
      CommandSpecification(
        name: "mark", summary: "Mark photos, movies and Live Photos as favourites or hidden.",
        usage: "mark --[no-]favourite|--[no-]hidden [--json] FILE…",
        options: [
          OptionSpecification(name: "favourite", help: "make them favourites"),
          OptionSpecification(name: "no-favourite", help: "make them favourites no longer"),
          OptionSpecification(name: "hidden", help: "leave them out of lists"),
          OptionSpecification(name: "no-hidden", help: "put them into lists again"),
        ], command: MarkCommand.self, kind: .collecting),
      CommandSpecification(
        name: "album", summary: "Keep albums: create, add, remove, list, delete.",
        usage: "album create|delete NAME [DIR] | album add|remove NAME FILE… | album list [DIR…]",
        options: [],
        command: AlbumCommand.self, kind: .collecting),
      CreateCommand.specification,
      PairCommand.specification,
      RepairCommand.specification,
      ExportCommand.specification,
    ]

  /// The options of every command that renders.
  static let renderOptions = [
    OptionSpecification(
      name: "output", letter: "o", value: "DIR",
      help: "put the render into this folder and record nothing"),
    OptionSpecification(
      name: "each",
      help: "edit each Live Photo for itself; otherwise a folder's change together or not at all"),
    OptionSpecification(
      name: "video-codec", value: "CODEC", choices: ["h264", "hevc"],
      help: "the movie's codec: h264 or hevc; otherwise the original's"),
    OptionSpecification(
      name: "photo-format", value: "FORMAT", choices: ["same", "heic", "jpeg"],
      help: "the photo's format: same as the original, heic or jpeg; same when never chosen"),
    OptionSpecification(
      name: "quality", value: "LEVEL", choices: ["small", "standard", "high"],
      help: "small, standard or high; standard when never chosen"),
    OptionSpecification(
      name: "speed", value: "SPEED", choices: ["fast", "medium", "slow"],
      help: "slower makes smaller movies: fast, medium or slow; fast when never chosen"),
    OptionSpecification(
      name: "lossless",
      help:
        "decode no pixel; later edits keep to it until --quality or the like is given"
    ),
    json,
  ]

  /// The option of every command that makes files.
  static let destination = OptionSpecification(
    name: "output", letter: "o", value: "DIR", help: "the folder that the new files go into")

  /// The option of every command that prints.
  static let json = OptionSpecification(
    name: "json", help: "print one JSON object a line for each Live Photo or file")

  /// The options that are understood everywhere.
  static let generalOptions = [
    OptionSpecification(name: "help", letter: "h", help: "show this help"),
    OptionSpecification(name: "version", help: "show the version"),
  ]
}
