import Basics
import FileSystem

/// Taking in the histories that the catalogue does not know: of versions that are newer than it, and of conflict copies.
/// Whoever is stopped in between begins again with the same result.
extension Library {
  /// The histories of all assets, made of the catalogue's, the descriptions' and those of conflict copies. The files and
  /// descriptions of versions have the places that belong to them afterwards; the catalogue is as it was.
  ///
  /// - Parameters:
  ///   - stems: the assets of which a history is known.
  ///   - found: the conflict copies.
  ///   - report: told what was done.
  ///   - recorded: gives the history that is known of an asset.
  /// - Returns: the histories that are not as they were known, and those of assets that were not known; and the greatest
  ///   generation that was found.
  func mergedHistories(
    _ stems: [String], _ found: FoundHistories, _ report: Report,
    recorded: (String) throws(EditError) -> AssetRecord?
  ) throws(EditError) -> (records: [AssetRecord], generation: Int) {
    try bringBackFolders(report)
    var generation = found.generation
    var all = Set(stems).union(found.stems)
    let described = try whileReading(path(LibraryPaths.versions)) {
      try home.namesIfAny(in: LibraryPaths.versions)
    }
    all.formUnion(described)
    var changed: [AssetRecord] = []
    for stem in all.sorted() where unfinished[stem] == nil {
      if isCancelled() {
        throw EditError(.cancelled, file: folder, "was not repaired to its end: stopped on request")
      }
      let known = try recorded(stem)
      let described = try descriptions(of: stem)
      generation = max(generation, described.compactMap(\.generation).max() ?? 0)
      guard try !hasNewerVersions(stem), var merged = try merged(stem, known, described, found, report) else {
        continue
      }
      if let known, merged == known { continue }
      guard merged.isSound else {
        report(
          "left \(path(LibraryPaths.versions(of: stem))) out: what describes its versions makes no sense")
        continue
      }
      try placeFiles(of: merged)
      try settle(&merged, report)
      for version in merged.versions.reversed() { try describe(version, of: merged, report) }
      changed.append(merged)
    }
    return (changed, generation)
  }

  /// Takes in what the catalogue does not know, marks and albums included, and gives conflict copies other names.
  func takeInHistories(_ report: Report) throws(EditError) {
    guard let catalogue else { return }
    let found = try FoundHistories(in: self)
    let known = Set(try stems())
    let (records, generation) = try mergedHistories(known.sorted(), found, report) { stem throws(EditError) in
      try record(of: stem)
    }
    let marks = try allCollections(found)
    let old = try catalogue.collections()
    let isLater = try generation > catalogue.generation()
    if !records.isEmpty || isLater || marks != old {
      try catalogue.record(records, moves: [], above: isLater ? generation : 0) { database in
        if marks != old { try Catalogue.restore(marks, in: database) }
        return []
      }
      for record in records where !known.contains(record.stem) {
        report("took \(record.stem) and its versions into the catalogue")
      }
      if marks != old { report("took marks and albums into the catalogue that it did not have") }
    }
    try leaveOldNames(report)
    try setAside(found, report)
  }

  /// The marks and albums of the catalogue, of their file and of conflict copies, together.
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

  /// Gives conflict copies whose content was taken in other names.
  private func setAside(_ found: FoundHistories, _ report: Report) throws(EditError) {
    for (place, what) in found.conflictCopies {
      let kept = try whileWriting(path(place)) { try home.quarantine(place, mark: HeldFolder.merged) }
      guard let kept else { continue }
      report("took in what \(path(place)) knows, a conflict copy of \(what); kept it as \(path(kept))")
    }
  }

