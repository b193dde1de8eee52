public import Basics
public import EditLibrary
import Workflows

extension PhotoLibrary {
  /// The albums, by name.
  ///
  ///     try await library.createAlbum("Summer")
  ///     try await library.add([asset], toAlbum: "Summer")
  ///     for album in try await library.albums() { print(album.name, album.stems) }
  ///
  /// - Throws: ``Basics/EditError`` when the catalogue cannot be read, or the task was cancelled.
  public func albums() async throws(EditError) -> [Album] {
    try await withWorkerThread(about: path) { _ throws(EditError) in
      try Library.forReading(self.path, layout: self.layout, report: self.report).albums()
    }
  }

  /// Makes an empty album.
  ///
  /// - Parameter name: its name, which no other album has.
  /// - Throws: ``Basics/EditError`` when the name is taken or impossible, or the library cannot be written to.
  public func createAlbum(_ name: String) async throws(EditError) {
    try await change { library throws(EditError) in try library.createAlbum(name) }
  }

  /// Removes an album. The assets in it stay.
  ///
  /// - Throws: ``Basics/EditError`` when there is no such album, or the library cannot be written to.
  public func removeAlbum(_ name: String) async throws(EditError) {
    try await change { library throws(EditError) in try library.removeAlbum(name) }
  }

  /// Puts assets into an album.
  ///
  /// - Throws: ``Basics/EditError`` when there is no such album, or the library cannot be written to.
  public func add(_ assets: [Asset], toAlbum name: String) async throws(EditError) {
    let stems = assets.map(\.stem)
    try await change { library throws(EditError) in _ = try library.add(stems, toAlbum: name) }
  }

  /// Takes assets out of an album.
  ///
  /// - Throws: ``Basics/EditError`` when there is no such album, or the library cannot be written to.
  public func remove(_ assets: [Asset], fromAlbum name: String) async throws(EditError) {
    let stems = assets.map(\.stem)
    try await change { library throws(EditError) in _ = try library.remove(stems, fromAlbum: name) }
  }

  private func change(
    _ body: @escaping @Sendable (Library) throws(EditError) -> Void
  ) async throws(EditError) {
    try await withWorkerThread(about: path) { isCancelled throws(EditError) in
      let library = try Library.forWriting(
        self.path, layout: self.layout, isCancelled: isCancelled, report: self.report)
      defer { library.close() }
      try body(library)
    }
  }
}
