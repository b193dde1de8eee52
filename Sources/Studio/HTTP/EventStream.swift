internal import Languages
internal import Synchronization

/// A stream of server-sent events to a single page (HTML Standard, section 9.2). If the page does not receive events
/// fast enough, the stream fills up and ends. The page then reconnects and reloads everything.
final class EventStream: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isEnded = false
    /// The closure that wakes the connection; nil if the connection is not waiting for events.
    var wake: (@Sendable () -> Void)?
  }

  /// The maximum number of bytes that may wait to be sent.
  private static let limit = 1 << 20

  /// The speaker that translates the messages in the events.
  let speaker: Speaker
  private let state = Mutex(State())

  /// - Parameter speaker: The speaker that translates the messages in the events.
  init(_ speaker: Speaker) { self.speaker = speaker }

  /// Whether the stream accepts no more events.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Sends an event.
  ///
  /// - Parameters:
  ///   - name: The name of the event.
  ///   - data: The data of the event, without line breaks.
  func send(_ name: String, _ data: String) { append("event: \(name)\ndata: \(data)\n\n") }

  /// Sends a comment, so that proxies do not consider the connection dead.
  func keepAlive() { append(": \n\n") }

  /// Ends the stream after all events that were added earlier.
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
    /// No bytes are available; the connection sleeps until it is woken.
    case nothing
    case end
  }

  /// Removes bytes for the connection.
  ///
  /// - Parameters:
  ///   - count: The maximum number of bytes.
  ///   - sleep: A closure that suspends the connection. The closure is called if no bytes are available.
  ///   - wake: A closure that wakes the connection. The closure may be called on any thread.
  func next(atMost count: Int, sleep: () -> Void, wake: @escaping @Sendable () -> Void) -> Next {
    state.withLock { state in
      guard state.bytes.isEmpty else {
        let part = Array(state.bytes.prefix(count))
        state.bytes.removeFirst(part.count)
        return .bytes(part)
      }
      if state.isEnded { return .end }
      // The connection must be asleep before another thread can wake it.
      sleep()
      state.wake = wake
      return .nothing
    }
  }
}
