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
  /// Whether it edits and renders; the others only look at files.
  var edits = true

  /// All options that it understands.
  var allOptions: [OptionSpecification] {
    options + (edits ? CommandTable.renderOptions : [CommandTable.json]) + CommandTable.generalOptions
  }
}

/// Everything that the command line understands.
enum CommandTable {
  /// The commands.
  static let commands = [
    CommandSpecification(
      name: "rotate", summary: "Turn Live Photos clockwise, photo and movie.",
      usage: "rotate --degrees 90|180|270|-90 [options] FILE…",
      options: [
        OptionSpecification(
          name: "degrees", value: "N", choices: ["90", "180", "270", "-90"],
          help: "how far to turn clockwise: 90, 180, 270 or -90")
      ]),
    CommandSpecification(
      name: "flip", summary: "Mirror Live Photos, photo and movie.",
      usage: "flip --horizontal|--vertical [options] FILE…",
      options: [
        OptionSpecification(name: "horizontal", help: "left to right"),
        OptionSpecification(name: "vertical", help: "top to bottom"),
      ]),
    CommandSpecification(
      name: "inspect", summary: "Say what photos, movies and adjustment data are.",
      usage: "inspect [--json] FILE…", options: [], edits: false),
    CommandSpecification(
      name: "verify", summary: "Say whether files are valid Live Photos, and which rules they break.",
      usage: "verify [--json] FILE…", options: [], edits: false),
  ]

  /// The options of every command that renders.
  static let renderOptions = [
    OptionSpecification(
      name: "output", letter: "o", value: "DIR",
      help: "put the render into this folder and record nothing"),
    OptionSpecification(
      name: "video-codec", value: "CODEC", choices: ["h264", "hevc"],
      help: "the movie's codec: h264 or hevc; otherwise the original's"),
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

  /// The option of every command that prints.
  static let json = OptionSpecification(
    name: "json", help: "print one JSON object a line for each Live Photo or file")

  /// The options that are understood everywhere.
  static let generalOptions = [
    OptionSpecification(name: "help", letter: "h", help: "show this help"),
    OptionSpecification(name: "version", help: "show the version"),
  ]
}
