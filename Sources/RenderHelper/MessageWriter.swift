import Basics
import EditModel
import FileSystem
import FoundationEssentials
import Glibc
import Synchronization

/// Prints messages as lines of JSON, whole ones whatever the thread.
final class MessageWriter: Sendable {
  private struct State {
    /// The fraction that was reported last.
    var fraction = -1.0
    /// When something was printed last.
    var time = ContinuousClock.now
  }
  private let state = Mutex(State())

  /// The least time between two messages that the work goes on.
  private static let interval = Duration.milliseconds(200)

  /// Reports progress, at most every half percent.
  func progress(_ progress: RenderProgress) {
    state.withLock { state in
      guard progress.fraction - state.fraction >= 0.005 else { return }
      state.fraction = progress.fraction
      write(.progress(progress), &state)
    }
  }

  /// Reports that the work goes on, where nothing else was reported for a while.
  func advance() {
    state.withLock { state in
      if state.time.duration(to: .now) >= Self.interval { write(.working, &state) }
    }
  }

  /// Reports how the work ended.
  func send(_ message: RenderMessage) {
    state.withLock { write(message, &$0) }
  }

  /// Reports why there is no result, and ends the process.
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
