import Basics
import EditModel
import FileSystem

/// Repairs names that reappeared in another spelling, see ``Library/inOtherSpelling(_:_:)``: the names of originals,
/// renders, version folders, favourites and hidden assets. All these repairs are made before version files are searched
/// for, so that no version file counts as lost.
extension Library {
  /// Changes the history, the flags and the albums to the current spelling of the originals' names, and renames version
  /// files to their recorded spelling.
  func respell(_ report: Report) throws(EditError) {
    try followRenamed(to: nil, onlyInSpelling: true, report)
    try respellFolders(report)
    try respellMarks(report)
  }

  /// Returns the paths of all files and descriptions of an asset's versions.
  static func places(of record: AssetRecord) -> [String] {
    record.versions.flatMap { version in
      [LibraryPaths.description(version.number, of: record.stem)]
        + version.files.map { place(of: $0, version: version.number, in: record) }
    }
  }

  /// Returns the record to which a version folder belongs. The file system may list the folder in another spelling.
  func record(ofFolder stem: String) throws(EditError) -> AssetRecord? {
    if let record = try record(of: stem) { return record }
    let known = if let knownStems { knownStems } else { ListedNames(try stems()) }
    knownStems = known
    for other in known.alike(stem) {
      let (listed, recorded) = (LibraryPaths.versions(of: stem), LibraryPaths.versions(of: other))
      let isOne = try whileReading(path(listed)) { try home.isOneEntry(listed, recorded) }
      if isOne, let record = try record(of: other) { return record }
    }
    return nil
  }

  /// Returns a record with the current names of its version files, if these differ from the recorded names only in
  /// their canonical form and the recorded names do not exist.
  func withPresentForms(_ record: AssetRecord) throws -> AssetRecord {
    var record = record
    for version in record.versions {
      for (index, file) in version.files.enumerated() where !FileName.hasOneForm(file.name) {
        let places = [LibraryPaths.version(version.number, of: record.stem) + "/" + file.name, file.name]
        if try places.contains(where: { try home.exists($0) }) { continue }
        for place in places {
          guard let name = try home.presentName(of: place) else { continue }
          record.update(version.number) { $0.files[index].name = name }
          break
        }
      }
    }
    return record
  }

  /// Renames version folders and files to the recorded form of their names if they have another canonical form.
  private func respellFolders(_ report: Report) throws(EditError) {
    for stem in try stems() {
      guard unfinished[stem] == nil, let record = try record(of: stem) else { continue }
      let places = Self.places(of: record)
      guard !places.allSatisfy(FileName.hasOneForm) else { continue }
      var isMoved = try respell(LibraryPaths.versions(of: stem))
      for place in places where try respell(place) { isMoved = true }
      if isMoved { report("restored the recorded Unicode form of the names of the versions of \(stem)") }
    }
  }

  /// Renames a path to the recorded form of its name if only another canonical form exists.
  private func respell(_ place: String) throws(EditError) -> Bool {
    try whileWriting(path(place)) {
      guard try !home.exists(place), let found = try home.presentName(of: place) else { return false }
      let folder = FileMover.parent(place)
      try home.move(FilePath.joined(folder, found), toFree: place)
      try home.syncFolder(folder)
      return true
    }
  }

  // MARK: Marks

  /// Returns the stems of favourites, hidden assets and album members whose spelling differs from that of the existing
  /// asset, each with the name of one of the asset's originals.
  func marksInOtherSpelling() throws(EditError) -> [(stem: String, name: String)] {
    let collections = try catalogue?.collections() ?? Collections()
    let stems = Set(
      (collections.favourites + collections.hidden + collections.albums.flatMap(\.stems)).map(ExactName.init))
    guard !stems.isEmpty else { return [] }
    let listing = try FolderListing(folder: folder)
    return stems.map(\.name).sorted().compactMap { stem in
      let names = listing.names(stem: stem).filter {
        HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) != nil
      }
      let present = Set(names.map { ExactName(RenderNames.Parts($0).stem) })
      guard present.count == 1, !present.contains(ExactName(stem)), let name = names.first else { return nil }
      return (stem, name)
    }
  }

  private func respellMarks(_ report: Report) throws(EditError) {
    let found = try marksInOtherSpelling()
    guard !found.isEmpty else { return }
    try commit([]) { database in
      for (stem, name) in found {
        try Catalogue.addMarks(of: stem, to: RenderNames.Parts(name).stem, in: database)
        try Catalogue.unmark(stem, in: database)
      }
      return true
    }
    for (_, name) in found {
      report("moved the marks of \(originalPath(name)) to the current spelling of its name")
    }
  }
}
