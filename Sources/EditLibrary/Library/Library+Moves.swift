package import Basics
import FileSystem

/// Files in the work folder, and the moves that give them their final names.
extension Library {
  /// Returns an unused path for a file in the work folder.
  ///
  /// The name contains the process identifier, because a helper whose parent died may continue to write to its own file
  /// for a moment.
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
  /// - Parameter kind: The kind of the file in the work folder, see ``workName(_:)``.
  func replace(_ place: String, with bytes: [UInt8], as kind: String) throws(EditError) {
    let made = try workName(kind)
    try create(made, bytes)
    try whileWriting(path(place)) {
      try home.replace(place, with: made)
      try home.syncFolder(FileMover.parent(place))
    }
  }

  /// Removes files from the work folder unless a recorded move needs them. Files that liveedit did not create are kept.
  ///
  /// - Returns: The number of removed files.
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

  /// Performs the recorded moves of commits for each asset, and records that they are done.
  ///
  /// - Returns: The errors that prevented moves, by the assets' stems. The moves of these assets remain pending; the
  ///   moves of all other assets are done.
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

  /// Returns a record with the current status of the files that were moved.
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
