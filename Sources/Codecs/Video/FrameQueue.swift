import Glibc
internal import Rendering

/// Hands frames from the thread that decodes to the one that encodes, a few at a time, and used frames back.
///
/// Ends in exactly one way: the producer finishes, with or without an error, or the consumer abandons it.
/// Either wakes the other.
final class FrameQueue: @unchecked Sendable {
  // Written by both threads while they hold the mutex. Plain properties of a class, so that no access to them
  // lasts while a thread waits.
  private var frames: [(picture: PlanarFrame, time: Int64)] = []
  private var used: [PlanarFrame] = []
  private var isFinished = false
  private var isAbandoned = false
  private var failure: (any Error)?

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let capacity: Int

  /// - Parameter capacity: most frames that wait at a time.
  init(capacity: Int) {
    self.capacity = capacity
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

  /// Hands a frame on, waiting while the queue is full.
  ///
  /// - Returns: false when nobody will take it any more.
  func push(_ picture: PlanarFrame, time: Int64) -> Bool {
    locked {
      while frames.count >= capacity, !isAbandoned { pthread_cond_wait(changed, mutex) }
      guard !isAbandoned else { return false }
      frames.append((picture, time))
      return true
    }
  }

  /// Ends the queue: no more frames come.
  func finish(_ error: (any Error)? = nil) {
    locked {
      isFinished = true
      failure = error
    }
  }

  /// The next frame, waiting while there is none.
  ///
  /// - Returns: nil when there are no more.
  /// - Throws: the producer's error, at once.
  func pop() throws -> (picture: PlanarFrame, time: Int64)? {
    try locked {
      while frames.isEmpty, !isFinished { pthread_cond_wait(changed, mutex) }
      if let failure { throw failure }
      return frames.isEmpty ? nil : frames.removeFirst()
    }
  }

  /// Abandons the queue: no more frames are taken.
  func abandon() {
    locked {
      isAbandoned = true
      frames = []
      used = []
    }
  }

  /// Gives a frame back for writing again.
  func recycle(_ picture: PlanarFrame) {
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
