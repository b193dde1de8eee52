package import Basics
import FileSystem

/// A change to an asset's favourite and hidden flags. A value of nil leaves a flag unchanged.
package struct MarkChange: Hashable, Sendable {
  /// True to mark the asset as a favourite, false to remove the favourite flag.
  package var favourite: Bool?
  /// True to hide the asset, false to show it again.
  package var hidden: Bool?

  /// Creates a change to favourite and hidden flags.
  ///
  /// - Parameters:
  ///   - favourite: Whether the asset becomes a favourite.
  ///   - hidden: Whether the asset becomes hidden.
  package init(favourite: Bool? = nil, hidden: Bool? = nil) {
    self.favourite = favourite
    self.hidden = hidden
  }

  /// Whether the change would alter the given flags of an asset.
  package func changes(favourite: Bool, hidden: Bool) -> Bool {
    self.favourite.map { $0 != favourite } ?? false || self.hidden.map { $0 != hidden } ?? false
  }
}

/// A named collection of assets from a single folder.
public struct Album: Codable, Hashable, Sendable {
  /// The album's name.
  public var name: String
  /// The stems of the album's assets, in the order in which they were added.
  public var stems: [String]
}

extension Library {
  /// Whether the catalogue has tables for favourites, hidden assets and albums.
  var hasCollections: Bool { catalogue?.hasCollections ?? false }

  /// Changes the favourite and hidden flags of all given assets, or of none. The library must be open for writing.
  ///
  /// - Parameters:
  ///   - stems: The assets' stems, see ``OriginalFiles/stem``.
  ///   - change: The new values of the flags.
  /// - Returns: The stems of the assets whose flags changed.
  @discardableResult
  package func mark(_ stems: [String], _ change: MarkChange) throws(EditError) -> [String] {
    var changed: [String] = []
    try commit([]) { database in
      changed = try Self.mark(stems, change, in: database)
      return !changed.isEmpty
    }
    return changed
  }

  /// Changes the favourite and hidden flags of assets within a transaction.
  ///
  /// - Returns: The stems of the assets whose flags changed.
  static func mark(_ stems: [String], _ change: MarkChange, in database: Database) throws -> [String] {
    var changed: [String] = []
    var seen: Set<String> = []
    for (mark, value) in [("favourite", change.favourite), ("hidden", change.hidden)] {
      guard let value else { continue }
      let question = try database.prepare("SELECT \(mark) FROM mark WHERE stem = ?")
      let marking = try database.prepare(Catalogue.marking(mark))
      for stem in stems {
        guard try (question.rows([.text(stem)]).first?[0].int == 1) != value else { continue }
        try marking.run([.text(stem), DatabaseValue(value)])
        if seen.insert(stem).inserted { changed.append(stem) }
      }
    }
    return changed
  }

  /// Returns the albums, sorted by name.
  package func albums() throws(EditError) -> [Album] { try catalogue?.collections().albums ?? [] }

  /// Creates an empty album. The library must be open for writing.
  ///
  /// - Throws: ``EditError`` if an album of that name exists, or the name is empty.
  package func createAlbum(_ name: String) throws(EditError) {
    try checkNew(album: name)
    try commit([]) { database in
      try database.run("INSERT INTO album (name) VALUES (?)", [.text(name)])
      return true
    }
  }

  /// Checks that a name can be used for a new album.
  package func checkNew(album name: String) throws(EditError) {
    guard !name.isEmpty, !name.contains("\0") else {
      throw EditError(.invalidEdit, "an album needs a name", remedy: "enter a name")
    }
    guard try !albums().contains(where: { $0.name == name }) else {
      throw EditError(
        .inTheWay, file: FilePath.shown(folder), "already has an album named \(name)",
        remedy: "choose another name, or add to that album")
    }
  }

  /// Adds assets to an album. Assets that are already in the album keep their positions. The library must be open for
  /// writing.
  ///
  /// - Returns: The stems that were added.
  @discardableResult
  package func add(_ stems: [String], toAlbum name: String) throws(EditError) -> [String] {
    let album = try album(name)
    var known = Set(album.stems)
    let added = stems.filter { known.insert($0).inserted }
    try commit([]) { database in
      try Catalogue.add(added, toAlbum: album.name, in: database)
      return !added.isEmpty
    }
    return added
  }

  /// Removes assets from an album. The library must be open for writing.
  ///
  /// - Returns: The stems that were in the album.
  @discardableResult
  package func remove(_ stems: [String], fromAlbum name: String) throws(EditError) -> [String] {
    let album = try album(name)
    let known = Set(album.stems)
    let removed = stems.filter { known.contains($0) }
    try commit([]) { database in
      let removal = try database.prepare(
        "DELETE FROM album_asset WHERE stem = ? AND album = (SELECT id FROM album WHERE name = ?)")
      for stem in removed { try removal.run([.text(stem), .text(album.name)]) }
      return !removed.isEmpty
    }
    return removed
  }

  /// Removes an album and keeps its assets. The library must be open for writing.
  package func removeAlbum(_ name: String) throws(EditError) {
    let album = try album(name)
    try commit([]) { database in
      try database.run("DELETE FROM album WHERE name = ?", [.text(album.name)])
      return true
    }
  }

  /// Returns the album with the given name.
  ///
  /// - Throws: ``EditError`` if the album does not exist.
  package func album(_ name: String) throws(EditError) -> Album {
    let albums = try albums()
    if let album = albums.first(where: { $0.name == name }) { return album }
    let names = albums.map(\.name).joined(separator: ", ")
    throw EditError(
      .notFound, file: FilePath.shown(folder), "has no album named \(name)",
      remedy: names.isEmpty
        ? "create an album with liveedit album create" : "the folder has these albums: \(names)")
  }
}
