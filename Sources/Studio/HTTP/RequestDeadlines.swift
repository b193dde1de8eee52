internal import FileSystem
internal import Synchronization

/// The times by which connections must have brought a whole request, and taken its answer. libmicrohttpd ends those on which nothing happens;
/// these end those on which a byte comes now and then.
final class RequestDeadlines: Sendable {
  private struct State {
    /// The deadline of each connection by its descriptor; nil for a stream without an end.
    var deadlines: [Int32: ContinuousClock.Instant?] = [:]
    var isWatched = false
  }

  private let first: Duration
  private let next: Duration
  private let answer: Duration
  private let state = Mutex(State())

  /// - Parameters:
  ///   - first: the time for the first request of a connection.
  ///   - next: the time from the end of one request to the next one.
  ///   - answer: the time from a request's arrival to the last byte of its answer, which may have to be made first.
  init(
    first: Duration = .seconds(15), next: Duration = .seconds(75), answer: Duration = .seconds(3600)
  ) {
    (self.first, self.next, self.answer) = (first, next, answer)
  }

  /// Takes note of a new connection.
  func begin(_ descriptor: Int32) { set(descriptor, .now + first) }

  /// Takes note that a request has arrived whole.
  func arrived(_ descriptor: Int32) { set(descriptor, .now + answer) }

  /// Takes note that the answer to a request has no end.
  func isEndless(_ descriptor: Int32) { state.withLock { $0.deadlines[descriptor] = .some(nil) } }

  /// Takes note that a request is answered.
  func answered(_ descriptor: Int32) { set(descriptor, .now + next) }

  /// Takes note that a connection is about to be closed.
  func end(_ descriptor: Int32) { state.withLock { $0.deadlines[descriptor] = nil } }

  /// The number of connections.
  var count: Int { state.withLock { $0.deadlines.count } }

  private func set(_ descriptor: Int32, _ deadline: ContinuousClock.Instant) {
    let mustWatch = state.withLock { state in
      state.deadlines[descriptor] = deadline
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if mustWatch { Task { await watch() } }
  }

  /// Ends the connections that are late, and returns when there are none that could be.
  private func watch() async {
    while let deadline = sweep() {
      try? await Task.sleep(until: deadline + .milliseconds(20), clock: .continuous)
    }
  }

  /// Ends what is late.
  ///
  /// - Returns: the next deadline; nil where there is none.
  private func sweep() -> ContinuousClock.Instant? {
    state.withLock { state in
      let now = ContinuousClock.now
      for (descriptor, deadline) in state.deadlines {
        if let deadline, deadline <= now {
          // Under the lock, so that nobody closes it meanwhile and the number is another's.
          PeerConnection.end(descriptor)
          state.deadlines[descriptor] = .some(nil)
        }
      }
      let next = state.deadlines.values.compactMap { $0 }.min()
      state.isWatched = next != nil
      return next
    }
  }
}
