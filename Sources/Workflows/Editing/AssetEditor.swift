import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// Edits assets: finds out what the last edit was, changes it, renders from its base, and makes the results
/// current, all or none.
package struct AssetEditor {
  private let renderer: any Renderer
  let layout: LibraryLayout
  private var progress: @Sendable (RenderProgress) -> Void
  let isCancelled: @Sendable () -> Bool
  let report: @Sendable (Message) -> Void

  /// - Parameters:
  ///   - renderer: renders.
  ///   - layout: the place of the renders.
  ///   - progress: called now and then while it renders, from any thread.
  ///   - isCancelled: asked now and then, from any thread; true stops the edit, and leaves the old versions.
  ///   - report: told of waiting, and of commits that were finished or undone, one sentence each.
  package init(
    renderer: any Renderer, layout: LibraryLayout = .besideOriginals,
    progress: @escaping @Sendable (RenderProgress) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false },
    report: @escaping @Sendable (Message) -> Void = { _ in }
  ) {
    self.renderer = renderer
    self.layout = layout
    self.progress = progress
    self.isCancelled = isCancelled
    self.report = report
  }

  /// The same editor with other ears for its progress.
  func telling(_ progress: @escaping @Sendable (RenderProgress) -> Void) -> AssetEditor {
    var editor = self
    editor.progress = progress
    return editor
  }

  /// Changes the edit of an asset and renders it.
  ///
  /// - Parameters:
  ///   - asset: the originals, see `AssetLocator`.
  ///   - change: the way from the last edit to the next.
  ///   - ends: for an asset that may have been edited before all of its files arrived: by name, the end of the data in an
  ///     original that ended in zeros then. The earlier edit then becomes one of the whole asset; nil otherwise.
  /// - Returns: what was done.
  /// - Throws: ``EditError``; nothing has changed then.
  package func edit(
    _ asset: OriginalFiles, _ change: ChangeOfEdit, joiningWithDataEnds ends: [String: Int]? = nil
  ) throws(EditError) -> EditOutcome? {
    do throws(EditError) {
      let library = try Library.forWriting(
        asset.folder, layout: layout, isCancelled: isCancelled, report: report)
      defer { library.close() }
      let transaction = EditTransaction(asset: asset, change: change, render: render)
      return try transaction.run(
        in: library, isCommitted: true,
        state: { library throws(EditError) in
          let joined = try ends.flatMap { ends throws(EditError) in
            try library.joinedState(of: asset, dataEnds: ends)
          }
          return if let joined { joined } else { try library.state(of: asset) }
        })?.outcome
    } catch {
      // Renders can go into another folder, unlike versions.
      throw error.offering("-o")
    }
  }

  /// Renders a prepared edit, if there is anything to render.
  func render(_ edit: inout PreparedEdit) throws(EditError) {
    guard !edit.outputs.isEmpty else { return }
    edit.outcome.result = try render(
      edit.plan, edit.state.record, of: edit.outcome.asset.folder, to: edit.outputs,
      for: edit.state.renderPath(""))
  }

  /// Renders a plan into the library's work folder.
  func render(
    _ plan: RenderPlan, _ record: AssetRecord, in library: Library
  ) throws(EditError) -> (outputs: [FileRole: String], result: RenderResult) {
    var outputs: [FileRole: String] = [:]
    for role in plan.sources.keys { outputs[role] = try library.workFile(role.rawValue) }
    return (outputs, try render(plan, record, of: library.folder, to: outputs, for: library.homePath))
  }

  /// Renders a plan into files that get their names in a folder.
  private func render(
    _ plan: RenderPlan, _ record: AssetRecord, of originals: String, to outputs: [FileRole: String],
    for folder: String
  ) throws(EditError) -> RenderResult {
    let result: RenderResult
    do throws(EditError) {
      result = try record.render(plan.job(outputs: outputs), of: originals) { job throws(EditError) in
        try renderer.render(job, progress: progress, isCancelled: isCancelled)
      }
    } catch {
      // With the names that the user knows in place of the work folder's.
      var error = error
      for original in record.originals where error.file == outputs[original.role] {
        error.file = FilePath.joined(folder, RenderNames.render(of: original.name, ofAsset: record.stem))
      }
      throw error
    }
    try HalfIdentifier.check(outputs, carry: plan.identifier)
    if isCancelled() { throw EditError(.cancelled, "stopped on request") }
    return result
  }

  /// Changes the edit of an asset and renders it into another folder. Nothing is recorded, and nothing there is
  /// overwritten.
  ///
  /// - Parameters:
  ///   - asset: the originals, see `AssetLocator`.
  ///   - folder: where the render goes.
  ///   - change: the way from the last edit to the next.
  /// - Returns: what was done.
  package func edit(
    _ asset: OriginalFiles, into folder: String, _ change: ChangeOfEdit
  ) throws(EditError) -> EditOutcome {
    let found = try find(asset, into: folder, change)
    var outcome = found.outcome
    guard outcome.action == .rendered else { return outcome }
    let publisher = try FilePublisher(in: folder, stem: asset.plainStem)
    var items: [FilePublisher.Item] = []
    var outputs: [FileRole: String] = [:]
    for (half, original, name) in try found.plan.renderNames(of: asset, stem: asset.plainStem) {
      items.append(FilePublisher.Item(half.rawValue, name: name, origin: asset.path(original)))
      outputs[FileRole(half)] = publisher.path(half.rawValue)
    }
    outcome.result = try render(
      found.plan, found.state.record, of: asset.folder, to: outputs, for: folder)
    try found.state.record.checkOriginals(in: asset.folder)
    if let render = items.first, let output = outputs[.photo] ?? outputs[.movie], found.plan.writesSidecar {
      let path = publisher.path("sidecar")
      let facts = try readFile(output) { try SidecarFacts(saidBy: $0, isPhoto: outputs[.photo] != nil) }
      try whileWriting(path) { try File.create(path, bytes: facts.bytes) }
      items.append(FilePublisher.Item("sidecar", name: RenderNames.sidecar(of: render.name)))
    }
    outcome.written = try publisher.publish(items)
    return outcome
  }

  /// Finds out what ``edit(_:into:_:)`` would do.
  ///
  /// - Returns: the outcome as far as it is known, and what would be rendered.
  func planned(
    _ asset: OriginalFiles, into folder: String, _ change: ChangeOfEdit
  ) throws(EditError) -> (outcome: EditOutcome, plan: RenderPlan) {
    let found = try find(asset, into: folder, change)
    if found.outcome.action == .rendered { try FilePublisher.checkWritable(folder) }
    return (found.outcome, found.plan)
  }

  private func find(
    _ asset: OriginalFiles, into folder: String, _ change: ChangeOfEdit
  ) throws(EditError) -> (outcome: EditOutcome, state: AssetState, plan: RenderPlan) {
    let place = try whileWriting(folder) { try FileStatus(path: folder).place }
    let (state, plan) = try Library.reading(
      asset.folder, layout: layout, report: report
    ) { library throws(EditError) in
      guard !library.isOwn(place) else {
        throw EditError(
          .inTheWay, file: folder, "is the folder of the originals or of their edited files",
          remedy: "omit -o to write the edited file to its usual folder")
      }
      let state = try library.state(of: asset, isReading: true)
      return (state, try RenderPlan(NextEdit(of: state, in: library), change))
    }
    var outcome = EditOutcome(asset: asset, edit: plan.edit, settings: plan.settings)
    outcome.asset.notes += plan.notes
    if plan.edit.isIdentity { return (outcome, state, plan) }
    var names = try plan.renderNames(of: asset, stem: asset.plainStem).map(\.name)
    if plan.writesSidecar { names += names.prefix(1).map(RenderNames.sidecar) }
    try FilePublisher.checkFree(names, in: folder)
    outcome.action = .rendered
    outcome.identifier = plan.identifier
    outcome.written = names.map { FilePath.joined(folder, $0) }
    return (outcome, state, plan)
  }
}

/// The result of an edit of one asset.
package struct EditOutcome: Sendable {
  /// A change of the files.
  package enum Action: Hashable, Sendable {
    /// The edit was rendered.
    case rendered
    /// The edit has become none: the version beside the original is gone.
    case removed
    /// There was nothing to do.
    case unchanged
  }

  /// The change of the files.
  package var action = Action.unchanged
  /// The originals.
  package var asset: OriginalFiles
  /// Paths of the files that were written: photo, movie, adjustment data.
  package var written: [String] = []
  /// Paths of the files that are gone.
  package var removed: [String] = []
  /// The number of the new version; nil when nothing was recorded.
  package var version: Int?
  /// The whole edit, as it is now.
  package var edit: Edit
  /// The settings of the render.
  package var settings: RenderSettings
  /// The content identifier of the rendered halves; nil when they have none.
  package var identifier: String?
  /// The renderer's result; nil when nothing was rendered.
  package var result: RenderResult?
}
