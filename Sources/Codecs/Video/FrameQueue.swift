import FileSystem
import Glibc
import Rendering

/// Hands frames from the thread that decodes to the one that uses them, a few at a time, and used frames back.
///
/// Ends in exactly one way: the producer finishes, with or without an error, or the consumer abandons it.
/// Either wakes the other.
final class FrameQueue: @unchecked Sendable {
  // Written by both threads while they hold the mutex. Plain properties of a class, so that no access to them
  // lasts while a thread waits.
  private var frames: [VideoDecoder.Frame]
  private var used: [PlanarFrame] = []
  private var isFinished = false
  private var isAbandoned = false
  private var failure: (any Error)?

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let capacity: Int

  private init(_ first: VideoDecoder.Frame?, capacity: Int) {
    self.capacity = capacity
    frames = first.map { [$0] } ?? []
    mutex.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Makes frames on a thread of their own while those before are used on the calling one.
  ///
  /// - Parameters:
  ///   - first: a frame that was made before; nil for none.
  ///   - capacity: most frames that wait at a time.
  ///   - make: gives the next frame, nil after the last one; it may write to a frame that the queue has
  ///     ``recycled()``.
  ///   - use: takes the frames in their order, and keeps none. What it throws stops the work.
  /// - Throws: what either of them throws; an error if there is no further thread.
  static func run(
    from first: VideoDecoder.Frame? = nil, capacity: Int = 2,
    make: @escaping @Sendable (FrameQueue) throws -> VideoDecoder.Frame?,
    use: (VideoDecoder.Frame) throws -> Void
  ) throws {
    let queue = FrameQueue(first, capacity: capacity)
    let thread = try WorkerThread {
      do {
        while let frame = try make(queue), queue.push(frame) {}
        queue.finish()
      } catch {
        queue.finish(error)
      }
    }
    defer {
      queue.abandon()
      thread.join()
    }
    while let frame = try queue.pop() {
      try use(frame)
      queue.recycle(frame.picture)
    }
  }

  /// Hands a frame on, waiting while the queue is full.
  ///
  /// - Returns: false when nobody will take it any more.
  private func push(_ frame: VideoDecoder.Frame) -> Bool {
    locked {
      while frames.count >= capacity, !isAbandoned { pthread_cond_wait(changed, mutex) }
      guard !isAbandoned else { return false }
      frames.append(frame)
      return true
    }
  }

  /// Ends the queue: no more frames come.
  private func finish(_ error: (any Error)? = nil) {
    locked {
      isFinished = true
      failure = error
    }
  }

  /// The next frame, waiting while there is none.
  ///
  /// - Returns: nil when there are no more.
  /// - Throws: the producer's error, at once.
  private func pop() throws -> VideoDecoder.Frame? {
    try locked {
      while frames.isEmpty, !isFinished { pthread_cond_wait(changed, mutex) }
      if let failure { throw failure }
      return frames.isEmpty ? nil : frames.removeFirst()
    }
  }

  /// Abandons the queue: no more frames are taken.
  private func abandon() {
    locked {
      isAbandoned = true
      frames = []
      used = []
    }
  }

  /// Gives a frame back for writing again, unless its memory is the decoder's.
  private func recycle(_ picture: PlanarFrame) {
    guard picture.ownsMemory else { return }
    locked {
      if used.count < capacity { used.append(picture) }
    }
  }

  /// A frame to write again, if one was given back.
  func recycled() -> PlanarFrame? {
    locked { used.popLast() }
  }

  private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body()
  }
}
