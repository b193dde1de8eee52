internal import Basics
internal import FileSystem
internal import Glibc
internal import Synchronization
internal import Workflows

/// A folder in the cache with the small pictures and movies of one asset, by further names of their files. The helper that
/// answers questions about the asset can read there, and no pictures of other assets.
final class EditFolder: Sendable {
  /// The path of the folder.
  let path: String
  private let cache: HeldFolder
  private let name: String

  private static let count = Atomic<Int>(0)

  /// Makes the folder.
  ///
  /// - Parameter path: the cache's folder.
  /// - Throws: ``EditError`` when it cannot be made.
  init(in path: String) throws(EditError) {
    name = "edit-\(getpid())-\(Self.count.add(1, ordering: .relaxed).newValue)"
    self.path = path + "/" + name
    cache = try whileWriting(path) { [name] in
      let cache = try HeldFolder(path: path)
      // A process that died may have had the same number.
      cache.removeFolderOfFiles(name)
      try cache.makeFolder(name, permissions: 0o700)
      return cache
    }
  }

  deinit { remove() }

  /// Takes a file of the cache into the folder, where it stays if the cache makes room.
  ///
  /// - Parameter file: its name in the cache.
  /// - Returns: its path in the folder.
  /// - Throws: ``EditError`` when it is not there any more.
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
