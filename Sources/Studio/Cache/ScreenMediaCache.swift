internal import Basics
internal import FileSystem
internal import Glibc
internal import Synchronization
internal import Workflows

/// A cache of previews on disk. Each preview is created once; if space runs out, the least recently used previews are
/// removed first.
final class ScreenMediaCache: Sendable {
  private let cache: UserCache
  /// The number of bytes added since space was last freed.
  private let added = Mutex(0)
  /// The number of previews whose creation has been started.
  private let begun = Atomic<Int>(0)

  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - limit: The maximum total size of the files in bytes.
  init(path: String, limit: Int) {
    cache = UserCache(path: path, limit: limit)
  }

  /// The total size of the files in bytes.
  var size: Int { cache.size }

  /// Returns the file of a preview and marks it as used now; nil if the file does not exist.
  func source(_ name: String) -> FileByteSource? {
    guard let source = try? FileByteSource(path: cache.path + "/" + name) else { return nil }
    cache.use(name)
    return source
  }

  /// Returns the path of the folder, and creates the folder if it is missing.
  func folder() throws(EditError) -> String {
    _ = try whileWriting(cache.path) { try cache.open() }
    return cache.path
  }

  /// Creates a preview.
  ///
  /// - Parameters:
  ///   - name: The name of the preview.
  ///   - make: A closure that writes the file to a path at which nothing exists.
  /// - Throws: ``EditError`` if the preview cannot be created. In that case, no file is left behind.
  func make(_ name: String, _ make: (String) throws(EditError) -> Void) throws(EditError) {
    let folder = try whileWriting(cache.path) { try cache.open() }
    // A temporary name ensures that an incomplete file is never mistaken for a preview. The number makes the name
    // unique, in case two threads create the same preview.
    let number = begun.add(1, ordering: .relaxed).newValue
    let unfinished = "\(getpid())-\(number)-" + name
    _ = try? folder.remove(unfinished)
    do throws(EditError) {
      try make(cache.path + "/" + unfinished)
      try whileWriting(cache.path + "/" + name) { try folder.replace(name, with: unfinished) }
    } catch {
      _ = try? folder.remove(unfinished)
      throw error
    }
    let size = (try? folder.status(name).size) ?? 0
    let isFull = added.withLock { added in
      added += size
      // Freeing space requires examining all files, so space is not freed every time.
      guard added > cache.limit / 20 else { return false }
      added = 0
      return true
    }
    if isFull { cache.prune() }
  }

  /// Removes files until the cache's size is within its limit.
  func prune() { cache.prune() }
}
