import EditModel
import FileSystem
import Synchronization

/// A cache of the most recently used pictures, limited in size.
final class ImageCache: Sendable {
  /// The key of a cached picture: its content and its size.
  struct Key: Hashable, Sendable {
    /// The SHA-256 of the file.
    let content: String
    /// The size in pixels that the picture must cover.
    let size: PixelSize
  }

  private let limit: Int
  /// The pictures, least recently used first.
  private let images = Mutex<[(key: Key, image: AssetImage)]>([])

  /// - Parameter limit: The maximum total size of all pictures, in bytes.
  init(limit: Int) { self.limit = limit }

  /// The picture for a key; nil if the cache does not contain it.
  subscript(key: Key) -> AssetImage? {
    get {
      images.withLock { images in
        guard let index = images.firstIndex(where: { $0.key == key }) else { return nil }
        images.append(images.remove(at: index))
        return images.last?.image
      }
    }
    set {
      images.withLock { images in
        images.removeAll { $0.key == key }
        guard let newValue, newValue.data.count <= limit else { return }
        images.append((key, newValue))
        var bytes = images.reduce(0) { $0 + $1.image.data.count }
        while bytes > limit { bytes -= images.removeFirst().image.data.count }
      }
    }
  }
}

/// A first-in, first-out queue that runs blocking work on a few threads.
final class WorkQueue: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0

    /// Removes and returns the next piece of work. Returns nil if the queue is empty; the calling thread then ends.
    mutating func next() -> (@Sendable () -> Void)? {
      if waiting.isEmpty { threads -= 1 }
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: The maximum number of threads that work at the same time.
  init(limit: Int) { self.limit = limit }

  /// Adds work to the queue. If the system cannot start another thread, the work runs on the calling thread.
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
