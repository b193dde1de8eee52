import Basics
import EditModel
import FileSystem
import FoundationEssentials
import Glibc
import Synchronization

/// Prints messages as lines of JSON. Lines from different threads are never mixed.
final class MessageWriter: Sendable {
  private struct State {
    /// The most recently reported fraction of the work.
    var fraction = -1.0
    /// The time of the last message.
    var time = ContinuousClock.now
  }
  private let state = Mutex(State())

  /// The minimum interval between two messages that report only that the work continues.
  private static let interval = Duration.milliseconds(200)

  /// Reports progress in steps of at least half a percent.
  func progress(_ progress: RenderProgress) {
    state.withLock { state in
      guard progress.fraction - state.fraction >= 0.005 else { return }
      state.fraction = progress.fraction
      write(.progress(progress), &state)
    }
  }

  /// Reports that the work continues, unless a message was sent recently.
  func advance() {
    state.withLock { state in
      if state.time.duration(to: .now) >= Self.interval { write(.working, &state) }
    }
  }

  /// Reports the outcome of the work.
  func send(_ message: RenderMessage) {
    state.withLock { write(message, &$0) }
  }

  /// Reports an error and exits the process.
  func end(with error: any Error) -> Never {
    send(.error(error as? EditError ?? EditError(.renderer, "liveedit-render failed (\(error))")))
    _exit(1)
  }

  private func write(_ message: RenderMessage, _ state: inout State) {
    guard let line = try? JSONEncoder().encode(message) else { return }
    StandardStream.output.write(json: String(decoding: line, as: UTF8.self))
    state.time = .now
  }
}
