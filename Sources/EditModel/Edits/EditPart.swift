/// A part of an edit: what can be copied alone, or taken back.
///
/// The raw value is the name under which it is stored.
public enum EditPart: String, CaseIterable, Hashable, Sendable {
  /// Exposure, tone and levels.
  case light
  /// Saturation and white balance.
  case color
  /// Black and white.
  case blackAndWhite
  /// The tone curve and the curves of channels.
  case curve
  /// The look, with what it does to some places and not to others.
  case look
  /// Sharpness, local contrast and noise.
  case detail
  /// Vignette and grain.
  case effects
  /// Turns and flips.
  case orientation
  /// Straightening, perspective and crop.
  case geometry

  /// The parts that parameters belong to.
  package static let groups: [EditPart] = [.light, .color, .blackAndWhite, .detail, .effects]
  /// The parts that change what a pixel shows by the pixels around it or by its place.
  static let spatial: Set<EditPart> = [.detail, .effects]
  /// The parts that change how the picture looks, and not which places it shows.
  public static let appearance: Set<EditPart> = [
    .light, .color, .blackAndWhite, .curve, .look, .detail, .effects,
  ]
}

extension Edit {
  /// This edit with some of its parts taken back.
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
