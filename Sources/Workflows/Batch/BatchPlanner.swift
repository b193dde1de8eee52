import Basics
import EditLibrary
import EditModel
import FileSystem
import RenderClient

/// Determines how a batch will change each asset. The planner writes and renders nothing and takes no lock.
package struct BatchPlanner: Sendable {
  /// The requested change.
  package enum Aim: Sendable {
    /// A new edit.
    case edit(ChangeOfEdit)
    /// A switch to another version.
    case version(VersionChoice)
    /// A switch to the version that was current before a batch.
    case undo(String)
  }

  /// The plan for one asset.
  package struct Planned: Sendable {
    /// The asset with its target state.
    package var item: Batch.Item
    /// The expected result, or nil if it is not yet known.
    package var outcome: Batch.Outcome?
    /// The version to be rendered, or nil if the plan renders nothing.
    var render: RenderPlan?
  }

  private let batch: Batch
  private let isLate: Bool
  private let interrupted: [String: String]
  private let switched: [FileStatus.Place: (version: Int, head: BatchRecord.Head)]
  private let editor: AssetEditor
  /// The number of assets that are planned per read of the catalogue. If another process commits meanwhile, the read is
  /// repeated.
  private static let portion = 64

  /// - Parameters:
  ///   - batch: The requested change. A batch that has an identifier is resumed.
  ///   - isLate: Whether each edit is determined only when its asset is processed, because the edit depends on the
  ///     pictures.
  ///   - isRelative: Whether repeating the change would change the assets further. If so, assets that an interrupted
  ///     batch has changed are refused.
  ///   - editor: The editor, which reports cancellation and receives messages.
  /// - Throws: ``EditError`` if the list of interrupted batches cannot be read.
  package init(
    _ batch: Batch, isLate: Bool, isRelative: Bool, by editor: AssetEditor
  ) throws(EditError) {
    (self.batch, self.isLate, self.editor) = (batch, isLate, editor)
    interrupted =
      isRelative
      ? Dictionary(
        try BatchRecord.interrupted().map { ($0.batch, $0.resumeCommand) }, uniquingKeysWith: { $1 })
      : [:]
    switched = isRelative ? try BatchRecord.interruptedSwitches() : [:]
  }

  /// Whether the planner refuses assets that belong to interrupted batches.
  package var refusesSome: Bool { !interrupted.isEmpty || !switched.isEmpty }

  /// Plans the assets of one folder.
  ///
  /// - Parameter items: The assets.
  /// - Returns: For each asset, a plan or the reason why it cannot be planned.
  package func plan(_ items: [Batch.Item]) -> [Result<Planned, EditError>] {
    var plans: [Result<Planned, EditError>] = []
    // Assets with equal edits share one copy of the adjustment data, because the data may contain a look.
    var known: Set<AdjustmentData> = []
    var at = 0
    while at < items.count, !editor.isCancelled() {
      let part = items[at..<min(at + Self.portion, items.count)]
      at += Self.portion
      do throws(EditError) {
        let folder = items[0].asset.folder
        plans += try Library.reading(
          folder, layout: editor.layout, beforeWriting: batch.destination == nil, report: editor.report
        ) { library throws(EditError) in
          part.map { item in Result { () throws(EditError) in try plan(item, in: library) } }
        }
      } catch {
        plans += part.map { _ in .failure(error) }
      }
      for index in plans.indices.suffix(part.count) {
        guard case .success(var planned) = plans[index], case .edit(let adjustment)? = planned.item.target
        else { continue }
        planned.item.target = .edit(known.insert(adjustment).memberAfterInsert)
        plans[index] = .success(planned)
      }
    }
    return plans
  }

  private func plan(_ item: Batch.Item, in library: Library) throws(EditError) -> Planned {
    let change = try item.change(in: batch)
    let isSwitch =
      switch change {
      case .version, .undo: true
      case .edit, nil: false
      }
    let state = try library.state(
      of: item.asset, isLeaving: isSwitch, hashesOriginals: false, isReading: batch.destination != nil)
    let record = state.record
    if try item.isDone(in: record, of: batch) { return Planned(item: item, outcome: .doneBefore) }
    if batch.identifier == nil { try checkNotInterrupted(item, record) }
    var item = item
    let position = try record.position
    item.position = item.position ?? position
    if item.original == nil { item.original = try library.originalMark(of: record) }
    switch change {
    case .version(let choice): return try plan(item, state, library, to: choice)
    case .undo(let batch):
      let made = record.versions.last { $0.batch == batch }
      let target = made.map(\.previous) ?? record.current
      guard made == nil || [made?.number, target].contains(record.current) else {
        throw EditError(
          .conflict, file: item.file, "has been changed since the batch \(batch) edited it",
          remedy:
            "revert it separately with liveedit revert --to \(target == 0 ? "original" : String(target)) \(item.file)"
        )
      }
      return try plan(item, state, library, to: .number(target))
    case nil: throw item.unknownChange
    case .edit(let change):
      try item.checkPosition(record, in: library, of: batch)
      let next = try NextEdit(of: state, in: library)
      if isLate { return Planned(item: item) }
      if let destination = batch.destination {
        let (outcome, plan) = try editor.planned(item.asset, into: destination, change)
        return Planned(
          item: item, outcome: .edited(outcome), render: outcome.action == .rendered ? plan : nil)
      }
      try library.checkNames(of: record)
      let plan = try RenderPlan(next, change)
      (item.target, item.notes) = (.edit(plan.adjustment), plan.notes)
      let outcome = try PreparedEdit(of: item.asset, state, plan).outcome
      if outcome.action != .unchanged { try library.checkWritable() }
      return Planned(item: item, outcome: .edited(outcome), render: outcome.action == .rendered ? plan : nil)
    }
  }

  /// Checks that no interrupted batch has changed the asset.
  private func checkNotInterrupted(_ item: Batch.Item, _ record: AssetRecord) throws(EditError) {
    // This check also refuses assets that were edited again after the interruption.
    if let batch = record.versions.last(where: { $0.batch.map { interrupted[$0] != nil } ?? false })?.batch,
      let command = interrupted[batch]
    {
      throw EditError(
        .conflict, file: item.file, "was edited by the batch \(batch), which was interrupted",
        remedy: "resume the batch with \(command), or undo it with liveedit revert --batch \(batch)")
    }
    let asset = item.asset
    guard !switched.isEmpty else { return }
    let path = asset.path(asset.photo ?? asset.movie ?? "")
    let place = try whileReading(path) { try FileStatus(path: path).place }
    if let (version, head) = switched[place], version == record.current {
      throw EditError(
        .conflict, file: item.file,
        "was switched to this version by the batch \(head.batch), which was interrupted",
        remedy: "resume the batch with \(head.resumeCommand)")
    }
  }

  private func plan(
    _ item: Batch.Item, _ state: AssetState, _ library: Library, to choice: VersionChoice
  ) throws(EditError) -> Planned {
    var item = item
    let one = try VersionSwitch(of: state, in: library.folder, to: choice)
    item.target = .version(one.to)
    var planned = Planned(item: item, outcome: .switched(one))
    guard one.to != one.from else {
      if try item.position != state.record.position { planned.outcome = .doneBefore }
      return planned
    }
    try item.checkPosition(state.record, in: library, of: batch)
    let record = state.record
    if one.isRendered, let version = record.version(record.holder(of: one.to)) {
      planned.render = try RenderPlan(again: version, of: record, in: library)
    } else {
      try library.checkFiles(of: record.holder(of: one.to), in: record)
    }
    try library.checkWritable()
    return planned
  }

  /// Performs a planned render without encoding or writing pictures. This finds damage that the files' headers do not
  /// reveal, and settings that the codec or the kind of photo does not allow.
  ///
  /// - Returns: The plan with everything that is known about its result.
  /// - Throws: ``EditError`` if the asset cannot be rendered.
  package func rehearse(_ planned: Planned, by helper: HelperRenderer) throws(EditError) -> Planned {
    guard let plan = planned.render else { return planned }
    let job = plan.job(outputs: plan.sources.mapValues { _ in "" })
    var planned = planned
    let result = try helper.rehearse(job, isCancelled: editor.isCancelled)
    if case .edited(var outcome)? = planned.outcome {
      outcome.result = result
      planned.outcome = .edited(outcome)
    }
    return planned
  }
}
