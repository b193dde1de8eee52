/// A request for the edited picture of a ``PreviewJob``, for display on a screen. The picture includes everything that
/// a shader omits.
package struct PreviewPicture: Codable, Hashable, Sendable {
  /// The edit to show.
  package var edit: Edit
  /// The maximum length of the longer side in pixels.
  package var side: Int
  /// The time of the frame to show, in seconds on the movie's timeline; nil for the photo.
  package var time: Double?
  /// Whether the picture is edited at full size and then reduced, so that it matches the displayed render. Otherwise
  /// the picture is reduced first, which is faster.
  package var isExact: Bool

  /// - Parameters:
  ///   - edit: The edit to show.
  ///   - side: The maximum length of the longer side in pixels.
  ///   - time: The time of the frame to show, in seconds on the movie's timeline; nil for the photo.
  ///   - isExact: Whether the picture is edited at full size and then reduced.
  package init(_ edit: Edit, side: Int, time: Double? = nil, isExact: Bool = false) {
    (self.edit, self.side, self.time, self.isExact) = (edit, side, time, isExact)
  }
}
