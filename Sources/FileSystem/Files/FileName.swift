/// Checks for names and relative paths that come from files: whether a name may be appended to a folder's path, and
/// whether a path would lead out of the folder.
package enum FileName {
  /// The maximum length of a name in Linux file systems, in bytes (NAME_MAX).
  package static let longest = 255

  /// Returns whether a name can be a single entry of a folder: the name is not a path, `.` or `..`. This function
  /// accepts names that are too long, because every system call with such a name fails.
  package static func isPlain(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
  }

  /// Returns the components of a relative path inside a folder, such as `a/b/c`; nil if the path would lead out of the
  /// folder.
  package static func parts(of place: String) -> [String]? {
    let parts = place.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    return parts.allSatisfy { isPlain($0) } ? parts : nil
  }
}

/// Functions for paths as users write them. An empty folder path stands for the current folder.
package enum FilePath {
  /// Splits a path into the folder's path and the file name.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return ("", path) }
    let name = String(path[path.utf8.index(after: slash)...])
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
  }

  /// Returns the path of a name in a folder.
  package static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.utf8.last == 0x2F ? folder + name : folder + "/" + name
  }

  /// Returns a folder's path in a form for the system and for users: the current folder becomes `.`.
  package static func shown(_ folder: String) -> String { folder.isEmpty ? "." : folder }
}
