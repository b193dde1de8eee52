public import Basics
public import EditLibrary
public import EditModel
import FileSystem
public import RenderEngine
import Workflows

public import struct FoundationEssentials.URL

extension LibraryLayout {
  /// Returns a layout with the library in another folder, for example because the originals' folder is read-only.
  ///
  ///     let library = try PhotoLibrary(
  ///       folder: originals, layout: .elsewhere(edits), renderer: InProcessRenderer())
  ///
  /// - Parameter folder: The library's folder, which must exist. The library's folder can store the versions for any
  ///   number of folder trees with originals.
  public static func elsewhere(_ folder: URL) -> LibraryLayout { LibraryLayout(library: folder.filePath) }
}

/// The assets in a single folder, and their edits.
///
/// A library is opened for a folder of photos and movies; nothing needs to be imported. The first change creates the
/// catalogue in `.liveedit`. Several processes can use the same folder: the processes make their changes one after
/// another, and ``changes()`` reports all changes.
///
///     let library = try PhotoLibrary(folder: folder, renderer: InProcessRenderer())
///     for try await asset in try await library.fetchAssets() {
///       print(asset.name, asset.metadata.created?.text ?? "")
///     }
///
/// Asynchronous methods block only this module's own threads, never Swift concurrency's threads. Cancelling a task
/// stops the operation that the task awaits, and leaves no files behind.
public final class PhotoLibrary: Sendable {
  /// The folder of the assets.
  public var folder: URL { URL(file: home.path) }
  /// The folder's assets, and the location of their versions.
  let home: AssetFolder
  /// The renderer that renders edits to files.
  let renderer: any Renderer
  /// The cache of decoded pictures.
  let images = ImageCache(limit: 64 << 20)
  /// The queue of pending picture requests.
  let imageRequests = WorkQueue(limit: 2)

  /// The folder's path; empty for the current folder.
  var path: String { home.path }
  /// The location of the rendered files.
  var layout: LibraryLayout { home.layout }
  /// A closure that is called when the library waits for another process, and when it finishes or undoes a commit.
  var report: @Sendable (Message) -> Void { home.report }

  /// Opens the library of a folder. Nothing is written.
  ///
  /// - Parameters:
  ///   - folder: The folder of the assets.
  ///   - layout: The location of the rendered files: next to the originals, or
  ///     ``EditLibrary/LibraryLayout/elsewhere(_:)``.
  ///   - renderer: The renderer. ``RenderEngine/InProcessRenderer`` supports frame processors;
  ///     ``RenderClient/HelperRenderer`` decodes files in a sandboxed process.
  ///   - report: A closure that receives one sentence whenever the library waits for another process, or finishes or
  ///     undoes a commit. The closure may be called from any thread.
  /// - Throws: ``Basics/EditError`` if the folder does not exist.
  public init(
    folder: URL, layout: LibraryLayout = .besideOriginals, renderer: any Renderer = InProcessRenderer(),
    report: @escaping @Sendable (Message) -> Void = { _ in }
  ) throws(EditError) {
    home = try AssetFolder(folder.filePath, layout: layout, report: report)
    self.renderer = renderer
  }

  /// Opens the library of the folder at a path, and renders in this process. Nothing is written.
  ///
  ///     let library = try PhotoLibrary(folder: "Photos")
  ///
  /// - Parameter path: The path of the assets' folder.
  /// - Throws: ``Basics/EditError`` if the folder does not exist.
  public convenience init(folder path: String) throws(EditError) {
    try self.init(folder: URL(file: path))
  }

  /// Fetches assets. The folder is scanned if it changed since the last scan. The assets are read from the catalogue
  /// while the result is iterated.
  ///
  /// - Parameter options: The assets to fetch and their order. By default, all assets that are not hidden, sorted by
  ///   name.
  /// - Returns: The assets, as a sequence to iterate over.
  /// - Throws: ``Basics/EditError`` if the folder cannot be read, or if the task was cancelled.
  public func fetchAssets(_ options: FetchOptions = FetchOptions()) async throws(EditError) -> FetchResult {
    try await home.fetch(options)
  }

  /// Returns the asset that a file belongs to.
  ///
  /// - Parameter name: The name of an original, a render or a sidecar, without its folder.
  /// - Throws: ``Basics/EditError`` if no asset has a file of that name, or if the task was cancelled.
  public func asset(named name: String) async throws(EditError) -> Asset {
    guard let asset = try await home.assets(named: [name])[0] else {
      throw EditError(
        .notFound, file: FilePath.joined(path, name), "does not belong to a photo or movie in the folder",
        remedy: "check the name")
    }
    return asset
  }

  /// Returns the assets that several files belong to.
  ///
  /// - Parameter names: The names of originals, renders or sidecars, without their folder.
  /// - Returns: The asset for each name; nil for a name that does not belong to an asset.
  /// - Throws: ``Basics/EditError`` if the folder cannot be read, or if the task was cancelled.
  public func assets(named names: [String]) async throws(EditError) -> [Asset?] {
    try await home.assets(named: names)
  }

  /// Returns a stream of changes to the library: edits, reverts and changed marks, made by this or another process, and
  /// files that other programs add, change or remove. Changes that happen at the same time are reported together.
  ///
  ///     for try await change in try await library.changes() where change.concerns(asset) {
  ///       print(try await library.asset(named: asset.name).isFavourite)
  ///     }
  ///
  /// In a shared network folder, changes made on other computers are noticed only when something changes on this
  /// computer.
  ///
  /// - Returns: The changes from now on, until the task is cancelled or the stream is released. The stream throws
  ///   ``Basics/EditError`` if the folder can no longer be watched, for example because it was removed.
  /// - Throws: ``Basics/EditError`` if the folder cannot be watched.
  public func changes() async throws(EditError) -> AsyncThrowingStream<LibraryChange, any Error> {
    try await home.changes()
  }
}
