package import Basics
import FileSystem

extension Library {
  /// Deletes the history of an asset and the files of its versions in the versions folder. The originals and the files
  /// beside them are kept.
  ///
  /// - Parameters:
  ///   - name: The name of an original, a render or the adjustment data.
  ///   - destination: A folder to which the versions that cannot be rendered again are copied.
  /// - Returns: The asset as it was recorded, and the paths of the files in the destination.
  /// - Throws: ``EditError`` if a version cannot be rendered again and no destination is specified.
  package func forget(
    _ name: String, keepingIn destination: String?
  ) throws(EditError) -> (record: AssetRecord, kept: [String]) {
    if let destination { try WorkFolder.recoverAll(in: destination) }
    let (record, precious) = try toForget(name, destination)
    guard let catalogue else { return (record, []) }
    var kept: [String] = []
    var made: [String] = []
    if let destination {
      do throws(EditError) {
        for version in precious {
          let copied = try copy(version, of: record, to: destination)
          kept += copied.copies
          if let folder = copied.made { made.append(folder) }
        }
      } catch {
        removeCopies(made)
        throw error
      }
    }
    // An asset without versions is deleted from the catalogue when its moves are done.
    let emptied = AssetRecord(stem: record.stem, originals: record.originals, versions: [], current: 0)
    var moves: [FileMove] = []
    do {
      for version in record.versions {
        let folder = LibraryPaths.version(version.number, of: record.stem)
        // If a version is lost, any files at its paths belong to another program. Files that a repair kept also belong
        // to another program.
        let others = try version.isLost && !isWhole(version, of: record) ? version.files.map(\.name) : []
        for one in try home.namesIfAny(in: folder).sorted()
        where try !HeldFolder.isSetAside(one) && !others.contains(one)
          && home.status(folder + "/" + one).kind == .regular
        {
          moves.append(FileMove(stem: record.stem, source: folder + "/" + one, target: nil))
        }
      }
      _ = try prepare(moves, of: [emptied])
      isTidy = false
      try catalogue.record([emptied], moves: moves)
    } catch {
      // The copies are kept if the change may have been recorded, because nothing else remains after the moves.
      if (try? catalogue.asset(record.stem)) == record { removeCopies(made) }
      throw EditError(writing: path(LibraryPaths.versions(of: record.stem)), error)
    }
    do throws(EditError) {
      try syncCatalogue()
      if let failure = try finish(moves)[record.stem] { throw failure }
      if moves.isEmpty { try catalogue.finish([emptied], moves: []) }
      try syncCatalogue()
    } catch {
      var error = error
      error.code = .unfinished
      throw error
    }
    isTidy = true
    return (record, kept)
  }

  /// Returns what ``forget(_:keepingIn:)`` would do, without changing anything.
  ///
  /// - Returns: The asset as it is recorded, and the paths of the files that would be copied to the destination.
  package func planForgetting(
    _ name: String, keepingIn destination: String?
  ) throws(EditError) -> (record: AssetRecord, kept: [String]) {
    let (record, precious) = try toForget(name, destination)
    let kept = precious.flatMap { version in
      let folder = FilePath.joined(destination ?? "", Self.copyName(version, of: record))
      return version.files.map { FilePath.joined(folder, $0.name) }
    }
    return (record, kept)
  }

  /// Returns the record of an asset that is to be forgotten, and its versions that cannot be rendered again.
  private func toForget(
    _ name: String, _ destination: String?
  ) throws(EditError) -> (AssetRecord, precious: [Version]) {
    guard let record = try record(ofFile: name) else {
      throw EditError(
        .notFound, file: path(name), "has no recorded versions", remedy: "there is nothing to forget"
      )
    }
    let isOfOriginals = try hasOriginals(of: record)
    var precious: [Version] = []
    for version in record.versions where version.number != record.shown && !version.isIdentity {
      let canRender = record.canRender(version, withOriginals: isOfOriginals)
      let isThere = if version.isLost { try isWhole(version, of: record) } else { version.hasFiles }
      if isThere, !canRender { precious.append(version) }
    }
    if let first = precious.first, destination == nil {
      throw EditError(
        .inTheWay, file: originalPath(record.originals.first?.name ?? name),
        "has version \(first.number), which cannot be rendered again",
        remedy: "choose a folder for that version with --to")
    }
    return (record, precious)
  }

  /// Returns the name of the folder to which a version is copied.
  private static func copyName(_ version: Version, of record: AssetRecord) -> String {
    "\(record.stem) version \(version.number)"
  }

  /// Copies all of a version's files durably into a new folder, or copies none of them. A folder that already contains
  /// the same files was left behind by an interrupted run, and is reused.
  ///
  /// - Returns: The copies, and the folder if it is new.
  private func copy(
    _ version: Version, of record: AssetRecord, to destination: String
  ) throws(EditError) -> (copies: [String], made: String?) {
    let publisher = try FilePublisher(in: destination, stem: record.stem, option: "--to")
    let name = Self.copyName(version, of: record)
    let copies = version.files.map { FilePath.joined(FilePath.joined(destination, name), $0.name) }
    if try isCopied(version, to: name, in: destination) { return (copies, nil) }
    var items: [FilePublisher.Item] = []
    for file in version.files {
      let source = Self.place(of: file, version: version.number, in: record)
      guard try file.fingerprint.matches(source, in: home) else {
        throw EditError(
          .damagedLibrary, file: path(source), "has changed since it was recorded",
          remedy: "run liveedit check --repair on the folder")
      }
      let copy = publisher.path(file.role.rawValue)
      try copyFile(path(source), to: copy)
      items.append(FilePublisher.Item(file.role.rawValue, name: file.name))
    }
    return (copies, try publisher.publish(items, bundle: name).first)
  }

  private func isCopied(_ version: Version, to name: String, in destination: String) throws(EditError) -> Bool
  {
    try whileWriting(destination) {
      let folder = try HeldFolder(path: destination)
      guard try folder.exists(name), try folder.status(name).kind == .folder,
        try Set(folder.names(in: name)) == Set(version.files.map(\.name))
      else { return false }
      for file in version.files {
        guard try file.fingerprint.matches(name + "/" + file.name, in: folder, alwaysHashing: true) else {
          return false
        }
      }
      return true
    }
  }

  /// Removes copies and the folders that become empty as a result.
  private func removeCopies(_ folders: [String]) {
    for folder in folders {
      for name in (try? Folder.names(in: folder)) ?? [] {
        _ = try? File.remove(FilePath.joined(folder, name))
      }
      try? Folder.remove(folder)
    }
  }
}
