import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// An asset's next edit, ready to be rendered and committed. The edit's outcome first describes the planned result and
/// finally the actual result.
struct PreparedEdit: Sendable {
  /// The asset's state when it was read.
  let state: AssetState
  /// The plan for the new version.
  let plan: RenderPlan
  /// The temporary output files by role; empty if nothing is rendered.
  private(set) var outputs: [FileRole: String] = [:]
  /// The known parts of the result.
  var outcome: EditOutcome

  /// Determines whether anything needs to be done.
  init(of asset: OriginalFiles, _ state: AssetState, _ plan: RenderPlan) throws(EditError) {
    (self.state, self.plan) = (state, plan)
    outcome = EditOutcome(asset: asset, edit: plan.edit, settings: plan.settings)
    outcome.asset.notes += plan.notes
    let record = state.record
    let current = record.currentVersion
    if plan.edit.isIdentity, current?.ownEdit?.edit.isIdentity ?? true { return }
    if let current, !state.isJoined, plan.isMade(by: current) { return }
    outcome.action = plan.edit.isIdentity ? .removed : .rendered
    outcome.asset.notes += record.notesOnRedoBranch
    var shown = record.version(record.holder(of: plan.base))?.files.map(\.name) ?? []
    if !plan.edit.isIdentity {
      let renders = try plan.renderNames(of: asset, stem: asset.stem).map(\.name)
      shown = renders + [RenderNames.adjustments(of: asset.stem)]
      if plan.writesSidecar { shown += renders.prefix(1).map(RenderNames.sidecar) }
      outcome.identifier = plan.identifier
    }
    outcome.written = shown.map(state.renderPath)
    let old = record.version(record.placed).map { $0.hasFiles ? $0.files.map(\.name) : [] } ?? []
    outcome.removed = old.filter { !shown.contains($0) }.map(state.renderPath)
  }

  /// Chooses paths for the temporary output files, if the edit will be rendered.
  mutating func makeOutputs(in library: Library) throws(EditError) {
    guard outcome.action == .rendered else { return }
    // The check comes first, so that no rendering is wasted.
    try library.checkNames(of: state.record)
    for role in plan.sources.keys { outputs[role] = try library.workFile(role.rawValue) }
  }

  /// Uses files that were rendered earlier instead of rendering them.
  mutating func take(_ outputs: [FileRole: String], _ result: RenderResult) {
    self.outputs = outputs
    outcome.result = result
  }

  /// Creates the commit that records the edit. Returns nil if there is nothing to record.
  ///
  /// - Parameters:
  ///   - library: The library of the asset's folder.
  ///   - batch: The identifier of the batch that the edit belongs to.
  mutating func commit(in library: Library, batch: String? = nil) throws(EditError) -> AssetCommit? {
    guard outcome.action != .unchanged else { return state.isJoined ? library.joining(state) : nil }
    let commit = try library.addingVersion(
      to: state, base: plan.base, adjustment: plan.adjustment, outputs: outputs,
      build: outcome.result?.build ?? "", batch: batch, withSidecar: plan.writesSidecar)
    outcome.version = commit.after.current
    outcome.removed = commit.removedNames.map(library.path)
    outcome.written = commit.shownNames.map(library.path)
    return commit
  }
}

extension AssetRecord {
  /// Sentences that describe how an edit of the current version affects the versions that `redo` could have reached.
  fileprivate var notesOnRedoBranch: [Message] {
    var after = self
    let dropped = after.dropRedoBranch().map(\.number)
    let aside = after.versions.filter { $0.isAside && version($0.number)?.isAside == false }.map(\.number)
    var notes: [Message] = []
    if !dropped.isEmpty {
      notes.append(
        .plural(
          dropped.count,
          "This edit drops version \(Self.list(dropped)), which redo could have restored.",
          "This edit drops versions \(Self.list(dropped)), which redo could have restored."))
    }
    if let first = aside.first {
      notes.append(
        .plural(
          aside.count,
          "Version \(Self.list(aside)) cannot be rendered again and is kept, but redo no longer reaches it. To switch to it, use liveedit revert --to \(first).",
          "Versions \(Self.list(aside)) cannot be rendered again and are kept, but redo no longer reaches them. To switch to the first of these versions, use liveedit revert --to \(first)."
        ))
    }
    return notes
  }

  private static func list(_ numbers: [Int]) -> Message {
    let words = numbers.map(String.init)
    guard let last = words.last, words.count > 1 else { return "\(words.joined())" }
    return "\(words.dropLast().joined(separator: ", ")) and \(last)"
  }
}

extension RenderPlan {
  /// Returns the names of an asset's rendered halves, with the names of their originals.
  ///
  /// - Parameters:
  ///   - asset: The originals.
  ///   - stem: The stem from which the render names are formed.
  func renderNames(
    of asset: OriginalFiles, stem: String
  ) throws(EditError) -> [(half: HalfKind, original: String, name: String)] {
    var names: [(half: HalfKind, original: String, name: String)] = []
    for (half, name) in asset.halves where sources[FileRole(half)] != nil {
      let kind =
        half == .photo
        ? try RenderNames.otherKind(
          thanOriginal: asset.path(name), PhotoKind(settings.renderedPhotoFormat)) : nil
      names.append((half, name, RenderNames.render(of: name, ofAsset: stem, as: kind)))
    }
    return names
  }
}
