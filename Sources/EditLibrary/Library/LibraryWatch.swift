package import Basics
import FileSystem

/// A watch on the assets of a folder, which reports the assets that any process changes.
package final class LibraryWatch {
  private let folder: String
  private let layout: LibraryLayout
  private let watch: FolderWatch
  private var snapshot: CatalogueSnapshot
  /// Whether the catalogue still has to be read because the last attempt failed.
  private var isBehind = false
  /// Whether the library home is watched. A separate library home is created with the first change.
  private var isHomeWatched: Bool

  /// The time in milliseconds during which further changes are combined with the first change.
  private static let pause: UInt32 = 50

  /// Starts watching.
  ///
  /// - Parameters:
  ///   - folder: The assets' folder; empty for the current folder.
  ///   - layout: Where renders are stored.
  /// - Throws: ``EditError`` if the folder cannot be watched, or the catalogue cannot be read.
  package init(_ folder: String, layout: LibraryLayout = .besideOriginals) throws(EditError) {
    self.folder = folder
    self.layout = layout
    do {
      watch = try FolderWatch()
      try watch.add(FilePath.shown(folder))
    } catch {
      throw Self.failure(folder, error)
    }
    // The watch starts before the catalogue is read, so that no change is missed.
    isHomeWatched = Self.watchHome(of: folder, layout, watch)
    snapshot = try CatalogueSnapshot(of: folder, layout)
  }

  /// Returns the error about a folder whose changes the system does not report.
  static func failure(_ folder: String, _ error: SystemError) -> EditError {
    EditError(
      .fileSystem, file: folder, "cannot be watched (\(error))",
      remedy: "increase fs.inotify.max_user_watches or fs.inotify.max_user_instances")
  }

  /// Watches the library home and the `.liveedit` folder in it, if they exist. The `.liveedit` folder is created with
  /// the first change, and may be created again later.
  ///
  /// - Returns: Whether the library home exists.
  private static func watchHome(of folder: String, _ layout: LibraryLayout, _ watch: FolderWatch) -> Bool {
    guard let folders = try? AssetFolders(folder, layout), folders.home.isThere else { return false }
    if !folders.areOne { _ = try? watch.add(folders.home.path) }
    _ = try? watch.add(FilePath.joined(folders.home.path, LibraryPaths.folder))
    return true
  }

  /// Waits for changes.
  ///
  /// - Parameter milliseconds: The maximum time to wait.
  /// - Returns: The stems of the assets whose files or catalogue records have changed; `isIncomplete` is true if
  ///   further assets may have changed.
  package func wait(milliseconds: Int32) throws(EditError) -> (stems: Set<String>, isIncomplete: Bool) {
    do {
      var events = try watch.wait(milliseconds: milliseconds)
      if !isHomeWatched {
        isHomeWatched = Self.watchHome(of: folder, layout, watch)
        // The catalogue contains the changes made in the library home before the watch started.
        isBehind = isBehind || isHomeWatched
      }
      if events.isEmpty, !isBehind { return ([], false) }
      if events.lost.contains(FilePath.shown(folder)) { throw SystemError.notFound }
      HostSystem.sleep(milliseconds: Self.pause)
      isHomeWatched = Self.watchHome(of: folder, layout, watch)
      let more = try watch.wait(milliseconds: 0)
      if more.lost.contains(FilePath.shown(folder)) { throw SystemError.notFound }
      events.names.merge(more.names) { $0.union($1) }
      // Files in `.liveedit` are not assets.
      let names = events.names.filter { FilePath.split($0.key).name != LibraryPaths.folder }.flatMap(\.value)
      var stems = Set(names.filter { !$0.hasPrefix(".") }.flatMap(LibraryPaths.stems))
      do throws(EditError) {
        let now = try CatalogueSnapshot(of: folder, layout, since: snapshot)
        stems.formUnion(now.differences(from: snapshot))
        snapshot = now
        isBehind = false
      } catch {
        // Another process is writing, or died while writing. The catalogue will be read the next time.
        isBehind = true
      }
      return (stems, events.isIncomplete || more.isIncomplete)
    } catch {
      throw EditError(reading: FilePath.shown(folder), error)
    }
  }
}
