import Basics
package import EditModel
package import Rendering

/// The look that leads from the colours of one picture to those of another, and what was done to some places besides.
package struct ColorMatch: Sendable {
  /// The look; nil where colours stay as they are.
  package let look: Look?
  /// Gains for some places and not for others; nil where the look says it all, or nothing helps.
  package let local: LocalGains?
  /// The values of a vignette's parameters; empty where there is none.
  package let vignetteValues: [Parameter: Double]
  /// The mean distance of colours, ΔE2000, that all of it leaves.
  package let error: Double
  /// The part that it does not explain.
  package let remainder: ColorRemainder

  /// The pictures that were compared.
  let pair: ColorPair
  /// The colours of the original with what was found.
  let shown: [SIMD3<Double>]

  /// A picture and the ICC profile of its colours, where it does not say itself what they are.
  package struct Picture {
    /// The picture, upright.
    package var frame: PlanarFrame
    /// Its profile.
    package var profile: [UInt8]?

    /// - Parameters:
    ///   - frame: the picture, upright.
    ///   - profile: its profile.
    package init(_ frame: PlanarFrame, profile: [UInt8]?) { (self.frame, self.profile) = (frame, profile) }
  }

  /// By how much, ΔE2000, a look has to bring the pictures nearer to each other to be one.
  private static let leastGain = 0.1

  /// The share of the distance that a vignette and gains may leave of what gains alone leave.
  private static let leastShare = 0.9

  /// Fits both.
  ///
  /// - Parameters:
  ///   - original: the picture that was edited, with the edit's turn and geometry applied.
  ///   - edited: what was made of it, of any size.
  ///   - source: from places of the edited picture to those of the original before the edit's turn and geometry, in
  ///     fractions.
  /// - Throws: ``Basics/MediaError`` when one of the pictures has no size.
  package init(
    original: Picture, edited: Picture, source: PictureProjection = PictureProjection()
  ) throws {
    let pair = try ColorPair(original: original, edited: edited)
    // Coding puts colours of sRGB beyond it, too.
    let isWide =
      WideColors.areNarrow(original.frame.format.color, profile: original.profile)
      && !WideColors.areNarrow(edited.frame.format.color, profile: edited.profile) && pair.goesBeyondSRGB
    self.init(pair, source: source, isWide: isWide)
  }

  /// - Parameters:
  ///   - pair: the pictures.
  ///   - source: as above.
  ///   - isWide: whether the edited picture has colours that sRGB does not hold, and the original's kind has none.
  init(_ pair: ColorPair, source: PictureProjection = PictureProjection(), isWide: Bool = false) {
    let vignette = VignetteFit(pair)
    var found = Found(pair, source)
    // A vignette that explains no more than places do is none.
    if let factors = vignette.factors {
      let other = Found(pair, source, vignette: factors)
      let share = other.local.gains == nil ? 1.05 : Self.leastShare
      if other.error < share * found.error { found = other }
    }
    let before = ColorRemainder(shown: pair.original, edited: pair.edited, width: pair.width)
    let isKept = before.error - found.error < Self.leastGain
    look = isKept ? nil : found.table?.look(isWide: isWide)
    local = isKept ? nil : found.local.gains
    vignetteValues = isKept || !found.hasVignette ? [:] : vignette.values
    self.pair = pair
    shown = isKept ? pair.original : found.shown
    remainder =
      isKept ? before : ColorRemainder(shown: found.shown, edited: pair.edited, width: pair.width)
    error = remainder.error
  }
}

/// A table, what there is besides, and how near they come.
private struct Found {
  /// The table; nil where there is none.
  let table: ColorLattice?
  let local: LocalFit
  let hasVignette: Bool
  /// The colours of the original with all of it.
  let shown: [SIMD3<Double>]
  /// The mean distance of colours, ΔE2000, that is left.
  let error: Double

  /// How often table and gains are fitted to each other.
  private static let rounds = 3
  /// The share of the distance that gains alone may leave of what a table and gains leave: a table says more about colours
  /// that only the movie has.
  private static let aloneShare = 0.85
  /// The distance, ΔE2000, that is not worth another trial.
  private static let near = 0.1

  /// - Parameters:
  ///   - pair: the pictures.
  ///   - source: from places of the pictures to those of the photo as it was displayed, in fractions.
  ///   - vignette: what a vignette multiplies each place with in the end; nil for none.
  init(_ pair: ColorPair, _ source: PictureProjection, vignette: [Double]? = nil) {
    let target = vignette.map { factors in
      ColorPair(
        width: pair.width, height: pair.height, original: pair.original,
        edited: zip(pair.edited, factors).map { $0 / $1 })
    }
    (table, local) = Self.found(target ?? pair, source)
    hasVignette = vignette != nil
    let colors = local.shown
    shown = vignette.map { zip(colors, $0).map { $0 * $1 } } ?? colors
    error = ColorRemainder(shown: shown, edited: pair.edited, width: pair.width).error
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
    guard local.distance > near, !first.isNeutral else { return (table, local) }
    let alone = LocalFit(pair.original, pair, source: source)
    return alone.distance < aloneShare * local.distance ? (nil, alone) : (table, local)
  }
}

extension ColorLattice {
  /// The lattice as a look; nil where its numbers are none.
  ///
  /// - Parameter isWide: whether it leads to colours that sRGB does not hold.
  func look(isWide: Bool) -> Look? {
    LookTable(title: "found by comparing", size: size, domain: domain, colors: values).flatMap {
      Look(.table($0), isWide: isWide)
    }
  }
}
