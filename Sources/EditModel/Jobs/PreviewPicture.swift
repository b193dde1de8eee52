/// A question about an edit of the files of a ``PreviewJob``: its picture for a screen, with all that a shader leaves out.
package struct PreviewPicture: Codable, Hashable, Sendable {
  /// The edit.
  package var edit: Edit
  /// Pixels of the longer side at most.
  package var side: Int
  /// Seconds on the movie's timeline, for the frame that is shown then; nil for the photo.
  package var time: Double?
  /// True for the picture of full size, edited and then made smaller, as a render is when it is looked at; else it is made smaller
  /// first, which is quicker.
  package var isExact: Bool

  /// - Parameters:
  ///   - edit: the edit.
  ///   - side: pixels of the longer side at most.
  ///   - time: seconds on the movie's timeline, for the frame that is shown then; nil for the photo.
  ///   - isExact: whether the picture of full size is edited.
  package init(_ edit: Edit, side: Int, time: Double? = nil, isExact: Bool = false) {
    (self.edit, self.side, self.time, self.isExact) = (edit, side, time, isExact)
  }
}
