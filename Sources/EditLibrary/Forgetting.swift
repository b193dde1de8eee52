public import EditModel
import FileSystem

extension Library {
  /// Drops what is recorded of an asset: its versions leave the history, and their files the versions' folder. The
  /// originals and the files that stand beside them stay.
  ///
  /// - Parameters:
  ///   - name: of an original, a render or the adjustment data.
  ///   - destination: a folder that takes the versions which cannot be rendered again.
  /// - Returns: the asset as it was recorded, and the paths of the files in the destination.
  /// - Throws: ``EditError`` when such a version exists and there is no destination.
  public func forget(
    _ name: String, keepingIn destination: String?
  ) throws(EditError) -> (record: AssetRecord, kept: [String]) {
    guard let catalogue, let record = try record(named: name) else {
      throw EditError(
        .notFound, file: path(name), "has no versions that are recorded", remedy: "there is nothing to forget"
      )
    }
    let precious = record.versions.filter {
      $0.hasFiles && $0.number != record.shown && !record.canRender($0)
    }
    var kept: [String] = []
    if let first = precious.first {
      guard let destination else {
        throw EditError(
          .inTheWay, file: path(record.originals.first?.name ?? name),
          "has version \(first.number), which cannot be rendered again",
          remedy: "name a folder for it with --to")
      }
      do throws(EditError) {
        for version in precious { kept += try copy(version, of: record, to: destination) }
      } catch {
        removeCopies(kept)
        throw error
      }
    }
    var moves: [FileMove] = []
    for version in record.versions {
      let folder = LibraryPaths.version(version.number, of: record.stem)
      // Whatever is in the folder: also what was lost and found again.
      for one in ((try? Folder.names(in: path(folder))) ?? []).sorted() {
        moves.append(FileMove(stem: record.stem, source: folder + "/" + one, target: nil))
      }
    }
    let emptied = AssetRecord(stem: record.stem, originals: record.originals, versions: [], current: 0)
    do throws(EditError) {
      try catalogue.record([emptied], moves: moves)
    } catch {
      removeCopies(kept)
      throw error
    }
    try finish(moves)
    try catalogue.forget([record.stem])
    try? Folder.remove(path(LibraryPaths.versions + "/" + record.stem))
    return (record, kept)
  }

  /// Copies a version's files into a folder of their own, durably; all or none.
  private func copy(
    _ version: Version, of record: AssetRecord, to destination: String
  ) throws(EditError) -> [String] {
    let folder = FolderListing.path(destination, "\(record.stem) version \(version.number)")
    do {
      guard try Folder.create(folder) else {
        throw EditError(.inTheWay, file: folder, "exists already", remedy: "move it away")
      }
    } catch {
      throw EditError(writing: folder, error)
    }
    var copies: [String] = []
    do {
      for file in version.files {
        let source = path(of: file, version: version.number, in: record)
        guard try file.fingerprint.matches(source) else {
          throw EditError(
            .damagedLibrary, file: source, "is not as it was recorded",
            remedy: "run liveedit check --repair on the folder")
        }
        let target = FolderListing.path(folder, file.name)
        copies.append(target)
        try File.copy(source, to: target)
      }
      try Folder.sync(folder)
      try Folder.sync(destination)
    } catch {
      removeCopies(copies)
      try? Folder.remove(folder)
      throw EditError(writing: folder, error)
    }
    return copies
  }
  /// Removes copies and the folders that become empty with them.
  private func removeCopies(_ copies: [String]) {
    for copy in copies {
      _ = try? File.remove(copy)
      try? Folder.remove(AssetLocator.split(copy).folder)
    }
  }
}
