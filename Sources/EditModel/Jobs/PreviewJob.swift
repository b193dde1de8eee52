/// The files for previews of edits. The render helper keeps its analysis of the files, and answers one
/// ``PreviewRequest`` after another.
package struct PreviewJob: Codable, Hashable, Sendable {
  /// The path of the photo that the edits start from. The file is only read.
  package var photo: String?
  /// The path of the movie that the edits start from.
  package var movie: String?
  /// The path of the folder with the small pictures and movies that requests refer to; nil for none.
  package var folder: String?

  /// - Parameters:
  ///   - photo: The path of the photo that the edits start from.
  ///   - movie: The path of the movie that the edits start from.
  ///   - folder: The path of the folder with the small pictures and movies that requests refer to.
  package init(photo: String? = nil, movie: String? = nil, folder: String? = nil) {
    (self.photo, self.movie, self.folder) = (photo, movie, folder)
  }
}

/// A request about an edit of the files in a ``PreviewJob``.
package enum PreviewQuestion: Codable, Hashable, Sendable {
  /// Requests the data that a shader needs to show the edit.
  case parts(PreviewRequest)
  /// Requests the edited picture.
  case picture(PreviewPicture)
}

/// A request for the data that a shader needs to show an edit of the files in a ``PreviewJob``. The shader applies the
/// edit to a web page's small picture or small movie.
package struct PreviewRequest: Codable, Hashable, Sendable {
  /// The colour space of a screen.
  package enum Colors: String, Codable, Hashable, Sendable {
    /// sRGB (IEC 61966-2-1).
    case srgb
    /// Display P3.
    case p3
  }

  /// The edit.
  package var edit: Edit
  /// The half on which the edit is shown.
  package var half: HalfKind
  /// The colour space of the screen.
  package var colors: Colors
  /// Whether a coarser table is sufficient. It is computed and sent in an eighth of the time, and used while the user
  /// moves a control.
  package var isRough: Bool
  /// The names of parts that the client has from earlier replies. They are not sent again.
  package var known: Set<String>
  /// The path of the small movie, or of the small picture of the photo: an upright JPEG in the photo's own colours. nil
  /// if there is neither.
  package var picture: String?

  /// - Parameters:
  ///   - edit: The edit to show.
  ///   - half: The half on which the edit is shown.
  ///   - colors: The colour space of the screen.
  ///   - isRough: Whether a coarser table is sufficient.
  ///   - known: The names of parts that the client already has.
  ///   - picture: The path of the small picture or movie.
  package init(
    _ edit: Edit, on half: HalfKind, in colors: Colors, isRough: Bool = false, known: Set<String> = [],
    picture: String? = nil
  ) {
    (self.edit, self.half, self.colors, self.isRough) = (edit, half, colors, isRough)
    (self.known, self.picture) = (known, picture)
  }
}
