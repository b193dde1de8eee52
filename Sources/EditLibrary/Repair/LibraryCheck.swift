package import Basics
import FileSystem
import Glibc

/// A difference between the catalogue and the files.
package struct CheckFinding: Hashable, Sendable {
  /// The path of the file or folder concerned.
  package var file: String
  /// The problem, as a clause about the file.
  package var problem: Message
  /// The repair, as a clause about the file: “writes it again”. Nil if only the user can fix the problem.
  package var repair: Message?

  /// Creates a finding about a catalogue that cannot be read.
  ///
  /// - Parameter error: The error that occurred when the catalogue was opened.
  init(damaged error: EditError) {
    (file, problem) = (error.file ?? LibraryPaths.catalogue, error.problem)
    repair = "rebuilds the catalogue from the version folders and keeps the damaged file beside it"
  }

  init(_ file: String, _ problem: Message, repair: Message?) {
    (self.file, self.problem, self.repair) = (file, problem, repair)
  }

  /// Returns the error for a catalogue that lacks versions.
  static func stale(_ catalogue: String) -> EditError {
    EditError(
      .damagedLibrary, file: catalogue,
      "is out of date: it lacks versions or marks that are stored in this folder",
      remedy: "run liveedit check --repair on the folder")
  }

  /// Returns the error for a file that a recorded edit still has to move.
  static func waiting(_ file: String) -> EditError {
    EditError(
      .unfinished, file: file, "belongs to an unfinished edit",
      remedy: "run liveedit check --repair on the folder")
  }
}

/// The result of checking a library.
package struct CheckResult: Sendable {
  /// The number of assets that were checked.
  package var assets = 0
  /// The number of versions that were checked.
  package var versions = 0
  /// The number of files that were hashed.
  package var files = 0
  /// The number of versions whose files are recorded as permanently lost. These versions are not included in the
  /// findings.
  package var lost = 0
  /// All problems that were found.
  package var findings: [CheckFinding] = []

  init() {}

  /// Creates the result for a library whose catalogue cannot be opened.
  ///
  /// - Parameter error: The error that occurred when the catalogue was opened.
  package init(damaged error: EditError) { findings = [CheckFinding(damaged: error)] }

  mutating func find(_ file: String, _ problem: Message, repair: Message? = nil) {
    findings.append(CheckFinding(file, problem, repair: repair))
  }
}

