import Glibc

/// A folder in the user's cache for files that can be re-created at any time. The total size of the files is limited;
/// the least recently used files are removed first.
package struct UserCache: Hashable, Sendable {
  /// The path of the folder, which may not exist yet.
  package let path: String
  /// The maximum total size of the files in bytes.
  package let limit: Int

  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - limit: The maximum total size of the files in bytes.
  package init(path: String, limit: Int) {
    (self.path, self.limit) = (path, limit)
  }

  /// A file in the cache.
  private struct Entry {
    var name: String
    var size: Int
    var used: Int64
  }

  private func entries(_ folder: HeldFolder) -> [Entry] {
    ((try? folder.names()) ?? []).compactMap { name in
      guard let status = try? folder.statusIfAny(name), status.kind == .regular else { return nil }
      return Entry(name: name, size: status.size, used: status.modified)
    }
  }

  /// The total size of the files in bytes.
  package var size: Int {
    guard let folder = try? HeldFolder(path: path) else { return 0 }
    return entries(folder).reduce(0) { $0 + $1.size }
  }

  /// Opens the folder, and creates it if it does not exist.
  package func open() throws -> HeldFolder { try UserFolder.make(path) }

  /// Records that a file is being used now.
  ///
  /// The corresponding C function is `utimensat`.
  package func use(_ name: String) { utimensat(AT_FDCWD, path + "/" + name, nil, AT_SYMLINK_NOFOLLOW) }

  /// The age, in seconds, after which a process's own folder is considered abandoned.
  private static let day: Int64 = 86_400

  /// Removes the least recently used files until the total size is within the limit.
  package func prune() {
    guard let folder = try? HeldFolder(path: path) else { return }
    let found = entries(folder).sorted { ($0.used, $0.name) < ($1.used, $1.name) }
    var size = found.reduce(0) { $0 + $1.size }
    for entry in found where size > limit {
      // A journal must be removed before its database, because the next database with the same name would use the
      // journal.
      _ = try? folder.remove(entry.name + "-journal")
      _ = try? folder.remove(entry.name)
      size -= entry.size
    }
    // Removes folders that were left behind by processes that died.
    for name in (try? folder.names()) ?? [] {
      guard let status = try? folder.statusIfAny(name), status.kind == .folder,
        status.modified < (Int64(HostSystem.now) - Self.day) * 1_000_000_000
      else { continue }
      folder.removeFolderOfFiles(name)
    }
  }
}
