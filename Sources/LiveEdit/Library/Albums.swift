public import Basics
public import EditLibrary

extension PhotoLibrary {
  /// The albums, by name.
  ///
  ///     try await library.createAlbum("Summer")
  ///     try await library.add([asset], toAlbum: "Summer")
  ///     for album in try await library.albums() { print(album.name, album.stems) }
  ///
  /// - Throws: ``Basics/EditError`` when the catalogue cannot be read, or the task was cancelled.
  public func albums() async throws(EditError) -> [Album] {
    try await home.albums()
  }

  /// Makes an empty album.
  ///
  /// - Parameter name: its name, which no other album has.
  /// - Throws: ``Basics/EditError`` when the name is taken or impossible, or the library cannot be written to.
  public func createAlbum(_ name: String) async throws(EditError) {
    try await home.createAlbum(name)
  }

  /// Removes an album. The assets in it stay.
  ///
  /// - Throws: ``Basics/EditError`` when there is no such album, or the library cannot be written to.
  public func removeAlbum(_ name: String) async throws(EditError) {
    try await home.removeAlbum(name)
  }

  /// Puts assets into an album.
  ///
  /// - Throws: ``Basics/EditError`` when there is no such album, or the library cannot be written to.
  public func add(_ assets: [Asset], toAlbum name: String) async throws(EditError) {
    try await home.add(assets, toAlbum: name)
  }

  /// Takes assets out of an album.
  ///
  /// - Throws: ``Basics/EditError`` when there is no such album, or the library cannot be written to.
  public func remove(_ assets: [Asset], fromAlbum name: String) async throws(EditError) {
    try await home.remove(assets, fromAlbum: name)
  }
}
