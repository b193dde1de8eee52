public import Basics
import FileSystem

/// What tells whether the catalogue says something else of an asset than before.
public struct CatalogueRevision: Hashable, Sendable {
  /// The number of the current version.
  var current = 0
  /// The greatest number of a version.
  var last = 0
  /// Whether it is a favourite, and hidden.
  var marks: [Int?] = [0, 0]
  /// The albums that it is in.
  var albums: [Int] = []
}

/// The revisions of all assets in a folder's catalogue, at one moment.
public struct LibraryRevisions: Sendable {
  private let revisions: [String: CatalogueRevision]
  private let stamp: CatalogueStamp?

  /// Reads the catalogue of a folder; nothing is locked, finished or undone.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder.
  ///   - known: those of an earlier moment, which are taken over when the catalogue's file is as it was.
  /// - Throws: ``EditError`` when the catalogue cannot be read now.
  public init(of folder: String, since known: LibraryRevisions? = nil) throws(EditError) {
    // The stamp comes first: a change in between then shows as another one.
    let stamp = CatalogueStamp(folder)
    if let known, known.stamp == stamp {
      self = known
    } else {
      self.stamp = stamp
      revisions = stamp == nil ? [:] : try Self.read(folder)
    }
  }

  private static func read(_ folder: String) throws(EditError) -> [String: CatalogueRevision] {
    do {
      let file = DatabaseFile(folder: try HeldFolder(path: folder), place: LibraryPaths.catalogue)
      let catalogue = try Catalogue(file, .reading)
      return catalogue.isEmptyFile ? [:] : try catalogue.revisions()
    } catch {
      throw EditError(reading: folder.isEmpty ? "." : folder, error)
    }
  }

  /// The stems of the assets of which these say something else than others.
  public func differences(from others: LibraryRevisions) -> Set<String> {
    var stems = Set(revisions.filter { others.revisions[$0.key] != $0.value }.keys)
    for stem in others.revisions.keys where revisions[stem] == nil { stems.insert(stem) }
    return stems
  }
}

extension LibraryPaths {
  /// The stems of the assets that a name beside the originals can belong to.
  static func stems(ofName name: String) -> [String] {
    let stem = RenderNames.Parts(name).stem
    return [stem, RenderNames.originalStem(ofRender: stem)].compactMap { $0 }
  }
}

/// Tells which assets of a folder other processes or this one change, as they do.
public final class LibraryWatch {
  private let folder: String
  private let watch: FolderWatch
  private var revisions: LibraryRevisions
  /// Whether the catalogue could not be read when it should have been.
  private var isBehind = false

  /// Milliseconds in which further changes are taken together with the first one.
  private static let pause: UInt32 = 50

  /// Begins to watch.
  ///
  /// - Parameter folder: the assets' folder; empty for the current one.
  /// - Throws: ``EditError`` when the folder cannot be watched or the catalogue not be read.
  public init(_ folder: String) throws(EditError) {
    self.folder = folder
    do {
      watch = try FolderWatch()
      try watch.add(folder.isEmpty ? "." : folder)
    } catch {
      throw EditError(
        .fileSystem, file: folder, "cannot be watched (\(error))",
        remedy: "raise fs.inotify.max_user_watches or fs.inotify.max_user_instances")
    }
    _ = try? watch.add(FolderListing.path(folder, LibraryPaths.folder))
    revisions = try LibraryRevisions(of: folder)
  }

  /// Waits for changes.
  ///
  /// - Parameter milliseconds: how long to wait at most.
  /// - Returns: the stems of the assets of which a file, or what the catalogue says, has changed; `isIncomplete` when
  ///   there may be more.
  public func wait(milliseconds: Int32) throws(EditError) -> (stems: Set<String>, isIncomplete: Bool) {
    do {
      var events = try watch.wait(milliseconds: milliseconds)
      if events.isEmpty, !isBehind { return ([], false) }
      if events.lost.contains(folder.isEmpty ? "." : folder) { throw SystemError.notFound }
      HostSystem.sleep(milliseconds: Self.pause)
      // The library's folder comes with the first change, and may come again.
      _ = try? watch.add(FolderListing.path(folder, LibraryPaths.folder))
      let more = try watch.wait(milliseconds: 0)
      if more.lost.contains(folder.isEmpty ? "." : folder) { throw SystemError.notFound }
      events.names.merge(more.names) { $0.union($1) }
      let names = events.names[folder.isEmpty ? "." : folder] ?? []
      var stems = Set(names.filter { !$0.hasPrefix(".") }.flatMap(LibraryPaths.stems))
      do throws(EditError) {
        let now = try LibraryRevisions(of: folder, since: revisions)
        stems.formUnion(now.differences(from: revisions))
        revisions = now
        isBehind = false
      } catch {
        // Somebody is writing, or died while writing: it is read the next time.
        isBehind = true
      }
      return (stems, events.isIncomplete || more.isIncomplete)
    } catch {
      throw EditError(reading: folder.isEmpty ? "." : folder, error)
    }
  }
}
