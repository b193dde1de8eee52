public import Basics
public import EditLibrary
public import EditModel
import FileSystem
public import RenderEngine
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
  public var folder: URL { URL(file: home.path) }
  /// The assets of the folder.
  let home: AssetFolder
  /// The renderer that turns edits into files.
  let renderer: any Renderer
  /// The pictures that were decoded.
  let images = ImageCache(limit: 64 << 20)
  /// The requests for pictures that are waited for.
  let imageRequests = WorkQueue(limit: 2)

  /// The folder's path; empty for the current one.
  var path: String { home.path }
  /// The place of the renders.
  var layout: LibraryLayout { home.layout }
  /// Told of waiting for another process, and of commits that were finished or undone.
  var report: @Sendable (Message) -> Void { home.report }

  /// Opens the library of a folder. Nothing is written.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder.
  ///   - layout: the place of the renders: beside the originals, or ``EditLibrary/LibraryLayout/elsewhere(_:)``.
  ///   - renderer: the renderer. ``RenderEngine/InProcessRenderer`` supports frame processors;
  ///     ``RenderClient/HelperRenderer`` decodes files in a sandboxed process.
  ///   - report: told, one sentence each, of waiting for another process and of commits that were finished or undone.
  ///     Called from any thread.
  /// - Throws: ``Basics/EditError`` when there is no such folder.
  public init(
    folder: URL, layout: LibraryLayout = .besideOriginals, renderer: any Renderer = InProcessRenderer(),
    report: @escaping @Sendable (Message) -> Void = { _ in }
  ) throws(EditError) {
    home = try AssetFolder(folder.filePath, layout: layout, report: report)
    self.renderer = renderer
  }

  /// Opens the library of a folder that is named by its path, and renders in this process. Nothing is written.
  ///
  ///     let library = try PhotoLibrary(folder: "Photos")
  ///
  /// - Parameter path: the path of the assets' folder.
  /// - Throws: ``Basics/EditError`` when there is no such folder.
  public convenience init(folder path: String) throws(EditError) {
    try self.init(folder: URL(file: path))
  }

  /// Finds assets. The folder is looked through where it changed since the last time; assets are read from the
  /// catalogue as they are asked for.
  ///
  /// - Parameter options: which ones, and in what order; all that are not hidden, by name, unless said otherwise.
  /// - Returns: the assets, to be iterated over.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read, or the task was cancelled.
  public func fetchAssets(_ options: FetchOptions = FetchOptions()) async throws(EditError) -> FetchResult {
    try await home.fetch(options)
  }

  /// Finds the asset that a file belongs to.
  ///
  /// - Parameter name: of an original, a render or adjustment data, without folder.
  /// - Throws: ``Basics/EditError`` when there is no such asset, or the task was cancelled.
  public func asset(named name: String) async throws(EditError) -> Asset {
    guard let asset = try await home.assets(named: [name])[0] else {
      throw EditError(
        .notFound, file: FilePath.joined(path, name), "does not belong to a photo or movie in the folder",
        remedy: "check the name")
    }
    return asset
  }

  /// Finds assets by names of their files, many at once.
  ///
  /// - Parameter names: of originals, renders or adjustment data, without folder.
  /// - Returns: an asset for each name; nil where there is none.
  /// - Throws: ``Basics/EditError`` when the folder cannot be read, or the task was cancelled.
  public func assets(named names: [String]) async throws(EditError) -> [Asset?] {
    try await home.assets(named: names)
  }

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
    try await home.changes()
  }
}
