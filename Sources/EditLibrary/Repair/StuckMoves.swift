import Basics
import FileSystem

/// Edits that are recorded and could not be brought to their end: something came to stand in the way.
extension Library {
  /// Brings them to their end: what stands in the way is kept under another name. Where no name would do, the edit is
  /// taken back. What a full disk or missing permissions prevent goes on waiting.
  func finishStuck(_ report: Report) throws(EditError) {
    // One asset's end changes no moves of another.
    let pending = Dictionary(grouping: try catalogue?.pendingMoves() ?? [], by: \.stem)
    for stem in unfinished.keys.sorted() {
      guard let catalogue else { return }
      let moves = pending[stem] ?? []
      // It waits for the end of a transfer.
      if moves.isEmpty { continue }
      let record = stem.isEmpty ? nil : try catalogue.asset(stem)
      let possible = moves.filter { $0.isHarmless(for: record) }
      try whileWriting(path(stem)) { for move in possible { try clearTheWay(of: move, record, report) } }
      if moves.contains(where: { !$0.hasPossibleNames }) {
        guard try takeBack(moves, stem, record, report) else { continue }
      } else if possible.count < moves.count {
        // No liveedit wrote these.
        try catalogue.finish([], moves: [stem])
        report("dropped moves of “\(stem)” that lead out of the library")
      } else if let failure = try finish(moves)[stem] {
        report("an interrupted edit of \(stem) cannot be finished: \(failure)")
        continue
      } else {
        report("finished an interrupted edit of \(stem)")
      }
      unfinished[stem] = nil
    }
    try removeWork { _ in true }
  }

  /// Gives another name to what has the target of a move, and to what another program put in the place of its source.
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
    // An earlier version of this asset that leaves with an earlier move is not in the way.
    if let record, FileMove.isBeside(target) {
      if try record.hasVersion(at: target, in: home) { return }
      try keep(target, for: record, report)
    } else if let kept = try home.quarantine(target) {
      report("\(path(target)) was in the way; kept it as \(path(kept))")
    }
  }

  /// Keeps a file from beside the originals in the folder of the version that needs its name.
  private func keep(_ place: String, for record: AssetRecord, _ report: Report) throws {
    let folder = LibraryPaths.version(max(1, record.current), of: record.stem)
    guard let kept = try home.quarantine(place, as: folder + "/" + place) else { return }
    report("\(path(place)) was in the way; kept it as \(path(kept))")
  }

  /// Takes back a version whose files can have no names, as earlier builds recorded them: what had been moved goes back,
  /// and the version before it is current.
  ///
  /// - Returns: false if this change made no version that could be taken back; its moves go on waiting.
  private func takeBack(
    _ moves: [FileMove], _ stem: String, _ record: AssetRecord?, _ report: Report
  ) throws(EditError) -> Bool {
    guard let catalogue, var record, let undone = record.currentVersion else { return false }
    // Only a version that this very change made; its description was to come out of the work folder.
    let description = LibraryPaths.description(undone.number, of: stem)
    guard moves.contains(where: { $0.target == description && $0.source.hasPrefix(LibraryPaths.work) }) else {
      report("an interrupted edit of \(stem) cannot be finished: its names are too long")
      return false
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
    try catalogue.finish([record], moves: [stem])
    report("took back version \(undone.number) of \(stem), whose files can have no names")
    return true
  }
}
