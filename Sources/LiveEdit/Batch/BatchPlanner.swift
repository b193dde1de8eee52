import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

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
    /// The files whose pictures will be decoded.
    fileprivate var decoded: [FileRole: String] = [:]
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
      let one = try VersionSwitch(of: state, in: library.folder, to: choice)
      item.target = .version(one.to)
      return Planned(item: item, outcome: .switched(one))
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
      item.target = .version(target)
      return Planned(
        item: item, outcome: .switched(try VersionSwitch(of: state, in: library.folder, to: .number(target))))
    case .edit(let change):
      let next = try NextEdit(of: state, in: library)
      if isLate { return Planned(item: item) }
      if let destination {
        let outcome = try editor.edit(asset, into: destination, change, isPlanOnly: true)
        return Planned(item: item, outcome: .edited(outcome), decoded: decoded(outcome, next.sources))
      }
      try library.checkNames(of: record)
      let plan = try RenderPlan(next, change)
      item.target = .edit(plan.adjustment)
      let outcome = try PreparedEdit(of: asset, state, plan).outcome
      return Planned(item: item, outcome: .edited(outcome), decoded: decoded(outcome, next.sources))
    }
  }

  private func decoded(_ outcome: EditOutcome, _ sources: [FileRole: String]) -> [FileRole: String] {
    outcome.action == .rendered && !outcome.settings.isLossless ? sources : [:]
  }

  /// Decodes the pictures of an asset that is to be rendered: damage in them shows in no header.
  ///
  /// - Throws: ``EditError`` when they cannot be rendered.
  package func check(_ planned: Planned, by checker: any PictureChecker) throws(EditError) {
    var job = PictureCheckJob(photo: planned.decoded[.photo])
    // A photo that is cut off is told as such, as a render does.
    if let path = job.photo { try readFile(path) { try Photo($0).checkPicture() } }
    if let path = planned.decoded[.movie],
      let track = try readFile(path, { try MovieEvidence(reading: $0) }).videoTrack
    {
      (job.movie, job.videoTrack) = (path, track)
    }
    guard job.photo != nil || job.movie != nil else { return }
    let found = try checker.check(job, isCancelled: editor.isCancelled)
    for (path, outcome) in [(job.photo, found.photo?.outcome), (job.movie, found.movie?.outcome)] {
      switch outcome {
      case .damaged(let problem)?:
        throw EditError(.invalidFile, file: path, problem, remedy: "copy it again from the phone")
      case .unsupported(let problem)?: throw EditError(.unsupported, file: path, problem)
      default: break
      }
    }
  }
}
