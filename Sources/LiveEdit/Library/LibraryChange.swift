public import Basics
import EditLibrary
import FileSystem
import Workflows

/// A change of a library, by this or another process.
public struct LibraryChange: Hashable, Sendable {
  /// The stems of the assets that came, went or changed: ``EditLibrary/IndexedAsset/stem``.
  public let assets: Set<String>
  /// True if so much changed at once that the system forgot some of it: then everything is to be fetched anew.
  public let isIncomplete: Bool

  /// True if an asset may have changed.
  public func concerns(_ asset: Asset) -> Bool {
    isIncomplete || [asset.stem, Asset.stem(ofName: asset.name)].contains(where: assets.contains)
  }
}

extension PhotoLibrary {
  /// Tells of changes of the library as they happen: edits, reverts and marks by this or another process, and files
  /// that other programs put into the folder, change or take away. Changes that come together are told together.
  ///
  ///     for try await change in try await library.changes() where change.concerns(asset) {
  ///       print(try await library.asset(named: asset.name).isFavourite)
  ///     }
  ///
  /// Changes by programs on other computers in a shared folder are seen only once something changes here.
  ///
  /// - Returns: the changes from now on, until the task is cancelled or the stream is let go. The stream throws
  ///   ``Basics/EditError`` when the folder can be watched no longer: it was removed, say.
  /// - Throws: ``Basics/EditError`` when the folder cannot be watched.
  public func changes() async throws(EditError) -> AsyncThrowingStream<LibraryChange, any Error> {
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
            .fileSystem, file: folder, "cannot be watched: the system starts no further thread"))
      }
    }
    if let failure { throw failure }
  }
}
