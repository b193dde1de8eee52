import Basics
import EditLibrary
import EditModel

/// Lends out the library of an asset's folder.
protocol LibraryAccess {
  /// Calls a function with the library, which nobody else uses meanwhile.
  func use<Value: Sendable>(_ body: (Library) throws(EditError) -> Value) throws(EditError) -> Value
}

extension Library: LibraryAccess {
  func use<Value: Sendable>(_ body: (Library) throws(EditError) -> Value) throws(EditError) -> Value {
    try body(self)
  }
}

extension FolderSession: LibraryAccess {}

/// An edit of one asset from its current state to the commit of a new version.
struct EditTransaction {
  /// The originals.
  let asset: OriginalFiles
  /// The way from the last edit to the next.
  let change: ChangeOfEdit
  /// The identifier of the batch that the version belongs to; nil outside batches.
  var batch: String?
  /// Remarks from the time when the change was planned.
  var notes: [Message] = []
  /// Renders an edit whose files were not rendered before.
  var render: (inout PreparedEdit) throws(EditError) -> Void

  /// Finds the asset's state, plans the next version, gets its files, and makes its commit. The library is not used while
  /// pictures are decoded and rendered.
  ///
  /// - Parameters:
  ///   - access: the library of the asset's folder.
  ///   - isCommitted: true to commit at once.
  ///   - state: finds the asset's state; nil if nothing is to be done.
  ///   - takeRendered: checks the plan, and gives the edit the files of an earlier render, if there are any.
  /// - Returns: the outcome and the commit, which is nil if nothing changes; nil if there was no state.
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
    // A change may look at pictures here.
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
