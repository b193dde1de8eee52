public import EditModel
import FileSystem

extension Library {
  /// Rebuilds a catalogue that is lost or damaged from the versions' folders; of a sound one, puts right what can
  /// be: missing descriptions, versions whose files are gone or back again, and what other programs changed beside the
  /// originals.
  ///
  /// A damaged catalogue is kept beside the new one as `library.sqlite.damaged-N`.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - report: told what was done.
  public static func repair(_ folder: String, report: Report) throws(EditError) {
    do throws(EditError) {
      let library = try forWriting(folder, report: report)
      defer { library.close() }
      guard let catalogue = library.catalogue else { return }
      if try catalogue.integrityProblems().isEmpty {
        try library.putRight(report)
        return
      }
    } catch {
      guard error.code == .damagedLibrary else { throw error }
    }
    try rebuild(folder, report: report)
  }

  private func putRight(_ report: Report) throws(EditError) {
    guard let catalogue else { return }
    for stem in try stems() {
      try takeInChanges(of: stem, report)
      guard var record = try record(of: stem) else { continue }
      let before = record
      for index in record.versions.indices {
        let version = record.versions[index]
        let description = LibraryPaths.description(version.number, of: stem)
        if VersionDescription(path: path(description)) == nil {
          try restore(VersionDescription(version, of: record), at: description)
          report("wrote \(path(description)) again")
        }
        if version.isIdentity || version.number == record.shown { continue }
        let isWhole = try isWhole(version, of: record)
        let canRender = record.canRender(version)
        if version.hasFiles, !isWhole, canRender {
          record.versions[index].hasFiles = false
          try clear(version, of: record)
          report("version \(version.number) of \(stem) has lost its files")
        } else if !canRender {
          record.versions[index].hasFiles = isWhole
        }
        record.versions[index].isLost = !canRender && !isWhole
        Self.tell(version, record.versions[index], of: stem, report)
      }
      if record != before { try catalogue.record([record], moves: []) }
    }
    let collections = try catalogue.collections()
    if collections != Collections(path: path(LibraryPaths.collections)) ?? Collections() {
      try keep(collections)
      report("wrote \(path(LibraryPaths.collections)) again")
    }
  }

  /// Takes in what other programs did beside the originals, as the next edit would.
  private func takeInChanges(of stem: String, _ report: Report) throws(EditError) {
    guard let record = try record(of: stem) else { return }
    let state: AssetState
    do throws(EditError) {
      state = try self.state(of: record, isLeaving: true)
    } catch {
      // A check names what only the user can put right.
      if [.changedOriginal, .inTheWay, .notFound].contains(error.code) { return }
      throw error
    }
    guard state.isChanged else { return }
    try commit([AssetCommit(before: state, after: state.record)])
    for note in state.notes { report("\(stem): \(note)") }
  }

  /// Says that a version which cannot be rendered again has lost its files, or is back.
  private static func tell(_ old: Version, _ new: Version, of stem: String, _ report: Report) {
    if new.isLost, !old.isLost {
      report(
        "version \(new.number) of \(stem) is recorded as lost: its files are gone or changed, and it cannot be rendered again"
      )
    } else if old.isLost, !new.isLost {
      report("version \(new.number) of \(stem) is no longer lost")
    }
  }

  /// Makes room for a version that will be rendered again: what is as it was goes, what another program changed is
  /// kept under another name.
  private func clear(_ version: Version, of record: AssetRecord) throws(EditError) {
    for file in version.files {
      let path = path(of: file, version: version.number, in: record)
      do {
        guard try FileStatus.exists(path) else { continue }
        if try file.fingerprint.matches(path, alwaysHashing: true) {
          try File.remove(path)
        } else {
          var number = 1
          while try FileStatus.exists("\(path).\(Self.damaged)\(number)") { number += 1 }
          try File.move(path, toFree: "\(path).\(Self.damaged)\(number)")
        }
      } catch {
        throw EditError(writing: path, error)
      }
    }
  }

  /// What a name ends with that a repair gave to a damaged file, before a number.
  static let damaged = "damaged-"

