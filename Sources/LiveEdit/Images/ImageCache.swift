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
    let size: PixelSize
  }

  private let limit: Int
  /// The pictures, the one that was used longest ago first.
  private let images = Mutex<[(key: Key, image: AssetImage)]>([])

  /// - Parameter limit: the bytes that all pictures together may have.
  init(limit: Int) { self.limit = limit }

  /// The picture of a key; nil when there is none.
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
