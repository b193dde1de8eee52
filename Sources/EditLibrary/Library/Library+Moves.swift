package import Basics
import FileSystem

/// Files in the making, and the moves that give them their names.
extension Library {
  /// A path for a file in the making, which nothing has.
  ///
  /// The name holds the process: a helper whose parent died may still write to its own for a moment.
  package func workFile(_ kind: String) throws(EditError) -> String {
    path(try workName(kind))
  }

  func workName(_ kind: String) throws(EditError) -> String {
    try whileWriting(path(LibraryPaths.work)) {
      try home.makeFolder(LibraryPaths.work)
      while true {
        filesMade += 1
        let place = LibraryPaths.work + "/" + LibraryPaths.workName(kind, filesMade)
        if try !home.exists(place) { return place }
      }
    }
  }

  /// Replaces a file of the library, durably.
  ///
  /// - Parameter kind: the kind of the file in the making, see ``workName(_:)``.
  func replace(_ place: String, with bytes: [UInt8], as kind: String) throws(EditError) {
    let made = try workName(kind)
    try create(made, bytes)
    try whileWriting(path(place)) {
      try home.replace(place, with: made)
      try home.syncFolder(FileMover.parent(place))
    }
  }

  /// Removes files in the making that no recorded move waits for; what liveedit did not make stays.
  ///
  /// - Returns: how many there were.
  @discardableResult
  func removeWork(_ isWanted: (String) -> Bool) throws(EditError) -> Int {
    let waiting = Set(try catalogue?.pendingMoves().map(\.source) ?? [])
    return try whileWriting(path(LibraryPaths.work)) {
      var count = 0
      for name in try home.namesIfAny(in: LibraryPaths.work) {
        let place = LibraryPaths.work + "/" + name
        if LibraryPaths.isRenderFolder(name), isWanted(name), home.removeFolderOfFiles(place) { count += 1 }
        guard LibraryPaths.isWorkName(name), isWanted(name), !waiting.contains(place),
          try home.status(place).kind == .regular
        else { continue }
        if try home.remove(place) { count += 1 }
      }
      return count
    }
  }

  /// Does the moves of commits that are recorded, asset by asset, and records that they are done.
  ///
  /// - Returns: what keeps assets from being done, by their stems. Their moves wait; the others' are done.
  func finish(_ moves: [FileMove]) throws(EditError) -> [String: EditError] {
    guard let catalogue else { return [:] }
    var failures: [String: EditError] = [:]
    var records: [AssetRecord] = []
    var done: [String] = []
    var mover = FileMover(home)
    for (stem, moves) in Dictionary(grouping: moves, by: \.stem).sorted(by: { $0.key < $1.key }) {
      let record = stem.isEmpty ? nil : try catalogue.asset(stem)
      do throws(EditError) {
        try mover.carryOut(moves, of: record)
        done.append(stem)
        if let record { records.append(refreshed(record, Set(moves.compactMap(\.target)))) }
      } catch {
        failures[stem] = error
      }
    }
    try mover.sync()
    try catalogue.finish(records, moves: done)
    return failures
  }

  /// A record with the present status of the files that were moved.
  private func refreshed(_ record: AssetRecord, _ moved: Set<String>) -> AssetRecord {
    var record = record
    for index in record.versions.indices where record.versions[index].hasFiles {
      for file in record.versions[index].files.indices {
        let one = record.versions[index].files[file]
        let place = Self.place(of: one, version: record.versions[index].number, in: record)
        guard moved.contains(place) else { continue }
        record.versions[index].files[file].fingerprint = one.fingerprint.refreshed(place, in: home)
      }
    }
    return record
  }
}
