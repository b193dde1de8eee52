import Basics
import FileSystem

/// Finds assets that were recorded under another spelling of their names. The spelling can differ in its canonical
/// Unicode form, for example after a file was copied from a Mac, Samba or an archive. If the file system ignores case,
/// it can also differ in case. Names with the same bytes take precedence over other forms and cases: if an asset's
/// recorded name is still listed, that name belongs to a different asset.
extension Library {
  /// Returns the record of an asset whose originals exist only under another spelling, or nil for any other asset.
  ///
  /// - Parameters:
  ///   - asset: The originals, as the folder lists them.
  ///   - known: The record of the asset's stem.
  func inOtherSpelling(_ asset: OriginalFiles, _ known: AssetRecord?) throws(EditError) -> AssetRecord? {
    if let known { return try isSpelled(known, as: asset) && !known.hasNames(of: asset) ? known : nil }
    for stem in try otherSpellings(of: asset.stem) {
      if let record = try record(of: stem), try isSpelled(record, as: asset) { return record }
    }
    return nil
  }

  /// Returns the original of another asset whose versions have an equivalent name on the versions' file system, or nil
  /// if no such asset exists. The originals are on a different file system, which distinguishes the two names.
  func ownerOfOtherCase(of asset: OriginalFiles) throws(EditError) -> String? {
    for stem in try otherSpellings(of: asset.stem) {
      let (place, other) = (LibraryPaths.versions(of: asset.stem), LibraryPaths.versions(of: stem))
      let isOne = try whileReading(path(other)) { try home.isOneEntry(place, other) }
      if isOne, let record = try record(of: stem) { return record.originals.first?.name ?? stem }
    }
    return nil
  }

  /// Returns the recorded stems that differ from a stem only in spelling.
  private func otherSpellings(of stem: String) throws(EditError) -> [String] {
    guard catalogue != nil else { return [] }
    // All stems are read only if another spelling is possible.
    if isBesideOriginals, FileName.hasOneForm(stem) {
      let place = LibraryPaths.versions(of: stem)
      guard stem.utf8.count <= FileName.longest,
        try whileReading(path(place), { try home.exists(place) })
      else { return [] }
    }
    let known = if let knownStems { knownStems } else { ListedNames(try stems()) }
    knownStems = known
    return known.alike(stem).filter { !$0.hasBytes(of: stem) }
  }

  /// Whether each recorded original belongs to an asset, under the recorded name or, if that name does not exist, in
  /// another spelling.
  private func isSpelled(_ record: AssetRecord, as asset: OriginalFiles) throws(EditError) -> Bool {
    for original in record.originals {
      guard let name = asset.name(original.role), FileName.areAlike(name, original.name) else { return false }
      if name.hasBytes(of: original.name) { continue }
      let isSame = try whileReading(originalPath(name)) {
        try originalsFolder.isOneEntry(original.name, name)
          || original.name == name && !originalsFolder.exists(original.name)
      }
      if !isSame { return false }
    }
    return true
  }

  /// Returns a record with the current names of its originals. If the library is open for writing and renders are
  /// beside their originals, the versions are renamed too.
  func respelled(_ record: AssetRecord, as asset: OriginalFiles) throws(EditError) -> AssetRecord {
    var new = record
    for index in new.originals.indices {
      new.originals[index].name = asset.name(new.originals[index].role) ?? new.originals[index].name
    }
    if isOpenForWriting, isBesideOriginals, try hasOriginals(of: new) {
      return try transfer(
        record, to: self, photo: new.originalNames.photo, movie: new.originalNames.movie, report: { _ in })
    }
    return try respelledFiles(of: new, record.shown)
  }

  /// Returns a record in which the files of a version have their current names, provided that these names differ from
  /// the recorded names only in spelling.
  private func respelledFiles(of record: AssetRecord, _ number: Int) throws(EditError) -> AssetRecord {
    var record = record
    guard let version = record.version(number), version.hasFiles else { return record }
    let names = try whileReading(home.path) {
      try version.files.map { file in
        try home.presentName(of: Self.place(of: file, version: number, in: record)) ?? file.name
      }
    }
    record.update(number) { version in
      for (index, name) in names.enumerated() { version.files[index].name = name }
    }
    return record
  }
}

extension OriginalFiles {
  /// Returns the name of the original with the given role.
  fileprivate func name(_ role: FileRole) -> String? { halves.first { FileRole($0.kind) == role }?.name }
}

extension AssetRecord {
  /// Whether the record's originals have exactly the same names as an asset's.
  fileprivate func hasNames(of asset: OriginalFiles) -> Bool {
    originals.allSatisfy { original in asset.name(original.role).hasBytes(of: original.name) }
  }
}

extension HeldFolder {
  /// Returns the last component of a path, spelled exactly as in the directory listing. The result is the same name if
  /// the folder lists it. Otherwise the result is a name in another canonical form, or in another case if the file
  /// system ignores case. The result is nil if none of these names exists.
  func presentName(of place: String) throws -> String? {
    let (folder, name) = FilePath.split(place)
    let isThere = try exists(place)
    if FileName.hasOneForm(name) {
      guard isThere else { return nil }
      // The folder is listed only if the name also exists in another letter case.
      guard let other = FileName.inOtherCase(name), try exists(FilePath.joined(folder, other)) else {
        return name
      }
    }
    guard let found = ListedNames(try namesIfAny(in: folder)).spelling(of: name) else { return nil }
    return isThere || found == name ? found : nil
  }
}