extension Library {
  /// Checks the catalogue, and hashes every original and every file of every version.
  ///
  /// - Parameter folders: The folders in which to search for originals that are missing from their folder.
  package func check(seekingIn folders: SoughtFolders? = nil) throws(EditError) -> CheckResult {
    var result = CheckResult()
    var search: OriginalSearch?
    for (batch, count) in keptBatches() {
      result.find(
        path(LibraryPaths.kept(batch)),
        .plural(
          count, "contains \(count) finished render of an interrupted batch, kept for --resume=\(batch)",
          "contains \(count) finished renders of an interrupted batch, kept for --resume=\(batch)"),
        repair: "removes the renders of that batch")
    }
    guard let catalogue else { return result }
    let problems = try catalogue.integrityProblems()
    for problem in problems {
      let error = EditError(.damagedLibrary, file: path(LibraryPaths.catalogue), Message(problem))
      result.findings.append(CheckFinding(damaged: error))
    }
    // The damaged catalogue's information about files cannot be trusted.
    if !problems.isEmpty { return result }
    let copies = try FoundHistories(in: self)
    for (place, problem) in copies.conflictCopies {
      result.find(path(place), problem, repair: "merges and renames the conflict copy")
    }
    for place in copies.newerCatalogues {
      result.find(path(place), "was written by a newer liveedit; run the check with the newer liveedit")
    }
    for move in try catalogue.pendingMoves() {
      result.find(path(move.source), CheckFinding.waiting(move.source).problem, repair: "finishes the edit")
    }
    for transfer in try catalogue.transfers() {
      result.find(
        path(transfer.arrives ? transfer.newStem : transfer.stem), "belongs to an unfinished move",
        repair: "finishes or undoes the move")
    }
    var known: Set<String> = []
    var listed: ListedNames?
    for stem in try stems() {
      guard let record = try record(of: stem) else { continue }
      if isCancelled() {
        throw EditError(.cancelled, file: folder, "was not checked completely: stopped on request")
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
        // The asset's versions may have the other spelling too.
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
        result.find(
          path(stem),
          "has no version \(record.current), although the catalogue records that version as current")
      }
    }
    try findStrangers(known, &result)
    for (stem, name) in try marksInOtherSpelling() {
      result.find(
        originalPath(name), "has marks or albums under another spelling of its name: \(stem)",
        repair: "moves the marks to the current spelling")
    }
    let recorded = try catalogue.collections()
    do throws(EditError) {
      if try recorded != keptCollections() ?? Collections() {
        result.find(
          path(LibraryPaths.collections), "does not match the marks and albums in the catalogue",
          repair: "rewrites the file")
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
            path(place), "does not describe the same version as the catalogue", repair: "keeps both versions")
        }
      } else if try isNewer(version.number, of: record.stem) {
        result.find(path(place), "was written by a newer liveedit; run the check with the newer liveedit")
      } else {
        result.find(path(place), "is missing or cannot be read", repair: "rewrites the file")
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
          "has lost the files of version \(version.number), which cannot be rendered again; put the files back "
            + "into \(path(LibraryPaths.version(version.number, of: record.stem)))",
          repair: "records the version as lost")
      }
      return
    }
    let repair: Message? =
      if version.number == record.shown {
        isTakenIn ? "records the change" : nil
      } else if record.canRender(version) {
        "marks the version to be rendered again when needed"
      } else {
        version.isLost ? nil : "records the version as lost"
      }
    // Reverting and redoing renders the version again.
    let advice: Message =
      repair == nil && version.number == record.shown && record.canRender(version)
      ? "; run liveedit revert and then liveedit redo to restore the version" : ""
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
            ? "differs from the recorded original only in its metadata: accept it with liveedit check --accept"
            : "does not match the record of \(what)\(advice)", repair: repair)
      }
    } catch {
      result.find(
        path, "is recorded as \(what) but cannot be read (\(error.problem))\(advice)", repair: repair)
    }
  }

  private func checkEditedFiles(
    of record: AssetRecord, _ isTakenIn: Bool, _ result: inout CheckResult
  ) throws(EditError) {
    let repair: Message? = isTakenIn ? "records the change" : nil
    let recorded = Set(record.version(record.shown)?.files.map(\.name) ?? [])
    for (_, name) in try editedFiles(of: record).names where !recorded.contains(name) {
      result.find(
        path(name),
        isBesideOriginals
          ? "is in the folder of the originals but is not recorded"
          : "is in the folder of the edited files but is not recorded",
        repair: repair)
    }
    for (_, name) in try foreignFiles(of: record)?.names ?? [] {
      result.find(originalPath(name), "is in the folder of the originals but is not recorded", repair: repair)
    }
  }

  /// Finds files in the library's folder that belong to no asset or version.
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
            "contains version \(read.number) of \(read.stem), which is missing from the catalogue",
            repair: "adds the version to the history")
          continue
        } else if !isRecorded, let known, try isNewer(known, of: stem) {
          find(
            LibraryPaths.description(known, of: stem),
            "was written by a newer liveedit; run the check with the newer liveedit")
          continue
        }
        for name in names(folder + "/" + number)
        where !recorded.contains("\(place)/\(number)/\(name)") && !HeldFolder.isSetAside(name)
          && (ConflictCopy.original(of: name) == nil || !isRecorded)
        {
          find(
            "\(folder)/\(number)/\(name)", "does not belong to a recorded version",
            repair: isRecorded ? nil : "renames the folder that contains the file")
        }
      }
    }
    for name in names(LibraryPaths.work)
    where !LibraryPaths.isWorkName(name) && !LibraryPaths.isRenderFolder(name) {
      find(LibraryPaths.work + "/" + name, "was not made by liveedit")
    }
  }
}
