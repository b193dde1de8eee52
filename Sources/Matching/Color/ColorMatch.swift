import Basics
public import EditModel
public import Rendering

/// The look that leads from the colours of one picture to those of another, and what was done to some places besides.
public struct ColorMatch: Sendable {
  /// The look; nil where colours stay as they are.
  public let look: Look?
  /// What was done to some places and not to others; nil where the look says it all, or nothing helps.
  public let local: LocalGains?
  /// The mean distance of colours, ΔE2000, that both leave.
  public let error: Double
  /// What they do not explain.
  public let remainder: ColorRemainder

  /// A picture and the ICC profile of its colours, where it does not say itself what they are.
  public struct Picture {
    /// The picture, upright.
    public var frame: PlanarFrame
    /// Its profile.
    public var profile: [UInt8]?

    /// - Parameters:
    ///   - frame: the picture, upright.
    ///   - profile: its profile.
    public init(_ frame: PlanarFrame, profile: [UInt8]?) { (self.frame, self.profile) = (frame, profile) }
  }

  /// By how much, ΔE2000, a look has to bring the pictures nearer to each other to be one.
  private static let leastGain = 0.1

  /// Fits both.
  ///
  /// - Parameters:
  ///   - original: the picture that was edited, with the edit's turn and geometry applied.
  ///   - edited: what was made of it, of any size.
  ///   - source: from places of the edited picture to those of the original before the edit's turn and geometry, in
  ///     fractions.
  /// - Throws: ``Basics/MediaError`` when one of the pictures has no size.
  public init(
    original: Picture, edited: Picture, source: PictureProjection = PictureProjection()
  ) throws {
    self.init(try ColorPair(original: original, edited: edited), source: source)
  }

  init(_ pair: ColorPair, source: PictureProjection = PictureProjection()) {
    let table = TableFit(pair).table
    let local = LocalFit(pair.original.map { table[$0] }, pair, source: source)
    let (before, after) = (
      ColorRemainder(shown: pair.original, edited: pair.edited, width: pair.width),
      ColorRemainder(shown: local.shown, edited: pair.edited, width: pair.width)
    )
    let look = before.error - after.error < Self.leastGain ? nil : table.look
    self.look = look
    self.local = look == nil ? nil : local.gains
    remainder = look == nil ? before : after
    error = remainder.error
  }
}

extension ColorLattice {
  /// The lattice as a look; nil where its numbers are none.
  var look: Look? {
    LookTable(size: size, domain: domain, colors: values).flatMap { Look(.table($0)) }
  }
}
