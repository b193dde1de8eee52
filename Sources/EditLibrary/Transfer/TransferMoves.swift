import Basics
import FileSystem

/// Gives the files of an asset their new names: the third of the ways by which files get names, see ``FilePublisher`` and
/// ``FileMover``. Everything that is done already is passed over, so that it can be stopped and begun again anywhere.
struct TransferMover {
  /// The side that the asset leaves, and the asset as it is recorded there.
  let from: Library
  let old: AssetRecord
  /// The side where it arrives, and the asset as it shall be recorded there.
  let to: Library
  let new: AssetRecord

  /// True if the asset stays in its folder and gets another spelling of its name.
  var isRespelled: Bool { from === to && FileName.areAlike(old.stem, new.stem) }

  /// The recorded files: their places on both sides.
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

  /// The names beside the originals that the asset gets, each with the file that must be there when the name is taken
  /// already.
  var shown: [(name: String, file: VersionFile)] {
    files.filter { FileMove.isBeside($0.target) }.map { ($0.target, $0.file) }
  }

  /// Moves what is not moved yet, and makes it durable.
  ///
  /// - Throws: ``EditError`` when something has a name that is needed, or the system refuses.
  func carryOut(_ report: Library.Report) throws(EditError) {
    try respellFolder()
    // The folders are durable before a file goes into them: its old name could be gone and the new one not yet there.
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

  /// Writes the description of a version, where there is none with the new stem.
  private func describe(_ version: Version, _ report: Library.Report) throws(EditError) {
    let place = LibraryPaths.description(version.number, of: new.stem)
    let description = VersionDescription(
      version, of: new, generation: try to.catalogue?.generation() ?? 0)
    let known = try to.description(of: version.number, of: new.stem)
    if let known, known.stem.hasBytes(of: new.stem) { return }
    guard known != nil else { return try to.restore(description, at: place, report) }
    try to.replace(place, with: description.bytes, as: "description")
  }

  /// Gives the folder of the versions the new spelling of its name, where the file system takes both for one.
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
          // One file under both names: a move by link stopped half way.
          try from.home.remove(source)
          return
        }
        // Moved before; the old name has been given to something else since.
        if let file, try file.fingerprint.matches(target, in: to.home, isOriginal: isOriginal) { return }
        throw EditError.inTheWay(wanted)
      }
      guard status.kind == .regular || isOriginal && status.kind == .symbolicLink else {
        throw EditError.inTheWay(from.path(source))
      }
      if let file, try !file.fingerprint.matches(source, in: from.home, isOriginal: isOriginal) {
        report(
          "\(from.path(source)) was changed by another program while its asset was moved; it stays there")
        return
      }
      try from.home.move(source, toFree: target, in: to.home)
    }
  }

  /// Moves what else lies in the folder of a version: what was lost and found, or kept under another name.
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

  /// Removes what describes the versions on the side that the asset has left, and the folders that are empty.
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
        // It may never have been there, or is gone with its last file.
      } catch {
        throw EditError(writing: library.path(place), error)
      }
    }
  }

  /// The asset with the present status of its files.
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
