internal import Basics
internal import FileSystem
internal import Glibc
internal import Synchronization
internal import Workflows

/// A folder in the cache that contains hard links to the small pictures and movies of a single asset. The helper that
/// handles requests about the asset may read only this folder, not the pictures of other assets.
final class EditFolder: Sendable {
  /// The path of the folder.
  let path: String
  private let cache: HeldFolder
  private let name: String

  private static let count = Atomic<Int>(0)

  /// Creates the folder.
  ///
  /// - Parameter path: The path of the cache.
  /// - Throws: ``EditError`` if the folder cannot be created.
  init(in path: String) throws(EditError) {
    name = "edit-\(getpid())-\(Self.count.add(1, ordering: .relaxed).newValue)"
    self.path = path + "/" + name
    cache = try whileWriting(path) { [name] in
      let cache = try HeldFolder(path: path)
      // A process that has since exited may have had the same process ID.
      cache.removeFolderOfFiles(name)
      try cache.makeFolder(name, permissions: 0o700)
      return cache
    }
  }

  deinit { remove() }

  /// Creates a hard link in the folder to a file in the cache. The hard link remains if the cache removes the file.
  ///
  /// - Parameter file: The name of the file in the cache.
  /// - Returns: The path of the file in the folder.
  /// - Throws: ``EditError`` if the file no longer exists.
  func take(_ file: String) throws(EditError) -> String {
    let place = name + "/" + file
    return try whileWriting(path + "/" + file) {
      do { try cache.link(file, as: place) } catch SystemError.exists {}
      return path + "/" + file
    }
  }

  /// Removes the folder.
  func remove() { cache.removeFolderOfFiles(name) }
}
