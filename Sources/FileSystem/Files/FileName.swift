/// Names and places that come out of files: what may be joined to a folder, and what leads out of it.
package enum FileName {
  /// The longest name that Linux's file systems take, in bytes (NAME_MAX).
  package static let longest = 255

  /// True if a name stands for one entry of a folder: no path, neither `.` nor `..`. A name that is too long
  /// leads nowhere: each call that is given it fails.
  package static func isPlain(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
  }

  /// The plain names of a place below a folder, `a/b/c`; nil when it leads anywhere else.
  package static func parts(of place: String) -> [String]? {
    let parts = place.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    return parts.allSatisfy { isPlain($0) } ? parts : nil
  }
}

/// Paths as people write them; an empty folder is the current one.
package enum FilePath {
  /// A path as folder and name.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return ("", path) }
    let name = String(path[path.utf8.index(after: slash)...])
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
  }

  /// A name with a folder before it.
  package static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.utf8.last == 0x2F ? folder + name : folder + "/" + name
  }

  /// A folder as the system and people take it: the current one is `.`.
  package static func shown(_ folder: String) -> String { folder.isEmpty ? "." : folder }
}
