import Basics
import FileSystem

/// Handles other programs' renders and adjustment data beside read-only originals. As in other layouts, these files are
/// the current version. Because the files cannot be moved out of the way, they are copied into the library home and
/// left in place.
extension Library {
  /// Returns the files beside the originals that have the names of an asset's renders and adjustment data, if at least
  /// one of the files belongs to no version; otherwise nil.
  func foreignFiles(of record: AssetRecord) throws(EditError) -> EditedFiles? {
    guard !isBesideOriginals else { return nil }
    let originals = record.originals.map(\.name)
    let found = try EditedFiles(
      originals: originals, ofAsset: record.stem, recorded: [], in: originalsFolder)
    for (_, name) in found.names {
      if try !record.hasVersion(at: name, in: originalsFolder, isOriginal: true) { return found }
    }
    return nil
  }

  /// Records files beside the originals as a version if they were not adopted yet.
  func recordBesideOriginals(_ state: inout AssetState) throws(EditError) {
    guard let found = try foreignFiles(of: state.record) else { return }
    let placed = state.record.placed
    do throws(EditError) {
      try recordForeignRender(found, in: originalsFolder, &state)
    } catch {
      // The file is not in the way, because its path is not needed.
      guard error.code == .inTheWay else { throw error }
      state.notes.append(
        error.file.map { "\($0): \(error.problem); liveedit leaves it unchanged." }
          ?? "The file \(error.problem); liveedit leaves it unchanged.")
      return
    }
    state.record.update(state.record.current) { $0.isBesideOriginals = true }
    state.record.displaced = placed
  }

  /// Copies the files of an adopted version to the work folder.
  func copyFromBesideOriginals(_ commit: inout AssetCommit) throws(EditError) {
    for version in commit.after.versions where version.isBesideOriginals {
      var made: [(place: String, file: VersionFile)] = []
      for var file in version.files {
        let place = try workName(file.role.rawValue)
        let source = try whileReading(originalPath(file.name)) {
          try originalsFolder.source(file.name, followingLinks: true)
        }
        try copyFile(source, at: originalPath(file.name), to: place, in: home)
        let print = try Fingerprint(of: place, in: home)
        guard print.sha256 == file.fingerprint.sha256 else {
          throw EditError(
            .conflict, file: originalPath(file.name),
            "was changed by another program while liveedit copied it",
            remedy: "try again when no other program writes to it")
        }
        file.fingerprint = print
        made.append((place, file))
      }
      commit.made[version.number] = made
      commit.after.update(version.number) { version in
        version.files = made.map(\.file)
        version.isBesideOriginals = false
      }
    }
    commit.after.displaced = nil
  }
}
