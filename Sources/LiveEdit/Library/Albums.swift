public import Basics
public import EditLibrary

extension PhotoLibrary {
  /// Returns the albums, sorted by name.
  ///
  ///     try await library.createAlbum("Summer")
  ///     try await library.add([asset], toAlbum: "Summer")
  ///     for album in try await library.albums() { print(album.name, album.stems) }
  ///
  /// - Throws: ``Basics/EditError`` if the catalogue cannot be read, or if the task was cancelled.
  public func albums() async throws(EditError) -> [Album] {
    try await home.albums()
  }

  /// Creates an empty album.
  ///
  /// - Parameter name: The album's name, which must not be in use.
  /// - Throws: ``Basics/EditError`` if the name is in use or not valid, or if the library is not writable.
  public func createAlbum(_ name: String) async throws(EditError) {
    try await home.createAlbum(name)
  }

  /// Removes an album. The assets in the album are kept.
  ///
  /// - Throws: ``Basics/EditError`` if the album does not exist, or if the library is not writable.
  public func removeAlbum(_ name: String) async throws(EditError) {
    try await home.removeAlbum(name)
  }

  /// Adds assets to an album.
  ///
  /// - Throws: ``Basics/EditError`` if the album does not exist, or if the library is not writable.
  public func add(_ assets: [Asset], toAlbum name: String) async throws(EditError) {
    try await home.add(assets, toAlbum: name)
  }

  /// Removes assets from an album.
  ///
  /// - Throws: ``Basics/EditError`` if the album does not exist, or if the library is not writable.
  public func remove(_ assets: [Asset], fromAlbum name: String) async throws(EditError) {
    try await home.remove(assets, fromAlbum: name)
  }
}
