import EditLibrary
import EditModel
import FileSystem

/// Edits assets: finds out what the last edit was, changes it, renders from the originals, and makes the
/// result current.
public struct AssetEditor {
  private let renderer: any Renderer
  private let progress: @Sendable (RenderProgress) -> Void
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - renderer: whoever renders.
  ///   - progress: called now and then while it renders, from any thread.
  ///   - isCancelled: asked now and then, from any thread; true stops the edit, and leaves the old version.
  public init(
    renderer: any Renderer, progress: @escaping @Sendable (RenderProgress) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.renderer = renderer
    self.progress = progress
    self.isCancelled = isCancelled
  }

  /// Changes the edit of an asset and renders it beside the originals, or elsewhere.
  ///
  /// - Parameters:
  ///   - asset: the originals, see `AssetLocator`.
  ///   - settings: the settings asked for; the others stay as the last render had them.
  ///   - folder: where the render goes instead of beside the originals. Nothing is recorded then, and
  ///     nothing there is overwritten.
  ///   - change: from the edit as it is to the edit as it shall be.
  /// - Returns: what was done.
  public func edit(
    _ asset: AssetFiles, settings: SettingsChange = SettingsChange(), into folder: String? = nil,
    change: (Edit) -> Edit
  ) throws(EditError) -> EditOutcome {
    if let folder { try checkDestination(folder, of: asset) }
    let work = try WorkFolder(in: folder ?? asset.folder, stem: asset.stem)
    defer { work.close() }
    let current = try CurrentVersion.read(of: asset)
    let edit = change(current?.edit ?? .identity)
    let settings = settings.applied(to: current?.settings ?? .standard)
    var outcome = EditOutcome(
      action: .unchanged, asset: asset, written: [], removed: [], edit: edit, settings: settings)

    if edit.isIdentity {
      guard folder == nil, let current else { return outcome }
      outcome.action = .removed
      outcome.removed = try work.commitRemoval(of: current).map(asset.path)
      return outcome
    }
    if folder != nil { try work.checkFree(for: asset) }
    let adjustment = AdjustmentData(edit: edit, settings: settings)
    outcome.identifier = try asset.identifier.map { base throws(EditError) in
      try NameBasedUUID.renderIdentifier(base: base, adjustment: adjustment)
    }
    let job = RenderJob(
      photo: asset.photo.map { RenderJob.Half(source: asset.path($0), output: work.photo) },
      movie: asset.movie.map { RenderJob.Half(source: asset.path($0), output: work.movie) },
      edit: edit, settings: settings, identifier: outcome.identifier)
    do throws(EditError) {
      outcome.result = try renderer.render(job, progress: progress, isCancelled: isCancelled)
    } catch {
      throw Self.error(error, of: job, namedAs: asset, in: folder ?? asset.folder)
    }
    try work.verifyHalves(of: asset, identifier: outcome.identifier)
    if isCancelled() { throw EditError(.cancelled, "stopped on request") }

    outcome.action = .rendered
    if let folder {
      outcome.written = try work.deliver(asset).map { AssetFiles.path(folder, $0) }
    } else {
      outcome.written = try work.commitVersion(of: asset, adjustment: adjustment, replacing: current).map(
        asset.path)
    }
    return outcome
  }

  /// An error of the renderer with the names that the user knows in place of the work folder's.
  private static func error(
    _ error: EditError, of job: RenderJob, namedAs asset: AssetFiles, in folder: String
  ) -> EditError {
    var error = error
    for (half, name) in [(job.photo, asset.photo), (job.movie, asset.movie)] {
      if let half, let name, error.file == half.output {
        error.file = AssetFiles.path(folder, RenderNames.render(of: name))
      }
    }
    return error
  }

  private func checkDestination(_ folder: String, of asset: AssetFiles) throws(EditError) {
    let status: FileStatus
    do {
      status = try FileStatus(path: folder)
    } catch {
      throw EditError(writing: folder, error)
    }
    guard status.kind == .folder else {
      throw EditError(.fileSystem, file: folder, "is not a folder", remedy: "name a folder with -o")
    }
    guard status.place != asset.place else {
      throw EditError(
        .inTheWay, file: folder, "is the originals' own folder",
        remedy: "leave out -o to put the render beside them")
    }
    try WorkFolder.checkIdle(asset)
    WorkFolder.recoverAll(in: try FolderListing(folder: folder))
  }
}
