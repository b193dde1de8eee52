import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// Edits assets. The editor reads the last edit, changes it, renders the result from its base and makes all rendered
/// files current together.
package struct AssetEditor {
  private let renderer: any Renderer
  let layout: LibraryLayout
  private var progress: @Sendable (RenderProgress) -> Void
  let isCancelled: @Sendable () -> Bool
  let report: @Sendable (Message) -> Void

  /// - Parameters:
  ///   - renderer: The renderer that renders the edits.
  ///   - layout: The layout of the library, which determines where the renders are stored.
  ///   - progress: Called repeatedly while the edit is rendered, from any thread.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the edit stops and the old
  ///     versions are kept.
  ///   - report: Receives messages about waiting and about commits that were completed or rolled back, one sentence
  ///     each.
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

  /// Returns a copy of the editor that reports its progress to another function.
  func telling(_ progress: @escaping @Sendable (RenderProgress) -> Void) -> AssetEditor {
    var editor = self
    editor.progress = progress
    return editor
  }

  /// Changes the edit of an asset and renders the result.
  ///
  /// - Parameters:
  ///   - asset: The originals, see `AssetLocator`.
  ///   - change: The change that turns the last edit into the next edit.
  ///   - ends: The ends of the data in originals that ended in zeros at the previous edit, by file name. They are given
  ///     for an asset that may have been edited before all its files had arrived, whose earlier edit then becomes an
  ///     edit of the whole asset. Nil for other assets.
  /// - Returns: The result of the edit.
  /// - Throws: ``EditError`` if the edit fails. Nothing is changed in that case.
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
      // Renders can be written to another folder, but versions cannot be stored there.
      throw error.offering("-o")
    }
  }

  /// Renders a prepared edit if it has files to render.
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

  /// Renders a plan into files that are later published in a folder.
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
      // The error names the file that the user will see, instead of the file in the work folder.
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

  /// Changes the edit of an asset and renders the result into another folder. The edit is not recorded, and no existing
  /// file is overwritten.
  ///
  /// - Parameters:
  ///   - asset: The originals, see `AssetLocator`.
  ///   - folder: The folder for the rendered files.
  ///   - change: The change that turns the last edit into the next edit.
  /// - Returns: The result of the edit.
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

  /// Determines the result of ``edit(_:into:_:)`` without rendering.
  ///
  /// - Returns: The known parts of the result, and the plan that would be rendered.
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

/// The result of editing one asset.
package struct EditOutcome: Sendable {
  /// A change to the asset's files.
  package enum Action: Hashable, Sendable {
    /// The edit was rendered.
    case rendered
    /// The edit is now empty, and the files of its version were removed from beside the original.
    case removed
    /// The asset already had this edit.
    case unchanged
  }

  /// The change to the asset's files.
  package var action = Action.unchanged
  /// The asset's originals.
  package var asset: OriginalFiles
  /// The paths of the written files: photo, movie and adjustment data.
  package var written: [String] = []
  /// The paths of the removed files.
  package var removed: [String] = []
  /// The number of the new version, or nil if no version was recorded.
  package var version: Int?
  /// The complete edit after the change.
  package var edit: Edit
  /// The settings of the render.
  package var settings: RenderSettings
  /// The content identifier of the rendered halves, or nil if the halves have no identifier.
  package var identifier: String?
  /// The renderer's result, or nil if nothing was rendered.
  package var result: RenderResult?
}
