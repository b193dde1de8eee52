import Basics
import FileSystem

/// Transfers assets to another name or folder, see ``AssetTransfer``.
extension Library {
  /// Renames an asset's originals or moves them to another folder, together with everything that belongs to the asset.
  /// Both libraries must be open for writing. If an error is thrown, nothing has changed unless the error's code is
  /// ``EditError/Code/unfinished``.
  ///
  /// - Parameters:
  ///   - record: The asset as it is recorded, or would be.
  ///   - to: The library of the asset's new folder, which may be this library.
  ///   - photo: The new name of the original photo, or nil without a photo.
  ///   - movie: The new name of the original movie, or nil without a movie.
  ///   - report: A function that receives messages for the user.
  /// - Returns: The asset as it is recorded now.
  func transfer(
    _ record: AssetRecord, to: Library, photo: String?, movie: String?, report: Report
  ) throws(EditError) -> AssetRecord {
    let new = record.renamed(photo: photo, movie: movie)
    let mover = TransferMover(from: self, old: record, to: to, new: new)
    try checkPossible(mover)
    let (there, back) = (try path(to: to), try to.path(to: self))
    let transfer = AssetTransfer(
      id: AssetTransfer.newIdentifier(), arrives: true, other: back, stem: record.stem, photo: photo,
      movie: movie)
    let (catalogue, target) = (try catalogueForWriting(), try to.catalogueForWriting())
    try target.begin(transfer, of: nil)
    try to.syncCatalogue()
    do throws(EditError) {
      try catalogue.begin(transfer.reversed(there), of: record)
    } catch {
      // If the transfer may be recorded here, opening the library again finds both rows and continues the transfer.
      if (try? catalogue.transfers().contains { $0.id == transfer.id }) == false { try? target.end(transfer) }
      throw error
    }
    do throws(EditError) {
      try syncCatalogue()
      return try complete(transfer.reversed(there), to, report)
    } catch {
      var error = error
      error.code = .unfinished
      error.problem =
        "\(error.problem) (the move is recorded; the next liveedit command that reads this folder will finish it)"
      throw error
    }
  }

  /// Performs the remaining steps of a transfer that both libraries have recorded.
  ///
  /// - Parameter transfer: The transfer as recorded in this library, which the asset leaves.
  /// - Returns: The asset as it is recorded now.
  private func complete(
    _ transfer: AssetTransfer, _ to: Library, _ report: Report
  ) throws(EditError) -> AssetRecord {
    guard let catalogue, let target = to.catalogue, let old = try catalogue.asset(transfer.stem) else {
      throw EditError(
        .damagedLibrary, file: path(LibraryPaths.catalogue),
        "does not contain \(transfer.stem), which is being moved",
        remedy: "run liveedit check --repair on the folder")
    }
    let mover = TransferMover(
      from: self, old: old, to: to, new: old.renamed(photo: transfer.photo, movie: transfer.movie))
    let isSameStem = to === self && mover.new.stem.hasBytes(of: old.stem)
    (knownStems, to.knownStems) = (nil, nil)
    if !isSameStem, try target.asset(mover.new.stem) == nil {
      let collections = try catalogue.collections()
      try target.record([mover.new], moves: []) { database in
        if mover.isRespelled {
          try Catalogue.addMarks(of: old.stem, to: mover.new.stem, in: database)
          return []
        }
        try Catalogue.unmark(mover.new.stem, in: database)
        if to === self {
          try Catalogue.copyMarks(of: old.stem, to: mover.new.stem, in: database)
        } else {
          try Catalogue.mark(mover.new.stem, as: old.stem, in: collections, database)
        }
        return []
      }
      try to.syncCatalogue()
    }
    try mover.carryOut(report)
    try to.writeCollections()
    let new = mover.refreshed
    try target.end(transfer.reversed(""), as: new)
    try to.syncCatalogue()
    try leave(transfer, old)
    return new
  }

  /// Deletes an asset that has arrived at its destination.
  private func leave(_ transfer: AssetTransfer, _ old: AssetRecord) throws(EditError) {
    guard let catalogue else { return }
    if transfer.other != Self.samePlace || !transfer.newStem.hasBytes(of: old.stem) {
      let isOneFolder = try whileReading(path(LibraryPaths.versions)) {
        try transfer.other == Self.samePlace
          && home.isOneEntry(LibraryPaths.versions(of: old.stem), LibraryPaths.versions(of: transfer.newStem))
      }
      if !isOneFolder { try TransferMover.clear(old, from: self) }
      try catalogue.record([], moves: []) { database in
        try Catalogue.forget(old.stem, in: database)
        try Catalogue.unmark(old.stem, in: database)
        return []
      }
      try writeCollections()
    }
    try catalogue.end(transfer)
    try syncCatalogue()
  }

  /// Finishes or undoes the transfers that dead processes left unfinished.
  func recoverTransfers(_ report: Report) throws(EditError) {
    // Originals are moved only if renders are beside them. In a separate library, a catalogue that requests a transfer
    // was not written by liveedit.
    guard isBesideOriginals else { return }
    var done: Set<String> = []
    for transfer in try catalogue?.transfers() ?? [] where !done.contains(transfer.id) {
      let stem = transfer.arrives ? transfer.newStem : transfer.stem
      do throws(EditError) {
        report(try recover(transfer, report))
        done.insert(transfer.id)
      } catch {
        unfinished[stem] = error
        report("cannot finish an interrupted move of \(stem): \(error)")
      }
    }
  }