  private func isWhole(_ version: Version, of record: AssetRecord) throws(EditError) -> Bool {
    for file in version.files {
      let path = path(of: file, version: version.number, in: record)
      guard (try? FileStatus.exists(path)) == true, try file.fingerprint.matches(path, alwaysHashing: true)
      else { return false }
    }
    return true
  }

  private func restore(_ description: VersionDescription, at place: String) throws(EditError) {
    let made = try workName("description")
    try create(made, description.bytes)
    do { _ = try File.remove(path(place)) } catch { throw EditError(writing: path(place), error) }
    try FileMove.carryOut([FileMove(stem: description.stem, source: made, target: place)], in: folder)
  }

  private static func rebuild(_ folder: String, report: Report) throws(EditError) {
    let library = try forRebuilding(folder, report: report)
    defer { library.close() }
    if let kept = try library.putAside(LibraryPaths.catalogue) {
      report("kept the damaged catalogue as \(kept)")
    }
    var records: [AssetRecord] = []
    let versions = library.path(LibraryPaths.versions)
    for stem in ((try? Folder.names(in: versions)) ?? []).sorted() {
      if let record = try library.rebuiltRecord(stem, report) { records.append(record) }
    }
    let catalogue = try library.catalogueForWriting()
    try catalogue.record(records, moves: [])
    let count = records.reduce(0) { $0 + $1.versions.count }
    report("rebuilt the catalogue: \(records.count) assets, \(count) versions")
    let collections = library.path(LibraryPaths.collections)
    guard (try? FileStatus.exists(collections)) == true else { return }
    guard let found = Collections(path: collections) else {
      if let kept = try library.putAside(LibraryPaths.collections) {
        report("marks and albums cannot be read; kept what there is as \(kept)")
      }
      return
    }
    try catalogue.restore(found)
    let marks = Set(found.favourites + found.hidden).count
    report("restored marks of \(marks) assets and \(found.albums.count) albums")
  }

  /// Gives a damaged file another name, and its journal.
  ///
  /// - Returns: the new path; nil when there is no such file.
  private func putAside(_ place: String) throws(EditError) -> String? {
    let old = path(place)
    do {
      guard try FileStatus.exists(old) else { return nil }
      var number = 1
      while try FileStatus.exists("\(old).\(Self.damaged)\(number)") { number += 1 }
      let kept = "\(old).\(Self.damaged)\(number)"
      try File.move(old, toFree: kept)
      if try FileStatus.exists(old + "-journal") {
        try File.move(old + "-journal", toFree: kept + "-journal")
      }
      return kept
    } catch {
      throw EditError(writing: old, error)
    }
  }

  /// An asset as its versions' folders describe it.
  private func rebuiltRecord(_ stem: String, _ report: Report) throws(EditError) -> AssetRecord? {
    let numbers = ((try? Folder.names(in: path(LibraryPaths.versions + "/" + stem))) ?? []).compactMap {
      Int($0)
    }
    var found: [VersionDescription] = []
    for number in numbers.sorted() {
      let description = VersionDescription(path: path(LibraryPaths.description(number, of: stem)))
      guard let description, description.stem == stem, description.number == number else { continue }
      found.append(description)
    }
    guard let last = found.last else { return nil }
    var record = AssetRecord(
      stem: stem, originals: last.originals, versions: found.map { $0.version(hasFiles: false) }, current: 0)
    // Which version stands beside the originals?
    for version in record.versions where !version.isIdentity {
      let trial = AssetRecord(
        stem: stem, originals: record.originals, versions: record.versions, current: version.number)
      if try isWhole(version, of: trial) { record.current = version.number }
    }
    if record.current == 0, let last = record.versions.last, last.isIdentity, last.base == 0 {
      record.current = last.number
    } else if let last = record.versions.last, last.isIdentity, last.base == record.current {
      record.current = last.number
    }
    let present = Set(record.versions.map(\.number)).union([0])
    for index in record.versions.indices {
      while !present.contains(record.versions[index].previous) { record.versions[index].previous -= 1 }
      let version = record.versions[index]
      if !version.isIdentity { record.versions[index].hasFiles = try isWhole(version, of: record) }
      if !version.isIdentity, !record.versions[index].hasFiles, !record.canRender(version) {
        record.versions[index].isLost = true
        Self.tell(version, record.versions[index], of: stem, report)
      }
    }
    return record
  }
}
