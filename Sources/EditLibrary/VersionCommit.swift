import EditModel
import FileSystem

extension WorkFolder {
  /// Makes the rendered halves in the work folder the asset's current version, with adjustment data.
  ///
  /// - Parameters:
  ///   - asset: the originals.
  ///   - adjustment: the edit and the settings that were rendered.
  ///   - current: the version that is replaced, if there is one.
  /// - Returns: the names of the files that the version has now: photo, movie, adjustment data.
  public func commitVersion(
    of asset: AssetFiles, adjustment: AdjustmentData, replacing current: CurrentVersion?
  ) throws(EditError) -> [String] {
    let (steps, hashes) = try finishHalves(of: asset, replacing: current)
    let file = AdjustmentFile(adjustment: adjustment, rendered: hashes)
    do {
      try File.create(adjustments, bytes: file.bytes)
    } catch {
      throw EditError(writing: asset.folder.isEmpty ? "." : asset.folder, error)
    }
    let name = current?.adjustments.name ?? RenderNames.adjustments(of: asset.stem)
    let last = CommitPlan.Step(
      from: Self.name("adjustments"), to: name, replaces: current?.adjustments.sha256)
    try commit(CommitPlan(steps: steps + [last]))
    return steps.map(\.to) + [name]
  }

  /// Takes the current version away, so that the originals stand alone.
  ///
  /// - Parameter current: the version that goes.
  /// - Returns: the names of the files that are gone.
  public func commitRemoval(of current: CurrentVersion) throws(EditError) -> [String] {
    let members = [current.photo, current.movie, current.adjustments].compactMap { $0 }
    try commit(
      CommitPlan(steps: members.map { CommitPlan.Step(from: nil, to: $0.name, replaces: $0.sha256) }))
    return members.map(\.name)
  }

  /// Gives the rendered halves in the work folder their names in the destination folder; no adjustment data.
  ///
  /// - Parameter asset: the originals, in another folder.
  /// - Returns: the names of the new files.
  public func deliver(_ asset: AssetFiles) throws(EditError) -> [String] {
    let (steps, _) = try finishHalves(of: asset, replacing: nil)
    try commit(CommitPlan(steps: steps))
    return steps.map(\.to)
  }

  /// Makes sure that the names which ``deliver(_:)`` needs are free.
  public func checkFree(for asset: AssetFiles) throws(EditError) {
    for (_, name) in asset.halves {
      let path = FolderListing.path(folder, RenderNames.render(of: name))
      do {
        guard try FileStatus.exists(path) else { continue }
      } catch {
        throw EditError(writing: path, error)
      }
      throw EditError(
        .inTheWay, file: path, "exists already, and a render with -o overwrites nothing",
        remedy: "move it away or choose another folder")
    }
  }

  /// Gives the rendered halves their originals' permissions and hashes them.
  private func finishHalves(
    of asset: AssetFiles, replacing current: CurrentVersion?
  ) throws(EditError) -> (steps: [CommitPlan.Step], hashes: AdjustmentFile.Rendered) {
    var steps: [CommitPlan.Step] = []
    var hashes = AdjustmentFile.Rendered()
    for (kind, name) in asset.halves {
      let output = kind == .photo ? photo : movie
      do {
        try File.setPermissions(FileStatus(path: asset.path(name)).permissions, of: output)
      } catch {
        throw EditError(writing: folder.isEmpty ? "." : folder, error)
      }
      let hash = try Digest.sha256(ofFile: output)
      if kind == .photo { hashes.photo = hash } else { hashes.movie = hash }
      let replaced = kind == .photo ? current?.photo : current?.movie
      steps.append(
        CommitPlan.Step(
          from: Self.name(kind.word), to: RenderNames.render(of: name), replaces: replaced?.sha256))
    }
    return (steps, hashes)
  }

  /// Makes sure that the renderer gave the halves the identifier that they must have.
  ///
  /// - Throws: ``EditError`` when a half is missing or carries another identifier.
  public func verifyHalves(of asset: AssetFiles, identifier: String?) throws(EditError) {
    for (kind, name) in asset.halves {
      let found = try HalfIdentifier.read(kind == .photo ? photo : movie, kind: kind)
      guard found == identifier else {
        throw EditError(
          .renderer, file: asset.path(name), "was rendered with the wrong identifier",
          remedy: "report this as a bug")
      }
    }
  }
}
