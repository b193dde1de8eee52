public import Basics
import EditLibrary
import EditModel
import RenderClient
public import Workflows

public import struct FoundationEssentials.URL

extension PhotoLibrary {
  /// Exports an asset into another folder. The asset and its versions stay as they are.
  ///
  ///     let handedOn = try await library.export(asset, ExportOptions(.still, stripping: .all), into: folder)
  ///     print(handedOn.written.map(\.lastPathComponent), handedOn.notes)
  ///
  /// - Parameters:
  ///   - asset: the asset.
  ///   - options: how.
  ///   - folder: where the new files go; made where it is missing. Nothing there is overwritten.
  /// - Throws: ``Basics/EditError``, also when the task is cancelled or the library's renderer converts no movies;
  ///   nothing is written then.
  public func export(
    _ asset: Asset, _ options: ExportOptions, into folder: URL
  ) async throws(EditError) -> ExportOutcome {
    guard let renderer = renderer as? any Renderer & MediaConverter else {
      throw EditError(
        .unsupported, file: asset.path, "cannot be exported: the library's renderer cannot convert movies",
        remedy: "open the library with HelperRenderer or InProcessRenderer")
    }
    return try await withWorkerThread(about: asset.path) { isCancelled throws(EditError) in
      var locator = AssetLocator(layout: self.layout)
      return try Exporter(renderer: renderer, layout: self.layout, isCancelled: isCancelled).export(
        locator.locate(asset.path), options, into: folder.filePath)
    }
  }
}
