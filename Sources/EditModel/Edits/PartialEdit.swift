/// Some settings of an edit, to be laid over another edit: what is named here is set, all else stays.
public struct PartialEdit: Hashable, Sendable {
  /// Parts that are taken back before anything is set.
  public var resets: Set<EditPart> = []
  /// The values of parameters; a neutral one takes the parameter back.
  public var values: [Parameter: Double] = [:]
  /// The curve.
  public var curve: ToneCurve?
  /// Curves of channels; a neutral one takes the channel's back.
  public var channelCurves: [ToneCurve.Channel: ToneCurve] = [:]
  /// The look.
  public var look: Look?
  /// The look's change of some places and not of others.
  public var local: LocalGains?
  /// The turn, in place of the one before.
  public var orientation: Orientation?
  /// Straightening, perspective and crop, in place of those before.
  public var geometry: Geometry?
  /// The effect, in place of the one before.
  public var effect: Motion.Effect?

  /// Nothing is set.
  public init() {}

  /// Makes some parts of an edit the same in another.
  ///
  /// - Parameters:
  ///   - parts: the parts; those that are neutral in `edit` are taken back in the other.
  ///   - edit: where they come from.
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

  /// True if nothing is set or taken back.
  public var isEmpty: Bool { self == PartialEdit() }

  /// An edit with this laid over it. Where its turn changes, the geometry that stays turns along.
  public func applied(to edit: Edit) -> Edit {
    var edit = resets.contains(.orientation) ? edit.turned(edit.orientation.inverse) : edit
    edit = edit.without(resets)
    for (parameter, value) in values { edit[parameter] = value }
    if let curve { edit.curve = curve }
    edit.channelCurves.merge(channelCurves) { $1 }
    // What one look does to places has no meaning under another.
    if let look { (edit.look, edit.local) = (look, nil) }
    if let local { edit.local = local }
    if let orientation { edit = edit.turned(edit.orientation.inverse.then(orientation)) }
    if let geometry { edit.geometry = geometry }
    if let effect { edit.motion.effect = effect }
    return edit
  }

  /// The same with less effect: values and points of the curve lie on the straight way from neutral, a look
  /// shows less. Turn, geometry and effect are no matter of degree and stay.
  ///
  /// - Parameter intensity: 0, nothing shows, to 1, all of it.
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
  /// The curve whose points lie on the straight way from the neutral curve to this one.
  ///
  /// - Parameter share: 0 to 1.
  func scaled(by share: Double) -> ToneCurve {
    let moved = points.map { point in
      Point(x: point.x, y: point.x + Int((Double(point.y - point.x) * share).rounded()))
    }
    // The places are those of a valid curve, and the values stay between valid ones.
    return (try? ToneCurve(moved)) ?? self
  }
}
