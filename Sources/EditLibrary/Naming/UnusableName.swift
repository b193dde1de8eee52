package import Basics

/// Names that are not UTF-8: their files are shown, and nothing else is done with them.
package enum UnusableName {
  /// The note on such a file in a list.
  package static let note = "its name is not UTF-8, which liveedit cannot work with: rename it"

  /// The error that says why nothing is done with a file or folder.
  ///
  /// - Parameter path: its path, with what is odd made visible.
  package static func error(_ path: String) -> EditError {
    EditError(
      .unsupported, file: path, "has a name that is not UTF-8, which liveedit cannot work with",
      remedy: "rename it")
  }
}
