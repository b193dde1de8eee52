public import Basics
public import EditLibrary
public import EditModel
import FileSystem
import Workflows

public import struct FoundationEssentials.URL

extension LibraryLayout {
  /// A library elsewhere, as for originals that cannot be written to.
  ///
  ///     let library = try PhotoLibrary(
  ///       folder: originals, layout: .elsewhere(edits), renderer: InProcessRenderer())
  ///
  /// - Parameter folder: the library's folder, which must be there. It holds the versions of any number of trees of
  ///   originals.
  public static func elsewhere(_ folder: URL) -> LibraryLayout { LibraryLayout(library: folder.filePath) }
}

/// The assets of one folder and their edits.
///
/// A library is opened for a folder with photos and movies; nothing needs to be imported. The catalogue in
/// `.liveedit` appears with the first change. Other processes may work in the same folder: changes wait for each
/// other, and ``changes()`` tells of them.
///
///     let library = try PhotoLibrary(folder: folder, renderer: InProcessRenderer())
///     for try await asset in try await library.fetchAssets() {
///       print(asset.name, asset.metadata.created?.text ?? "")
///     }
///
/// Everything that blocks runs on threads of this module's own, never on those of Swift's concurrency. Cancelling a
/// task stops what it awaits, and leaves nothing behind.
public final class PhotoLibrary: Sendable {
  /// The folder of the assets.
  public var folder: URL { URL(file: path) }
  /// The folder's path as it was given; empty for the current one.
  package let path: String
  /// The place of the renders.
  package let layout: LibraryLayout
  /// The renderer that turns edits into files.
  let renderer: any Renderer
  let report: @Sendable (Message) -> Void
  /// Keeps the indexes of folders without a library; nil to keep none.
  let cache: UserCache?
  /// The pictures that were decoded.
  let images = ImageCache(limit: 64 << 20)
  /// The requests for pictures that are waited for.
  let imageRequests = WorkQueue(limit: 2)

  /// Opens the library of a folder. Nothing is written.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder.
  ///   - layout: the place of the renders: beside the originals, or ``EditLibrary/LibraryLayout/elsewhere(_:)``.
  ///   - renderer: the renderer: `InProcessRenderer` of RenderEngine, which can run a frame processor, or
  ///     ``HelperRenderer``, which keeps hostile files in a process of their own.
  ///   - report: told, one sentence each, of waiting for another process and of commits that were finished or undone.
  ///     Called from any thread.
  /// - Throws: ``Basics/EditError`` when there is no such folder.
  public convenience init(
    folder: URL, layout: LibraryLayout = .besideOriginals, renderer: any Renderer,
    report: @escaping @Sendable (Message) -> Void = { _ in }
  ) throws(EditError) {
    try self.init(path: folder.filePath, layout: layout, renderer: renderer, report: report)
  }

  /// Opens the library of a folder that is named by its path.
  ///
  /// - Parameter cache: keeps the indexes of folders without a library; nil to keep none.
  package init(
    path folder: String, layout: LibraryLayout = .besideOriginals, renderer: any Renderer,
    cache: UserCache? = nil, report: @escaping @Sendable (Message) -> Void = { _ in }
  ) throws(EditError) {
    path = folder
    self.layout = layout
    self.renderer = renderer
    self.cache = cache
    self.report = report
    let shown = FilePath.shown(folder)
    try whileReading(shown) {
      guard try FileStatus(path: shown).kind == .folder else {
        throw EditError(
          .invalidFile, file: folder, "is not a folder", remedy: "name the folder of the photos")
      }
    }
  }

  /// Finds assets. The folder is looked through where it changed since the last time; assets are read from the
  /// catalogue as they are asked for.
  ///
  /// - Parameter options: which ones, and in what order; all that are not hidden, by name, unless said otherwise.
  /// - Returns: the assets, to be iterated over.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read, or the task was cancelled.
  public func fetchAssets(_ options: FetchOptions = FetchOptions()) async throws(EditError) -> FetchResult {
    let (folder, layout, cache, report) = (path, layout, cache, report)
    return try await withWorkerThread(about: folder) { isCancelled throws(EditError) in
      let index = try AssetIndex(folder: folder, layout: layout, cache: cache, report: report)
      if isCancelled() { throw EditError.stopped(folder) }
      return FetchResult(identifiers: try index.identifiers(options), index: index)
    }
  }

  /// Finds the asset that a file belongs to.
  ///
  /// - Parameter name: of an original, a render or adjustment data, without folder.
  /// - Throws: ``Basics/EditError`` when there is no such asset, or the task was cancelled.
  public func asset(named name: String) async throws(EditError) -> Asset {
    let (folder, layout, cache, report) = (path, layout, cache, report)
    return try await withWorkerThread(about: FilePath.joined(folder, name)) { _ throws(EditError) in
      guard
        let asset = try AssetIndex(
          folder: folder, layout: layout, refresh: .never, cache: cache, report: report
        )
        .asset(named: name)
      else {
        throw EditError(
          .notFound, file: FilePath.joined(folder, name), "belongs to no photo or movie of the folder",
          remedy: "check the name")
      }
      return asset
    }
  }

  /// Finds assets by names of their files, many at once.
  ///
  /// - Parameter names: of originals, renders or adjustment data, without folder.
  /// - Returns: an asset for each name; nil where there is none.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read, or the task was cancelled.
  public func assets(named names: [String]) async throws(EditError) -> [Asset?] {
    let (folder, layout, cache, report) = (path, layout, cache, report)
    return try await withWorkerThread(about: folder) { isCancelled throws(EditError) in
      let index = try AssetIndex(
        folder: folder, layout: layout, refresh: .never, cache: cache, report: report)
      return try names.map { name throws(EditError) in
        if isCancelled() { throw EditError.stopped(folder) }
        return try index.asset(named: name)
      }
    }
  }
}
