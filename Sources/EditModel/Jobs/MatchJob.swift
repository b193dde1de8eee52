/// Asks which edit made one picture of another. The helper reads it as JSON.
package struct MatchJob: Codable, Hashable, Sendable {
  /// Path of the photo that was edited. Only read.
  package var original: String
  /// Path of what was made of it. Only read.
  package var edited: String
  /// The movie's frame that was edited in place of the photo; nil where the photo was.
  package var keyFrame: KeyFrame?
  /// The edit as far as it is known: its turn and its geometry are taken as they are; nil looks for them.
  package var known: Edit?
  /// True if colours are asked for too.
  package var wantsColors: Bool
  /// Path of a JPEG to write, which shows the edited photo, the original with the edit that was found, and how far they are
  /// apart; nil for none. The file does not exist yet.
  package var report: String?

  /// A frame of a movie.
  package struct KeyFrame: Codable, Hashable, Sendable {
    /// Path of the movie. Only read.
    package var movie: String
    /// The moment, as an edit's time and sound say it.
    package var motion: Edit

    /// - Parameters:
    ///   - movie: path of the movie.
    ///   - motion: an edit that names the moment.
    package init(movie: String, motion: Edit) { (self.movie, self.motion) = (movie, motion) }
  }

  /// - Parameters:
  ///   - original: path of the photo that was edited.
  ///   - edited: path of what was made of it.
  ///   - keyFrame: the movie's frame that was edited in place of the photo.
  ///   - known: an edit whose turn and geometry are known to be right.
  ///   - wantsColors: whether colours are asked for too.
  ///   - report: path of a picture of what was found; nil for none.
  package init(
    original: String, edited: String, keyFrame: KeyFrame? = nil, known: Edit? = nil, wantsColors: Bool = true,
    report: String? = nil
  ) {
    (self.original, self.edited, self.keyFrame) = (original, edited, keyFrame)
    (self.known, self.wantsColors, self.report) = (known, wantsColors, report)
  }
}

/// An edit that was found by comparing pictures, and how well it explains them.
package struct FoundEdit: Codable, Hashable, Sendable {
  /// The edit: a turn, a geometry and a look.
  package var edit: Edit
  /// The distance of places of the edited picture from where the edit puts them: the root of the mean square, in columns of a
  /// picture of 1000 columns.
  package var placeError: Double
  /// The mean distance of colours, ΔE2000, between the edited picture and the original with the edit; nil where colours were
  /// not looked for.
  package var colorError: Double?
  /// The part of the edited picture, 0 to 1, whose colours the edit does not explain.
  package var unexplained: Double
  /// The place where most of that part lies, in fractions of the edited picture.
  package var unexplainedPlace: Place?

  /// A rectangle in fractions of a picture's sides, from its upper left corner.
  package struct Place: Codable, Hashable, Sendable {
    /// The left edge.
    package var left: Double
    /// The upper edge.
    package var top: Double
    /// The width.
    package var width: Double
    /// The height.
    package var height: Double

    /// - Parameters:
    ///   - left: the left edge.
    ///   - top: the upper edge.
    ///   - width: the width.
    ///   - height: the height.
    package init(left: Double, top: Double, width: Double, height: Double) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }

  /// - Parameters:
  ///   - edit: the edit.
  ///   - placeError: how far places lie from where the edit puts them, in columns of 1000.
  ///   - colorError: the mean distance of colours, ΔE2000.
  ///   - unexplained: the part of the edited picture whose colours the edit does not explain.
  ///   - unexplainedPlace: where most of that part lies.
  package init(
    _ edit: Edit, placeError: Double, colorError: Double? = nil, unexplained: Double = 0,
    unexplainedPlace: Place? = nil
  ) {
    (self.edit, self.placeError, self.colorError) = (edit, placeError, colorError)
    (self.unexplained, self.unexplainedPlace) = (unexplained, unexplainedPlace)
  }
}
