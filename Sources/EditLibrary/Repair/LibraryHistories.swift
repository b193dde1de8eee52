import Basics
import FileSystem

/// Merges histories that are missing from the catalogue: versions newer than the catalogue, and sync conflict copies.
/// An interrupted merge can be restarted with the same result.
extension Library {
  /// Returns the histories of all assets, merged from the catalogue, the version descriptions and conflict copies.
  /// Moves version files and descriptions to the correct folders, and leaves the catalogue unchanged.
  ///
  /// - Parameters:
  ///   - stems: The stems of the assets with a known history.
  ///   - found: The conflict copies.
  ///   - report: A function that receives one sentence per change.
  ///   - recorded: A function that returns the known history of an asset.
  /// - Returns: The new and changed histories, and the greatest generation found.
  func mergedHistories(
    _ stems: [String], _ found: FoundHistories, _ report: Report,
    recorded: (String) throws(EditError) -> AssetRecord?
  ) throws(EditError) -> (records: [AssetRecord], generation: Int) {
    try bringBackFolders(report)
    var generation = found.generation
    var all = Set((stems + found.stems).map(ExactName.init))
    let described = try whileReading(path(LibraryPaths.versions)) {
      try home.namesIfAny(in: LibraryPaths.versions)
    }
    // The file system may list a folder in a different case from the catalogue.
    for name in described where try record(ofFolder: name) == nil { all.insert(ExactName(name)) }
    var changed: [AssetRecord] = []
    for stem in all.map(\.name).sorted() where unfinished[stem] == nil {
      if isCancelled() {
        throw EditError(.cancelled, file: folder, "was not repaired completely: stopped on request")
      }
      let known = try recorded(stem)
      let described = try descriptions(of: stem)
      generation = max(generation, described.compactMap(\.generation).max() ?? 0)
      guard try !hasNewerVersions(stem, besides: described),
        var merged = try merged(stem, known, described, found, report)
      else {
        continue
      }
      if let known, merged == known { continue }
      if known == nil { merged = try whileReading(path("")) { try withPresentForms(merged) } }
      guard merged.isSound else {
        report(
          "skipped \(path(LibraryPaths.versions(of: stem))): the descriptions of its versions are inconsistent"
        )
        continue
      }
      try placeFiles(of: merged)
      try settle(&merged, report)
      for version in merged.versions.reversed() { try describe(version, of: merged, report) }
      changed.append(merged)
    }
    return (changed, generation)
  }

  /// Adds versions, favourites, hidden assets and albums that are missing from the catalogue, and renames conflict
  /// copies.
  func takeInHistories(_ report: Report) throws(EditError) {
    guard let catalogue else { return }
    let found = try FoundHistories(in: self)
    let known = Set(try stems().map(ExactName.init))
    let (records, generation) = try mergedHistories(known.map(\.name), found, report) {
      stem throws(EditError) in
      try record(of: stem)
    }
    let marks = try allCollections(found)
    let old = try catalogue.collections()
    let latest = max(generation, try collectionsGeneration())
    let isLater = try latest > catalogue.generation()
    if !records.isEmpty || isLater || marks != old {
      try catalogue.record(records, moves: [], above: isLater ? latest : 0) { database in
        if marks != old { try Catalogue.restore(marks, in: database) }
        return []
      }
      for record in records where !known.contains(ExactName(record.stem)) {
        report("added \(record.stem) and its versions to the catalogue")
      }
      if marks != old { report("added missing marks and albums to the catalogue") }
    }
    try leaveOldNames(report)
    try setAside(found, report)
  }

  /// Returns the generation in the file that stores favourites, hidden assets and albums.
  func collectionsGeneration() throws(EditError) -> Int {
    try whileReading(path(LibraryPaths.collections)) { try Collections.generation(in: home) }
  }

  /// Returns all favourites, hidden assets and albums from the catalogue, from their own file and from conflict copies.
  private func allCollections(_ found: FoundHistories) throws(EditError) -> Collections {
    var all = try catalogue?.collections() ?? Collections()
    if let kept = try keptCollections() { all.add(kept) }
    for other in found.catalogues {
      if let collections = try? other.catalogue?.collections() { all.add(collections) }
    }
    for place in found.collections {
      let read = try whileReading(path(place)) { try Collections.read(place, in: home) }
      if let read { all.add(read) }
    }
    return all
  }

  /// Renames conflict copies that were merged or are damaged.
  private func setAside(_ found: FoundHistories, _ report: Report) throws(EditError) {
    let damaged = found.catalogues.filter { $0.catalogue == nil }.map(\.place)
    for (place, _) in found.conflictCopies {
      var isDamaged = damaged.contains(place)
      if found.collections.contains(place) {
        isDamaged = try whileReading(path(place)) { try Collections.read(place, in: home) == nil }
      }
      let mark = isDamaged ? HeldFolder.quarantined : HeldFolder.merged
      let kept = try whileWriting(path(place)) { try home.quarantine(place, mark: mark) }
      guard let kept else { continue }
      report(
        isDamaged
          ? "\(path(place)) cannot be read; kept it as \(path(kept))"
          : "merged the sync conflict copy \(path(place)); kept it as \(path(kept))")
    }
  }

