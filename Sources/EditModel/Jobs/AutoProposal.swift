/// A request for an edit that improves pictures. The render helper reads the request as JSON.
package struct AutoJob: Codable, Hashable, Sendable {
  /// The path of the photo to analyse; nil if there is no photo.
  package var photo: String?
  /// The path of the movie, whose frames are analysed if there is no photo.
  package var movie: String?
  /// A position that should become grey. If a position is set, only a temperature and a tint are proposed; nil requests
  /// a complete proposal.
  package var greyPlace: Place?

  /// A position in the picture as displayed before the edit, in fractions of its width and height from the top left.
  package struct Place: Codable, Hashable, Sendable {
    /// The fraction of the width, from 0 to 1.
    package var x: Double
    /// The fraction of the height, from 0 to 1.
    package var y: Double

    /// - Parameters:
    ///   - x: The fraction of the width, from 0 to 1.
    ///   - y: The fraction of the height, from 0 to 1.
    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// - Parameters:
  ///   - photo: The path of the photo.
  ///   - movie: The path of the movie.
  ///   - greyPlace: A position that should become grey; nil requests a complete proposal.
  package init(photo: String?, movie: String?, greyPlace: Place? = nil) {
    self.photo = photo
    self.movie = movie
    self.greyPlace = greyPlace
  }
}

/// A proposal that improves a picture.
package struct AutoProposal: Codable, Hashable, Sendable {
  /// The proposed values: the values of ``parameters``, and a straightening angle for the picture as displayed before
  /// the edit.
  package var values: Edit

  /// - Parameter values: The proposed values.
  package init(_ values: Edit = .identity) {
    self.values = values
  }

  /// The parameters that a proposal contains, even if they are neutral.
  package static let parameters: [Parameter] = [
    .exposure, .contrast, .highlights, .shadows, .blackPoint, .levelsBlack, .levelsMidtone, .levelsWhite,
    .warmth, .temperature, .tint,
  ]
  /// The parts of an edit that a proposal contains.
  package static let parts: [EditPart] = [.light, .color, .geometry]

  /// Returns an edit with the proposed values set. Neutral values are also set, so that an earlier proposal is undone.
  /// All other values are kept.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - parts: The parts of the proposal to apply.
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
