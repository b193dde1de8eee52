package import Basics
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
    // An asset without versions is forgotten once its moves are done.
    let emptied = AssetRecord(stem: record.stem, originals: record.originals, versions: [], current: 0)
    var moves: [FileMove] = []
    do {
      for version in record.versions {
        let folder = LibraryPaths.version(version.number, of: record.stem)
        // What stands in the place of a lost version's files is another program's, and so is what a repair kept.
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
      // Where it may be recorded nothing but the copies is left once the moves are done.
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

  /// Says what ``forget(_:keepingIn:)`` would do, and does nothing.
  ///
  /// - Returns: the asset as it is recorded, and the paths of the files that the destination would get.
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

  /// The record of an asset that is to be forgotten, and its versions that cannot be rendered again.
  private func toForget(
    _ name: String, _ destination: String?
  ) throws(EditError) -> (AssetRecord, precious: [Version]) {
    guard let record = try record(ofFile: name) else {
      throw EditError(
        .notFound, file: path(name), "has no versions that are recorded", remedy: "there is nothing to forget"
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
        remedy: "name a folder for it with --to")
    }
    return (record, precious)
  }

  /// The name of the folder that a version is copied to.
  private static func copyName(_ version: Version, of record: AssetRecord) -> String {
    "\(record.stem) version \(version.number)"
  }

  /// Copies a version's files into a folder of their own, durably; all or none. A folder that holds them already is
  /// taken for them: it is what a run that was stopped has left.
  ///
  /// - Returns: the copies, and the folder if it is new.
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
          .damagedLibrary, file: path(source), "is not as it was recorded",
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

  /// Removes copies and the folders that become empty with them.
  private func removeCopies(_ folders: [String]) {
    for folder in folders {
      for name in (try? Folder.names(in: folder)) ?? [] {
        _ = try? File.remove(FilePath.joined(folder, name))
      }
      try? Folder.remove(folder)
    }
  }
}
