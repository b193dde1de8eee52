import Basics
import EditModel
import FileSystem

/// Two assets can have the same stem, for example a photo and a movie that are not a pair, or a photo beside a Live
/// Photo. The versions, renders and adjustment data of one asset have the stem in their names. The renders and
/// adjustment data of the other asset contain the whole name of its original instead: for `clip.mp4` beside `clip.jpg`,
/// their names are `clip.mp4_edited.mp4` and `clip.mp4.AAE`.
extension RenderNames {
  /// Returns the file name stems of an asset's renders and adjustment data.
  ///
  /// - Parameters:
  ///   - stem: The asset's stem, which may be the whole name of an original.
  ///   - originals: The names of the asset's originals.
  /// - Returns: Only the whole name, or the sorted stems of the asset and of all originals, because earlier builds
  ///   named the render of a movie after the movie.
  static func stems(ofAsset stem: String, originals: [String]) -> [String] {
    if originals.contains(stem) { return [stem] }
    return Set([stem] + originals.map { Parts($0).stem }).sorted()
  }
}

extension AssetFolders {
  /// Determines whether the versions of an asset are named after the whole name of its first original instead of its
  /// stem.
  ///
  /// - Parameters:
  ///   - originals: The names of the asset's originals, the photo first.
  ///   - other: The original of another asset with the same stem, or nil if no such asset exists now.
  /// - Returns: The whole name, or nil if the versions are named after the stem.
  func wholeName(
    of originals: [String], besides other: OriginalFiles.Namesake?
  ) throws(EditError) -> String? {
    guard let name = originals.first else { return nil }
    let stem = RenderNames.Parts(name).stem
    guard stem != name else { return nil }
    guard home.isThere else {
      // No versions exist yet.
      if case .first? = other { return name }
      return nil
    }
    return try whileReading(home.path(name)) {
      let traces = LostOriginal.traces(of: name) + [LibraryPaths.versions(of: name)]
      // A file cannot exist if its name is too long for the file system.
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

  /// Returns the names of the originals to which a stem's versions belong, from the description of the newest version,
  /// or nil if the stem has no versions.
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
  /// Whether a stem is the whole name of a photo or a movie in the folder, and is not the stem of another photo or
  /// movie.
  package func isWholeName(_ stem: String) -> Bool {
    let parts = RenderNames.Parts(stem)
    return HalfKind(fileExtension: parts.fileExtension) != nil
      && names(stem: parts.stem).contains { key($0) == key(stem) }
      && !hasHalves(stem: stem)
  }
}
