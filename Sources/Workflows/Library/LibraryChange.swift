import Basics
public import EditLibrary

/// A change to a library, made by this or another process.
public struct LibraryChange: Hashable, Sendable {
  /// The stems of the assets that were added, removed or changed: ``EditLibrary/IndexedAsset/stem``.
  public let assets: Set<String>
  /// Whether some changes were lost because too many happened at once. If so, fetch everything again.
  public let isIncomplete: Bool

  /// Returns whether an asset may have changed.
  public func concerns(_ asset: EditLibrary.IndexedAsset) -> Bool {
    isIncomplete || [asset.stem, IndexedAsset.stem(ofName: asset.name)].contains(where: assets.contains)
  }
}
