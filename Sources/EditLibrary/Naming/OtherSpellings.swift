import Basics
import FileSystem

/// Assets that were recorded under another spelling of their names: in another canonical form of Unicode, in which a file came back
/// from a Mac, Samba or an archive, or in another case where the file system ignores case. Bytes come first, then forms and case: an
/// asset whose recorded name is listed as well is another one.
extension Library {
  /// The record of an asset whose originals are there under another spelling only; nil for any other asset.
  ///
  /// - Parameters:
  ///   - asset: the originals, as the folder lists them.
  ///   - known: the record of the asset's stem.
  func inOtherSpelling(_ asset: OriginalFiles, _ known: AssetRecord?) throws(EditError) -> AssetRecord? {
    if let known { return try isSpelled(known, as: asset) && !known.hasNames(of: asset) ? known : nil }
    for stem in try otherSpellings(of: asset.stem) {
      if let record = try record(of: stem), try isSpelled(record, as: asset) { return record }
    }
    return nil
  }

  /// The original of another asset whose versions have a name that the file system of the versions takes for the same; nil if
  /// there is none. The originals are on another one, which tells the two apart.
  func ownerOfOtherCase(of asset: OriginalFiles) throws(EditError) -> String? {
    for stem in try otherSpellings(of: asset.stem) {
      let (place, other) = (LibraryPaths.versions(of: asset.stem), LibraryPaths.versions(of: stem))
      let isOne = try whileReading(path(other)) { try home.isOneEntry(place, other) }
      if isOne, let record = try record(of: stem) { return record.originals.first?.name ?? stem }
    }
    return nil
  }

  /// The recorded stems that differ from a stem in spelling alone.
  private func otherSpellings(of stem: String) throws(EditError) -> [String] {
    guard catalogue != nil else { return [] }
    // Only where one is possible are all stems read.
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

  /// True if each recorded original is one of an asset's, under the recorded name or under another spelling where nothing has the
  /// recorded one.
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

  /// A record with the names that its originals have now. Of a library that is open for writing the versions take them too, where
  /// they are beside the originals.
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

  /// A record in which a version's files have the names that they have now, as far as they differ from the recorded ones in spelling.
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
  /// The name of the original that has a role.
  fileprivate func name(_ role: FileRole) -> String? { halves.first { FileRole($0.kind) == role }?.name }
}

extension AssetRecord {
  /// True if its originals have the very names of an asset's.
  fileprivate func hasNames(of asset: OriginalFiles) -> Bool {
    originals.allSatisfy { original in asset.name(original.role).hasBytes(of: original.name) }
  }
}

extension HeldFolder {
  /// The last name of a place as its folder lists it: the same, or the one that is there in another canonical form, or in another
  /// case where the file system ignores case; nil if there is none.
  func presentName(of place: String) throws -> String? {
    let (folder, name) = FilePath.split(place)
    let isThere = try exists(place)
    if FileName.hasOneForm(name) {
      guard isThere else { return nil }
      // The folder is listed only if there is the other case too.
      guard let other = FileName.inOtherCase(name), try exists(FilePath.joined(folder, other)) else {
        return name
      }
    }
    guard let found = ListedNames(try namesIfAny(in: folder)).spelling(of: name) else { return nil }
    return isThere || found == name ? found : nil
  }
}
