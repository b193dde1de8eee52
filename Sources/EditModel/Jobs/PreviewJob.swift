/// The files for previews of edits. The render helper keeps its analysis of the files, and answers a series of
/// ``PreviewRequest`` values.
package struct PreviewJob: Codable, Hashable, Sendable {
  /// The path of the photo that the edits start from. The file is only read.
  package var photo: String?
  /// The path of the movie that the edits start from.
  package var movie: String?
  /// The path of the folder that contains the small pictures and movies named in requests; nil for no folder.
  package var folder: String?

  /// - Parameters:
  ///   - photo: The path of the photo that the edits start from.
  ///   - movie: The path of the movie that the edits start from.
  ///   - folder: The path of the folder that contains the small pictures and movies named in requests.
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
/// edit to a small picture or a small movie on a web page.
package struct PreviewRequest: Codable, Hashable, Sendable {
  /// The colour space of a screen.
  package enum Colors: String, Codable, Hashable, Sendable {
    /// sRGB (IEC 61966-2-1).
    case srgb
    /// Display P3.
    case p3
  }

  /// The edit to show.
  package var edit: Edit
  /// The half on which the edit is shown.
  package var half: HalfKind
  /// The colour space of the screen.
  package var colors: Colors
  /// Whether a coarser table is sufficient, for example while the user moves a control. A coarser table takes an eighth
  /// of the time to compute and send.
  package var isRough: Bool
  /// The names of the parts that the client received in earlier replies. These parts are not sent again.
  package var known: Set<String>
  /// The path of the small movie, or of the small picture: an upright JPEG in the photo's own colour space. The path is
  /// nil if neither exists.
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
