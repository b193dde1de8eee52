import Basics
import Glibc

/// The user's folders for programs' data (XDG Base Directory Specification).
package enum UserFolder {
  /// Files that the user chose or created: presets.
  case configuration
  /// Records of past actions that are useful only on this computer, such as records of batches.
  case state
  /// Files that can be re-created at any time.
  case cache

  /// The path of liveedit's own subfolder, which may not exist yet; nil if the environment does not specify a location.
  ///
  /// The corresponding C function is `getenv`.
  package var path: String? {
    let (variable, standard) =
      switch self {
      case .configuration: ("XDG_CONFIG_HOME", ".config")
      case .state: ("XDG_STATE_HOME", ".local/state")
      case .cache: ("XDG_CACHE_HOME", ".cache")
      }
    // The specification requires relative paths to be ignored.
    if let folder = Self.value(variable), folder.hasPrefix("/") { return folder + "/liveedit" }
    if let home = Self.value("HOME"), home.hasPrefix("/") { return "\(home)/\(standard)/liveedit" }
    return nil
  }

  private static func value(_ name: String) -> String? {
    getenv(name).flatMap { String(validatingCString: $0) }
  }

  /// Creates a folder and any missing parent folders. New folders are accessible only to the user.
  ///
  /// The corresponding C function is `mkdir`.
  ///
  /// - Returns: The folder, held open.
  package static func make(_ path: String) throws -> HeldFolder {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        // A parent folder may exist without being writable.
        let failure = SystemError(errno)
        if (try? FileStatus(path: made).kind) != .folder { throw failure }
      }
    }
    return try HeldFolder(path: path)
  }
}