  /// Returns the history of an asset, or nil if the asset has no history.
  private func merged(
    _ stem: String, _ known: AssetRecord?, _ described: [VersionDescription], _ found: FoundHistories,
    _ report: Report
  ) throws(EditError) -> AssetRecord? {
    var merged = known
    func take(_ history: AssetRecord, isLater: Bool) {
      guard let ours = merged else {
        merged = history
        return
      }
      var theirs = history
      theirs.versions = HistoryMerge.unknown(history.versions, to: ours)
      guard !theirs.versions.isEmpty else { return }
      let merge = HistoryMerge(ours, theirs, prefersTheirs: isLater)
      if merge.fork != nil {
        let kept = merge.renumbered.values.sorted().map { "\($0)" }.joined(separator: ", ")
        report(
          kept.isEmpty
            ? "\(stem) was edited on two computers; the newer history is now current"
            : "\(stem) was edited on two computers; the newer history is now current, and the other versions are kept as \(kept)"
        )
      } else if known != nil {
        let numbers = theirs.versions.map { "\($0.number)" }.joined(separator: ", ")
        report(
          .plural(
            theirs.versions.count, "added version \(numbers) to the history of \(stem)",
            "added versions \(numbers) to the history of \(stem)"))
      }
      merged = merge.record
    }
    let generation = try catalogue?.generation() ?? 0
    for other in found.catalogues {
      guard let record = (try? other.catalogue?.asset(stem)) ?? nil else { continue }
      take(record, isLater: other.generation > generation)
    }
    if let last = described.last {
      let record = AssetRecord(
        stem: stem, originals: last.originals, versions: described.map { $0.version(hasFiles: false) },
        current: 0)
      take(record, isLater: described.contains { ($0.generation ?? 0) > generation })
      for description in described where (description.generation ?? 0) > generation {
        merged?.update(description.number) { version in
          let later = description.version(hasFiles: version.hasFiles)
          guard HistoryMerge.areSame(version, later), VersionDescription.differ(version, later) else {
            return
          }
          version = later
        }
      }
    }
    for place in found.versionFiles where place.hasPrefix(LibraryPaths.versions(of: stem) + "/") {
      let read = try whileReading(path(place)) { try VersionDescription.read(place, in: home) }
      guard let read, FileName.areAlike(read.stem, stem) else { continue }
      take(
        AssetRecord(
          stem: stem, originals: read.originals, versions: [read.version(hasFiles: false)], current: 0),
        isLater: false)
    }
    return merged?.versions.isEmpty == true && known == nil ? nil : merged
  }

  /// Determines which version is current from the files beside the originals, and which versions have files.
  private func settle(_ record: inout AssetRecord, _ report: Report) throws(EditError) {
    if let current = try standing(record) {
      record.current = current
    } else if record.currentVersion == nil {
      record.current = 0
    } else if try editedFiles(of: record).names.isEmpty {
      record.current = 0
    }
    record.passOverMissing()
    for index in record.versions.indices {
      let version = record.versions[index]
      if version.isIdentity { continue }
      let isWhole = try isWhole(version, of: record)
      record.versions[index].hasFiles = isWhole
      record.versions[index].isLost = !isWhole && !record.canRender(version)
      Self.tell(version, record.versions[index], of: record.stem, report)
    }
  }

  /// Returns the number of the version whose files are beside the originals. If several versions match, the current
  /// version takes precedence, followed by the last version. The result is 0 if the current version's files are in its
  /// folder.
  ///
  /// - Returns: The number, or nil if it cannot be determined.
  func standing(_ record: AssetRecord) throws(EditError) -> Int? {
    func isThere(_ version: Version) throws(EditError) -> Bool {
      var trial = record
      trial.current = version.number
      return try firstChange(of: version, in: trial) == nil
    }
    if let shown = record.version(record.shown) {
      if try isThere(shown) { return record.current }
    } else if try editedFiles(of: record).names.isEmpty {
      return record.current
    }
    for version in record.versions.reversed() where !version.isIdentity {
      guard version.number != record.shown, try isThere(version) else { continue }
      if let last = record.versions.last, last.isIdentity, record.holder(of: last.number) == version.number {
        return last.number
      }
      return version.number
    }
    guard let shown = record.version(record.shown), try editedFiles(of: record).names.isEmpty else {
      return nil
    }
    var elsewhere = record
    elsewhere.current = 0
    return try isWhole(shown, of: elsewhere) ? 0 : nil
  }

  /// Writes the description of a version if it is missing or describes another version.
  private func describe(
    _ version: Version, of record: AssetRecord, _ report: Report
  ) throws(EditError) {
    let place = LibraryPaths.description(version.number, of: record.stem)
    let description = VersionDescription(version, of: record, generation: try catalogue?.generation() ?? 0)
    guard let found = try self.description(of: version.number, of: record.stem) else {
      return try restore(description, at: place, report)
    }
    let other = found.version(hasFiles: version.hasFiles)
    guard !HistoryMerge.areSame(other, version) || VersionDescription.differ(other, version) else { return }
    try replace(place, with: description.bytes, as: "description")
  }
}
