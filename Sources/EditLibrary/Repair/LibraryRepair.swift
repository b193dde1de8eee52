package import Basics
import FileSystem

extension Library {
  /// Rebuilds a catalogue that is lost or damaged from the versions' folders; of a sound one, repairs what can
  /// be: edits that wait for their end, missing descriptions, versions whose files are gone or back again, what other
  /// programs changed beside the originals, and the histories of originals that they renamed or moved.
  ///
  /// A damaged catalogue is kept beside the new one as `library.sqlite.damaged-N`.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - layout: the place of the renders.
  ///   - folders: where originals are sought that are not in the folder any more.
  ///   - isCancelled: asked now and then; true stops the work.
  ///   - report: told what was done.
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

  /// Keeps a copy of the catalogue, see ``DatabaseFile/keepCopy(of:as:)``.
  ///
  /// - Returns: its place.
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

  /// True if there is anything of a library, which could be repaired.
  private static func isBegun(_ folder: String, _ layout: LibraryLayout) throws(EditError) -> Bool {
    let home = try AssetFolders(folder, layout).home
    return try whileReading(home.path(LibraryPaths.folder)) { try home.exists(LibraryPaths.folder) }
  }

  /// Makes sure that a repair is not refused because another library may have the folder's versions.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - layout: the place of the renders.
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
        throw EditError(.cancelled, file: folder, "was not repaired to its end: stopped on request")
      }
      guard try !hasNewerVersions(stem, besides: descriptions(of: stem)),
        let recorded = try followPointer(of: stem, report)
      else { continue }
      let known = try recordOutsideChanges(of: recorded, report)
      let found: AssetRecord? = if let known { known } else { try self.record(of: stem) }
      guard var record = found else { continue }
      let before = known == nil ? record : recorded
      try addMedia(to: &record, before)
      // What is left of a version is worth keeping where the original is gone; so it is where that cannot be told.
      let isOfOriginals = (try? hasOriginals(of: record)) ?? false
      for index in record.versions.indices {
        let version = record.versions[index]
        if try description(of: version.number, of: stem) == nil {
          let place = LibraryPaths.description(version.number, of: stem)
          try restore(VersionDescription(version, of: record, generation: generation), at: place, report)
          report("wrote \(path(place)) again")
        }
        if version.isIdentity { continue }
        if version.number == record.shown {
          try clear(version, of: stem, report)
          continue
        }
        let isWhole = try isWhole(version, of: record)
        let canRender = record.canRender(version, withOriginals: isOfOriginals)
        // One without files waits for the original.
        let waits = record.canRender(version) && !version.hasFiles && !version.isLost
        if !isWhole, canRender {
          try clear(version, of: stem, report)
          if version.hasFiles {
            record.versions[index].hasFiles = false
            report("version \(version.number) of \(stem) has lost its files")
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

  /// The record of an asset. Its current version becomes the one whose files are beside the originals, since a catalogue
  /// from a backup lacks a later `revert`.
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
        ? "the original of \(stem) is current: the files of version \(old) are not beside it"
        : "version \(current) of \(stem) is current: its files are beside the original")
    return record
  }

  /// Adds the digests of originals that an earlier liveedit recorded without, and that are as they were recorded.
  ///
  /// - Parameter before: the asset as it is recorded; an original with another status now was hashed a moment ago.
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

  /// Gives other names to folders of versions that nobody knows: the next version would need theirs.
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
          report("\(path(folder + "/" + name)) belongs to no version; kept it as \(path(kept))")
        }
      }
    }
  }

  /// Writes the file of marks and albums again where it does not say what the catalogue says.
  private func repairCollections(_ report: Report) throws(EditError) {
    guard let catalogue else { return }
    let recorded = try catalogue.collections()
    let found = try keptCollections()
    let isUnreadable = found == nil && (try? home.exists(LibraryPaths.collections)) == true
    guard recorded != found ?? Collections() || isUnreadable else { return }
    if found == nil, let kept = try quarantine(LibraryPaths.collections) {
      report("marks and albums could not be read from their file; kept it as \(path(kept))")
    }
    try commit([]) { _ in true }
    report("wrote \(path(LibraryPaths.collections)) again")
  }

  /// Takes in what other programs did beside the originals, as the next edit would.
  ///
  /// - Returns: the asset with the present status of its originals, where that is all that changed; nil where the catalogue
  ///   has to be asked again.
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
      // A check names what only the user can put right.
      if [.changedOriginal, .inTheWay, .notFound].contains(error.code) { return nil }
      throw error
    }
  }

  /// Reports that a version which cannot be rendered again has lost its files, or has them back.
  static func tell(_ old: Version, _ new: Version, of stem: String, _ report: Report) {
    if new.isLost, !old.isLost {
      report(
        "version \(new.number) of \(stem) is recorded as lost: its files are gone or changed, and it cannot be rendered again"
      )
    } else if old.isLost, !new.isLost {
      report("version \(new.number) of \(stem) is no longer lost")
    }
  }

  /// Makes room for the files of a version in its folder: what is as it was recorded goes, what another program changed
  /// or put there is kept under another name.
  private func clear(_ version: Version, of stem: String, _ report: Report) throws(EditError) {
    for file in version.files {
      let place = LibraryPaths.version(version.number, of: stem) + "/" + file.name
      try whileWriting(path(place)) {
        guard let status = try home.statusIfAny(place) else { return }
        if status.kind == .regular, try file.fingerprint.matches(place, in: home, alwaysHashing: true) {
          try home.remove(place)
          try home.syncFolder(FileMover.parent(place))
        } else if let kept = try home.quarantine(place) {
          report("\(path(place)) belongs to no version; kept it as \(path(kept))")
        }
      }
    }
  }

  func isWhole(_ version: Version, of record: AssetRecord) throws(EditError) -> Bool {
    try firstChange(of: version, in: record, alwaysHashing: true) == nil
  }

  /// Writes a version's description; what has its name is kept under another one.
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

  /// Gives a damaged file another name, see ``FileSystem/HeldFolder/quarantine(_:as:)``.
  ///
  /// - Returns: its new place; nil when there is no such file.
  func quarantine(_ place: String) throws(EditError) -> String? {
    try whileWriting(path(place)) { try home.quarantine(place) }
  }
}
