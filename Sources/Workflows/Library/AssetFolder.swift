import Basics
import EditLibrary
import EditModel
import FileSystem

/// The assets of one folder. This type finds assets, sets their favourite and hidden flags, manages their albums and
/// reports changes.
///
/// All blocking work runs on dedicated threads, never on the threads of Swift's concurrency runtime.
package struct AssetFolder: Sendable {
  /// The path of the folder as given; empty for the current folder.
  package let path: String
  /// The layout of the library, which determines where the renders are stored.
  package let layout: LibraryLayout
  /// Receives messages about waiting for another process and about commits that were completed or rolled back, one
  /// sentence each.
  package let report: @Sendable (Message) -> Void
  /// The cache for the indexes of folders without a library, or nil to store no indexes.
  private let cache: UserCache?

  /// Opens a folder without writing anything.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder; empty for the current folder.
  ///   - layout: The layout of the library, which determines where the renders are stored.
  ///   - cache: The cache for the indexes of folders without a library, or nil to store no indexes.
  ///   - report: Receives messages about waiting for another process and about commits that were completed or rolled
  ///     back, from any thread.
  /// - Throws: ``Basics/EditError`` if the folder does not exist.
  package init(
    _ folder: String, layout: LibraryLayout = .besideOriginals, cache: UserCache? = nil,
    report: @escaping @Sendable (Message) -> Void = { _ in }
  ) throws(EditError) {
    (path, self.layout, self.cache, self.report) = (folder, layout, cache, report)
    let shown = FilePath.shown(folder)
    try whileReading(shown) {
      guard try FileStatus(path: shown).kind == .folder else {
        throw EditError(
          .invalidFile, file: folder, "is not a folder", remedy: "name a folder of photos")
      }
    }
  }

  /// Finds assets. The folder is scanned again if it has changed since the last scan. Assets are read from the
  /// catalogue only when they are accessed.
  ///
  /// - Parameter options: The filter and the order.
  /// - Throws: ``Basics/EditError`` if the folder cannot be read or the task was cancelled.
  package func fetch(_ options: AssetQuery = AssetQuery()) async throws(EditError) -> FetchResult {
    try await withWorkerThread(about: path) { [self] isCancelled throws(EditError) in
      let index = try AssetIndex(folder: path, layout: layout, cache: cache, report: report)
      if isCancelled() { throw EditError.stopped(path) }
      return FetchResult(identifiers: try index.identifiers(options), index: index)
    }
  }

  /// Finds and reads assets on the calling thread.
  ///
  /// - Parameter options: The filter and the order.
  /// - Throws: ``Basics/EditError`` if the folder cannot be read.
  package func assets(_ options: AssetQuery) throws(EditError) -> [IndexedAsset] {
    let index = try AssetIndex(folder: path, layout: layout, cache: cache, report: report)
    return try index.assets(index.identifiers(options))
  }

  /// Returns the current state of the asset that a file belongs to. The function runs on the calling thread.
  ///
  /// - Parameter name: The name of an original, a render or adjustment data, without its folder.
  /// - Returns: The asset, or nil if the file belongs to no asset.
  /// - Throws: ``Basics/EditError`` if the folder cannot be read.
  package func asset(named name: String) throws(EditError) -> IndexedAsset? {
    try AssetIndex(folder: path, layout: layout, refresh: .never, cache: cache, report: report)
      .asset(named: name)
  }

  /// Finds many assets by the names of their files.
  ///
  /// - Parameter names: The names of originals, renders or adjustment data, without their folder.
  /// - Returns: For each name, the asset, or nil if the name belongs to no asset.
  /// - Throws: ``Basics/EditError`` if the folder cannot be read or the task was cancelled.
  package func assets(named names: [String]) async throws(EditError) -> [IndexedAsset?] {
    try await asking(.never) { index, isCancelled throws(EditError) in
      try names.map { name throws(EditError) in
        if isCancelled() { throw EditError.stopped(path) }
        return try index.asset(named: name)
      }
    }
  }

  /// Finds assets by the stems that are stored in albums.
  ///
  /// - Returns: For each stem, the asset, or nil if no asset has that stem.
  /// - Throws: ``Basics/EditError`` if the folder cannot be read or the task was cancelled.
  package func assets(ofStems stems: [String]) async throws(EditError) -> [IndexedAsset?] {
    try await asking { index, _ throws(EditError) in
      try stems.map { stem throws(EditError) in try index.asset(ofStem: stem) }
    }
  }

  /// Counts the assets in each burst, excluding hidden assets.
  ///
  /// - Throws: ``Basics/EditError`` if the folder cannot be read or the task was cancelled.
  package func counts(ofBursts bursts: [String]) async throws(EditError) -> [Int] {
    try await asking { index, _ throws(EditError) in try index.counts(ofBursts: bursts) }
  }

  private func asking<Value: Sendable>(
    _ refresh: AssetIndex.Refresh = .ifFolderChanged,
    _ body: @escaping @Sendable (AssetIndex, () -> Bool) throws(EditError) -> Value
  ) async throws(EditError) -> Value {
    try await withWorkerThread(about: path) { [self] isCancelled throws(EditError) in
      try body(
        AssetIndex(folder: path, layout: layout, refresh: refresh, cache: cache, report: report), isCancelled)
    }
  }
}

