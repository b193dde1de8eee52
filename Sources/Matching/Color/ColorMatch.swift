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

  /// The pictures that were compared.
  let pair: ColorPair
  /// The colours of the original with what was found.
  let shown: [SIMD3<Double>]

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

  /// How often table and gains are fitted to each other.
  private static let rounds = 3

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
    let (table, local) = Self.found(pair, source)
    let (before, after) = (
      ColorRemainder(shown: pair.original, edited: pair.edited, width: pair.width),
      ColorRemainder(shown: local.shown, edited: pair.edited, width: pair.width)
    )
    let isKept = before.error - after.error < Self.leastGain
    look = isKept ? nil : table?.look
    self.local = isKept ? nil : local.gains
    self.pair = pair
    shown = isKept ? pair.original : local.shown
    remainder = isKept ? before : after
    error = remainder.error
  }

  /// The table, nil where there is none, and what there is besides.
  ///
  /// Gains and table say in part the same: once there are gains, the table is fitted anew to what they leave, and they to
  /// what it leaves. Gains alone are tried, too: where only places were edited, the table would be a compromise.
  private static func found(_ pair: ColorPair, _ source: PictureProjection) -> (ColorLattice?, LocalFit) {
    let first = TableFit(pair)
    var table = first.table
    var local = LocalFit(pair.original.map { table[$0] }, pair, source: source)
    for _ in 0..<rounds {
      guard let factors = local.factors else { break }
      let other = TableFit(pair, factors: factors).table
      let next = LocalFit(pair.original.map { other[$0] }, pair, source: source)
      guard next.distance < local.distance else { break }
      (table, local) = (other, next)
    }
    // Black and white stays with the table, which is exact.
    guard local.distance > leastGain, !first.isNeutral else { return (table, local) }
    let alone = LocalFit(pair.original, pair, source: source)
    return alone.distance < local.distance ? (nil, alone) : (table, local)
  }
}

extension ColorLattice {
  /// The lattice as a look; nil where its numbers are none.
  var look: Look? {
    LookTable(title: "found by comparing", size: size, domain: domain, colors: values).flatMap {
      Look(.table($0))
    }
  }
}
