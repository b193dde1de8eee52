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

  /// Columns that the bar itself takes at most; it leaves two thirds of the line.
  private static let width = 30

  /// Begins another bar, of what is rendered.
  func begin(_ label: String) {
    state.withLock { $0 = State(label: label) }
  }

  /// Shows how far it is.
  func show(_ progress: RenderProgress) {
    state.withLock { state in
      let percent = Int(max(0, min(1, progress.fraction)) * 100)
      guard percent > state.percent else { return }
      state.percent = percent
      let label = state.label
      StandardStream.error.show(status: { columns in
        let width = min(Self.width, columns / 3)
        let filled = percent * width / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        return "\(bar) \(percent) % \(label)"
      })
    }
  }

  /// Takes the bar away.
  func end() {
    state.withLock { $0.percent = -1 }
    StandardStream.clearStatus()
  }
}
