internal import Basics
internal import FileSystem
internal import Glibc
internal import Synchronization
internal import Workflows

/// The previews on disk: made once, and the least recently used ones go first when there is no room.
final class ScreenMediaCache: Sendable {
  private let cache: UserCache
  /// Bytes that were added since the last time that room was made.
  private let added = Mutex(0)
  /// The number of previews that were begun.
  private let begun = Atomic<Int>(0)

  /// - Parameters:
  ///   - path: the folder.
  ///   - limit: bytes that all files may have together.
  init(path: String, limit: Int) {
    cache = UserCache(path: path, limit: limit)
  }

  /// The number of bytes of all files.
  var size: Int { cache.size }

  /// The file of a preview, which counts as used now; nil where there is none.
  func source(_ name: String) -> FileByteSource? {
    guard let source = try? FileByteSource(path: cache.path + "/" + name) else { return nil }
    cache.use(name)
    return source
  }

  /// The path of the folder, which is made where it is missing.
  func folder() throws(EditError) -> String {
    _ = try whileWriting(cache.path) { try cache.open() }
    return cache.path
  }

  /// Makes a preview.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - make: writes the file at a path that nothing has.
  /// - Throws: ``EditError``; there is no file then.
  func make(_ name: String, _ make: (String) throws(EditError) -> Void) throws(EditError) {
    let folder = try whileWriting(cache.path) { try cache.open() }
    // Nobody takes it for a preview before it is whole; a name of its own, should two make the same.
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
      // All files are looked at for that, so not each time.
      guard added > cache.limit / 20 else { return false }
      added = 0
      return true
    }
    if isFull { cache.prune() }
  }

  /// Removes what is too much.
  func prune() { cache.prune() }
}
