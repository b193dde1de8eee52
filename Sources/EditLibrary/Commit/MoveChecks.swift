package import Basics
import FileSystem

/// The checks before moves are recorded: once they are, they must be possible.
extension Library {
  /// Makes sure that renders and adjustment data of an asset can have their names.
  ///
  /// - Throws: ``EditError`` when a name would be too long.
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
        "cannot be edited: its render would need a name of \(name.utf8.count) bytes, and there can be "
          + "\(most)",
        remedy: "give the original a shorter name")
    }
  }

  /// Makes sure that moves can be done: that their names are possible and free, and their folders there and writable.
  ///
  /// - Parameters:
  ///   - moves: those of one commit, in order.
  ///   - records: the assets as they shall be recorded.
  /// - Returns: folders that were made for them.
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
          // Of a folder that is not there nothing is taken.
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
        .inTheWay, file: path(place), "is in the way and belongs to no version that is recorded",
        remedy: "run liveedit check --repair on the folder")
  }

  /// In a sticky folder only a file's owner and the folder's may rename it.
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
  /// The error about a file that stands where liveedit's own would.
  static func inTheWay(_ path: String) -> EditError {
    EditError(
      .inTheWay, file: path, "is in the way and was not made by liveedit", remedy: "move it to another folder"
    )
  }
}
