import Basics
import Glibc

/// The folders of the user for what programs keep (XDG Base Directory Specification).
package enum UserFolder {
  /// The user's own choices and makings: presets.
  case configuration
  /// The record of what happened, of use on this machine alone: batches.
  case state
  /// Files that can be made again at any time.
  case cache

  /// The folder of liveedit's own there; nil where the environment names none. It may not exist yet.
  ///
  /// The corresponding C function is `getenv`.
  package var path: String? {
    let (variable, standard) =
      switch self {
      case .configuration: ("XDG_CONFIG_HOME", ".config")
      case .state: ("XDG_STATE_HOME", ".local/state")
      case .cache: ("XDG_CACHE_HOME", ".cache")
      }
    // The specification has relative paths ignored.
    if let folder = Self.value(variable), folder.hasPrefix("/") { return folder + "/liveedit" }
    if let home = Self.value("HOME"), home.hasPrefix("/") { return "\(home)/\(standard)/liveedit" }
    return nil
  }

  private static func value(_ name: String) -> String? {
    getenv(name).flatMap { String(validatingCString: $0) }
  }

  /// Makes a folder and those above it, for the user alone.
  ///
  /// The corresponding C function is `mkdir`.
  ///
  /// - Returns: the folder, held open.
  package static func make(_ path: String) throws -> HeldFolder {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        // A folder above may exist and not be ours to write to.
        let failure = SystemError(errno)
        if (try? FileStatus(path: made).kind) != .folder { throw failure }
      }
    }
    return try HeldFolder(path: path)
  }
}
