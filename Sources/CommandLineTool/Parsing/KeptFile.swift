import Basics

/// A file that a command maintains or reads, as described in manual pages.
struct KeptFile: Hashable, Sendable {
  /// The path of the file.
  var path: String
  /// A sentence that describes the content of the file.
  var meaning: Message
}

extension KeptFile {
  /// The stored versions of a folder's assets.
  static let library = KeptFile(
    path: ".liveedit",
    meaning:
      "A folder's versions, marks, albums and index, beside the originals, or in DIR with --library DIR."
  )
  /// The lists of batches.
  static let batches = KeptFile(
    path: "$XDG_STATE_HOME/liveedit/batches",
    meaning: "Lists for resuming and undoing batches; in ~/.local/state if XDG_STATE_HOME is not set.")
  /// The user's presets.
  static let presets = KeptFile(
    path: "$XDG_CONFIG_HOME/liveedit/presets",
    meaning: "Your presets, one JSON file each; in ~/.config if XDG_CONFIG_HOME is not set.")
  /// The configuration file with the user's settings.
  static let configuration = KeptFile(
    path: "$XDG_CONFIG_HOME/liveedit/config",
    meaning: "Settings, one “name = value” per line; in ~/.config if XDG_CONFIG_HOME is not set.")
  /// The indexes of folders without versions.
  static let cache = KeptFile(
    path: "$XDG_CACHE_HOME/liveedit",
    meaning:
      "The index of folders without .liveedit; in ~/.cache if XDG_CACHE_HOME is not set. You can delete it.")
  /// The record of the files that watches have processed.
  static let watches = KeptFile(
    path: "$XDG_STATE_HOME/liveedit/watch",
    meaning: "The files that watches have processed; in ~/.local/state if XDG_STATE_HOME is not set.")
}