  /// Finishes or undoes a transfer.
  ///
  /// - Returns: A clause that describes the result.
  private func recover(_ transfer: AssetTransfer, _ report: Report) throws(EditError) -> Message {
    let partner = try transfer.other == Self.samePlace ? self : partner(of: transfer, report)
    defer { if let partner, partner !== self, partner !== beside { partner.close() } }
    let (from, to) = transfer.arrives ? (partner, self) : (self, partner)
    func side(_ library: Library?, _ arrives: Bool) throws(EditError) -> AssetTransfer? {
      try library?.catalogue?.transfers().first { $0.id == transfer.id && $0.arrives == arrives }
    }
    let (leaving, arriving) = (try side(from, false), try side(to, true))
    if let from, let to, let leaving, arriving != nil {
      let record = try from.complete(leaving, to, report)
      return
        "finished an interrupted move of \(transfer.stem) to \(to.path(record.originals.first?.name ?? record.stem))"
    }
    if let from, let leaving {
      guard let old = try from.catalogue?.asset(leaving.stem) else {
        // The asset is deleted here only after it has arrived at its destination.
        try catalogue?.end(transfer)
        return "finished an interrupted move of \(transfer.stem)"
      }
      if try !from.hasOriginals(of: old) {
        // The transfer is done at the destination, where the asset may have been changed since then.
        try from.leave(leaving, old)
        return "finished an interrupted move of \(transfer.stem)"
      }
    }
    try catalogue?.end(transfer)
    return "undid an interrupted move of \(transfer.stem): no file had been moved"
  }

  /// Whether all originals of an asset exist here and match the record.
  func hasOriginals(of record: AssetRecord) throws(EditError) -> Bool {
    for file in record.originals {
      guard try whileReading(path(file.name), { try originalsFolder.exists(file.name) }),
        try file.fingerprint.matches(file.name, in: originalsFolder, isOriginal: true)
      else { return false }
    }
    return true
  }

  /// Returns the library at the other end of a transfer, or nil if the folder has no library. The library is locked,
  /// but its unfinished work is not recovered.
  ///
  /// - Throws: ``EditError`` if the folder does not exist, or another process is working there.
  private func partner(of transfer: AssetTransfer, _ report: Report) throws(EditError) -> Library? {
    let folder = path(transfer.other)
    let held = try whileReading(FilePath.shown(folder)) { try HeldFolder(path: folder) }
    if let beside {
      let isHeld = try whileReading(folder) { try beside.originalsFolder.status.place == held.status.place }
      if isHeld { return beside }
    }
    guard try whileReading(folder, { try held.exists(LibraryPaths.catalogue) }) else { return nil }
    // A process that holds one lock waits only briefly for the other lock, because two processes could wait for each
    // other.
    let library = try Self.locked(
      folder, .besideOriginals, wait: LibraryLock.glance, isCancelled, report: report)
    try whileWriting(library.path(LibraryPaths.catalogue)) { try library.catalogueFile.separate() }
    guard try !library.hasForeignJournal() else {
      throw EditError(
        .damagedLibrary, file: library.path(library.catalogueFile.journal), "was not written by liveedit",
        remedy: "run liveedit check --repair on the folder")
    }
    if try library.hasCatalogue() { try library.open(.writing) }
    return library
  }

  /// Drops transfers whose other folder is gone. Also drops transfers in a separate library, because liveedit did not
  /// record them. Anything that the transfers recorded here is kept.
  func dropLostTransfers(_ report: Report) throws(EditError) {
    for transfer in try catalogue?.transfers() ?? [] {
      let other = path(transfer.other)
      let isGone = try whileReading(other) {
        try transfer.other != Self.samePlace && FileStatus.ifAny(other)?.kind != .folder
      }
      // Assets in a separate library are never moved.
      guard isGone || !isBesideOriginals else { continue }
      try catalogue?.end(transfer)
      unfinished[transfer.arrives ? transfer.newStem : transfer.stem] = nil
      guard isGone else {
        report("discarded a move of \(transfer.stem) that this library cannot have started")
        continue
      }
      report("discarded an interrupted move of \(transfer.stem): \(path(transfer.other)) no longer exists")
    }
  }

  /// The path from a folder to itself.
  static let samePlace = "."

  /// Returns the relative path from this library's folder to another library's folder through their common parent. The
  /// path remains valid if the parent is mounted elsewhere.
  private func path(to other: Library) throws(EditError) -> String {
    if other === self { return Self.samePlace }
    func parts(_ library: Library) throws(EditError) -> [String] {
      let bytes = try whileReading(library.path("")) { try library.originalsFolder.realPath }
      guard let path = String(validating: bytes, as: UTF8.self) else {
        throw UnusableName.error(library.path(""))
      }
      return path.split(separator: "/").map(String.init)
    }
    let (mine, theirs) = (try parts(self), try parts(other))
    let common = zip(mine, theirs).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: mine.count - common) + theirs.dropFirst(common)).joined(
      separator: "/")
  }

  /// Writes the file that stores favourites, hidden assets and albums again if it differs from the catalogue.
  private func writeCollections() throws(EditError) {
    guard let catalogue, try catalogue.collections() != keptCollections() ?? Collections() else { return }
    try replaceCollections(catalogue)
  }

  /// Writes the file that stores favourites, hidden assets and albums.
  func replaceCollections(_ catalogue: Catalogue) throws(EditError) {
    let bytes = try catalogue.collections().bytes(for: home, generation: catalogue.generation())
    try replace(LibraryPaths.collections, with: bytes, as: "collections")
  }
}
