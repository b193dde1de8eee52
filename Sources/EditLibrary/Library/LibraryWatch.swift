package import Basics
import FileSystem

/// A watch over the assets of a folder: tells which ones any process changes, as they do.
package final class LibraryWatch {
  private let folder: String
  private let watch: FolderWatch
  private var snapshot: CatalogueSnapshot
  /// True if the catalogue could not be read when it should have been.
  private var isBehind = false

  /// Milliseconds in which further changes are taken together with the first one.
  private static let pause: UInt32 = 50

  /// Begins to watch.
  ///
  /// - Parameter folder: the assets' folder; empty for the current one.
  /// - Throws: ``EditError`` when the folder cannot be watched or the catalogue not be read.
  package init(_ folder: String) throws(EditError) {
    self.folder = folder
    do {
      watch = try FolderWatch()
      try watch.add(FilePath.shown(folder))
    } catch {
      throw EditError(
        .fileSystem, file: folder, "cannot be watched (\(error))",
        remedy: "raise fs.inotify.max_user_watches or fs.inotify.max_user_instances")
    }
    _ = try? watch.add(FilePath.joined(folder, LibraryPaths.folder))
    snapshot = try CatalogueSnapshot(of: folder)
  }

  /// Waits for changes.
  ///
  /// - Parameter milliseconds: how long to wait at most.
  /// - Returns: the stems of the assets of which a file, or what the catalogue says, has changed; `isIncomplete` when
  ///   there may be more.
  package func wait(milliseconds: Int32) throws(EditError) -> (stems: Set<String>, isIncomplete: Bool) {
    do {
      var events = try watch.wait(milliseconds: milliseconds)
      if events.isEmpty, !isBehind { return ([], false) }
      if events.lost.contains(FilePath.shown(folder)) { throw SystemError.notFound }
      HostSystem.sleep(milliseconds: Self.pause)
      // The library's folder comes with the first change, and may come again.
      _ = try? watch.add(FilePath.joined(folder, LibraryPaths.folder))
      let more = try watch.wait(milliseconds: 0)
      if more.lost.contains(FilePath.shown(folder)) { throw SystemError.notFound }
      events.names.merge(more.names) { $0.union($1) }
      let names = events.names[FilePath.shown(folder)] ?? []
      var stems = Set(names.filter { !$0.hasPrefix(".") }.flatMap(LibraryPaths.stems))
      do throws(EditError) {
        let now = try CatalogueSnapshot(of: folder, since: snapshot)
        stems.formUnion(now.differences(from: snapshot))
        snapshot = now
        isBehind = false
      } catch {
        // Somebody is writing, or died while writing: it is read the next time.
        isBehind = true
      }
      return (stems, events.isIncomplete || more.isIncomplete)
    } catch {
      throw EditError(reading: FilePath.shown(folder), error)
    }
  }
}
