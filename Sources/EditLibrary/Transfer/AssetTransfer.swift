import Basics
import FileSystem

/// A transfer of an asset to another name or folder, as recorded in the catalogues of the source and the destination.
///
/// The destination records the transfer first, followed by the source. The source's transaction is decisive: once it is
/// committed, the asset belongs to the new location. The record is copied, the files get their names, the destination
/// deletes its row, and finally the source deletes the record and its own row. An interrupted transfer is completed
/// when the library of either folder is next opened. Both catalogues must have recorded the transfer, so a downloaded
/// catalogue cannot move files out of another folder.
struct AssetTransfer: Hashable, Sendable {
  /// The identifier of the transfer, recorded at both the source and the destination.
  var id: String
  /// Whether this row records the destination of the transfer rather than the source. For a transfer within one folder,
  /// the same catalogue contains both rows.
  var arrives: Bool
  /// The relative path from this folder to the folder at the other end of the transfer.
  var other: String
  /// The asset's stem before the transfer.
  var stem: String
  /// The new name of the original photo, or nil without a photo.
  var photo: String?
  /// The new name of the original movie, or nil without a movie.
  var movie: String?

  /// The asset's stem after the transfer. No other asset at the new location has this stem.
  var newStem: String { Self.stem(after: stem, photo: photo, movie: movie) }

  /// Returns the stem of an asset whose originals are renamed. If the stem is the whole name of an original and only
  /// the spelling of that name changes, the new stem is also the whole name.
  static func stem(after stem: String, photo: String?, movie: String?) -> String {
    let name = photo ?? movie ?? ""
    return FileName.areAlike(stem, name) ? name : RenderNames.Parts(name).stem
  }

  /// Whether the transfer's names are plain file names without folders.
  var isSound: Bool {
    FileName.isPlain(stem) && !newStem.isEmpty
      && [photo, movie].compactMap { $0 }.allSatisfy { FileName.isPlain($0) }
  }

  /// Returns the same transfer as recorded at its other end.
  func reversed(_ other: String) -> AssetTransfer {
    var transfer = self
    transfer.arrives.toggle()
    transfer.other = other
    return transfer
  }

  /// Returns an identifier that no other transfer has.
  static func newIdentifier() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension AssetRecord {
  /// The names of the asset's originals.
  var originalNames: (photo: String?, movie: String?) {
    (originals.first { $0.role == .photo }?.name, originals.first { $0.role == .movie }?.name)
  }

  /// Returns the asset with other names for its originals. Renders and adjustment data are renamed to match the
  /// originals.
  func renamed(photo: String?, movie: String?) -> AssetRecord {
    let (oldPhoto, oldMovie) = originalNames
    let oldStem = stem
    var record = self
    record.stem = AssetTransfer.stem(after: stem, photo: photo, movie: movie)
    for index in record.originals.indices {
      record.originals[index].name = (record.originals[index].role == .photo ? photo : movie) ?? record.stem
    }
    // If the asset keeps its name, another program may have chosen the names of its files.
    if oldPhoto.hasBytes(of: photo), oldMovie.hasBytes(of: movie), record.stem.hasBytes(of: oldStem) {
      return record
    }
    for version in record.versions.indices {
      for index in record.versions[version].files.indices {
        let file = record.versions[version].files[index]
        var (name, fileExtension) = (record.stem, RenderNames.Parts(file.name).fileExtension)
        if file.role != .adjustments { name = RenderNames.renderStem(of: record.stem) }
        if file.role == .sidecar {
          // IMG_E0001.JPG.xmp also contains the render's extension.
          let render = RenderNames.Parts(RenderNames.Parts(file.name).stem)
          if !render.fileExtension.isEmpty { fileExtension = render.fileExtension + "." + fileExtension }
        }
        record.versions[version].files[index].name = fileExtension.isEmpty ? name : name + "." + fileExtension
      }
    }
    return record
  }
}

extension Catalogue {
  /// Whether any moves or transfers are not done yet.
  func hasUnfinished() throws(EditError) -> Bool {
    if try !pendingMoves().isEmpty { return true }
    return try !transfers().isEmpty
  }