// MARK: - Marks and albums

extension AssetFolder {
  /// Changes the favourite and hidden flags of all given assets, or of none.
  ///
  /// - Throws: ``Basics/EditError`` if the library cannot be written or the task was cancelled.
  package func mark(_ assets: [IndexedAsset], _ change: MarkChange) async throws(EditError) {
    let marks = Dictionary(assets.map { ($0.stem, change) }) { first, _ in first }
    try await changing { library throws(EditError) in try library.commit([], marks: marks) }
  }

  /// Returns the albums, sorted by name.
  ///
  /// - Throws: ``Basics/EditError`` if the catalogue cannot be read or the task was cancelled.
  package func albums() async throws(EditError) -> [Album] {
    try await withWorkerThread(about: path) { [self] _ throws(EditError) in
      try Library.forReading(path, layout: layout, report: report).albums()
    }
  }

  /// Creates an empty album.
  ///
  /// - Throws: ``Basics/EditError`` if the name is taken or invalid, or if the library cannot be written.
  package func createAlbum(_ name: String) async throws(EditError) {
    try await changing { library throws(EditError) in try library.createAlbum(name) }
  }

  /// Removes an album but keeps its assets.
  ///
  /// - Throws: ``Basics/EditError`` if the album does not exist or the library cannot be written.
  package func removeAlbum(_ name: String) async throws(EditError) {
    try await changing { library throws(EditError) in try library.removeAlbum(name) }
  }

  /// Adds assets to an album.
  ///
  /// - Throws: ``Basics/EditError`` if the album does not exist or the library cannot be written.
  package func add(_ assets: [IndexedAsset], toAlbum name: String) async throws(EditError) {
    let stems = assets.map(\.stem)
    try await changing { library throws(EditError) in _ = try library.add(stems, toAlbum: name) }
  }

  /// Removes assets from an album.
  ///
  /// - Throws: ``Basics/EditError`` if the album does not exist or the library cannot be written.
  package func remove(_ assets: [IndexedAsset], fromAlbum name: String) async throws(EditError) {
    let stems = assets.map(\.stem)
    try await changing { library throws(EditError) in _ = try library.remove(stems, fromAlbum: name) }
  }

  private func changing(
    _ body: @escaping @Sendable (Library) throws(EditError) -> Void
  ) async throws(EditError) {
    try await withWorkerThread(about: path) { [self] isCancelled throws(EditError) in
      let library = try Library.forWriting(path, layout: layout, isCancelled: isCancelled, report: report)
      defer { library.close() }
      try body(library)
    }
  }
}

// MARK: - Changes

extension AssetFolder {
  /// Reports changes as they happen, see `PhotoLibrary.changes()`.
  ///
  /// - Returns: A stream of changes that ends when the task is cancelled or the stream is released. The stream throws
  ///   ``Basics/EditError`` if the folder can no longer be watched, for example because it was removed.
  /// - Throws: ``Basics/EditError`` if the folder cannot be watched.
  package func changes() async throws(EditError) -> AsyncThrowingStream<LibraryChange, any Error> {
    let (folder, layout) = (path, layout)
    let (stream, continuation) = AsyncThrowingStream<LibraryChange, any Error>.makeStream()
    let isOver = Flag()
    continuation.onTermination = { _ in isOver.set() }
    try await withReadyWatch(folder, layout) { watch in
      while !isOver.isSet {
        let change: (stems: Set<String>, isIncomplete: Bool)
        do throws(EditError) {
          change = try watch.wait(milliseconds: 200)
        } catch {
          return continuation.finish(throwing: error)
        }
        if !change.stems.isEmpty || change.isIncomplete {
          continuation.yield(LibraryChange(assets: change.stems, isIncomplete: change.isIncomplete))
        }
      }
      continuation.finish()
    }
    return stream
  }

  /// Starts watching the folder on a separate thread, which then runs `body`. Returns as soon as the watch has started.
  private func withReadyWatch(
    _ folder: String, _ layout: LibraryLayout, _ body: @escaping @Sendable (LibraryWatch) -> Void
  ) async throws(EditError) {
    let failure: EditError? = await withCheckedContinuation { continuation in
      do {
        _ = try WorkerThread {
          do throws(EditError) {
            let watch = try LibraryWatch(folder, layout: layout)
            continuation.resume(returning: nil)
            body(watch)
          } catch {
            continuation.resume(returning: error)
          }
        }
      } catch {
        continuation.resume(
          returning: EditError(
            .fileSystem, file: folder, "cannot be watched: the system cannot start another thread"))
      }
    }
    if let failure { throw failure }
  }
}
