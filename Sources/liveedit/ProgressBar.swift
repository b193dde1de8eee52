import EditModel
import FileSystem
import Synchronization

/// A bar on standard error that shows how far a render is; nothing when that is no terminal.
final class ProgressBar: Sendable {
  private struct State {
    var label = ""
    var percent = -1
  }
  private let state = Mutex(State())
  private let isShown = StandardStream.error.isTerminal

  private static let width = 30

  /// Begins another bar.
  ///
  /// - Parameter label: what is rendered.
  func begin(_ label: String) {
    state.withLock { $0 = State(label: label) }
  }

  /// Shows how far it is.
  func show(_ progress: RenderProgress) {
    guard isShown else { return }
    state.withLock { state in
      let percent = Int(max(0, min(1, progress.fraction)) * 100)
      guard percent > state.percent else { return }
      state.percent = percent
      let filled = percent * Self.width / 100
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
      StandardStream.error.write("\r\(bar) \(percent) % \(state.label)")
    }
  }

  /// Takes the bar away.
  func end() {
    state.withLock { state in
      // «Erase in line» (ECMA-48 section 8.3.41).
      if isShown, state.percent >= 0 { StandardStream.error.write("\r\u{1B}[K") }
      state.percent = -1
    }
  }
}
