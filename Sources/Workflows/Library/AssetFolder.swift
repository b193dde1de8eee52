import Basics
import EditLibrary
import EditModel
import FileSystem

/// The assets of one folder: finds them, marks them, keeps their albums, and tells of their changes.
///
/// Everything that blocks runs on threads of this room, never on those of Swift's concurrency.
package struct AssetFolder: Sendable {
  /// The folder's path as it was given; empty for the current one.
  package let path: String
  /// The place of the renders.
  package let layout: LibraryLayout
  /// Told of waiting for another process, and of commits that were finished or undone, one sentence each.
  package let report: @Sendable (Message) -> Void
  /// Keeps the indexes of folders without a library; nil to keep none.
  private let cache: UserCache?

  /// Opens a folder. Nothing is written.
  ///
  /// - Parameters:
  ///   - folder: the folder's path; empty for the current one.
  ///   - layout: the place of the renders.
  ///   - cache: keeps the indexes of folders without a library; nil to keep none.
  ///   - report: told of waiting for another process, and of commits that were finished or undone. Called from any thread.
  /// - Throws: ``Basics/EditError`` when there is no such folder.
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

  /// Finds assets. The folder is looked through where it changed since the last time; assets are read from the
  /// catalogue as they are asked for.
  ///
  /// - Parameter options: which ones, and in what order.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read, or the task was cancelled.
  package func fetch(_ options: AssetQuery = AssetQuery()) async throws(EditError) -> FetchResult {
    try await withWorkerThread(about: path) { [self] isCancelled throws(EditError) in
      let index = try AssetIndex(folder: path, layout: layout, cache: cache, report: report)
      if isCancelled() { throw EditError.stopped(path) }
      return FetchResult(identifiers: try index.identifiers(options), index: index)
    }
  }

  /// Finds assets and reads all of them, on the calling thread.
  ///
  /// - Parameter options: which ones, and in what order.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read.
  package func assets(_ options: AssetQuery) throws(EditError) -> [IndexedAsset] {
    let index = try AssetIndex(folder: path, layout: layout, cache: cache, report: report)
    return try index.assets(index.identifiers(options))
  }

  /// Finds the asset that a file belongs to as it is now, on the calling thread.
  ///
  /// - Parameter name: of an original, a render or adjustment data, without folder.
  /// - Returns: nil where there is none.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read.
  package func asset(named name: String) throws(EditError) -> IndexedAsset? {
    try AssetIndex(folder: path, layout: layout, refresh: .never, cache: cache, report: report)
      .asset(named: name)
  }

  /// Finds assets by names of their files, many at once.
  ///
  /// - Parameter names: of originals, renders or adjustment data, without folder.
  /// - Returns: an asset for each name; nil where there is none.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read, or the task was cancelled.
  package func assets(named names: [String]) async throws(EditError) -> [IndexedAsset?] {
    try await asking(.never) { index, isCancelled throws(EditError) in
      try names.map { name throws(EditError) in
        if isCancelled() { throw EditError.stopped(path) }
        return try index.asset(named: name)
      }
    }
  }

  /// Finds assets by their stems, as albums have them.
  ///
  /// - Returns: an asset for each stem; nil where there is none.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read, or the task was cancelled.
  package func assets(ofStems stems: [String]) async throws(EditError) -> [IndexedAsset?] {
    try await asking { index, _ throws(EditError) in
      try stems.map { stem throws(EditError) in try index.asset(ofStem: stem) }
    }
  }

  /// Counts the assets of bursts, without those that are hidden.
  ///
  /// - Throws: ``Basics/EditError`` when the folder cannot be read, or the task was cancelled.
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
  /// Marks assets, all or none.
  ///
  /// - Throws: ``Basics/EditError`` when the library cannot be written to, or the task was cancelled.
  package func mark(_ assets: [IndexedAsset], _ change: MarkChange) async throws(EditError) {
    let marks = Dictionary(assets.map { ($0.stem, change) }) { first, _ in first }
    try await changing { library throws(EditError) in try library.commit([], marks: marks) }
  }

  /// The albums, by name.
  ///
  /// - Throws: ``Basics/EditError`` when the catalogue cannot be read, or the task was cancelled.
  package func albums() async throws(EditError) -> [Album] {
    try await withWorkerThread(about: path) { [self] _ throws(EditError) in
      try Library.forReading(path, layout: layout, report: report).albums()
    }
  }

  /// Makes an empty album.
  ///
  /// - Throws: ``Basics/EditError`` when the name is taken or impossible, or the library cannot be written to.
  package func createAlbum(_ name: String) async throws(EditError) {
    try await changing { library throws(EditError) in try library.createAlbum(name) }
  }

  /// Removes an album. The assets in it stay.
  ///
  /// - Throws: ``Basics/EditError`` when there is no such album, or the library cannot be written to.
  package func removeAlbum(_ name: String) async throws(EditError) {
    try await changing { library throws(EditError) in try library.removeAlbum(name) }
  }

  /// Puts assets into an album.
  ///
  /// - Throws: ``Basics/EditError`` when there is no such album, or the library cannot be written to.
  package func add(_ assets: [IndexedAsset], toAlbum name: String) async throws(EditError) {
    let stems = assets.map(\.stem)
    try await changing { library throws(EditError) in _ = try library.add(stems, toAlbum: name) }
  }

  /// Takes assets out of an album.
  ///
  /// - Throws: ``Basics/EditError`` when there is no such album, or the library cannot be written to.
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
  /// Tells of changes as they happen, see `PhotoLibrary.changes()`.
  ///
  /// - Returns: the changes from now on, until the task is cancelled or the stream is let go. The stream throws
  ///   ``Basics/EditError`` when the folder can be watched no longer: it was removed, say.
  /// - Throws: ``Basics/EditError`` when the folder cannot be watched.
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

  /// Begins to watch on a thread of its own, where `body` goes on; returns when the watch has begun.
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
