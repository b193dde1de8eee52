package import Basics
import FileSystem

/// Checks made before file moves are recorded, because every recorded move must be possible.
extension Library {
  /// Checks that the names of an asset's renders and adjustment data are not too long.
  ///
  /// - Throws: ``EditError`` if a name would be too long.
  package func checkNames(of record: AssetRecord) throws(EditError) {
    let originals = record.originals.map(\.name)
    let names =
      originals.map { RenderNames.render(of: $0, ofAsset: record.stem) } + [
        RenderNames.adjustments(of: record.stem)
      ]
      + (record.versions.last?.file(.sidecar).map { [$0.name] } ?? [])
    let most = ReadingLimit.names.value
    for name in names where name.utf8.count > most {
      throw EditError(
        .fileSystem, file: originalPath(originals.first ?? record.stem),
        "cannot be edited: the edited file's name would have \(name.utf8.count) bytes, and the limit is "
          + "\(most)",
        remedy: "give the original a shorter name")
    }
  }

  /// Checks that moves can be done: names must be valid and free, and folders must exist and be writable.
  ///
  /// - Parameters:
  ///   - moves: The moves of one commit, in order.
  ///   - records: The assets as they will be recorded.
  /// - Returns: The folders that were created for the moves.
  func prepare(_ moves: [FileMove], of records: [AssetRecord]) throws(EditError) -> [String] {
    let byStem = Dictionary(records.map { ($0.stem, $0) }, uniquingKeysWith: { first, _ in first })
    var made: [String] = []
    var isDone = false
    defer { if !isDone { for place in made.reversed() { try? home.removeFolder(place) } } }
    var freed: Set<String> = []
    var taken: Set<String> = []
    var writable: Set<String> = []
    for move in moves {
      try whileWriting(path(move.target ?? move.source)) {
        guard move.isHarmless(for: byStem[move.stem]) else { throw EditError.inTheWay(path(move.source)) }
        if let target = move.target {
          made += try FileMover.makeParents(of: target, in: home)
          let isFree =
            try !taken.contains(target)
            && (freed.contains(target) || !home.exists(target)
              || freed.contains { try home.isOneEntry($0, target) })
          guard isFree else { throw occupied(target) }
          taken.insert(target)
        }
        if !taken.contains(move.source), let status = try home.statusIfAny(move.source),
          status.kind != .regular
        {
          throw EditError.inTheWay(path(move.source))
        }
        freed.insert(move.source)
        taken.remove(move.source)
        try checkRemovable(move.source)
        for place in [move.source, move.target].compactMap({ $0 }).map(FileMover.parent)
        where writable.insert(place).inserted {
          // No file can be moved out of a folder that does not exist.
          guard try place.isEmpty || home.exists(place) else { continue }
          try home.checkWritable(place)
        }
      }
    }
    try whileWriting(path(LibraryPaths.work)) {
      if moves.contains(where: { $0.source.hasPrefix(LibraryPaths.work) }) {
        try home.syncFolder(LibraryPaths.work)
      }
    }
    for place in Set(made.map(FileMover.parent)) {
      try whileWriting(path(place)) { try home.syncFolder(place) }
    }
    isDone = true
    return made
  }

  private func occupied(_ place: String) -> EditError {
    FileMove.isBeside(place)
      ? EditError.inTheWay(path(place))
      : EditError(
        .inTheWay, file: path(place), "is in the way and does not belong to a recorded version",
        remedy: "run liveedit check --repair on the folder")
  }

  /// Checks that a file can be renamed. In a sticky folder, only the owner of the file or of the folder may rename it.
  func checkRemovable(_ place: String) throws {
    guard FileMove.isBeside(place) else { return }
    let folder = try home.status
    let user = HostSystem.user
    guard folder.isSticky, folder.owner != user, user != 0, try home.exists(place),
      try home.status(place).owner != user
    else { return }
    throw SystemError.notPermitted
  }
}

extension EditError {
  /// Returns the error about a file that occupies a path needed for one of liveedit's own files.
  static func inTheWay(_ path: String) -> EditError {
    EditError(
      .inTheWay, file: path, "is in the way and was not made by liveedit", remedy: "move it to another folder"
    )
  }
}
