import Basics

/// A file that a command keeps or reads, as manual pages name it.
struct KeptFile: Hashable, Sendable {
  /// Its path.
  var path: String
  /// A sentence that says what is in it.
  var meaning: Message
}

extension KeptFile {
  /// The versions of a folder.
  static let library = KeptFile(
    path: ".liveedit",
    meaning:
      "Versions, marks, albums and the index of a folder, beside the originals. With --library they are in DIR."
  )
  /// The lists of batches.
  static let batches = KeptFile(
    path: "$XDG_STATE_HOME/liveedit/batches",
    meaning: "The lists by which batches go on and are undone; in ~/.local/state without XDG_STATE_HOME.")
  /// The user's presets.
  static let presets = KeptFile(
    path: "$XDG_CONFIG_HOME/liveedit/presets",
    meaning: "Your own presets, a JSON file each; in ~/.config without XDG_CONFIG_HOME.")
  /// The settings.
  static let configuration = KeptFile(
    path: "$XDG_CONFIG_HOME/liveedit/config",
    meaning: "Settings, a line “name = value” each; in ~/.config without XDG_CONFIG_HOME.")
  /// The indexes of folders without versions.
  static let cache = KeptFile(
    path: "$XDG_CACHE_HOME/liveedit",
    meaning:
      "The index of folders that have no .liveedit; in ~/.cache without XDG_CACHE_HOME. It may be removed.")
  /// The record of watches.
  static let watches = KeptFile(
    path: "$XDG_STATE_HOME/liveedit/watch",
    meaning: "What watches have dealt with; in ~/.local/state without XDG_STATE_HOME.")
}
