/// An edit of a photo and its movie: parameters, not a list of commands.
///
/// Two edits that look the same are equal, whatever the way that led to them: four right turns are no
/// edit, two flips cancel, a slider is set and not stacked.
public struct Edit: Hashable, Sendable {
  /// The turn and the mirroring of the displayed picture.
  public var orientation: Orientation
  /// The straightening and the crop of the turned picture.
  public var geometry: Geometry
  /// Light, colour, black and white, detail and effects.
  public var adjustments: Adjustments
  /// A curve for all channels.
  public var curve: ToneCurve
  /// Curves of single channels, by channel; one that changes nothing is not there.
  public var channelCurves: [ToneCurve.Channel: ToneCurve] {
    didSet { channelCurves = channelCurves.filter { $0.value != .neutral } }
  }
  /// A look, applied last; nil for none.
  public var look: Look?
  /// The look's change of some places and not of others; nil for nothing. It belongs to the look as a part.
  public var local: LocalGains?
  /// The part that concerns time and sound.
  public var motion: Motion
  /// Time and place it was taken, and what is said about it.
  public var facts: Facts

  /// The number of the formulas by which this build renders edits: one for all of them. It is recorded with every edit and
  /// preset; those without one are older.
  public static let process = 1

  /// The edit that changes nothing.
  public static let identity = Edit()

  /// - Parameters:
  ///   - orientation: how the displayed picture is turned and mirrored.
  ///   - geometry: how the turned picture is straightened and cropped.
  ///   - adjustments: light, colour, black and white, detail and effects.
  ///   - curve: a curve for all channels.
  ///   - channelCurves: curves of single channels.
  ///   - look: a look, applied last.
  ///   - local: what it does to some places and not to others.
  ///   - motion: the part that concerns time and sound.
  ///   - facts: when and where it was taken, and what is said about it.
  public init(
    orientation: Orientation = .identity, geometry: Geometry = .neutral,
    adjustments: Adjustments = Adjustments(), curve: ToneCurve = .neutral,
    channelCurves: [ToneCurve.Channel: ToneCurve] = [:], look: Look? = nil, local: LocalGains? = nil,
    motion: Motion = .neutral, facts: Facts = .neutral
  ) {
    self.orientation = orientation
    self.geometry = geometry
    self.adjustments = adjustments
    self.curve = curve
    self.channelCurves = channelCurves.filter { $0.value != .neutral }
    self.look = look
    self.local = local
    self.motion = motion
    self.facts = facts
  }

  /// True if nothing is changed, so that nothing is rendered.
  public var isIdentity: Bool { self == .identity }

  /// True if only what the files say of the capture changes, so that picture and sound stay bit for bit.
  public var isOfFactsOnly: Bool {
    var edit = self
    edit.facts = .neutral
    return edit.isIdentity && !facts.isNeutral
  }

  /// True if colours stay as they are.
  public var keepsColors: Bool {
    curve == .neutral && channelCurves.isEmpty && look == nil
      && adjustments.changed.allSatisfy { EditPart.spatial.contains($0.description.group) }
  }

  /// True if colours, detail and effects stay as they are, so that no pixel gets another value.
  public var keepsAppearance: Bool { keepsColors && local == nil && adjustments.isNeutral }

  /// True if the light of no area is changed.
  package var keepsAreas: Bool {
    [Parameter.shadows, .highlights, .brilliance, .definition, .dehaze].allSatisfy { self[$0] == 0 }
  }

  /// True if the picture is at most turned or mirrored, so that no pixel need be decoded for it.
  public var isTurnOnly: Bool { keepsAppearance && geometry.isNeutral && motion.effect == .none }

  /// The value of a parameter: see ``Adjustments/subscript(_:)``.
  public subscript(parameter: Parameter) -> Double {
    get { adjustments[parameter] }
    set { adjustments[parameter] = newValue }
  }

  /// The single edit that does what another does and then this one; nil where there is none: a crop of a crop, or other
  /// colours of other colours.
  package func after(_ first: Edit) -> Edit? {
    guard facts.isNeutral || first.facts.isNeutral else { return nil }
    guard geometry.isNeutral || first.geometry.isNeutral, keepsAppearance || first.keepsAppearance else {
      return nil
    }
    var whole = keepsAppearance ? first : self
    whole.orientation = first.orientation.then(orientation)
    whole.geometry = geometry.isNeutral ? first.geometry.turned(by: orientation) : geometry
    whole.motion = motion.laid(over: first.motion)
    whole.facts = facts.isNeutral ? first.facts : facts
    return whole
  }

  /// This edit with a further turn or flip of what it displays: what was cut off stays cut off.
  public func turned(_ further: Orientation) -> Edit {
    var edit = self
    edit.orientation = orientation.then(further)
    edit.geometry = geometry.turned(by: further)
    return edit
  }
}
