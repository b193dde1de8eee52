import Basics
import EditModel
import FileSystem

/// Two assets can have one stem: a photo and a movie that aren't tied, or another photo beside a Live Photo. The versions, the
/// renders and the adjustment data of one of them have the stem in their names. Those of the other have the whole name of its
/// original instead: `clip.mp4_edited.mp4` and `clip.mp4.AAE` of `clip.mp4` beside `clip.jpg`.
extension RenderNames {
  /// The stems in the names of an asset's renders and adjustment data.
  ///
  /// - Parameters:
  ///   - stem: the asset's stem, which may be the whole name of an original.
  ///   - originals: the names of its originals.
  /// - Returns: the whole name alone, or the stems of the asset and of all originals, sorted: earlier builds named the render of a
  ///   movie after the movie.
  static func stems(ofAsset stem: String, originals: [String]) -> [String] {
    if originals.contains(stem) { return [stem] }
    return Set([stem] + originals.map { Parts($0).stem }).sorted()
  }
}

extension AssetFolders {
  /// Finds out whether the versions of an asset have the whole name of its first original instead of its stem.
  ///
  /// - Parameters:
  ///   - originals: the names of the asset's originals, the photo first.
  ///   - other: the original of another asset with the same stem; nil if there is none now.
  /// - Returns: the whole name; nil if the asset has its stem.
  func wholeName(
    of originals: [String], besides other: OriginalFiles.Namesake?
  ) throws(EditError) -> String? {
    guard let name = originals.first else { return nil }
    let stem = RenderNames.Parts(name).stem
    guard stem != name else { return nil }
    guard home.isThere else {
      // Nothing has versions yet.
      if case .first? = other { return name }
      return nil
    }
    return try whileReading(home.path(name)) {
      let traces = LostOriginal.traces(of: name) + [LibraryPaths.versions(of: name)]
      // No file has a name that is too long for the file system.
      if try traces.contains(where: {
        try FilePath.split($0).name.utf8.count <= FileName.longest && home.exists($0)
      }) {
        return name
      }
      guard let other else { return nil }
      if let owners = try recordedOriginals(ofStem: stem) {
        return owners.contains(where: originals.contains) ? nil : name
      }
      if case .first = other { return name }
      return nil
    }
  }

  /// The names of the originals for which a stem has versions, by the description of the newest version; nil without versions.
  private func recordedOriginals(ofStem stem: String) throws -> [String]? {
    let numbers = try home.namesIfAny(in: LibraryPaths.versions(of: stem)).compactMap(LibraryPaths.number)
    for number in numbers.sorted(by: >) {
      if let found = try VersionDescription.read(of: number, of: stem, in: home) {
        return found.originals.map(\.name)
      }
    }
    return nil
  }
}

extension FolderListing {
  /// True if a stem is the whole name of a photo or a movie here, and no file has it as its stem.
  package func isWholeName(_ stem: String) -> Bool {
    let parts = RenderNames.Parts(stem)
    return HalfKind(fileExtension: parts.fileExtension) != nil
      && names(stem: parts.stem).contains { key($0) == key(stem) }
      && !hasHalves(stem: stem)
  }
}
