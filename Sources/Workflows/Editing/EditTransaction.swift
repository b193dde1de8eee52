import Basics
import EditLibrary
import EditModel

/// Provides access to the library of an asset's folder.
protocol LibraryAccess {
  /// Calls a function with exclusive access to the library.
  func use<Value: Sendable>(_ body: (Library) throws(EditError) -> Value) throws(EditError) -> Value
}

extension Library: LibraryAccess {
  func use<Value: Sendable>(_ body: (Library) throws(EditError) -> Value) throws(EditError) -> Value {
    try body(self)
  }
}

extension FolderSession: LibraryAccess {}

/// An edit of one asset, from reading its current state to committing a new version.
struct EditTransaction {
  /// The asset's originals.
  let asset: OriginalFiles
  /// The change that turns the last edit into the next edit.
  let change: ChangeOfEdit
  /// The identifier of the batch that creates the version, or nil outside batches.
  var batch: String?
  /// Remarks from planning the change.
  var notes: [Message] = []
  /// Renders an edit whose files have not been rendered earlier.
  var render: (inout PreparedEdit) throws(EditError) -> Void

  /// Reads the asset's state, plans the next version, renders the version's files or uses files that were rendered
  /// earlier, and creates the commit. The library is not in use while pictures are decoded and rendered.
  ///
  /// - Parameters:
  ///   - access: Provides access to the library of the asset's folder.
  ///   - isCommitted: Whether to commit immediately.
  ///   - state: Returns the asset's state, or nil if there is nothing to do.
  ///   - takeRendered: Checks the plan, and assigns the files of an earlier render to the edit if they exist.
  /// - Returns: The outcome and the commit, or nil if `state` returned nil. The commit is nil if nothing changes.
  func run(
    in access: some LibraryAccess, isCommitted: Bool,
    state: (Library) throws(EditError) -> AssetState?,
    takeRendered: (inout PreparedEdit, Library) throws(EditError) -> Void = { _, _ throws(EditError) in }
  ) throws(EditError) -> (outcome: EditOutcome, commit: AssetCommit?)? {
    let found = try access.use { library throws(EditError) -> (AssetState, NextEdit)? in
      guard let state = try state(library) else { return nil }
      return (state, try NextEdit(of: state, in: library))
    }
    guard let (state, next) = found else { return nil }
    // The change may read the pictures at this point.
    let plan = try RenderPlan(next, change)
    var edit = try PreparedEdit(of: asset, state, plan)
    edit.outcome.asset.notes += notes.filter { !edit.outcome.asset.notes.contains($0) }
    edit = try access.use { [edit] library throws(EditError) in
      var edit = edit
      try takeRendered(&edit, library)
      if edit.outputs.isEmpty { try edit.makeOutputs(in: library) }
      return edit
    }
    if edit.outcome.result == nil { try render(&edit) }
    return try access.use { [edit] library throws(EditError) in
      var edit = edit
      let commit = try edit.commit(in: library, batch: batch)
      if isCommitted, let commit { try library.commit([commit]) }
      return (edit.outcome, commit)
    }
  }
}
