import Basics
import EditLibrary
import EditModel
import FileSystem

/// Finds out what a batch will do with each asset. Nothing is written, rendered or locked.
package struct BatchPlanner: Sendable {
  /// The change that is asked for.
  package enum Aim: Sendable {
    /// Another edit.
    case edit(ChangeOfEdit)
    /// Another version.
    case version(VersionChoice)
    /// The version that was current before a batch.
    case undo(String)
  }

  /// The result of planning one asset.
  package struct Planned: Sendable {
    /// The asset with what it is to become.
    package var item: Batch.Item
    /// The result to be expected; nil where that cannot be known yet.
    package var outcome: Batch.Outcome?
    /// The version to be rendered; nil where nothing is.
    fileprivate var render: RenderPlan?
  }

  private let aim: Aim
  private let destination: String?
  private let isLate: Bool
  private let interrupted: [String: String]
  private let switched: [FileStatus.Place: (version: Int, head: BatchRecord.Head)]
  private let editor: AssetEditor
  /// Assets that are planned in one reading of the catalogue: should somebody commit meanwhile, it is done again.
  private static let portion = 64

  /// - Parameters:
  ///   - aim: the change that is asked for.
  ///   - destination: the folder that renders go into, where they are not to be recorded.
  ///   - isLate: whether edits are found only when it is an asset's turn, because pictures must be looked at.
  ///   - isRelative: whether doing it again changes the assets further: then those that an interrupted batch has changed
  ///     are refused.
  ///   - editor: asks for cancellation, and reports.
  package init(
    _ aim: Aim, into destination: String? = nil, isLate: Bool, isRelative: Bool, by editor: AssetEditor
  ) {
    (self.aim, self.destination, self.isLate) = (aim, destination, isLate)
    self.editor = editor
    interrupted =
      isRelative
      ? Dictionary(BatchRecord.interrupted().map { ($0.batch, $0.resumeCommand) }, uniquingKeysWith: { $1 })
      : [:]
    switched = isRelative ? BatchRecord.interruptedSwitches() : [:]
  }

  /// True if assets of interrupted batches are refused.
  package var refusesSome: Bool { !interrupted.isEmpty || !switched.isEmpty }

  /// Plans the assets of one folder.
  ///
  /// - Parameter assets: the originals, each with the file that was named.
  /// - Returns: a plan for each, or why there is none.
  package func plan(_ assets: [(file: String, asset: OriginalFiles)]) -> [Result<Planned, EditError>] {
    var plans: [Result<Planned, EditError>] = []
    var at = 0
    while at < assets.count, !editor.isCancelled() {
      let part = assets[at..<min(at + Self.portion, assets.count)]
      at += Self.portion
      do throws(EditError) {
        let folder = assets[0].asset.folder
        plans += try Library.reading(
          folder, layout: editor.layout, report: editor.report
        ) { library throws(EditError) in
          part.map { one in
            Result { () throws(EditError) in try plan(one.asset, named: one.file, in: library) }
          }
        }
      } catch {
        plans += part.map { _ in .failure(error) }
      }
    }
    return plans
  }

  private func plan(
    _ asset: OriginalFiles, named file: String, in library: Library
  ) throws(EditError) -> Planned {
    let isSwitch = if case .edit = aim { false } else { true }
    let state = try library.state(of: asset, isLeaving: isSwitch, hashesOriginals: false)
    let record = state.record
    // Also where it was edited otherwise since.
    if let batch = record.versions.last(where: { $0.batch.map { interrupted[$0] != nil } ?? false })?.batch,
      let command = interrupted[batch]
    {
      throw EditError(
        .conflict, file: file, "was edited by the batch \(batch), which was interrupted",
        remedy: "go on with \(command), or undo it with liveedit revert --batch \(batch)")
    }
    if !switched.isEmpty,
      let place = try? FileStatus(path: asset.path(asset.photo ?? asset.movie ?? "")).place,
      let (version, head) = switched[place], version == record.current
    {
      throw EditError(
        .conflict, file: file,
        "was brought to this version by the batch \(head.batch), which was interrupted",
        remedy: "go on with \(head.resumeCommand)")
    }
    var item = Batch.Item(asset: asset, file: file, position: try record.position, target: nil)
    switch aim {
    case .version(let choice):
      return try plan(item, state, library, to: choice)
    case .undo(let batch):
      let made = record.versions.last { $0.batch == batch }
      let target = made.map(\.previous) ?? record.current
      guard made == nil || [made?.number, target].contains(record.current) else {
        throw EditError(
          .conflict, file: file, "was changed since the batch \(batch) edited it",
          remedy:
            "go back by itself with liveedit revert --to \(target == 0 ? "original" : String(target)) \(file)"
        )
      }
      return try plan(item, state, library, to: .number(target))
    case .edit(let change):
      let next = try NextEdit(of: state, in: library)
      if isLate { return Planned(item: item) }
      if let destination {
        let (outcome, plan) = try editor.planned(asset, into: destination, change)
        return Planned(item: item, outcome: .edited(outcome), render: outcome.action == .rendered ? plan : nil)
      }
      try library.checkNames(of: record)
      let plan = try RenderPlan(next, change)
      item.target = .edit(plan.adjustment)
      let outcome = try PreparedEdit(of: asset, state, plan).outcome
      if outcome.action != .unchanged { try library.checkWritable() }
      return Planned(item: item, outcome: .edited(outcome), render: outcome.action == .rendered ? plan : nil)
    }
  }

  private func plan(
    _ item: Batch.Item, _ state: AssetState, _ library: Library, to choice: VersionChoice
  ) throws(EditError) -> Planned {
    var item = item
    let one = try VersionSwitch(of: state, in: library.folder, to: choice)
    item.target = .version(one.to)
    var planned = Planned(item: item, outcome: .switched(one))
    guard one.to != one.from else { return planned }
    let record = state.record
    if one.isRendered, let version = record.version(record.holder(of: one.to)) {
      planned.render = try RenderPlan(again: version, of: record, in: library)
    } else {
      try library.checkFiles(of: record.holder(of: one.to), in: record)
    }
    try library.checkWritable()
    return planned
  }

  /// Does all of a planned render but encode and write pictures: damage in a picture shows in no header, and what a
  /// codec or a photo's kind does not allow shows to the renderer alone.
  ///
  /// - Returns: the plan with all that is known of its result.
  /// - Throws: ``EditError`` when it cannot be rendered.
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
