@_exported public import EditModel

// Edits, adjustment data, metadata, frames, renderers and errors belong to this interface.
@_exported public import struct Basics.EditError
@_exported public import struct EditLibrary.Album
@_exported public import enum EditLibrary.AssetField
@_exported public import struct EditLibrary.AssetFilter
@_exported public import enum EditLibrary.AssetOperation
@_exported public import struct EditLibrary.AssetQuery
@_exported public import struct EditLibrary.FilterError
@_exported public import struct EditLibrary.IndexedAsset
@_exported public import enum LivePhotoFormat.PrivateMetadata

/// One photo, movie or Live Photo of a library: what its files say, its marks, and what can be done with it.
///
///     let asset = try await library.asset(named: "IMG_0001.JPG")
///     if asset.metadata.kind == .live, asset.canPerform(.edit) { print(asset.path) }
public typealias Asset = IndexedAsset

/// Which assets are wanted, and in what order.
///
///     let options = FetchOptions(
///       filter: try AssetFilter("kind = live and date >= 2024-05"),
///       order: .init(.date, isDescending: true), limit: 100)
public typealias FetchOptions = AssetQuery

extension IndexedAsset {
  /// Whether an operation can be performed on the asset, as far as is known without reading its files whole;
  /// ``EditLibrary/IndexedAsset/refusal(of:)`` says why not.
  public func canPerform(_ operation: AssetOperation) -> Bool { refusal(of: operation) == nil }
}
