/// A question about an edit of the files of a ``PreviewJob``: its picture for a screen, with all that a shader leaves out.
package struct PreviewPicture: Codable, Hashable, Sendable {
  /// The edit.
  package var edit: Edit
  /// Pixels of the longer side at most.
  package var side: Int
  /// Seconds on the movie's timeline, for the frame that is shown then; nil for the photo.
  package var time: Double?

  /// - Parameters:
  ///   - edit: the edit.
  ///   - side: pixels of the longer side at most.
  ///   - time: seconds on the movie's timeline, for the frame that is shown then; nil for the photo.
  package init(_ edit: Edit, side: Int, time: Double? = nil) {
    (self.edit, self.side, self.time) = (edit, side, time)
  }
}
