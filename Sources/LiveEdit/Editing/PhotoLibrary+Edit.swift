public import Basics
public import EditLibrary
public import EditModel
import Workflows

extension PhotoLibrary {
  /// Returns the assets that match a filter, sorted by name and without hidden assets. This method reads the folder on
  /// the calling thread.
  ///
  ///     for asset in try library.assets(where: "kind = live and not edited") { print(asset.name) }
  ///
  /// - Parameter filter: A filter in the syntax of `liveedit list --filter`; nil returns all assets.
  /// - Throws: ``EditLibrary/FilterError`` if the filter is not valid, or ``Basics/EditError`` if the folder cannot be
  ///   read.
  public func assets(where filter: String? = nil) throws -> [Asset] {
    try home.assets(AssetQuery(filter: filter.map { try AssetFilter($0) }))
  }

  /// Edits an asset: changes its last edit, renders the photo and the movie from their originals, and makes the result
  /// the current version. To process every picture with a closure, or to change several assets together, use
  /// ``requestContentEditingInput(for:canHandleAdjustmentData:)`` and ``performChanges(_:)`` instead.
  ///
  ///     try await library.edit(asset) { edit in
  ///       edit.rotate(.right)
  ///       edit.exposure = 0.3
  ///     }
  ///
  /// - Parameters:
  ///   - asset: The asset to edit.
  ///   - change: A closure that changes the last edit. If the asset has no edit, the closure receives
  ///     ``EditModel/Edit/identity``.
  /// - Returns: The parts of the originals that the rendered files do not contain; empty if nothing was rendered.
  /// - Throws: ``Basics/EditError``. In that case, nothing has changed.
  @discardableResult
  public func edit(
    _ asset: Asset, _ change: @escaping @Sendable (inout Edit) -> Void
  ) async throws(EditError) -> [Removal] {
    try await withWorkerThread(about: asset.path) { [self] isCancelled throws(EditError) in
      var locator = AssetLocator(layout: layout, report: report)
      let editor = AssetEditor(
        renderer: renderer, layout: layout, isCancelled: isCancelled, report: report)
      let change = ChangeOfEdit.by(
        { edit, _ in
          var edit = edit
          change(&edit)
          return edit
        }, settings: SettingsChange())
      return try editor.edit(locator.locate(asset.path), change)?.result?.removals ?? []
    }
  }
}
