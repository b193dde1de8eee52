package import Basics
import FileSystem
import Glibc

/// Something that is not as the catalogue says.
package struct CheckFinding: Hashable, Sendable {
  /// The path that it is about.
  package var file: String
  /// The problem, as a clause.
  package var problem: Message
  /// The repair, as a clause about it: “writes it again”. Nil where only the user can help.
  package var repair: Message?

  /// A catalogue that cannot be read.
  ///
  /// - Parameter error: the error of opening it.
  init(damaged error: EditError) {
    (file, problem) = (error.file ?? LibraryPaths.catalogue, error.problem)
    repair = "makes a new one of the versions' folders, and keeps what there is of this one beside it"
  }

  init(_ file: String, _ problem: Message, repair: Message?) {
    (self.file, self.problem, self.repair) = (file, problem, repair)
  }

  /// The error for a catalogue that lacks versions.
  static func stale(_ catalogue: String) -> EditError {
    EditError(
      .damagedLibrary, file: catalogue,
      "is out of date: versions or marks in this folder are missing from it",
      remedy: "run liveedit check --repair on the folder")
  }

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

  init() {}

  /// The result for a library whose catalogue cannot be opened.
  ///
  /// - Parameter error: the error of opening it.
  package init(damaged error: EditError) { findings = [CheckFinding(damaged: error)] }

  mutating func find(_ file: String, _ problem: Message, repair: Message? = nil) {
    findings.append(CheckFinding(file, problem, repair: repair))
  }
}

extension Library {
  /// Checks the catalogue, and hashes every original and every file of every version.
  ///
  /// - Parameter folders: where originals are sought that are not in the folder any more.
  package func check(seekingIn folders: SoughtFolders? = nil) throws(EditError) -> CheckResult {
    var result = CheckResult()
    var search: OriginalSearch?
    for (batch, count) in keptBatches() {
      result.find(
        path(LibraryPaths.kept(batch)),
        .plural(
          count, "holds \(count) finished render of an interrupted batch, for --resume=\(batch)",
          "holds \(count) finished renders of an interrupted batch, for --resume=\(batch)"),
        repair: "removes them")
    }
    guard let catalogue else { return result }
    let problems = try catalogue.integrityProblems()
    for problem in problems {
      let error = EditError(.damagedLibrary, file: path(LibraryPaths.catalogue), Message(problem))
      result.findings.append(CheckFinding(damaged: error))
    }
    // What it says of the files is not to be trusted.
    if !problems.isEmpty { return result }
    let copies = try FoundHistories(in: self)
    for (place, problem) in copies.conflictCopies {
      result.find(path(place), problem, repair: "merges and renames it")
    }
    for place in copies.newerCatalogues {
      result.find(path(place), "was written by a newer liveedit; use that one")
    }
    for move in try catalogue.pendingMoves() {
      result.find(path(move.source), CheckFinding.waiting(move.source).problem, repair: "ends it")
    }
    for transfer in try catalogue.transfers() {
      result.find(
        path(transfer.arrives ? transfer.newStem : transfer.stem), "waits for the end of a move",
        repair: "ends or undoes it")
    }
    var known: Set<String> = []
    var listed: ListedNames?
    for stem in try stems() {
      guard let record = try record(of: stem) else { continue }
      if isCancelled() {
        throw EditError(.cancelled, file: folder, "was not checked to its end: stopped on request")
      }
      result.assets += 1
      var answer: OriginalSearch.Answer?
      if isBesideOriginals, try hasLostOriginals(record, &listed) {
        if search == nil { search = try OriginalSearch(folder, and: folders) }
        answer = try search?.find(record, of: self)
      }
      if let answer {
        result.find(
          originalPath(record.originals.first?.name ?? stem), answer.problem(of: record, in: folder),
          repair: answer.repair)
        // Its versions may have the other spelling too.
        if answer.isRespelling(of: record, in: folder) {
          result.versions += record.versions.count
          known.formUnion(Self.places(of: record))
          continue
        }
      } else {
        for file in record.originals {
          check(file, at: file.name, in: originalsFolder, is: "the original", isOriginal: true, &result)
        }
      }
      let isTakenIn = (try? state(of: record, isLeaving: true).isChanged) == true
      try checkEditedFiles(of: record, isTakenIn, &result)
      for version in record.versions {
        result.versions += 1
        try check(version, of: record, isTakenIn, &known, &result)
      }
      if record.current != 0, record.currentVersion == nil {
        result.find(path(stem), "has no version \(record.current), which is current")
      }
    }
    try findStrangers(known, &result)
    for (stem, name) in try marksInOtherSpelling() {
      result.find(
        originalPath(name), "is marked under another spelling of its name: \(stem)",
        repair: "takes its marks along")
    }
    let recorded = try catalogue.collections()
    do throws(EditError) {
      if try recorded != keptCollections() ?? Collections() {
        result.find(
          path(LibraryPaths.collections), "does not hold the marks and albums as recorded",
          repair: "writes it again")
      }
    } catch {
      result.find(path(LibraryPaths.collections), error.problem)
    }
    return result
  }

