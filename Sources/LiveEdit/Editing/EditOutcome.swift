import EditLibrary
import EditModel

/// The result of an edit of one asset.
package struct EditOutcome: Sendable {
  /// A change of the files.
  package enum Action: Hashable, Sendable {
    /// The edit was rendered.
    case rendered
    /// The edit has become none: the version beside the original is gone.
    case removed
    /// There was nothing to do.
    case unchanged
  }

  /// The change of the files.
  package var action = Action.unchanged
  /// The originals.
  package var asset: OriginalFiles
  /// Paths of the files that were written: photo, movie, adjustment data.
  package var written: [String] = []
  /// Paths of the files that are gone.
  package var removed: [String] = []
  /// The number of the new version; nil when nothing was recorded.
  package var version: Int?
  /// The whole edit, as it is now.
  package var edit: Edit
  /// The settings of the render.
  package var settings: RenderSettings
  /// The content identifier of the rendered halves; nil when they have none.
  package var identifier: String?
  /// The renderer's result; nil when nothing was rendered.
  package var result: RenderResult?
}
