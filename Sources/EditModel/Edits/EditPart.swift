/// A part of an edit that can be copied or reset on its own.
///
/// The raw value is the name under which the part is stored.
public enum EditPart: String, CaseIterable, Hashable, Sendable {
  /// The parameters for exposure, tone and levels.
  case light
  /// The parameters for saturation and white balance.
  case color
  /// The parameters for black and white.
  case blackAndWhite
  /// The tone curve and the curves of single channels.
  case curve
  /// The look, including its changes to some areas of the picture.
  case look
  /// Sharpness, local contrast and noise reduction.
  case detail
  /// Vignette and grain.
  case effects
  /// Rotation and mirroring.
  case orientation
  /// Straightening, perspective and crop.
  case geometry

  /// The parts that contain parameters.
  package static let groups: [EditPart] = [.light, .color, .blackAndWhite, .detail, .effects]
  /// The parts whose effect on a pixel depends on the surrounding pixels or on the pixel's position.
  static let spatial: Set<EditPart> = [.detail, .effects]
  /// The parts that change the appearance of the picture, but not which region of it is visible.
  public static let appearance: Set<EditPart> = [
    .light, .color, .blackAndWhite, .curve, .look, .detail, .effects,
  ]
}

extension Edit {
  /// Returns this edit with some of its parts reset.
  public func without(_ parts: Set<EditPart>) -> Edit {
    var edit = self
    for parameter in adjustments.changed where parts.contains(parameter.description.group) {
      edit[parameter] = parameter.description.neutral
    }
    if parts.contains(.curve) { (edit.curve, edit.channelCurves) = (.neutral, [:]) }
    if parts.contains(.look) { (edit.look, edit.local) = (nil, nil) }
    if parts.contains(.orientation) { edit.orientation = .identity }
    if parts.contains(.geometry) { edit.geometry = .neutral }
    return edit
  }
}
