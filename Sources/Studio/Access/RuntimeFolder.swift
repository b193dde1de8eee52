internal import FileSystem
internal import FoundationEssentials

/// The user's folder for files that are removed at logout (XDG Base Directory Specification).
enum RuntimeFolder {
  /// The path of the folder; nil if the environment does not specify the folder, or if other users can access the
  /// folder.
  static var path: String? {
    let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? ""
    guard folder.hasPrefix("/"), let status = try? FileStatus(path: folder), status.owner == HostSystem.user,
      status.permissions & 0o077 == 0
    else { return nil }
    return folder
  }
}
