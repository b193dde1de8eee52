/// Asks what would make pictures better. The helper reads it as JSON.
package struct AutoJob: Codable, Hashable, Sendable {
  /// Path of the photo, which is looked at if there is one.
  package var photo: String?
  /// Path of the movie, whose frames are looked at where there is no photo.
  package var movie: String?
  /// A place that is to become grey; then only a temperature and a tint are asked for. Nil asks for everything.
  package var greyPlace: Place?

  /// A place of the picture as displayed before the edit, in shares of its width and height from the upper left.
  package struct Place: Codable, Hashable, Sendable {
    /// The share of the width, 0 to 1.
    package var x: Double
    /// The share of the height, 0 to 1.
    package var y: Double

    /// - Parameters:
    ///   - x: the share of the width, 0 to 1.
    ///   - y: the share of the height, 0 to 1.
    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// - Parameters:
  ///   - photo: path of the photo.
  ///   - movie: path of the movie.
  ///   - greyPlace: a place that is to become grey; nil asks for everything.
  package init(photo: String?, movie: String?, greyPlace: Place? = nil) {
    self.photo = photo
    self.movie = movie
    self.greyPlace = greyPlace
  }
}

/// A proposal that would make a picture better.
package struct AutoProposal: Codable, Hashable, Sendable {
  /// The values that are proposed: those of ``parameters``, and a straightening of the picture as displayed before the
  /// edit.
  package var values: Edit

  /// - Parameter values: the values that are proposed.
  package init(_ values: Edit = .identity) {
    self.values = values
  }

  /// The parameters that are proposed, also where they are neutral.
  package static let parameters: [Parameter] = [
    .exposure, .contrast, .highlights, .shadows, .blackPoint, .levelsBlack, .levelsMidtone, .levelsWhite,
    .warmth, .temperature, .tint,
  ]
  /// The parts of an edit that are proposed.
  package static let parts: [EditPart] = [.light, .color, .geometry]

  /// An edit with these values set, also those that are neutral: what an earlier proposal set is so taken back.
  /// Everything else stays.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - parts: which parts are wanted.
  package func applied(to edit: Edit, _ parts: Set<EditPart>) -> Edit {
    var edit = edit
    for parameter in Self.parameters where parts.contains(parameter.description.group) {
      edit[parameter] = values[parameter]
    }
    if parts.contains(.geometry) {
      let angle = values.geometry.straighten
      edit.geometry.straighten = edit.orientation.isMirrored ? -angle : angle
    }
    return edit
  }
}
