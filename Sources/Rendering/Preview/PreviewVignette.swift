import EditModel

/// The parameters of an edit's vignette. See ``Vignette``.
package struct PreviewVignette: Encodable, Hashable, Sendable {
  /// How far colours fade to black or white in the corners, from 0 to 1.
  package let share: Float
  /// The distance from the centre at which the vignette has half its effect. A corner has the distance 1.
  package let radius: Float
  /// The distance over which the vignette fades in.
  package let width: Float
  /// Whether colours fade to white.
  package let isWhite: Bool

  /// - Parameter edit: The edit.
  /// - Returns: Nil if the edit has no vignette.
  package init?(_ edit: Edit) {
    guard let vignette = Vignette(edit) else { return nil }
    (share, radius, width) = (vignette.share, vignette.radius, vignette.width)
    isWhite = vignette.amount < 0
  }
}
