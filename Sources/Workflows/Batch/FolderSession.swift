import Basics
import EditLibrary
import EditModel
import Synchronization

/// The library of a folder while a batch works there: opened for the first asset, closed after the last, and used by
/// one job at a time.
final class FolderSession: Sendable {
  /// An edit of all or none that is rendered and waits for the others of its folder.
  struct Finished: Sendable {
    let index: Int
    let outcome: Batch.Outcome
    let commit: AssetCommit?
  }

  private struct State {
    /// The library, or why it cannot be opened; nil before the first asset and after the last.
    var library: Result<Library, EditError>?
    var left: Int
    var finished: [Finished] = []
    var hasFailed = false
  }

  private let folder: String
  private let editor: AssetEditor
  private let state: Mutex<State>

  /// - Parameters:
  ///   - folder: the assets' folder.
  ///   - count: the number of the batch's assets in it.
  ///   - editor: asks for cancellation, and reports.
  init(_ folder: String, count: Int, _ editor: AssetEditor) {
    (self.folder, self.editor) = (folder, editor)
    state = Mutex(State(left: count))
  }

  /// True if an asset of the folder has failed, so that in a change of all or none there is nothing more to do.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Uses the library while nobody else does.
  ///
  /// - Throws: ``EditError`` when it cannot be opened for writing, or what `body` throws.
  func use<Value: Sendable>(_ body: (Library) throws(EditError) -> Value) throws(EditError) -> Value {
    try state.withLock { state throws(EditError) in try body(library(&state)) }
  }

  private func library(_ state: inout State) throws(EditError) -> Library {
    if let library = state.library { return try library.get() }
    let library = Result { () throws(EditError) in
      try Library.forWriting(
        folder, layout: editor.layout, isCancelled: editor.isCancelled, report: editor.report)
    }
    // Another writer is waited for once, not for each asset.
    state.library = library
    return try library.get()
  }

  /// Takes note of an asset that is done with.
  ///
  /// - Parameter finished: its edit, when that waits for the others; nil when it is committed, failed or was not done.
  /// - Returns: the edits that waited, when this asset was the folder's last, and whether they are to be recorded.
  func end(_ finished: Finished?, hasFailed: Bool) -> (finished: [Finished], isLast: Bool) {
    state.withLock { state in
      if let finished { state.finished.append(finished) }
      if hasFailed { state.hasFailed = true }
      state.left -= 1
      return state.left == 0 ? (state.finished.sorted { $0.index < $1.index }, true) : ([], false)
    }
  }

  /// Closes the library.
  func close() {
    state.withLock { state in
      if case .success(let library)? = state.library { library.close() }
      state.library = nil
    }
  }
}
