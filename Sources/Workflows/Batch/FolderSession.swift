import Basics
import EditLibrary
import EditModel
import Synchronization

/// A folder's library while a batch uses it. The library is opened for the first asset and closed after the last asset.
/// Only one job at a time uses the library.
final class FolderSession: Sendable {
  /// A rendered edit that waits for the other edits of its folder, because they are recorded together.
  struct Finished: Sendable {
    let index: Int
    let outcome: Batch.Outcome
    let commit: AssetCommit?
  }

  private struct State {
    /// The library, or the error that prevents the library from being opened. The value is nil before the first asset
    /// and after the last asset.
    var library: Result<Library, EditError>?
    var left: Int
    var finished: [Finished] = []
    var hasFailed = false
  }

  private let folder: String
  private let editor: AssetEditor
  private let state: Mutex<State>

  /// - Parameters:
  ///   - folder: The assets' folder.
  ///   - count: The number of the batch's assets in the folder.
  ///   - editor: The editor, which reports cancellation and receives messages.
  init(_ folder: String, count: Int, _ editor: AssetEditor) {
    (self.folder, self.editor) = (folder, editor)
    state = Mutex(State(left: count))
  }

  /// Whether an asset in the folder has failed. If so, a batch that changes either all of the folder's assets or none
  /// has no more work in that folder.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Calls a function with exclusive access to the library.
  ///
  /// - Throws: ``EditError`` if the library cannot be opened for writing, or an error from `body`.
  func use<Value: Sendable>(_ body: (Library) throws(EditError) -> Value) throws(EditError) -> Value {
    try state.withLock { state throws(EditError) in try body(library(&state)) }
  }

  private func library(_ state: inout State) throws(EditError) -> Library {
    if let library = state.library { return try library.get() }
    let library = Result { () throws(EditError) in
      try Library.forWriting(
        folder, layout: editor.layout, isCancelled: editor.isCancelled, report: editor.report)
    }
    // The result is stored so that the batch waits for another writer only once, not for each asset.
    state.library = library
    return try library.get()
  }

  /// Records that work on an asset has ended.
  ///
  /// - Parameter finished: The asset's edit if it waits for the folder's other edits, or nil if the edit is committed,
  ///   failed or was not carried out.
  /// - Returns: The waiting edits if this asset was the last in the folder, and whether this asset was the last.
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
