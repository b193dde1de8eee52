public import Basics
public import EditLibrary
public import EditModel
import Workflows

extension PhotoLibrary {
  /// The assets that a filter finds, by name; hidden ones are left out. Reads the folder on the calling thread.
  ///
  ///     for asset in try library.assets(where: "kind = live and not edited") { print(asset.name) }
  ///
  /// - Parameter filter: a filter as `liveedit list --filter` takes it; nil finds all.
  /// - Throws: ``EditLibrary/FilterError`` if the filter cannot be read, ``Basics/EditError`` if the folder cannot.
  public func assets(where filter: String? = nil) throws -> [Asset] {
    try home.assets(AssetQuery(filter: filter.map { try AssetFilter($0) }))
  }

  /// Edits an asset: changes its last edit, renders the photo and the movie from their originals, and makes them the current
  /// version. For an own change of every picture, or to change several assets together, see
  /// ``requestContentEditingInput(for:canHandleAdjustmentData:)`` and ``performChanges(_:)``.
  ///
  ///     try await library.edit(asset) { edit in
  ///       edit.rotate(.right)
  ///       edit.exposure = 0.3
  ///     }
  ///
  /// - Parameters:
  ///   - asset: the asset.
  ///   - change: changes the last edit, or ``EditModel/Edit/identity`` if there is none.
  /// - Returns: what the rendered files do not carry; empty if nothing was rendered.
  /// - Throws: ``Basics/EditError``; nothing has changed then.
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
