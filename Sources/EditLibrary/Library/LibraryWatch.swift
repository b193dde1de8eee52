package import Basics
import FileSystem

/// A watch over the assets of a folder: tells which ones any process changes, as they do.
package final class LibraryWatch {
  private let folder: String
  private let layout: LibraryLayout
  private let watch: FolderWatch
  private var snapshot: CatalogueSnapshot
  /// True if the catalogue could not be read when it should have been.
  private var isBehind = false
  /// True if the home is watched: one apart from the originals comes with the first change.
  private var isHomeWatched: Bool

  /// Milliseconds in which further changes are taken together with the first one.
  private static let pause: UInt32 = 50

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - layout: the place of the renders.
  /// - Throws: ``EditError`` when the folder cannot be watched or the catalogue not be read.
  package init(_ folder: String, layout: LibraryLayout = .besideOriginals) throws(EditError) {
    self.folder = folder
    self.layout = layout
    do {
      watch = try FolderWatch()
      try watch.add(FilePath.shown(folder))
    } catch {
      throw Self.failure(folder, error)
    }
    // Watched before it is read, so that nothing is missed in between.
    isHomeWatched = Self.watchHome(of: folder, layout, watch)
    snapshot = try CatalogueSnapshot(of: folder, layout)
  }

  /// A folder of which the system does not tell what changes.
  static func failure(_ folder: String, _ error: SystemError) -> EditError {
    EditError(
      .fileSystem, file: folder, "cannot be watched (\(error))",
      remedy: "raise fs.inotify.max_user_watches or fs.inotify.max_user_instances")
  }

  /// Watches the home and the library's folder in it, as far as they are there: that comes with the first change, and
  /// may come again.
  ///
  /// - Returns: true if there is a home.
  private static func watchHome(of folder: String, _ layout: LibraryLayout, _ watch: FolderWatch) -> Bool {
    guard let folders = try? AssetFolders(folder, layout), folders.home.isThere else { return false }
    if !folders.areOne { _ = try? watch.add(folders.home.path) }
    _ = try? watch.add(FilePath.joined(folders.home.path, LibraryPaths.folder))
    return true
  }

  /// Waits for changes.
  ///
  /// - Parameter milliseconds: how long to wait at most.
  /// - Returns: the stems of the assets of which a file, or what the catalogue says, has changed; `isIncomplete` when
  ///   there may be more.
  package func wait(milliseconds: Int32) throws(EditError) -> (stems: Set<String>, isIncomplete: Bool) {
    do {
      var events = try watch.wait(milliseconds: milliseconds)
      if !isHomeWatched {
        isHomeWatched = Self.watchHome(of: folder, layout, watch)
        // What happened there before is found in the catalogue.
        isBehind = isBehind || isHomeWatched
      }
      if events.isEmpty, !isBehind { return ([], false) }
      if events.lost.contains(FilePath.shown(folder)) { throw SystemError.notFound }
      HostSystem.sleep(milliseconds: Self.pause)
      isHomeWatched = Self.watchHome(of: folder, layout, watch)
      let more = try watch.wait(milliseconds: 0)
      if more.lost.contains(FilePath.shown(folder)) { throw SystemError.notFound }
      events.names.merge(more.names) { $0.union($1) }
      // Those in `.liveedit` are no assets'.
      let names = events.names.filter { FilePath.split($0.key).name != LibraryPaths.folder }.flatMap(\.value)
      var stems = Set(names.filter { !$0.hasPrefix(".") }.flatMap(LibraryPaths.stems))
      do throws(EditError) {
        let now = try CatalogueSnapshot(of: folder, layout, since: snapshot)
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
