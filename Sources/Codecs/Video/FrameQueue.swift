import FileSystem
import Glibc
import Rendering

/// A bounded queue that passes frames from the decoding thread to the thread that uses them, and returns used frames.
///
/// The queue ends when the producer finishes, with or without an error, or when the consumer abandons the queue. In
/// both cases, the other thread is woken up.
final class FrameQueue: @unchecked Sendable {
  // Both threads write these properties while they hold the mutex. The properties are plain properties of a class, so
  // that no access to them is in progress while a thread waits.
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

  /// Produces frames on a separate thread while the calling thread uses earlier frames.
  ///
  /// - Parameters:
  ///   - first: A frame that was produced earlier, or nil if no frame was produced.
  ///   - capacity: The maximum number of waiting frames.
  ///   - make: A function that returns the next frame, or nil after the last frame. The function may reuse a frame from
  ///     ``recycled()``.
  ///   - use: A function that receives the frames in order and must not keep any frame. If the function throws an
  ///     error, the work stops.
  /// - Throws: Any error that either function throws, or an error if the system cannot create a thread.
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

  /// Adds a frame to the queue. If the queue is full, waits until space is available.
  ///
  /// - Returns: False if the consumer has abandoned the queue.
  private func push(_ frame: VideoDecoder.Frame) -> Bool {
    locked {
      while frames.count >= capacity, !isAbandoned { pthread_cond_wait(changed, mutex) }
      guard !isAbandoned else { return false }
      frames.append(frame)
      return true
    }
  }

  /// Marks that no more frames follow.
  private func finish(_ error: (any Error)? = nil) {
    locked {
      isFinished = true
      failure = error
    }
  }

  /// Removes the next frame from the queue. If the queue is empty, waits for a frame.
  ///
  /// - Returns: The next frame, or nil after the last frame.
  /// - Throws: The producer's error, as soon as the error occurs.
  private func pop() throws -> VideoDecoder.Frame? {
    try locked {
      while frames.isEmpty, !isFinished { pthread_cond_wait(changed, mutex) }
      if let failure { throw failure }
      return frames.isEmpty ? nil : frames.removeFirst()
    }
  }

  /// Stops the removal of frames from the queue, which also stops the producer.
  private func abandon() {
    locked {
      isAbandoned = true
      frames = []
      used = []
    }
  }

  /// Makes a frame available for reuse, unless the frame's memory belongs to the decoder.
  private func recycle(_ picture: PlanarFrame) {
    guard picture.ownsMemory else { return }
    locked {
      if used.count < capacity { used.append(picture) }
    }
  }

  /// Returns a frame that is available for reuse, or nil if no such frame exists.
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
