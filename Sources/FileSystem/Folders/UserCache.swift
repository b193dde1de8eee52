import Glibc

/// A folder in the user's cache for files that can be made again at any time; together they stay below a limit, and what
/// was used longest ago goes first.
package struct UserCache: Hashable, Sendable {
  /// The path of the folder; it may not exist yet.
  package let path: String
  /// The greatest number of bytes that all files together may have.
  package let limit: Int

  /// - Parameters:
  ///   - path: the path of the folder.
  ///   - limit: the greatest number of bytes that all files together may have.
  package init(path: String, limit: Int) {
    (self.path, self.limit) = (path, limit)
  }

  /// A file of the cache.
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

  /// The number of bytes of all files.
  package var size: Int {
    guard let folder = try? HeldFolder(path: path) else { return 0 }
    return entries(folder).reduce(0) { $0 + $1.size }
  }

  /// Holds the folder open, and makes it where it is missing.
  package func open() throws -> HeldFolder { try UserFolder.make(path) }

  /// Takes note that a file is used now.
  ///
  /// The corresponding C function is `utimensat`.
  package func use(_ name: String) { utimensat(AT_FDCWD, path + "/" + name, nil, AT_SYMLINK_NOFOLLOW) }

  /// Seconds after which what a process keeps for itself is taken for left behind.
  private static let day: Int64 = 86_400

  /// Removes what was used longest ago until the rest stays below the limit.
  package func prune() {
    guard let folder = try? HeldFolder(path: path) else { return }
    let found = entries(folder).sorted { ($0.used, $0.name) < ($1.used, $1.name) }
    var size = found.reduce(0) { $0 + $1.size }
    for entry in found where size > limit {
      // A journal goes before its database: the next one would take it for its own.
      _ = try? folder.remove(entry.name + "-journal")
      _ = try? folder.remove(entry.name)
      size -= entry.size
    }
    // What a process that died left of its own.
    for name in (try? folder.names()) ?? [] {
      guard let status = try? folder.statusIfAny(name), status.kind == .folder,
        status.modified < (Int64(HostSystem.now) - Self.day) * 1_000_000_000
      else { continue }
      folder.removeFolderOfFiles(name)
    }
  }
}
