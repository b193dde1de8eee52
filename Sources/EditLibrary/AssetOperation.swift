public import EditModel

/// What can be done with an asset.
public enum AssetOperation: String, Hashable, Sendable, CaseIterable {
  /// Change its edit and render it.
  case edit
  /// Go back to an earlier version.
  case revert
  /// Take a revert back.
  case redo
  /// Mark it, or put it into albums.
  case mark
}

extension IndexedAsset {
  /// Why an operation cannot be performed on the asset now.
  ///
  /// - Returns: nil when nothing is known that stands in its way; what only a full reading of the files shows is
  ///   found when it is tried.
  public func refusal(of operation: AssetOperation) -> EditError? { nil }
}
