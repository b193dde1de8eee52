internal import FileSystem
internal import FoundationEssentials

/// The user's folder for files that go away with the login (XDG Base Directory Specification).
enum RuntimeFolder {
  /// Its path; nil where the environment names none, or one that others may look into.
  static var path: String? {
    let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? ""
    guard folder.hasPrefix("/"), let status = try? FileStatus(path: folder), status.owner == HostSystem.user,
      status.permissions & 0o077 == 0
    else { return nil }
    return folder
  }
}
