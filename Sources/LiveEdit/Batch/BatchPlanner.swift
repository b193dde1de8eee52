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
  package typealias Planned = (item: Batch.Item, outcome: Batch.Outcome?)

  private let aim: Aim
  private let destination: String?
  private let isLate: Bool
  private let interrupted: [String: String]
  private let editor: AssetEditor
  /// Assets that are planned in one reading of the catalogue: should somebody commit meanwhile, it is done again.
  private static let portion = 64

  /// - Parameters:
  ///   - aim: the change that is asked for.
  ///   - destination: the folder that renders go into, where they are not to be recorded.
  ///   - isLate: whether edits are found only when it is an asset's turn, because pictures must be looked at.
  ///   - interrupted: the commands that go on, by the batches that were interrupted: their assets are refused. Empty
  ///     where the change can be repeated without harm.
  ///   - editor: asks for cancellation, and reports.
  package init(
    _ aim: Aim, into destination: String? = nil, isLate: Bool, interrupted: [String: String],
    by editor: AssetEditor
  ) {
    (self.aim, self.destination, self.isLate) = (aim, destination, isLate)
    (self.interrupted, self.editor) = (interrupted, editor)
  }

  /// Plans the assets of one folder.
  ///
  /// - Parameter assets: the originals, each with the file that was named.
  /// - Returns: a plan for each, or why there is none. Its outcome is nil where that cannot be known yet.
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
    if let batch = record.currentVersion?.batch, let command = interrupted[batch] {
      throw EditError(
        .conflict, file: file, "was edited by the batch \(batch), which was interrupted",
        remedy: "go on with \(command), or undo it with liveedit revert --batch \(batch)")
    }
    var item = Batch.Item(asset: asset, file: file, position: try record.position, target: .edit(nil))
    switch aim {
    case .version(let choice):
      let one = try VersionSwitch(of: state, in: library.folder, to: choice)
      item.target = .version(one.to)
      return (item, .switched(one))
    case .undo(let batch):
      let made = record.versions.last { $0.batch == batch }
      let target = made.map(\.previous) ?? record.current
      guard made == nil || [made?.number, target].contains(record.current) else {
        throw EditError(
          .conflict, file: file, "was changed since the batch \(batch) edited it",
          remedy: "go back by itself with liveedit revert --to \(target)")
      }
      item.target = .version(target)
      return (item, .switched(try VersionSwitch(of: state, in: library.folder, to: .number(target))))
    case .edit(let change):
      let next = try NextEdit(of: state, in: library)
      if isLate { return (item, nil) }
      if let destination {
        let outcome = try editor.edit(asset, into: destination, change, isPlanOnly: true)
        return (item, .edited(outcome))
      }
      let plan = try RenderPlan(next, change)
      item.target = .edit(plan.adjustment)
      return (item, .edited(try PreparedEdit(of: asset, state, plan).outcome))
    }
  }
}
