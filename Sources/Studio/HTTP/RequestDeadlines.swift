internal import FileSystem
internal import Synchronization

/// The deadlines for receiving a complete request on a connection and for sending the response. libmicrohttpd closes
/// connections without traffic; these deadlines also close connections on which only an occasional byte arrives. If the
/// number of connections is close to the maximum, each new connection replaces an idle connection.
final class RequestDeadlines: Sendable {
  private struct Connection {
    /// The time at which the connection is closed; nil for an event stream or for a connection that is already closed.
    var deadline: ContinuousClock.Instant?
    /// The time since which the connection has been idle; nil while a request is being handled.
    var idle: ContinuousClock.Instant?
  }

  private struct State {
    /// The connections, keyed by descriptor.
    var connections: [Int32: Connection] = [:]
    var isWatched = false
  }

  private let first: Duration
  private let next: Duration
  private let answer: Duration
  private let most: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - first: The time within which a connection's first request must arrive.
  ///   - next: The time from the end of a response to the next request.
  ///   - answer: The time from the arrival of a request to the last byte of its response, including the time to create
  ///     the response.
  ///   - most: The number of connections above which each new connection closes the connection that has been idle for
  ///     the longest time.
  init(
    first: Duration = .seconds(15), next: Duration = .seconds(75), answer: Duration = .seconds(3600),
    most: Int = 240
  ) {
    (self.first, self.next, self.answer, self.most) = (first, next, answer, most)
  }

  /// Registers a new connection.
  func begin(_ descriptor: Int32) {
    state.withLock { state in
      let longest = state.connections.filter { $0.value.idle != nil }
        .min { ($0.value.idle ?? .now) < ($1.value.idle ?? .now) }
      if state.connections.count >= most, let longest { Self.end(longest.key, &state) }
    }
    set(descriptor, Connection(deadline: .now + first, idle: .now))
  }

  /// Records that the headers of a request have arrived.
  func begun(_ descriptor: Int32) { state.withLock { $0.connections[descriptor]?.idle = nil } }

  /// Records that a complete request has arrived.
  func arrived(_ descriptor: Int32) { set(descriptor, Connection(deadline: .now + answer)) }

  /// Records that the response to a request is an event stream.
  func isEndless(_ descriptor: Int32) { state.withLock { $0.connections[descriptor] = Connection() } }

  /// Records that the response to a request has been sent.
  func answered(_ descriptor: Int32) { set(descriptor, Connection(deadline: .now + next, idle: .now)) }

  /// Records that a connection is about to be closed.
  func end(_ descriptor: Int32) { state.withLock { $0.connections[descriptor] = nil } }

  /// The number of open connections.
  var count: Int { state.withLock { $0.connections.count } }

  private func set(_ descriptor: Int32, _ connection: Connection) {
    let mustWatch = state.withLock { state in
      state.connections[descriptor] = connection
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if mustWatch { Task { await watch() } }
  }

  /// Closes connections that exceed their deadlines, and returns when no deadlines remain.
  private func watch() async {
    while let deadline = sweep() {
      try? await Task.sleep(until: deadline + .milliseconds(20), clock: .continuous)
    }
  }

  /// Closes the connections that exceed their deadlines.
  ///
  /// - Returns: The next deadline; nil if no deadlines remain.
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

  /// Ends a connection, which the library then closes. The caller holds the lock, so that the descriptor cannot be
  /// closed and reused in the meantime.
  private static func end(_ descriptor: Int32, _ state: inout State) {
    PeerConnection.end(descriptor)
    state.connections[descriptor] = Connection()
  }
}
