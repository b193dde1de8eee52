import Basics
import FileSystem

/// Gives the files of an asset their new names. For the other ways in which files get their names, see
/// ``FilePublisher`` and ``FileMover``. Steps that are already done are skipped, so the work can be interrupted and
/// restarted at any point.
struct TransferMover {
  /// The library that the asset leaves, and the asset's record in that library.
  let from: Library
  let old: AssetRecord
  /// The library at which the asset arrives, and the asset's record for that library.
  let to: Library
  let new: AssetRecord

  /// Whether the asset stays in its folder and only the spelling of its name changes.
  var isRespelled: Bool { from === to && FileName.areAlike(old.stem, new.stem) }

  /// The recorded files, with their paths at the source and the destination.
  private var files: [(source: String, target: String, file: VersionFile, isOriginal: Bool)] {
    var files = zip(old.originals, new.originals).map { ($0.name, $1.name, $0, true) }
    for (version, renamed) in zip(old.versions, new.versions) {
      for (file, named) in zip(version.files, renamed.files) {
        files.append(
          (
            Library.place(of: file, version: version.number, in: old),
            Library.place(of: named, version: version.number, in: new), file, false
          ))
      }
    }
    return files
  }

  /// The names that the asset gets beside the originals. If a name is already taken, it must belong to the given file.
  var shown: [(name: String, file: VersionFile)] {
    files.filter { FileMove.isBeside($0.target) }.map { ($0.target, $0.file) }
  }

  /// Moves the files that are not moved yet, and makes the result durable.
  ///
  /// - Throws: ``EditError`` if a needed name is taken, or the system refuses the move.
  func carryOut(_ report: Library.Report) throws(EditError) {
    try respellFolder()
    // The folders are made durable before a file is moved into them. Otherwise the file's old name could be lost before
    // its new name exists.
    for version in new.versions {
      let place = LibraryPaths.description(version.number, of: new.stem)
      _ = try whileWriting(to.path(place)) { try FileMover.makeParents(of: place, in: to.home) }
    }
    try Self.sync(to, new)
    for (source, target, file, isOriginal) in files {
      try move(source, target, file, isOriginal: isOriginal, report)
    }
    for version in old.versions { try moveRest(of: version.number) }
    for version in new.versions { try describe(version, report) }
    try Self.sync(to, new)
    try Self.sync(from, old)
  }

  /// Writes the description of a version if none exists under the new stem.
  private func describe(_ version: Version, _ report: Library.Report) throws(EditError) {
    let place = LibraryPaths.description(version.number, of: new.stem)
    let description = VersionDescription(
      version, of: new, generation: try to.catalogue?.generation() ?? 0)
    let known = try to.description(of: version.number, of: new.stem)
    if let known, known.stem.hasBytes(of: new.stem) { return }
    guard known != nil else { return try to.restore(description, at: place, report) }
    try to.replace(place, with: description.bytes, as: "description")
  }

  /// Renames the versions folder to the new spelling if the file system treats both names as equal.
  private func respellFolder() throws(EditError) {
    let (source, target) = (LibraryPaths.versions(of: old.stem), LibraryPaths.versions(of: new.stem))
    guard isRespelled, !source.hasBytes(of: target) else { return }
    try whileWriting(to.path(target)) {
      if try to.home.isOneEntry(source, target) { try to.home.replace(target, with: source) }
    }
  }

  private func move(
    _ source: String, _ target: String, _ file: VersionFile?, isOriginal: Bool = false,
    _ report: Library.Report
  ) throws(EditError) {
    if from === to, source.hasBytes(of: target) { return }
    let wanted = to.path(target)
    try whileWriting(wanted) {
      if from === to, try to.home.isOneEntry(source, target) {
        return try to.home.replace(target, with: source)
      }
      guard let status = try from.home.statusIfAny(source) else { return }
      if let there = try to.home.statusIfAny(target) {
        if there.place == status.place {
          // One file has both names, because a move by link was interrupted.
          try from.home.remove(source)
          return
        }
        // The file was moved before, and its old name now belongs to another file.
        if let file, try file.fingerprint.matches(target, in: to.home, isOriginal: isOriginal) { return }
        throw EditError.inTheWay(wanted)
      }
      guard status.kind == .regular || isOriginal && status.kind == .symbolicLink else {
        throw EditError.inTheWay(from.path(source))
      }
      if let file, try !file.fingerprint.matches(source, in: from.home, isOriginal: isOriginal) {
        report(
          "\(from.path(source)) was changed by another program during the move, so it was not moved")
        return
      }
      try from.home.move(source, toFree: target, in: to.home)
    }
  }

  /// Moves the other files in a version's folder: files that were lost and found, or kept under another name.
  private func moveRest(of number: Int) throws(EditError) {
    let (folder, target) = (
      LibraryPaths.version(number, of: old.stem), LibraryPaths.version(number, of: new.stem)
    )
    let names = try whileReading(from.path(folder)) { try from.home.namesIfAny(in: folder) }
    for name in names.sorted() where folder + "/" + name != LibraryPaths.description(number, of: old.stem) {
      guard
        try whileReading(from.path(folder), { try from.home.status(folder + "/" + name).kind == .regular })
      else {
        continue
      }
      try move(folder + "/" + name, target + "/" + name, nil) { _ in }
    }
  }

  /// Removes the descriptions of the versions and the empty folders from the library that the asset has left.
  static func clear(_ old: AssetRecord, from library: Library) throws(EditError) {
    for version in old.versions {
      let place = LibraryPaths.description(version.number, of: old.stem)
      _ = try whileWriting(library.path(place)) { try library.home.remove(place) }
      try? library.home.removeFolder(FileMover.parent(place))
    }
    try? library.home.removeFolder(LibraryPaths.versions(of: old.stem))
    try sync(library, old)
  }

  /// Makes the names in all folders of an asset durable.
  private static func sync(_ library: Library, _ record: AssetRecord) throws(EditError) {
    let versions = record.versions.map { LibraryPaths.version($0.number, of: record.stem) }
    for place in versions + [
      LibraryPaths.versions(of: record.stem), LibraryPaths.versions, LibraryPaths.folder, "",
    ] {
      do {
        try library.home.syncFolder(place)
      } catch SystemError.notFound {
        // The folder may never have existed, or was removed with its last file.
      } catch {
        throw EditError(writing: library.path(place), error)
      }
    }
  }

  /// The asset with the current status of its files.
  var refreshed: AssetRecord {
    var record = new
    for index in record.originals.indices {
      let file = record.originals[index]
      record.originals[index].fingerprint = file.fingerprint.moved(
        to: file.name, in: to.home, isOriginal: true)
    }
    for version in record.versions.indices where record.versions[version].hasFiles {
      for index in record.versions[version].files.indices {
        let file = record.versions[version].files[index]
        let place = Library.place(of: file, version: record.versions[version].number, in: record)
        record.versions[version].files[index].fingerprint = file.fingerprint.moved(to: place, in: to.home)
      }
    }
    return record
  }
}
