package import Basics
import FileSystem

extension Library {
  /// Repairs a library. A lost or damaged catalogue is rebuilt from the versions folders. In an intact library, the
  /// repair covers unfinished edits, missing descriptions, versions whose files are missing or have returned, other
  /// programs' changes beside the originals, and the histories of originals that other programs renamed or moved.
  ///
  /// A damaged catalogue is kept beside the new one as `library.sqlite.damaged-N`.
  ///
  /// - Parameters:
  ///   - folder: The assets' folder; empty for the current folder.
  ///   - layout: Where renders are stored.
  ///   - folders: The folders in which to search for originals that are missing from their folder.
  ///   - isCancelled: A function that is called periodically; returning true stops the repair.
  ///   - report: A function that receives a message for each change.
  package static func repair(
    _ folder: String, layout: LibraryLayout = .besideOriginals, seekingIn folders: SoughtFolders? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }, report: Report
  ) throws(EditError) {
    func mend(_ library: Library) throws(EditError) {
      try library.repairRecords(report)
      try library.followRenamed(to: folders, report)
      try library.syncCatalogue()
    }
    guard try isBegun(folder, layout) else { return }
    do throws(EditError) {
      let library = try forWriting(folder, layout: layout, isCancelled: isCancelled, report: report)
      defer { library.close() }
      for (batch, _) in library.keptBatches() {
        let count = library.removeKept(of: batch)
        report(
          .plural(
            count, "removed \(count) finished render of the interrupted batch \(batch)",
            "removed \(count) finished renders of the interrupted batch \(batch)"))
      }
      guard let catalogue = library.catalogue else { return }
      if try catalogue.integrityProblems().isEmpty {
        let generation = try catalogue.generation()
        let copy = try library.keepCopy(of: catalogue, as: ".before-repair-\(generation)")
        try mend(library)
        if try catalogue.generation() == generation { try library.remove(copy) }
        return
      }
    } catch {
      guard error.code == .damagedLibrary else { throw error }
    }
    let library = try locked(folder, layout, isCancelled, report: report)
    defer { library.close() }
    try library.rebuild(report)
    try mend(library)
  }

  /// Stores a copy of the catalogue, see ``DatabaseFile/keepCopy(of:as:)``.
  ///
  /// - Returns: The copy's path.
  private func keepCopy(of catalogue: Catalogue, as ending: String) throws(EditError) -> String {
    let place = LibraryPaths.catalogue + ending
    do {
      try catalogueFile.keepCopy(of: catalogue.database, as: ending)
    } catch {
      throw Catalogue.error(error, path(place))
    }
    return place
  }

  private func remove(_ place: String) throws(EditError) {
    try whileWriting(path(place)) {
      try home.remove(place)
      try home.syncFolder(FileMover.parent(place))
    }
  }

  /// Whether the folder contains any part of a library that could be repaired.
  private static func isBegun(_ folder: String, _ layout: LibraryLayout) throws(EditError) -> Bool {
    let home = try AssetFolders(folder, layout).home
    return try whileReading(home.path(LibraryPaths.folder)) { try home.exists(LibraryPaths.folder) }
  }

  /// Checks that a repair will not be refused because another library may contain the folder's versions.
  ///
  /// - Parameters:
  ///   - folder: The assets' folder; empty for the current folder.
  ///   - layout: Where renders are stored.
  package static func checkRepairable(_ folder: String, layout: LibraryLayout) throws(EditError) {
    if try isBegun(folder, layout) { _ = try AssetFolders(folder, layout, beforeMaking: true) }
  }

  private func repairRecords(_ report: Report) throws(EditError) {
    try dropLostTransfers(report)
    try dropStaleMoves(report)
    try finishStuck(report)
    try respell(report)
    try takeInHistories(report)
    try quarantineUnrecorded(report)
    let generation = try catalogue?.generation() ?? 0
    for stem in try stems() {
      if isCancelled() {
        throw EditError(.cancelled, file: folder, "was not repaired completely: stopped on request")
      }
      guard try !hasNewerVersions(stem, besides: descriptions(of: stem)),
        let recorded = try followPointer(of: stem, report)
      else { continue }
      let known = try recordOutsideChanges(of: recorded, report)
      let found: AssetRecord? = if let known { known } else { try self.record(of: stem) }
      guard var record = found else { continue }
      let before = known == nil ? record : recorded
      try addMedia(to: &record, before)
      // The remaining files of a version are worth keeping if the original is gone, or if this cannot be determined.
      let isOfOriginals = (try? hasOriginals(of: record)) ?? false
      for index in record.versions.indices {
        let version = record.versions[index]
        if try description(of: version.number, of: stem) == nil {
          let place = LibraryPaths.description(version.number, of: stem)
          try restore(VersionDescription(version, of: record, generation: generation), at: place, report)
          report("rewrote \(path(place))")
        }
        if version.isIdentity { continue }
        if version.number == record.shown {
          try clear(version, of: stem, report)
          continue
        }
        let isWhole = try isWhole(version, of: record)
        let canRender = record.canRender(version, withOriginals: isOfOriginals)
        // A version without files can be rendered again once the original is back.
        let waits = record.canRender(version) && !version.hasFiles && !version.isLost
        if !isWhole, canRender {
          try clear(version, of: stem, report)
          if version.hasFiles {
            record.versions[index].hasFiles = false
            report(
              "the files of version \(version.number) of \(stem) are lost; the version will be rendered again when needed"
            )
          }
        } else if isWhole || !waits {
          record.versions[index].hasFiles = isWhole
        }
        record.versions[index].isLost = !canRender && !waits && !isWhole
        Self.tell(version, record.versions[index], of: stem, report)
      }
      if record != before { try catalogue?.record([record], moves: []) }
    }
    try repairCollections(report)
  }

  /// Returns the record of an asset. The version whose files are beside the originals becomes the current version,
  /// because a catalogue from a backup does not contain a later `revert`.
  private func followPointer(of stem: String, _ report: Report) throws(EditError) -> AssetRecord? {
    guard var record = try record(of: stem) else { return nil }
    guard unfinished[stem] == nil, let current = try standing(record), current != record.current else {
      return record
    }
    let old = record.current
    record.current = current
    record.update(old) { $0.hasFiles = false }
    for number in [old, current] {
      guard let version = record.version(number), !version.isIdentity else { continue }
      let isWhole = try isWhole(version, of: record)
      record.update(number) { $0.hasFiles = isWhole }
    }
    try catalogue?.record([record], moves: [])
    report(
      current == 0
        ? "the original of \(stem) is now current, because the files of version \(old) are missing"
        : "version \(current) of \(stem) is now current, because its files are beside the original")
    return record
  }

  /// Adds digests of originals that an earlier liveedit recorded without a digest and that still match the record.
  ///
  /// - Parameter before: The asset as it is recorded. An original whose status has changed was hashed just before.
  private func addMedia(to record: inout AssetRecord, _ before: AssetRecord) throws(EditError) {
    let added = addingMedia(record.originals)
    for index in added.indices where added[index] != record.originals[index] {
      let original = record.originals[index]
      let isSame = try original.fingerprint.matches(
        original.name, in: originalsFolder, isOriginal: true,
        alwaysHashing: original == before.originals[index])
      if isSame { record.originals[index] = added[index] }
    }
  }

  /// Renames version folders that no record contains, because the next version would need their names.
  private func quarantineUnrecorded(_ report: Report) throws(EditError) {
    try whileWriting(path(LibraryPaths.versions)) {
      for stem in try home.namesIfAny(in: LibraryPaths.versions) {
        let folder = LibraryPaths.versions(of: stem)
        guard unfinished[stem] == nil, try home.status(folder).kind == .folder else { continue }
        let record = try record(ofFolder: stem)
        for name in try home.names(in: folder) {
          let isRecorded = LibraryPaths.number(ofFolder: name).map { record?.version($0) != nil } ?? false
          guard !isRecorded, !HeldFolder.isSetAside(name),
            try !(LibraryPaths.number(ofFolder: name).map { try isNewer($0, of: stem) } ?? false),
            try home.status(folder + "/" + name).kind != .folder
              || !home.names(in: folder + "/" + name).isEmpty,
            let kept = try home.quarantine(folder + "/" + name)
          else { continue }
          report("\(path(folder + "/" + name)) does not belong to a version; kept it as \(path(kept))")
        }
      }
    }
  }

  /// Writes the file that stores favourites, hidden assets and albums again if it differs from the catalogue.
  private func repairCollections(_ report: Report) throws(EditError) {
    guard let catalogue else { return }
    let recorded = try catalogue.collections()
    let found = try keptCollections()
    let isUnreadable = found == nil && (try? home.exists(LibraryPaths.collections)) == true
    guard recorded != found ?? Collections() || isUnreadable else { return }
    if found == nil, let kept = try quarantine(LibraryPaths.collections) {
      report("marks and albums could not be read; kept their file as \(path(kept))")
    }
    try commit([]) { _ in true }
    report("rewrote \(path(LibraryPaths.collections))")
  }

  /// Records other programs' changes beside the originals, as the next edit would.
  ///
  /// - Returns: The asset with the current status of its originals, if nothing else changed; nil if the record must be
  ///   read from the catalogue again.
  private func recordOutsideChanges(
    of record: AssetRecord, _ report: Report
  ) throws(EditError) -> AssetRecord? {
    do throws(EditError) {
      let state = try self.state(of: record, isLeaving: true)
      guard state.isChanged else { return state.record }
      try commit([AssetCommit(before: state, after: state.record)])
      for note in state.notes { report("\(record.stem): \(note)") }
      return nil
    } catch {
      // A check reports what only the user can fix.
      if [.changedOriginal, .inTheWay, .notFound].contains(error.code) { return nil }
      throw error
    }
  }

  /// Reports that the files of a version that cannot be rendered again are lost, or have returned.
  static func tell(_ old: Version, _ new: Version, of stem: String, _ report: Report) {
    if new.isLost, !old.isLost {
      report(
        "recorded version \(new.number) of \(stem) as lost: its files are missing or changed, and it cannot be rendered again"
      )
    } else if old.isLost, !new.isLost {
      report("version \(new.number) of \(stem) is no longer lost")
    }
  }

  /// Clears the paths of a version's files in its folder. Files that match the record are removed. Files that another
  /// program changed or added are kept under another name.
  private func clear(_ version: Version, of stem: String, _ report: Report) throws(EditError) {
    for file in version.files {
      let place = LibraryPaths.version(version.number, of: stem) + "/" + file.name
      try whileWriting(path(place)) {
        guard let status = try home.statusIfAny(place) else { return }
        if status.kind == .regular, try file.fingerprint.matches(place, in: home, alwaysHashing: true) {
          try home.remove(place)
          try home.syncFolder(FileMover.parent(place))
        } else if let kept = try home.quarantine(place) {
          report("\(path(place)) does not belong to a version; kept it as \(path(kept))")
        }
      }
    }
  }

  func isWhole(_ version: Version, of record: AssetRecord) throws(EditError) -> Bool {
    try firstChange(of: version, in: record, alwaysHashing: true) == nil
  }

  /// Writes a version's description. An existing file of that name is kept under another name.
  func restore(
    _ description: VersionDescription, at place: String, _ report: Report
  ) throws(EditError) {
    let made = try workName("description")
    try create(made, description.bytes)
    if let kept = try quarantine(place) { report("\(path(place)) cannot be read; kept it as \(path(kept))") }
    try whileWriting(path(place)) {
      let folders = try FileMover.makeParents(of: place, in: home)
      try home.move(made, toFree: place)
      for place in [place] + folders { try home.syncFolder(FileMover.parent(place)) }
    }
  }

  /// Renames a damaged file, see ``FileSystem/HeldFolder/quarantine(_:as:)``.
  ///
  /// - Returns: The file's new path, or nil if the file does not exist.
  func quarantine(_ place: String) throws(EditError) -> String? {
    try whileWriting(path(place)) { try home.quarantine(place) }
  }
}
