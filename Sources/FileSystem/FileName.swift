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
    let parts = place.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts.allSatisfy { isPlain($0) } ? parts : nil
  }
}
