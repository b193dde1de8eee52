import Basics
public import EditLibrary

/// A change of a library, by this or another process.
public struct LibraryChange: Hashable, Sendable {
  /// The stems of the assets that came, went or changed: ``EditLibrary/IndexedAsset/stem``.
  public let assets: Set<String>
  /// True if so much changed at once that the system forgot some of it: then everything is to be fetched anew.
  public let isIncomplete: Bool

  /// True if an asset may have changed.
  public func concerns(_ asset: EditLibrary.IndexedAsset) -> Bool {
    isIncomplete || [asset.stem, IndexedAsset.stem(ofName: asset.name)].contains(where: assets.contains)
  }
}
