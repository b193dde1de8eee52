import Basics
import FileSystem

/// Handles recorded edits that could not be finished because a file was in the way.
extension Library {
  /// Discards unfinished moves of assets whose descriptions are newer than the catalogue. Those moves would remove newer
  /// files.
  func dropStaleMoves(_ report: Report) throws(EditError) {
    guard let catalogue else { return }
    var stale: [String] = []
    for stem in Set(try catalogue.pendingMoves().map(\.stem)).sorted() where !stem.isEmpty {
      if try hasLaterVersions(stem) { stale.append(stem) }
    }
    guard !stale.isEmpty else { return }
    try catalogue.finish([], moves: stale)
    for stem in stale {
      unfinished[stem] = nil
      report("discarded unfinished file moves of \(stem), because its versions have changed since then")
    }
  }

  /// Whether one of an asset's descriptions is newer than the catalogue.
  func hasLaterVersions(_ stem: String) throws(EditError) -> Bool {
    for description in try descriptions(of: stem) where try isLater(description) { return true }
    return false
  }

  /// Finishes recorded edits that were blocked by a file in the way. Files in the way are kept under another name. If a
  /// required name is not possible, the edit is undone. Edits that fail because of a full disk or missing permissions
  /// remain pending.
  ///
  /// Finishing one asset's edit does not affect another asset's moves, so all edits are finished in one pass over the
  /// catalogue.
  ///
  /// - Throws: ``EditError`` if a file in the way cannot be kept. The other edits are finished even in this case.
  func finishStuck(_ report: Report) throws(EditError) {
    guard let catalogue else { return }
    let pending = Dictionary(grouping: try catalogue.pendingMoves(), by: \.stem)
    var whole: [FileMove] = []
    var dropped: [String] = []
    var takenBack: [(record: AssetRecord, version: Int)] = []
    var problem: EditError?
    for stem in unfinished.keys.sorted() {
      if isCancelled() {
        throw EditError(.cancelled, file: folder, "was not repaired completely: stopped on request")
      }
      // The edit is waiting for a transfer to finish.
      guard let moves = pending[stem] else { continue }
      do throws(EditError) {
        let record = stem.isEmpty ? nil : try catalogue.asset(stem)
        let possible = moves.filter { $0.isHarmless(for: record) }
        try whileWriting(path(stem)) { for move in possible { try clearTheWay(of: move, record, report) } }
        if moves.contains(where: { !$0.hasPossibleNames }) {
          if let undone = try takeBack(moves, stem, record, report) { takenBack.append(undone) }
        } else if possible.count < moves.count {
          // liveedit did not write these moves.
          dropped.append(stem)
        } else {
          whole += moves
        }
      } catch {
        problem = problem ?? error
      }
    }
    if !dropped.isEmpty || !takenBack.isEmpty {
      try catalogue.finish(takenBack.map(\.record), moves: dropped + takenBack.map(\.record.stem))
    }
    for stem in dropped {
      report("discarded file moves of “\(stem)” that would leave the library")
      unfinished[stem] = nil
    }
    for (record, version) in takenBack {
      report("undid version \(version) of \(record.stem), because its files could not be named")
      unfinished[record.stem] = nil
    }
    var failures: [String: EditError] = [:]
    do throws(EditError) {
      if !whole.isEmpty { failures = try finish(whole) }
    } catch {
      // If one folder cannot be made durable, the edits of other assets are still finished.
      for (stem, moves) in Dictionary(grouping: whole, by: \.stem) {
        do throws(EditError) { failures.merge(try finish(moves)) { $1 } } catch { failures[stem] = error }
      }
      problem = problem ?? error
    }
    for stem in Set(whole.map(\.stem)).sorted() {
      if let failure = failures[stem] {
        report("cannot finish an interrupted edit of \(stem): \(failure)")
      } else {
        report("finished an interrupted edit of \(stem)")
        unfinished[stem] = nil
      }
    }
    if let problem { throw problem }
    try removeWork { _ in true }
  }

  /// Renames any file at the target of a move, and any file that another program put at the source.
  private func clearTheWay(of move: FileMove, _ record: AssetRecord?, _ report: Report) throws {
    guard let target = move.target else { return }
    if target == LibraryPaths.collections {
      guard try home.exists(target), try home.status(target).kind != .regular else { return }
    }
    if let record, FileMove.isBeside(move.source), try home.exists(move.source),
      try !record.hasVersion(at: move.source, in: home)
    {
      try keep(move.source, for: record, report)
    }
    guard move.hasPossibleNames, try home.exists(move.source), try home.exists(target),
      try !home.isSameFile(move.source, as: target)
    else { return }
    // An earlier version of this asset is not in the way if an earlier move removes it.
    if let record, FileMove.isBeside(target) {
      if try record.hasVersion(at: target, in: home) { return }
      try keep(target, for: record, report)
    } else if let kept = try home.quarantine(target) {
      report("\(path(target)) was in the way; kept it as \(path(kept))")
    }
  }

  /// Moves a file from beside the originals to the folder of the version that needs the file's name.
  private func keep(_ place: String, for record: AssetRecord, _ report: Report) throws {
    let folder = LibraryPaths.version(max(1, record.current), of: record.stem)
    guard let kept = try home.quarantine(place, as: folder + "/" + place) else { return }
    report("\(path(place)) was in the way; kept it as \(path(kept))")
  }

  /// Undoes a version for which an earlier build recorded impossible file names. Files that were moved are moved back.
  /// Once the returned record is in the catalogue, the previous version is current.
  ///
  /// - Returns: The asset without the version, and the version's number; nil if this change created no version that can
  ///   be undone. In that case its moves remain pending.
  private func takeBack(
    _ moves: [FileMove], _ stem: String, _ record: AssetRecord?, _ report: Report
  ) throws(EditError) -> (record: AssetRecord, version: Int)? {
    guard var record, let undone = record.currentVersion else { return nil }
    // Only a version that this change created is undone. For such a version, the moves include the move of its
    // description out of the work folder.
    let description = LibraryPaths.description(undone.number, of: stem)
    guard moves.contains(where: { $0.target == description && $0.source.hasPrefix(LibraryPaths.work) }) else {
      report("cannot finish an interrupted edit of \(stem): its file names are too long")
      return nil
    }
    try whileWriting(path(stem)) {
      for move in moves.reversed() where move.hasPossibleNames && move.isHarmless(for: record) {
        guard let target = move.target, try home.exists(target), try !home.exists(move.source) else {
          continue
        }
        try home.move(target, toFree: move.source)
        for place in [move.source, target] { try home.syncFolder(FileMover.parent(place)) }
      }
    }
    record.current = undone.previous
    record.versions.removeAll { $0.number == undone.number }
    return (record, undone.number)
  }
}
