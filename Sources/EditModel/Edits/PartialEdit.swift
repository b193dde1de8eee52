/// A set of settings to apply on top of another edit. The settings in this value replace the corresponding settings of
/// the other edit. All other settings of that edit are kept.
public struct PartialEdit: Hashable, Sendable {
  /// The parts that are reset before any value is set.
  public var resets: Set<EditPart> = []
  /// The values of parameters. A neutral value resets its parameter.
  public var values: [Parameter: Double] = [:]
  /// The curve for all channels; nil keeps the edit's curve.
  public var curve: ToneCurve?
  /// The curves for single channels. A neutral curve resets its channel.
  public var channelCurves: [ToneCurve.Channel: ToneCurve] = [:]
  /// The look; nil keeps the edit's look.
  public var look: Look?
  /// The part of the look that changes only some areas of the picture.
  public var local: LocalGains?
  /// The rotation and mirroring that replace the edit's orientation; nil keeps the edit's orientation.
  public var orientation: Orientation?
  /// The straightening, perspective and crop that replace the edit's geometry; nil keeps the edit's geometry.
  public var geometry: Geometry?
  /// The effect that replaces the edit's effect; nil keeps the edit's effect.
  public var effect: Motion.Effect?

  /// Creates a partial edit that sets nothing.
  public init() {}

  /// Creates a partial edit that copies some parts of one edit to another edit.
  ///
  /// - Parameters:
  ///   - parts: The parts to copy. Parts that are neutral in `edit` are reset in the other edit.
  ///   - edit: The edit to copy from.
  public init(_ parts: Set<EditPart>, of edit: Edit) {
    resets = parts
    let kept = edit.without(Set(EditPart.allCases).subtracting(parts))
    for parameter in kept.adjustments.changed { values[parameter] = kept[parameter] }
    if kept.curve != .neutral { curve = kept.curve }
    channelCurves = kept.channelCurves
    (look, local) = (kept.look, kept.local)
    if kept.orientation != .identity { orientation = kept.orientation }
    if !kept.geometry.isNeutral { geometry = kept.geometry }
  }

  /// Whether nothing is set or reset.
  public var isEmpty: Bool { self == PartialEdit() }

  /// Returns an edit with these settings applied on top. If these settings change the orientation but not the geometry,
  /// the geometry is rotated together with the picture.
  public func applied(to edit: Edit) -> Edit {
    var edit = resets.contains(.orientation) ? edit.turned(edit.orientation.inverse) : edit
    edit = edit.without(resets)
    for (parameter, value) in values { edit[parameter] = value }
    if let curve { edit.curve = curve }
    edit.channelCurves.merge(channelCurves) { $1 }
    // The local changes of one look are meaningless with another look.
    if let look { (edit.look, edit.local) = (look, nil) }
    if let local { edit.local = local }
    if let orientation { edit = edit.turned(edit.orientation.inverse.then(orientation)) }
    if let geometry { edit.geometry = geometry }
    if let effect { edit.motion.effect = effect }
    return edit
  }

  /// Returns these settings with a weaker effect. Values and curve points are interpolated linearly between the neutral
  /// value and the full value, and the look's intensity is reduced. Orientation, geometry and effect cannot be weakened
  /// and are kept.
  ///
  /// - Parameter intensity: The strength, from 0 (no effect) to 1 (full effect).
  public func scaled(by intensity: Double) -> PartialEdit {
    let share = min(max(intensity, 0), 1)
    var scaled = self
    for (parameter, value) in values where !parameter.isDirection {
      let neutral = parameter.description.neutral
      scaled.values[parameter] = neutral + (value - neutral) * share
    }
    if let curve { scaled.curve = curve.scaled(by: share) }
    scaled.channelCurves = channelCurves.mapValues { $0.scaled(by: share) }
    if let look {
      scaled.look = Look(look.source, intensity: look.intensity * share, isWide: look.isWide)
      if scaled.look == nil { scaled.resets.insert(.look) }
    }
    scaled.local = local?.scaled(by: share)
    return scaled
  }
}

extension ToneCurve {
  /// Returns a curve whose points are interpolated linearly between the neutral curve and this curve.
  ///
  /// - Parameter share: The strength, from 0 to 1.
  func scaled(by share: Double) -> ToneCurve {
    let moved = points.map { point in
      Point(x: point.x, y: point.x + Int((Double(point.y - point.x) * share).rounded()))
    }
    // The x values come from a valid curve, and the y values lie between valid values.
    return (try? ToneCurve(moved)) ?? self
  }
}