  private func check(
    _ version: Version, of record: AssetRecord, _ isTakenIn: Bool, _ known: inout Set<String>,
    _ result: inout CheckResult
  ) throws(EditError) {
    let place = LibraryPaths.description(version.number, of: record.stem)
    let generation = try catalogue?.generation() ?? 0
    known.insert(place)
    do throws(EditError) {
      if let found = try description(of: version.number, of: record.stem) {
        if found.generation ?? 0 > generation
          || !HistoryMerge.areSame(found.version(hasFiles: false), version)
        {
          result.find(
            path(place), "describes another version than the catalogue", repair: "keeps both versions")
        }
      } else if try isNewer(version.number, of: record.stem) {
        result.find(path(place), "was written by a newer liveedit; use that one")
      } else {
        result.find(path(place), "is missing or cannot be read", repair: "writes it again")
      }
    } catch {
      result.find(path(place), error.problem)
    }
    let places = version.files.map { Self.place(of: $0, version: version.number, in: record) }
    if version.hasFiles || version.isLost { known.formUnion(places) }
    if version.isLost { result.lost += 1 }
    if !version.hasFiles {
      if !version.isIdentity, !record.canRender(version), !version.isLost {
        result.find(
          originalPath(record.originals.first?.name ?? record.stem),
          "has lost the files of version \(version.number), which cannot be rendered again; put them back "
            + "into \(path(LibraryPaths.version(version.number, of: record.stem)))",
          repair: "records the loss")
      }
      return
    }
    let repair: Message? =
      if version.number == record.shown {
        isTakenIn ? "takes note of it" : nil
      } else if record.canRender(version) {
        "lets it be rendered again when it is needed"
      } else {
        version.isLost ? nil : "records the loss"
      }
    // Going back and forth renders it again.
    let advice: Message =
      repair == nil && version.number == record.shown && record.canRender(version)
      ? "; liveedit revert and then redo puts it right" : ""
    for (file, place) in zip(version.files, places) {
      check(
        file, at: place, in: home, is: "version \(version.number)", advice: advice, repair: repair, &result)
    }
  }

  private func check(
    _ file: VersionFile, at place: String, in folder: HeldFolder, is what: Message, isOriginal: Bool = false,
    advice: Message = "", repair: Message? = nil, _ result: inout CheckResult
  ) {
    let path = folder.path(place)
    result.files += 1
    do throws(EditError) {
      if try !file.fingerprint.matches(place, in: folder, isOriginal: isOriginal, alwaysHashing: true) {
        let isTagged = isOriginal ? try isOnlyTagged(file) : false
        result.find(
          path,
          isTagged
            ? "has other tags than the original that was recorded, and is the same otherwise: check --accept takes it in"
            : "is not \(what) as it was recorded\(advice)", repair: repair)
      }
    } catch {
      result.find(path, "is recorded as \(what): \(error.problem)\(advice)", repair: repair)
    }
  }

  private func checkEditedFiles(
    of record: AssetRecord, _ isTakenIn: Bool, _ result: inout CheckResult
  ) throws(EditError) {
    let repair: Message? = isTakenIn ? "takes note of it" : nil
    let recorded = Set(record.version(record.shown)?.files.map(\.name) ?? [])
    for (_, name) in try editedFiles(of: record).names where !recorded.contains(name) {
      result.find(
        path(name),
        isBesideOriginals
          ? "stands beside the originals and is not recorded"
          : "stands among the renders and is not recorded",
        repair: repair)
    }
    for (_, name) in try foreignFiles(of: record)?.names ?? [] {
      result.find(originalPath(name), "stands beside the originals and is not recorded", repair: repair)
    }
  }

  /// Files in the library's folder that belong to nothing.
  private func findStrangers(_ recorded: Set<String>, _ result: inout CheckResult) throws(EditError) {
    func find(_ place: String, _ problem: Message, repair: Message? = nil) {
      result.find(path(place), problem, repair: repair)
    }
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
      let record = try record(ofFolder: stem)
      let place = LibraryPaths.versions(of: record?.stem ?? stem)
      for number in names(folder) where !HeldFolder.isSetAside(number) {
        let known = LibraryPaths.number(ofFolder: number)
        let isRecorded = known.map { record?.version($0) != nil } ?? false
        if !isRecorded, let read = try description(at: "\(folder)/\(number)/version.json") {
          find(
            "\(folder)/\(number)",
            "holds version \(read.number) of \(read.stem), which the catalogue lacks",
            repair: "adds it to the history")
          continue
        } else if !isRecorded, let known, try isNewer(known, of: stem) {
          find(LibraryPaths.description(known, of: stem), "was written by a newer liveedit; use that one")
          continue
        }
        for name in names(folder + "/" + number)
        where !recorded.contains("\(place)/\(number)/\(name)") && !HeldFolder.isSetAside(name)
          && (ConflictCopy.original(of: name) == nil || !isRecorded)
        {
          find(
            "\(folder)/\(number)/\(name)", "belongs to no version that is recorded",
            repair: isRecorded ? nil : "gives its folder another name")
        }
      }
    }
    for name in names(LibraryPaths.work)
    where !LibraryPaths.isWorkName(name) && !LibraryPaths.isRenderFolder(name) {
      find(LibraryPaths.work + "/" + name, "was not made by liveedit")
    }
  }
}
