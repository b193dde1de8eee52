import Basics
import FileSystem
import FoundationEssentials

/// All favourites, hidden assets and albums of a folder, as stored in `collections.json` beside the catalogue. Unlike
/// versions, they are stored nowhere else, so they are restored from this file if the catalogue is lost.
struct Collections: Codable, Hashable, Sendable {
  /// The number of the file's format. Files in later formats are not read.
  var form = 1
  /// The stems of the favourites, sorted.
  var favourites: [String] = []
  /// The stems of the hidden assets, sorted.
  var hidden: [String] = []
  /// The albums, sorted by name.
  var albums: [Album] = []
  /// The catalogue's generation after the change that wrote the file; nil in memory, and in files written by earlier
  /// builds.
  var generation: Int?
  /// The checksum of the file, see ``SealedJSON``; nil in memory, and in files written by earlier builds.
  var checksum: String?

  private static let largest = 64 << 20

  /// Reads a library's favourites, hidden assets and albums from its file. Invalid asset names are left out.
  ///
  /// - Returns: The favourites, hidden assets and albums, or nil if no file exists that this build supports.
  /// - Throws: An error if the file exists but cannot be read.
  static func read(
    _ place: String = LibraryPaths.collections, in folder: HeldFolder
  ) throws -> Collections? {
    guard let bytes = try folder.bytes(of: place, atMost: largest), SealedJSON.isWhole(bytes),
      var read = try? JSONText.decode(Self.self, from: bytes), read.form == 1
    else { return nil }
    (read.generation, read.checksum) = (nil, nil)
    read.favourites.removeAll { !FileName.isPlain($0) }
    read.hidden.removeAll { !FileName.isPlain($0) }
    for index in read.albums.indices { read.albums[index].stems.removeAll { !FileName.isPlain($0) } }
    return read
  }

  /// Returns the generation stored in a library's file, or 0 if the file contains no generation or does not exist.
  static func generation(in folder: HeldFolder) throws -> Int {
    struct Generation: Decodable { var generation: Int? }
    guard try folder.exists(LibraryPaths.collections),
      let bytes = try folder.bytes(of: LibraryPaths.collections, atMost: largest), SealedJSON.isWhole(bytes)
    else { return 0 }
    return (try? JSONText.decode(Generation.self, from: bytes))?.generation ?? 0
  }

  /// Returns the file's content, with one line for each asset so that people can read it.
  ///
  /// - Parameter generation: The catalogue's generation after the change that writes the file.
  func bytes(generation: Int) -> [UInt8] {
    var sealed = self
    (sealed.generation, sealed.checksum) = (generation, SealedJSON.blank)
    return SealedJSON.bytes(sealed, ending: [0x0A])
  }

  /// Returns the file's content for a folder.
  ///
  /// - Parameter generation: The catalogue's generation after the change that writes the file.
  /// - Throws: ``EditError`` if the content would be too large to be read again.
  func bytes(for folder: HeldFolder, generation: Int) throws(EditError) -> [UInt8] {
    let bytes = bytes(generation: generation)
    guard bytes.count <= Self.largest else {
      throw EditError(
        .inTheWay, file: folder.path(LibraryPaths.collections), "has no space for more marks and albums",
        remedy: "remove some marks or albums, or move photos to another folder")
    }
    return bytes
  }

  /// Adds the favourites, hidden assets and albums of another copy. It is unknown which copy is newer, so a flag that
  /// is set in either copy is set in the result.
  mutating func add(_ other: Collections) {
    favourites = Set(favourites).union(other.favourites).sorted()
    hidden = Set(hidden).union(other.hidden).sorted()
    for album in other.albums {
      if let index = albums.firstIndex(where: { $0.name == album.name }) {
        let known = Set(albums[index].stems)
        albums[index].stems += album.stems.filter { !known.contains($0) }
      } else {
        albums.append(album)
      }
    }
    albums.sort { $0.name < $1.name }
  }

  /// Whether no asset is a favourite or hidden, and no album exists.
  var isEmpty: Bool { favourites.isEmpty && hidden.isEmpty && albums.isEmpty }
}

extension Catalogue {
  /// Returns all favourites, hidden assets and albums.
  func collections() throws(EditError) -> Collections {
    try asking {
      var collections = Collections()
      guard hasCollections else { return collections }
      func stems(_ mark: String) throws -> [String] {
        try database.rows("SELECT stem FROM mark WHERE \(mark) = 1 ORDER BY stem").compactMap(Self.stem)
      }
      collections.favourites = try stems("favourite")
      collections.hidden = try stems("hidden")
      let members = try database.prepare("SELECT stem FROM album_asset WHERE album = ? ORDER BY position")
      collections.albums = try database.rows("SELECT name, id FROM album ORDER BY name").compactMap { row in
        guard let name = row[0].text else { return nil }
        return Album(name: name, stems: try members.rows([row[1]]).compactMap(Self.stem))
      }
      return collections
    }
  }

  /// Returns the stem in a row's first column, or nil if the stem is invalid.
  private static func stem(_ row: [DatabaseValue]) -> String? {
    row[0].text.flatMap { FileName.isPlain($0) ? $0 : nil }
  }

  /// Whether no asset is or ever was a favourite or hidden, and no album exists.
  func hasNoCollections() throws(EditError) -> Bool {
    guard hasCollections else { return true }
    return try asking {
      try database.rows("SELECT 1 FROM mark UNION ALL SELECT 1 FROM album LIMIT 1").isEmpty
    }
  }

  /// Restores favourites, hidden assets and albums to a catalogue that has none, within a transaction.
  static func restore(_ collections: Collections, in database: Database) throws {
    for (mark, stems) in [("favourite", collections.favourites), ("hidden", collections.hidden)] {
      let statement = try database.prepare(marking(mark))
      for stem in stems { try statement.run([.text(stem), .integer(1)]) }
    }
    for album in collections.albums {
      try database.run("INSERT OR IGNORE INTO album (name) VALUES (?)", [.text(album.name)])
      try add(album.stems, toAlbum: album.name, in: database)
    }
  }

  /// Returns the SQL statement that sets the favourite or hidden flag of a stem.
  static func marking(_ mark: String) -> String {
    """
    INSERT INTO mark (stem, favourite, hidden) VALUES (?1, \(mark == "favourite" ? "?2, 0" : "0, ?2"))
    ON CONFLICT (stem) DO UPDATE SET \(mark) = excluded.\(mark)
    """
  }

  /// Appends stems to an album, except those that the album already contains.
  static func add(_ stems: [String], toAlbum name: String, in database: Database) throws {
    // The last position is determined only once, because a hundred thousand assets may be added.
    let album = try database.rows(
      """
      SELECT id, (SELECT ifnull(max(position), 0) FROM album_asset WHERE album = album.id)
      FROM album WHERE name = ?
      """, [.text(name)]
    ).first
    guard let album else { return }
    let addition = try database.prepare(
      "INSERT OR IGNORE INTO album_asset (album, stem, position) VALUES (?, ?, ? + ?)")
    for (index, stem) in stems.enumerated() {
      try addition.run([album[0], .text(stem), album[1], DatabaseValue(index + 1)])
    }
  }
}
