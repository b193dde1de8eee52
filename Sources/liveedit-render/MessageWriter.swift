import EditModel
import FileSystem
import FoundationEssentials
import Synchronization

/// Prints messages as lines of JSON, whole ones whatever the thread.
final class MessageWriter: Sendable {
  /// The fraction that was reported last.
  private let reported = Mutex(-1.0)

  /// Reports progress, at most every half percent.
  func progress(_ progress: RenderProgress) {
    reported.withLock { last in
      guard progress.fraction - last >= 0.005 else { return }
      last = progress.fraction
      write(.progress(progress))
    }
  }

  /// Reports how the render ended.
  func send(_ message: RenderMessage) {
    reported.withLock { _ in write(message) }
  }

  private func write(_ message: RenderMessage) {
    guard let line = try? JSONEncoder().encode(message) else { return }
    StandardStream.output.write(json: String(decoding: line, as: UTF8.self))
  }
}
