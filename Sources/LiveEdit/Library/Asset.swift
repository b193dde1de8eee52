public import EditLibrary
import Workflows

public import struct FoundationEssentials.URL

/// A photo, movie or Live Photo in a library: its metadata, its favourite and hidden marks, and the operations that it
/// supports.
///
///     let asset = try await library.asset(named: "IMG_0001.JPG")
///     if asset.metadata.kind == .live, asset.canPerform(.edit) { print(asset.url.path) }
public typealias Asset = IndexedAsset

/// A query that selects assets and sorts them.
///
///     let options = FetchOptions(
///       filter: try AssetFilter("kind = live and date >= 2024-05"),
///       order: .init(.date, isDescending: true), limit: 100)
public typealias FetchOptions = AssetQuery

extension IndexedAsset {
  /// The URL of the photo, or of the movie if there is no photo.
  public var url: URL { URL(file: path) }

  /// Returns whether an operation can be performed on the asset, without reading the asset's files completely. If the
  /// operation cannot be performed, ``EditLibrary/IndexedAsset/refusal(of:)`` returns the reason.
  public func canPerform(_ operation: AssetOperation) -> Bool { refusal(of: operation) == nil }
}
