package import Basics
import FileSystem
import Glibc

/// Something that is not as the catalogue says.
package struct CheckFinding: Hashable, Sendable {
  /// The path that it is about.
  package var file: String
  /// The problem, as a clause.
  package var problem: String

  /// A file that a recorded edit still has to move.
  static func waiting(_ file: String) -> EditError {
    EditError(
      .unfinished, file: file, "waits for the end of an edit",
      remedy: "run liveedit check --repair on the folder")
  }
}

/// The result of a check of a library.
package struct CheckResult: Sendable {
  /// The number of assets that were looked at.
  package var assets = 0
  /// The number of versions that were looked at.
  package var versions = 0
  /// The number of files that were hashed.
  package var files = 0
  /// The number of versions whose files are recorded as lost for good; they are no findings.
  package var lost = 0
  /// Everything that is wrong.
  package var findings: [CheckFinding] = []

  mutating func find(_ file: String, _ problem: String) {
    findings.append(CheckFinding(file: file, problem: problem))
  }
}

extension Library {
  /// Checks the catalogue, and hashes every original and every file of every version.
  ///
  /// - Parameter folders: where originals are sought that are not in the folder any more.
  package func check(seekingIn folders: [String] = []) throws(EditError) -> CheckResult {
    var result = CheckResult()
    var search: OriginalSearch?
    for (batch, count) in keptBatches() {
      result.find(
        path(LibraryPaths.kept(batch)),
        "holds \(count) finished \(count == 1 ? "render" : "renders") of an interrupted batch, for --resume=\(batch); "
          + "check --repair removes them")
    }
    guard let catalogue else { return result }
    for problem in try catalogue.integrityProblems() {
      result.find(path(LibraryPaths.catalogue), problem)
    }
    for move in try catalogue.pendingMoves() {
      result.find(path(move.source), CheckFinding.waiting(move.source).problem)
    }
    for transfer in try catalogue.transfers() {
      result.find(path(transfer.arrives ? transfer.newStem : transfer.stem), "waits for the end of a move")
    }
    var known: Set<String> = []
    for stem in try stems() {
      guard let record = try record(of: stem) else { continue }
      if isCancelled() {
        throw EditError(.cancelled, file: folder, "was not checked to its end: stopped on request")
      }
      result.assets += 1
      var answer: OriginalSearch.Answer?
      if isBesideOriginals, try hasLostOriginals(record) {
        var looking = search ?? OriginalSearch([folder] + folders)
        answer = try looking.find(record, of: self)
        search = looking
      }
      if let answer {
        result.find(path(record.originals.first?.name ?? stem), answer.problem)
      } else {
        for file in record.originals {
          check(file, at: file.name, in: originalsFolder, is: "the original", isOriginal: true, &result)
        }
      }
      try checkEditedFiles(of: record, &result)
      for version in record.versions {
        result.versions += 1
        try check(version, of: record, &known, &result)
      }
      if record.current != 0, record.currentVersion == nil {
        result.find(path(stem), "has no version \(record.current), which is current")
      }
    }
    findStrangers(known, &result)
    if try catalogue.collections() != keptCollections ?? Collections() {
      result.find(path(LibraryPaths.collections), "does not hold the marks and albums as recorded")
    }
    return result
  }

  private func check(
    _ version: Version, of record: AssetRecord, _ known: inout Set<String>, _ result: inout CheckResult
  ) throws(EditError) {
    let place = LibraryPaths.description(version.number, of: record.stem)
    known.insert(place)
    if description(of: version.number, of: record.stem) == nil {
      result.find(path(place), "is missing or cannot be read")
    }
    let places = version.files.map { Self.place(of: $0, version: version.number, in: record) }
    if version.hasFiles || version.isLost { known.formUnion(places) }
    if version.isLost { result.lost += 1 }
    if !version.hasFiles {
      if !version.isIdentity, !record.canRender(version), !version.isLost {
        result.find(
          originalPath(record.originals.first?.name ?? record.stem),
          "has lost the files of version \(version.number), which cannot be rendered again; put them back "
            + "into \(path(LibraryPaths.version(version.number, of: record.stem))), or let check --repair record the loss"
        )
      }
      return
    }
    for (file, place) in zip(version.files, places) {
      check(file, at: place, in: home, is: "version \(version.number)", &result)
    }
  }

  private func check(
    _ file: VersionFile, at place: String, in folder: HeldFolder, is what: String, isOriginal: Bool = false,
    _ result: inout CheckResult
  ) {
    let path = folder.path(place)
    result.files += 1
    do throws(EditError) {
      if try !file.fingerprint.matches(place, in: folder, isOriginal: isOriginal, alwaysHashing: true) {
        result.find(
          path,
          isOriginal && isOnlyTagged(file)
            ? "has other tags than the original that was recorded, and is the same otherwise: check --accept takes it in"
            : "is not \(what) as it was recorded")
      }
    } catch {
      result.find(path, "is recorded as \(what): \(error.problem)")
    }
  }

  private func checkEditedFiles(of record: AssetRecord, _ result: inout CheckResult) throws(EditError) {
    let recorded = Set(record.version(record.shown)?.files.map(\.name) ?? [])
    for (_, name) in try editedFiles(of: record).names where !recorded.contains(name) {
      let stand = isBesideOriginals ? "beside the originals" : "among the renders"
      result.find(path(name), "stands \(stand) and is not recorded")
    }
    for (_, name) in try foreignFiles(of: record)?.names ?? [] {
      result.find(originalPath(name), "stands beside the originals and is not recorded")
    }
  }

  /// Files in the library's folder that belong to nothing.
  private func findStrangers(_ known: Set<String>, _ result: inout CheckResult) {
    func find(_ place: String, _ problem: String) { result.find(path(place), problem) }
    func names(_ place: String) -> [String] {
      do {
        let contents = try home.contents(of: place)
        return (contents.names + contents.unusable.map(\.name)).sorted()
      } catch SystemError.notFound {
        return []
      } catch {
        find(place, "cannot be listed (\((error as? EditError)?.problem ?? "\(error)"))")
        return []
      }
    }
    for stem in names(LibraryPaths.versions) {
      let folder = LibraryPaths.versions(of: stem)
      for number in names(folder) where !number.contains(HeldFolder.quarantined) {
        for name in names(folder + "/" + number)
        where !known.contains("\(folder)/\(number)/\(name)") && !name.contains(HeldFolder.quarantined) {
          find("\(folder)/\(number)/\(name)", "belongs to no version that is recorded")
        }
      }
    }
    for name in names(LibraryPaths.work) where !LibraryPaths.isWorkName(name) {
      find(LibraryPaths.work + "/" + name, "was not made by liveedit")
    }
  }
}
