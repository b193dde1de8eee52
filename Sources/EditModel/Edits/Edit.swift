/// An edit of a photo and its movie, described by parameters instead of a list of commands.
///
/// Two edits with the same effect are equal, no matter how they were made: four 90° rotations amount to no edit, two
/// flips cancel each other, and setting a slider replaces its previous value.
public struct Edit: Hashable, Sendable {
  /// The rotation and mirroring of the displayed picture.
  public var orientation: Orientation
  /// The straightening, perspective and crop of the rotated picture.
  public var geometry: Geometry
  /// The parameters for light, colour, black and white, detail and effects.
  public var adjustments: Adjustments
  /// The curve for all channels.
  public var curve: ToneCurve
  /// The curves for single channels, by channel. Curves that change nothing are not stored.
  public var channelCurves: [ToneCurve.Channel: ToneCurve] {
    didSet { channelCurves = channelCurves.filter { $0.value != .neutral } }
  }
  /// The look, applied last; nil for no look.
  public var look: Look?
  /// The part of the look that changes only some areas of the picture; nil if the look has no such part.
  public var local: LocalGains?
  /// The changes to timing and audio.
  public var motion: Motion
  /// The changes to the capture date, the location and the description.
  public var facts: Facts

  /// The version number of the formulas that this build uses to render edits. A single number covers all formulas. The
  /// number is recorded with every edit and preset; edits and presets without a number are older.
  public static let process = 1

  /// The edit that changes nothing.
  public static let identity = Edit()

  /// - Parameters:
  ///   - orientation: The rotation and mirroring of the displayed picture.
  ///   - geometry: The straightening, perspective and crop of the rotated picture.
  ///   - adjustments: The parameters for light, colour, black and white, detail and effects.
  ///   - curve: The curve for all channels.
  ///   - channelCurves: The curves for single channels.
  ///   - look: The look, applied last.
  ///   - local: The part of the look that changes only some areas of the picture.
  ///   - motion: The changes to timing and audio.
  ///   - facts: The changes to the capture date, the location and the description.
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

  /// Whether the edit changes nothing, so that nothing needs to be rendered.
  public var isIdentity: Bool { self == .identity }

  /// Whether the edit changes only metadata about the capture, so that pictures and audio stay bit-identical.
  public var isOfFactsOnly: Bool {
    var edit = self
    edit.facts = .neutral
    return edit.isIdentity && !facts.isNeutral
  }

  /// Whether the edit leaves all colours unchanged.
  public var keepsColors: Bool {
    curve == .neutral && channelCurves.isEmpty && look == nil
      && adjustments.changed.allSatisfy { EditPart.spatial.contains($0.description.group) }
  }

  /// Whether the edit leaves colours, detail and effects unchanged, so that no pixel's colour changes.
  public var keepsAppearance: Bool { keepsColors && local == nil && adjustments.isNeutral }

  /// Whether all parameters that adjust light locally are neutral.
  package var keepsAreas: Bool {
    [Parameter.shadows, .highlights, .brilliance, .definition, .dehaze].allSatisfy { self[$0] == 0 }
  }

  /// Whether the edit does nothing other than rotate or mirror the picture, so that no pixels need to be decoded.
  public var isTurnOnly: Bool { keepsAppearance && geometry.isNeutral && motion.effect == .none }

  /// The value of a parameter; see ``Adjustments/subscript(_:)``.
  public subscript(parameter: Parameter) -> Double {
    get { adjustments[parameter] }
    set { adjustments[parameter] = newValue }
  }

  /// Returns a single edit that has the effect of another edit followed by this edit. Returns nil if no such edit
  /// exists, for example if both edits crop or if both edits change colours.
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

  /// Returns this edit with an additional rotation or mirroring of the edited picture. The visible part of the picture
  /// stays the same.
  public func turned(_ further: Orientation) -> Edit {
    var edit = self
    edit.orientation = orientation.then(further)
    edit.geometry = geometry.turned(by: further)
    return edit
  }
}
