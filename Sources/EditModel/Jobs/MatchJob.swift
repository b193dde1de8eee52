/// A request for the edit that turns one picture into another. The render helper reads the request as JSON.
package struct MatchJob: Codable, Hashable, Sendable {
  /// The path of the original photo. The file is only read.
  package var original: String
  /// The path of the edited photo. The file is only read.
  package var edited: String
  /// The movie frame that was edited instead of the photo; nil if the photo was edited.
  package var keyFrame: KeyFrame?
  /// The known part of the edit, whose orientation and geometry are used unchanged; nil searches for the orientation
  /// and the geometry.
  package var known: Edit?
  /// Whether colours are also compared.
  package var wantsColors: Bool
  /// The path of a JPEG report to write; nil for no report. The report shows the edited photo, the original with the
  /// found edit applied, and the difference between the two. The file must not exist yet.
  package var report: String?

  /// A frame of a movie.
  package struct KeyFrame: Codable, Hashable, Sendable {
    /// The path of the movie. The file is only read.
    package var movie: String
    /// The edit whose timing selects the frame.
    package var motion: Edit

    /// - Parameters:
    ///   - movie: The path of the movie.
    ///   - motion: An edit whose timing selects the frame.
    package init(movie: String, motion: Edit) { (self.movie, self.motion) = (movie, motion) }
  }

  /// - Parameters:
  ///   - original: The path of the original photo.
  ///   - edited: The path of the edited photo.
  ///   - keyFrame: The movie frame that was edited instead of the photo.
  ///   - known: An edit whose orientation and geometry are known to be correct.
  ///   - wantsColors: Whether colours are also compared.
  ///   - report: The path of the JPEG report; nil for none.
  package init(
    original: String, edited: String, keyFrame: KeyFrame? = nil, known: Edit? = nil, wantsColors: Bool = true,
    report: String? = nil
  ) {
    (self.original, self.edited, self.keyFrame) = (original, edited, keyFrame)
    (self.known, self.wantsColors, self.report) = (known, wantsColors, report)
  }
}

/// An edit that was found by comparing pictures, and measures of how well the edit explains the pictures.
package struct FoundEdit: Codable, Hashable, Sendable {
  /// The edit: an orientation, a geometry and a look.
  package var edit: Edit
  /// The root mean square distance between positions in the edited picture and the positions predicted by the edit, in
  /// pixels of a picture that is 1000 pixels wide.
  package var placeError: Double
  /// The mean colour difference, in ΔE2000, between the edited picture and the original with the edit applied; nil if
  /// colours were not compared.
  package var colorError: Double?
  /// The fraction of the edited picture, from 0 to 1, in which the edit does not explain the colours.
  package var unexplained: Double
  /// The region that contains most of the unexplained area, in fractions of the edited picture's width and height.
  package var unexplainedPlace: Place?

  /// A rectangle in fractions of a picture's width and height, measured from the picture's top-left corner.
  package struct Place: Codable, Hashable, Sendable {
    /// The position of the rectangle's left edge.
    package var left: Double
    /// The position of the rectangle's top edge.
    package var top: Double
    /// The width of the rectangle.
    package var width: Double
    /// The height of the rectangle.
    package var height: Double

    /// - Parameters:
    ///   - left: The position of the left edge.
    ///   - top: The position of the top edge.
    ///   - width: The width of the rectangle.
    ///   - height: The height of the rectangle.
    package init(left: Double, top: Double, width: Double, height: Double) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }

  /// - Parameters:
  ///   - edit: The edit.
  ///   - placeError: The root mean square distance between positions in the edited picture and the positions predicted
  ///     by the edit, in pixels of a picture that is 1000 pixels wide.
  ///   - colorError: The mean colour difference in ΔE2000.
  ///   - unexplained: The fraction of the edited picture in which the edit does not explain the colours.
  ///   - unexplainedPlace: The region that contains most of the unexplained area.
  package init(
    _ edit: Edit, placeError: Double, colorError: Double? = nil, unexplained: Double = 0,
    unexplainedPlace: Place? = nil
  ) {
    (self.edit, self.placeError, self.colorError) = (edit, placeError, colorError)
    (self.unexplained, self.unexplainedPlace) = (unexplained, unexplainedPlace)
  }
}
