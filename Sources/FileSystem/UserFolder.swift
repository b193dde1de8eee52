import Glibc

/// The folders of a user in which programs keep what is theirs (XDG Base Directory Specification).
package enum UserFolder: Hashable, Sendable {
  /// What the user chose.
  case configuration
  /// What a program remembers from one run to the next.
  case state

  /// The path of liveedit's own folder there, which need not exist; nil where the environment does not tell.
  ///
  /// The corresponding C function is `getenv`.
  package var path: String? {
    path { variable in getenv(variable).flatMap { String(validatingCString: $0) } }
  }

  /// The same for any environment.
  ///
  /// - Parameter value: gives the value of a variable; nil where it is not set.
  package func path(_ value: (String) -> String?) -> String? {
    // The specification has relative paths ignored.
    func absolute(_ variable: String) -> String? { value(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let (variable, standard) =
      self == .configuration ? ("XDG_CONFIG_HOME", "/.config") : ("XDG_STATE_HOME", "/.local/state")
    return (absolute(variable) ?? absolute("HOME").map { $0 + standard }).map { $0 + "/liveedit" }
  }
}
