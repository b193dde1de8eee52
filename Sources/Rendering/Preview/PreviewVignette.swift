import EditModel

/// The numbers of an edit's vignette: see ``Vignette``.
package struct PreviewVignette: Encodable, Hashable, Sendable {
  /// The share of the way to black, or to white, that colours go in the corners.
  package let share: Float
  /// The distance from the middle at which the vignette has half of its effect; a corner's is 1.
  package let radius: Float
  /// The distance over which it sets in.
  package let width: Float
  /// True if colours go towards white.
  package let isWhite: Bool

  /// - Parameter edit: the edit.
  /// - Returns: nil when the edit has none.
  package init?(_ edit: Edit) {
    guard let vignette = Vignette(edit) else { return nil }
    (share, radius, width) = (vignette.share, vignette.radius, vignette.width)
    isWhite = vignette.amount < 0
  }
}
