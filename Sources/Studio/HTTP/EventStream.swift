internal import Languages
internal import Synchronization

/// A stream of server-sent events to one page (HTML Standard, section 9.2). Events that nobody takes fill it up, and it is
/// ended then: the page connects again and asks for everything anew.
final class EventStream: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isEnded = false
    /// Wakes the connection, which waits for events; nil while it does not.
    var wake: (@Sendable () -> Void)?
  }

  /// Bytes that may wait for a connection to take them.
  private static let limit = 1 << 20

  /// Says the messages in its events.
  let speaker: Speaker
  private let state = Mutex(State())

  /// - Parameter speaker: says the messages in its events.
  init(_ speaker: Speaker) { self.speaker = speaker }

  /// True once nothing more will be taken.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Sends an event.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - data: its data, without line ends.
  func send(_ name: String, _ data: String) { append("event: \(name)\ndata: \(data)\n\n") }

  /// Sends a comment, so that nobody on the way takes the connection for dead.
  func keepAlive() { append(": \n\n") }

  /// Ends the stream after what was sent.
  func end() {
    state.withLock { state in
      state.isEnded = true
      state.wake?()
      state.wake = nil
    }
  }

  private func append(_ text: String) {
    state.withLock { state in
      guard !state.isEnded else { return }
      state.bytes += Array(text.utf8)
      if state.bytes.count > Self.limit { state.isEnded = true }
      state.wake?()
      state.wake = nil
    }
  }

  /// The next bytes for the connection.
  enum Next {
    case bytes([UInt8])
    /// None now: the connection is asleep until it is woken.
    case nothing
    case end
  }

  /// Takes bytes for the connection.
  ///
  /// - Parameters:
  ///   - count: how many at most.
  ///   - sleep: puts the connection to sleep; called where there are none.
  ///   - wake: wakes it, from any thread.
  func next(atMost count: Int, sleep: () -> Void, wake: @escaping @Sendable () -> Void) -> Next {
    state.withLock { state in
      guard state.bytes.isEmpty else {
        let part = Array(state.bytes.prefix(count))
        state.bytes.removeFirst(part.count)
        return .bytes(part)
      }
      if state.isEnded { return .end }
      // Asleep before anybody can wake it.
      sleep()
      state.wake = wake
      return .nothing
    }
  }
}
