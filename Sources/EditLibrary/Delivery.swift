import EditModel
import FileSystem

extension WorkFolder {
  /// Gives the rendered halves in the work folder their names in the destination folder; no adjustment data.
  ///
  /// - Parameters:
  ///   - roles: the halves that were rendered.
  ///   - asset: the originals, in another folder.
  /// - Returns: the names of the new files.
  public func deliver(_ roles: Set<FileRole>, of asset: AssetFiles) throws(EditError) -> [String] {
    let steps = try finishHalves(roles, of: asset)
    try commit(CommitPlan(steps: steps))
    return steps.map(\.to)
  }

  /// Makes sure that the names which ``deliver(_:)`` needs are free.
  ///
  /// - Parameters:
  ///   - asset: the originals.
  ///   - format: the photo's format.
  public func checkFree(for asset: AssetFiles, format: RenderSettings.PhotoFormat) throws(EditError) {
    for (half, name) in asset.halves {
      let kind =
        half == .photo ? try RenderNames.otherKind(thanOriginal: asset.path(name), format: format) : nil
      let path = FolderListing.path(folder, RenderNames.render(of: name, as: kind))
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

  /// Gives the rendered halves their originals' permissions.
  private func finishHalves(
    _ roles: Set<FileRole>, of asset: AssetFiles
  ) throws(EditError) -> [CommitPlan.Step] {
    var steps: [CommitPlan.Step] = []
    for (kind, name) in asset.halves where roles.contains(kind == .photo ? .photo : .movie) {
      do {
        try File.setPermissions(
          FileStatus(path: asset.path(name)).permissions, of: kind == .photo ? photo : movie)
      } catch {
        throw EditError(writing: folder.isEmpty ? "." : folder, error)
      }
      let other =
        kind == .photo ? try RenderNames.otherKind(thanOriginal: asset.path(name), render: photo) : nil
      steps.append(
        CommitPlan.Step(from: Self.name(kind.word), to: RenderNames.render(of: name, as: other)))
    }
    return steps
  }
}

/// Checks of rendered files.
public enum RenderedHalves {
  /// Makes sure that the renderer gave the halves the identifier that they must have.
  ///
  /// - Parameters:
  ///   - outputs: the rendered files by role.
  ///   - identifier: the identifier that they must carry.
  /// - Throws: ``EditError`` when a half is missing or carries another identifier.
  public static func verify(_ outputs: [FileRole: String], identifier: String?) throws(EditError) {
    for (role, path) in outputs {
      guard try HalfIdentifier.read(path, kind: role == .photo ? .photo : .movie) == identifier else {
        throw EditError(
          .renderer, "the \(role.rawValue) was rendered with the wrong identifier",
          remedy: "report this as a bug")
      }
    }
  }

  /// The identifier that two halves share; nil when they have none.
  ///
  /// - Parameter sources: the files by role.
  /// - Throws: ``EditError`` when they carry different ones.
  public static func identifier(of sources: [FileRole: String]) throws(EditError) -> String? {
    let photo = try sources[.photo].map { path throws(EditError) in
      try HalfIdentifier.read(path, kind: .photo)
    }
    let movie = try sources[.movie].map { path throws(EditError) in
      try HalfIdentifier.read(path, kind: .movie)
    }
    if let photo, let movie, photo != movie {
      throw EditError(
        .pairing, file: sources[.photo], "and its movie do not carry the same identifier",
        remedy: "revert to a version whose halves belong together")
    }
    return photo ?? movie ?? nil
  }
}
