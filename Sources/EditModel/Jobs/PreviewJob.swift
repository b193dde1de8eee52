/// The files that edits are previewed of while they are made: the helper keeps what it found out about them, and answers
/// one ``PreviewRequest`` after the other.
package struct PreviewJob: Codable, Hashable, Sendable {
  /// Path of the photo that the edits start from. Only read.
  package var photo: String?
  /// Path of its movie.
  package var movie: String?
  /// Path of the folder of the small pictures and movies that questions name; nil for none.
  package var folder: String?

  /// - Parameters:
  ///   - photo: path of the photo that the edits start from.
  ///   - movie: path of its movie.
  ///   - folder: path of the folder of the small pictures and movies that questions name.
  package init(photo: String? = nil, movie: String? = nil, folder: String? = nil) {
    (self.photo, self.movie, self.folder) = (photo, movie, folder)
  }
}

/// A question about an edit of the files of a ``PreviewJob``.
package enum PreviewQuestion: Codable, Hashable, Sendable {
  /// A question: what must a shader know?
  case parts(PreviewRequest)
  /// How does it look?
  case picture(PreviewPicture)
}

/// A question about an edit of the files of a ``PreviewJob``: all that a shader must know to show it on the small picture,
/// or on the small movie, that a page has.
package struct PreviewRequest: Codable, Hashable, Sendable {
  /// The colours of a screen.
  package enum Colors: String, Codable, Hashable, Sendable {
    /// IEC 61966-2-1.
    case srgb
    /// Display P3.
    case p3
  }

  /// The edit.
  package var edit: Edit
  /// The half that it is shown on.
  package var half: HalfKind
  /// The colours that it is shown in.
  package var colors: Colors
  /// True for a coarser table, which is made and sent in an eighth of the time: while something moves.
  package var isRough: Bool
  /// Names of parts that whoever asks has from answers before, so that they are not sent again.
  package var known: Set<String>
  /// Path of the small picture of the photo, a JPEG, upright, in the photo's own colours, or of the small movie; nil where
  /// there is none.
  package var picture: String?

  /// - Parameters:
  ///   - edit: the edit.
  ///   - half: the half that it is shown on.
  ///   - colors: the colours that it is shown in.
  ///   - isRough: whether a coarser table is enough.
  ///   - known: names of parts that whoever asks has already.
  ///   - picture: path of the small picture or movie.
  package init(
    _ edit: Edit, on half: HalfKind, in colors: Colors, isRough: Bool = false, known: Set<String> = [],
    picture: String? = nil
  ) {
    (self.edit, self.half, self.colors, self.isRough) = (edit, half, colors, isRough)
    (self.known, self.picture) = (known, picture)
  }
}