  /// The history of an asset; nil where there is none.
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
        let beside = merge.renumbered.values.sorted().map { "\($0)" }.joined(separator: ", ")
        report(
          beside.isEmpty
            ? "\(stem) has two histories; the newer one goes on"
            : "\(stem) has two histories; the newer one goes on, and the versions of the other stand aside as \(beside)"
        )
      } else if known != nil {
        let numbers = theirs.versions.map { "\($0.number)" }.joined(separator: ", ")
        report("took version \(numbers) of \(stem) into the history")
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
      guard let read, read.stem.hasBytes(of: stem) else { continue }
      take(
        AssetRecord(
          stem: stem, originals: read.originals, versions: [read.version(hasFiles: false)], current: 0),
        isLater: false)
    }
    return merged?.versions.isEmpty == true && known == nil ? nil : merged
  }

  /// Gives the folders of versions their names back, as the descriptions in them say. One whose place is taken stays.
  private func bringBackFolders(_ report: Report) throws(EditError) {
    try whileWriting(path(LibraryPaths.versions)) {
      for stem in try home.namesIfAny(in: LibraryPaths.versions).sorted() {
        let folder = LibraryPaths.versions(of: stem)
        guard try home.status(folder).kind == .folder else { continue }
        for name in try home.names(in: folder) where !HeldFolder.isSetAside(name) {
          let place = folder + "/" + name
          guard try home.status(place).kind == .folder,
            let read = try description(at: place + "/version.json")
          else { continue }
          let right = LibraryPaths.version(read.number, of: read.stem)
          guard !right.hasBytes(of: place), FileName.parts(of: right) != nil, try !home.exists(right) else {
            continue
          }
          let made = try FileMover.makeParents(of: right, in: home)
          try home.move(place, toFree: right)
          for place in [right] + made + [place] { try home.syncFolder(FileMover.parent(place)) }
          report(
            "\(path(place)) is the folder of version \(read.number) of \(read.stem); gave it its name back")
        }
        try? home.removeFolder(folder)
      }
    }
  }

  /// Brings files of versions to their places that lie elsewhere in the asset's folder, or beside the originals as
  /// conflict copies.
  private func placeFiles(of record: AssetRecord) throws(EditError) {
    try whileWriting(path(LibraryPaths.versions(of: record.stem))) {
      let candidates = try strayFiles(of: record)
      guard !candidates.isEmpty else { return }
      var owned: Set<String> = []
      func right(_ file: VersionFile, _ version: Version) -> String {
        LibraryPaths.version(version.number, of: record.stem) + "/" + file.name
      }
      func isThere(_ file: VersionFile, _ place: String) throws -> Bool {
        try home.exists(place) && file.fingerprint.matches(place, in: home)
      }
      for version in record.versions {
        for file in version.files where try isThere(file, right(file, version)) {
          owned.insert(right(file, version))
        }
      }
      // Newer versions first: what they leave free may be what an older one needs.
      for version in record.versions.reversed() {
        for file in version.files where !owned.contains(right(file, version)) {
          let target = right(file, version)
          guard try !isThere(file, file.name) else { continue }
          for place in candidates[file.fingerprint.size] ?? [] {
            guard try home.exists(place), try file.fingerprint.matches(place, in: home),
              try !home.exists(target)
            else { continue }
            let made = try FileMover.makeParents(of: target, in: home)
            if owned.contains(place) || FileMove.isBeside(place) {
              try copyFile(home.source(place), at: path(place), to: target, in: home)
            } else {
              try home.move(place, toFree: target)
            }
            for place in [target] + made + [place] { try home.syncFolder(FileMover.parent(place)) }
            owned.insert(target)
            break
          }
        }
      }
    }
  }

  /// The files of an asset's folder, and conflict copies of its renders, by size.
  private func strayFiles(of record: AssetRecord) throws -> [Int: [String]] {
    let folder = LibraryPaths.versions(of: record.stem)
    var places: [String] = []
    if try home.statusIfAny(folder)?.kind == .folder {
      for number in try home.names(in: folder) where try home.status(folder + "/" + number).kind == .folder {
        places += try home.names(in: folder + "/" + number).map { "\(folder)/\(number)/\($0)" }
      }
    }
    let renders = Set(record.versions.flatMap(\.files).map(\.name))
    places += try home.namesIfAny(in: "").filter { name in
      ConflictCopy.original(of: name).map(renders.contains) ?? false
    }
    var files: [Int: [String]] = [:]
    for place in places {
      guard let status = try home.statusIfAny(place), status.kind == .regular else { continue }
      files[status.size, default: []].append(place)
    }
    return files
  }

  /// Finds out which version is current, by the files beside the originals, and which versions have files.
  private func settle(_ record: inout AssetRecord, _ report: Report) throws(EditError) {
    if let current = try standing(record) {
      record.current = current
    } else if record.currentVersion == nil {
      record.current = 0
    } else if try editedFiles(of: record).names.isEmpty {
      record.current = 0
    }
    let present = [0] + record.versions.map(\.number)
    for index in record.versions.indices {
      let version = record.versions[index]
      // What is missing is passed over.
      record.versions[index].previous =
        present.last { $0 <= version.previous && $0 < version.number } ?? 0
      if version.isIdentity { continue }
      let isWhole = try isWhole(version, of: record)
      record.versions[index].hasFiles = isWhole
      record.versions[index].isLost = !isWhole && !record.canRender(version)
      Self.tell(version, record.versions[index], of: record.stem, report)
    }
  }

  /// The version whose files stand beside the originals: the current one where it is that, and otherwise the last one; 0
  /// where the current one's files are in their folder.
  ///
  /// - Returns: nil where that is not known.
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

  /// Writes the description of a version where it is missing, or that of another version.
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
    let made = try workName("description")
    try create(made, description.bytes)
    try whileWriting(path(place)) {
      try home.replace(place, with: made)
      try home.syncFolder(FileMover.parent(place))
    }
  }
}
