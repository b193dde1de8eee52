public import EditLibrary
import Workflows

public import struct FoundationEssentials.URL

/// One photo, movie or Live Photo of a library: the metadata of its files, its marks, and what can be done with it.
///
///     let asset = try await library.asset(named: "IMG_0001.JPG")
///     if asset.metadata.kind == .live, asset.canPerform(.edit) { print(asset.url.path) }
public typealias Asset = IndexedAsset

/// The assets that are wanted, and their order.
///
///     let options = FetchOptions(
///       filter: try AssetFilter("kind = live and date >= 2024-05"),
///       order: .init(.date, isDescending: true), limit: 100)
public typealias FetchOptions = AssetQuery

extension IndexedAsset {
  /// The photo, or the movie where there is none.
  public var url: URL { URL(file: path) }

  /// True if an operation can be performed on the asset, as far as is known without reading its files whole;
  /// ``EditLibrary/IndexedAsset/refusal(of:)`` says why not.
  public func canPerform(_ operation: AssetOperation) -> Bool { refusal(of: operation) == nil }
}
