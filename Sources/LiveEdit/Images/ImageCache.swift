import EditModel
import FileSystem
import Synchronization

/// Pictures that were decoded, the latest ones that there is room for.
final class ImageCache: Sendable {
  /// The content and the size of a picture.
  struct Key: Hashable, Sendable {
    /// SHA-256 of the file.
    let content: String
    /// The pixels that it must cover.
    let size: RenderJob.Size
  }

  private struct Contents {
    var images: [Key: AssetImage] = [:]
    /// The keys, the one that was used longest ago first.
    var order: [Key] = []
    var bytes = 0
  }

  private let limit: Int
  private let contents = Mutex(Contents())

  /// - Parameter limit: the bytes that all pictures together may have.
  init(limit: Int) { self.limit = limit }

  /// The picture of a key; nil when there is none.
  subscript(key: Key) -> AssetImage? {
    get {
      contents.withLock { contents in
        guard let image = contents.images[key] else { return nil }
        contents.order.removeAll { $0 == key }
        contents.order.append(key)
        return image
      }
    }
    set {
      contents.withLock { contents in
        if let old = contents.images.removeValue(forKey: key) {
          contents.bytes -= old.data.count
          contents.order.removeAll { $0 == key }
        }
        guard let newValue, newValue.data.count <= limit else { return }
        contents.images[key] = newValue
        contents.order.append(key)
        contents.bytes += newValue.data.count
        while contents.bytes > limit, let oldest = contents.order.first {
          contents.order.removeFirst()
          contents.bytes -= contents.images.removeValue(forKey: oldest)?.data.count ?? 0
        }
      }
    }
  }
}

/// Work that blocks, done in its order on a few threads.
final class WorkQueue: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0

    /// The next work; nil when there is none, so that the thread ends.
    mutating func next() -> (@Sendable () -> Void)? {
      if waiting.isEmpty { threads -= 1 }
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: the number of threads that work at the same time.
  init(limit: Int) { self.limit = limit }

  /// Adds work. Where the system starts no further thread it is done on the calling one.
  func add(_ work: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      state.waiting.append(work)
      guard state.threads < limit else { return false }
      state.threads += 1
      return true
    }
    guard needsThread else { return }
    do { _ = try WorkerThread { self.drain() } } catch { drain() }
  }

  private func drain() {
    while let work = state.withLock({ $0.next() }) { work() }
  }
}

/// The pictures of a library: those that were decoded, and those that are waited for.
struct LibraryImages: Sendable {
  let cache = ImageCache(limit: 64 << 20)
  let queue = WorkQueue(limit: 2)
}
