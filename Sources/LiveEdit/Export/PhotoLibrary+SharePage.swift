import Basics
import EditLibrary
import EditModel
import FileSystem
import RenderClient
import Workflows

public import struct FoundationEssentials.URL

extension PhotoLibrary {
  /// Creates a page for sharing: one HTML file that contains pictures and movies of assets. The assets are not changed.
  ///
  ///     let bytes = try await library.makeSharePage(of: [asset, another], options, to: page)
  ///
  /// - Parameters:
  ///   - assets: The assets, in the order in which the page shows them.
  ///   - options: The options of the page.
  ///   - file: The file to write. The file must not exist yet.
  /// - Returns: The size of the page in bytes.
  /// - Throws: ``Basics/EditError``, including when the task is cancelled or the library's renderer cannot convert
  ///   movies. In that case, nothing is written.
  @discardableResult
  public func makeSharePage(
    of assets: [Asset], _ options: SharePageOptions = SharePageOptions(), to file: URL
  ) async throws(EditError) -> Int {
    let path = file.filePath
    guard let renderer = renderer as? any Renderer & MediaConverter else {
      throw EditError(
        .unsupported, file: path, "cannot be created: the library's renderer cannot convert movies",
        remedy: "open the library with HelperRenderer or InProcessRenderer")
    }
    return try await withWorkerThread(about: path) { isCancelled throws(EditError) in
      let (folder, name) = FilePath.split(path)
      try FilePublisher.checkFree([name], in: folder)
      var locator = AssetLocator(layout: self.layout)
      var page = try SharePage(
        options, renderer: renderer, layout: self.layout, isCancelled: isCancelled)
      for asset in assets { _ = try page.add(locator.locate(asset.path), asset) }
      let publisher = try FilePublisher(in: folder, stem: RenderNames.Parts(name).stem)
      let bytes = try page.write(to: publisher.path("page"))
      _ = try publisher.publish([FilePublisher.Item("page", name: name)])
      return bytes
    }
  }
}
