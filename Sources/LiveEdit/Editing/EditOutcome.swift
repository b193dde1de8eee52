import EditLibrary
import EditModel

/// What an edit of one asset came to.
public struct EditOutcome: Sendable {
  /// What happened to the files.
  public enum Action: Hashable, Sendable {
    /// The edit was rendered.
    case rendered
    /// The edit has become none: the version beside the original is gone.
    case removed
    /// There was nothing to do.
    case unchanged
  }

  /// What happened to the files.
  public var action: Action
  /// The originals.
  public var asset: OriginalFiles
  /// Paths of the files that were written: photo, movie, adjustment data.
  public var written: [String]
  /// Paths of the files that are gone.
  public var removed: [String]
  /// The number of the new version; nil when nothing was recorded.
  public var version: Int?
  /// The whole edit, as it is now.
  public var edit: Edit
  /// How it was rendered.
  public var settings: RenderSettings
  /// The content identifier of the rendered halves; nil when they have none.
  public var identifier: String?
  /// What the renderer did; nil when nothing was rendered.
  public var result: RenderResult?
}
