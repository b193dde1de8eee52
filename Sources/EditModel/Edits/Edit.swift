/// What an edit does to a photo and its movie: parameters, not a list of commands.
///
/// Two edits that look the same are equal, whatever the way that led to them: four right turns are no
/// edit, two flips cancel, a slider is set and not stacked.
public struct Edit: Hashable, Sendable {
  /// How the displayed picture is turned and mirrored.
  public var orientation: Orientation
  /// How the turned picture is straightened and cropped.
  public var geometry: Geometry
  /// Light, colour, black and white, detail and effects.
  public var adjustments: Adjustments
  /// A curve for all channels.
  public var curve: ToneCurve
  /// A look, applied last; nil for none.
  public var look: Look?

  /// The edit that changes nothing.
  public static let identity = Edit()

  /// - Parameters:
  ///   - orientation: how the displayed picture is turned and mirrored.
  ///   - geometry: how the turned picture is straightened and cropped.
  ///   - adjustments: light, colour, black and white, detail and effects.
  ///   - curve: a curve for all channels.
  ///   - look: a look, applied last.
  public init(
    orientation: Orientation = .identity, geometry: Geometry = .neutral,
    adjustments: Adjustments = Adjustments(), curve: ToneCurve = .neutral, look: Look? = nil
  ) {
    self.orientation = orientation
    self.geometry = geometry
    self.adjustments = adjustments
    self.curve = curve
    self.look = look
  }

  /// Whether nothing is changed, so that nothing is rendered.
  public var isIdentity: Bool { self == .identity }

  /// Whether colours stay as they are.
  public var keepsColors: Bool {
    curve == .neutral && look == nil
      && adjustments.changed.allSatisfy { EditPart.spatial.contains(EditPart($0.description.group)) }
  }

  /// Whether colours, detail and effects stay as they are, so that no pixel gets another value.
  public var keepsAppearance: Bool { keepsColors && adjustments.isNeutral }

  /// Whether at most the picture is turned or mirrored: then no pixel need be decoded.
  public var isTurnOnly: Bool { keepsAppearance && geometry.isNeutral }

  /// The value of a parameter: see ``Adjustments/subscript(_:)``.
  public subscript(parameter: Parameter) -> Double {
    get { adjustments[parameter] }
    set { adjustments[parameter] = newValue }
  }

  /// This edit with a further turn or flip of what it displays: what was cut off stays cut off.
  public func turned(_ further: Orientation) -> Edit {
    var edit = self
    edit.orientation = orientation.then(further)
    edit.geometry = geometry.turned(by: further)
    return edit
  }
}
