/// Asks what would make pictures better. The helper reads it as JSON.
public struct AutoJob: Codable, Hashable, Sendable {
  /// Path of the photo, which is looked at if there is one.
  public var photo: String?
  /// Path of the movie, whose frames are looked at where there is no photo.
  public var movie: String?

  /// - Parameters:
  ///   - photo: path of the photo.
  ///   - movie: path of the movie.
  public init(photo: String?, movie: String?) {
    self.photo = photo
    self.movie = movie
  }
}

/// A proposal that would make a picture better: plain values of an edit.
public struct AutoProposal: Codable, Hashable, Sendable {
  /// Exposure in EV.
  public var exposure: Double
  /// Contrast.
  public var contrast: Double
  /// Black point.
  public var blackPoint: Double
  /// Warmth.
  public var warmth: Double
  /// Tint.
  public var tint: Double
  /// How far the picture is to be turned clockwise so that it is level, in degrees, as displayed before the edit.
  public var straighten: Double

  /// - Parameters:
  ///   - exposure: exposure in EV.
  ///   - contrast: contrast.
  ///   - blackPoint: black point.
  ///   - warmth: warmth.
  ///   - tint: tint.
  ///   - straighten: clockwise, in degrees.
  public init(
    exposure: Double = 0, contrast: Double = 0, blackPoint: Double = 0, warmth: Double = 0, tint: Double = 0,
    straighten: Double = 0
  ) {
    self.exposure = exposure
    self.contrast = contrast
    self.blackPoint = blackPoint
    self.warmth = warmth
    self.tint = tint
    self.straighten = straighten
  }

  /// The parts of an edit that are proposed.
  public static let parts: [EditPart] = [.light, .color, .geometry]

  /// An edit with these values set, also those that are neutral: what an earlier proposal set is so taken back.
  /// Everything else stays.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - parts: which parts are wanted.
  public func applied(to edit: Edit, _ parts: Set<EditPart>) -> Edit {
    var edit = edit
    let values: [(Parameter, Double)] = [
      (.exposure, exposure), (.contrast, contrast), (.blackPoint, blackPoint), (.warmth, warmth),
      (.tint, tint),
    ]
    for (parameter, value) in values where parts.contains(EditPart(parameter.description.group)) {
      edit[parameter] = value
    }
    if parts.contains(.geometry) {
      edit.geometry.straighten = edit.orientation.isMirrored ? -straighten : straighten
    }
    return edit
  }
}
