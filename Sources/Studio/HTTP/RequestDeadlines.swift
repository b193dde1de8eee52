internal import FileSystem
internal import Synchronization

/// The times by which connections must have brought a whole request, and taken its answer. libmicrohttpd ends those on which nothing happens;
/// these end those on which a byte comes now and then. Where there are almost as many connections as there may be, one that is idle
/// makes room for a new one.
final class RequestDeadlines: Sendable {
  private struct Connection {
    /// When it is ended; nil for a stream without an end, and for one that was ended.
    var deadline: ContinuousClock.Instant?
    /// Since when no request has arrived on it; nil while one is answered.
    var idle: ContinuousClock.Instant?
  }

  private struct State {
    /// The connections by their descriptors.
    var connections: [Int32: Connection] = [:]
    var isWatched = false
  }

  private let first: Duration
  private let next: Duration
  private let answer: Duration
  private let most: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - first: the time for the first request of a connection.
  ///   - next: the time from the end of one request to the next one.
  ///   - answer: the time from a request's arrival to the last byte of its answer, which may have to be made first.
  ///   - most: the number of connections from which on each new one ends the one that has been idle longest.
  init(
    first: Duration = .seconds(15), next: Duration = .seconds(75), answer: Duration = .seconds(3600),
    most: Int = 240
  ) {
    (self.first, self.next, self.answer, self.most) = (first, next, answer, most)
  }

  /// Takes note of a new connection.
  func begin(_ descriptor: Int32) {
    state.withLock { state in
      let longest = state.connections.filter { $0.value.idle != nil }
        .min { ($0.value.idle ?? .now) < ($1.value.idle ?? .now) }
      if state.connections.count >= most, let longest { Self.end(longest.key, &state) }
    }
    set(descriptor, Connection(deadline: .now + first, idle: .now))
  }

  /// Takes note that the headers of a request have arrived.
  func begun(_ descriptor: Int32) { state.withLock { $0.connections[descriptor]?.idle = nil } }

  /// Takes note that a request has arrived whole.
  func arrived(_ descriptor: Int32) { set(descriptor, Connection(deadline: .now + answer)) }

  /// Takes note that the answer to a request has no end.
  func isEndless(_ descriptor: Int32) { state.withLock { $0.connections[descriptor] = Connection() } }

  /// Takes note that a request is answered.
  func answered(_ descriptor: Int32) { set(descriptor, Connection(deadline: .now + next, idle: .now)) }

  /// Takes note that a connection is about to be closed.
  func end(_ descriptor: Int32) { state.withLock { $0.connections[descriptor] = nil } }

  /// The number of connections.
  var count: Int { state.withLock { $0.connections.count } }

  private func set(_ descriptor: Int32, _ connection: Connection) {
    let mustWatch = state.withLock { state in
      state.connections[descriptor] = connection
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
      for (descriptor, connection) in state.connections {
        if let deadline = connection.deadline, deadline <= now { Self.end(descriptor, &state) }
      }
      let next = state.connections.values.compactMap(\.deadline).min()
      state.isWatched = next != nil
      return next
    }
  }

  /// Ends a connection, which the library then closes. Under the lock, so that nobody closes it meanwhile and the number is another's.
  private static func end(_ descriptor: Int32, _ state: inout State) {
    PeerConnection.end(descriptor)
    state.connections[descriptor] = Connection()
  }
}