  /// Returns the transfers that are not done yet.
  func transfers() throws(EditError) -> [AssetTransfer] {
    guard hasMedia else { return [] }
    return try asking {
      try database.rows(
        "SELECT id, arrives, other, stem, photo, movie FROM transfer ORDER BY id, arrives LIMIT 1000"
      )
      .compactMap { row in
        guard let id = row[0].text, let other = row[2].text, let stem = row[3].text else { return nil }
        let transfer = AssetTransfer(
          id: id, arrives: row[1].int == 1, other: other, stem: stem, photo: row[4].text, movie: row[5].text)
        return transfer.isSound ? transfer : nil
      }
    }
  }

  /// Records the source or the destination of a transfer. At the source, the asset's current record is stored too.
  func begin(_ transfer: AssetTransfer, of record: AssetRecord?) throws(EditError) {
    try self.record(record.map { [$0] } ?? [], moves: []) { database in
      try database.run(
        "INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?)",
        [
          .text(transfer.id), DatabaseValue(transfer.arrives), .text(transfer.other), .text(transfer.stem),
          DatabaseValue(transfer.photo), DatabaseValue(transfer.movie),
        ])
      return []
    }
  }

  /// Records that a transfer is done at the source or at the destination.
  ///
  /// - Parameter record: The asset as it is now. An asset without versions is deleted from the catalogue.
  func end(_ transfer: AssetTransfer, as record: AssetRecord? = nil) throws(EditError) {
    try self.record(record.map { $0.versions.isEmpty ? [] : [$0] } ?? [], moves: []) { database in
      if let record, record.versions.isEmpty { try Self.forget(record.stem, in: database) }
      try database.run(
        "DELETE FROM transfer WHERE id = ? AND arrives = ?",
        [.text(transfer.id), DatabaseValue(transfer.arrives)])
      return []
    }
  }

  /// Deletes an asset within a transaction, but keeps its favourite and hidden flags and its positions in albums.
  static func forget(_ stem: String, in database: Database) throws {
    try database.run("DELETE FROM asset WHERE stem = ?", [.text(stem)])
  }

  /// Removes a stem's favourite and hidden flags and its positions in albums, within a transaction.
  static func unmark(_ stem: String, in database: Database) throws {
    try database.run("DELETE FROM mark WHERE stem = ?", [.text(stem)])
    try database.run("DELETE FROM album_asset WHERE stem = ?", [.text(stem)])
  }

  /// Copies the favourite and hidden flags of a stem in this catalogue to another stem, within a transaction. The new
  /// stem gets the same positions in albums.
  static func copyMarks(of stem: String, to new: String, in database: Database) throws {
    try database.run(
      "INSERT INTO mark SELECT ?2, favourite, hidden FROM mark WHERE stem = ?1", [.text(stem), .text(new)])
    try database.run(
      "INSERT INTO album_asset SELECT album, ?2, position FROM album_asset WHERE stem = ?1",
      [.text(stem), .text(new)])
  }

  /// Adds the favourite and hidden flags of a stem to the flags of another stem in this catalogue, within a
  /// transaction.
  static func addMarks(of stem: String, to new: String, in database: Database) throws {
    try database.run(
      """
      INSERT INTO mark SELECT ?2, favourite, hidden FROM mark WHERE stem = ?1
      ON CONFLICT (stem) DO UPDATE SET favourite = max(favourite, excluded.favourite), hidden = max(hidden, excluded.hidden)
      """, [.text(stem), .text(new)])
    try database.run(
      "INSERT OR IGNORE INTO album_asset SELECT album, ?2, position FROM album_asset WHERE stem = ?1",
      [.text(stem), .text(new)])
  }

  /// Copies favourite and hidden flags from another folder to a stem, within a transaction. Missing albums are created.
  static func mark(_ new: String, as stem: String, in collections: Collections, _ database: Database) throws {
    for (mark, stems) in [("favourite", collections.favourites), ("hidden", collections.hidden)] {
      if stems.contains(stem) { try database.run(marking(mark), [.text(new), .integer(1)]) }
    }
    for album in collections.albums where album.stems.contains(stem) {
      try database.run("INSERT OR IGNORE INTO album (name) VALUES (?)", [.text(album.name)])
      try add([new], toAlbum: album.name, in: database)
    }
  }
}
