public import Basics
import EditLibrary
import EditModel
import RenderClient
public import Workflows

public import struct FoundationEssentials.URL

extension PhotoLibrary {
  /// Exports an asset into another folder. The asset and its versions are not changed.
  ///
  ///     let outcome = try await library.export(asset, ExportOptions(.still, stripping: .all), into: folder)
  ///     print(outcome.written.map(\.lastPathComponent), outcome.notes)
  ///
  /// - Parameters:
  ///   - asset: The asset to export.
  ///   - options: The export's form and its other options.
  ///   - folder: The folder for the new files. It is created if it does not exist. Existing files are never
  ///     overwritten.
  /// - Throws: ``Basics/EditError``, including when the task is cancelled or the library's renderer cannot convert
  ///   movies. In that case, nothing is written.
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
