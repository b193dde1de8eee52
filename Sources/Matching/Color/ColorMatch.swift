import Basics
package import EditModel
package import Rendering

/// The look and the local changes that convert the colours of one picture to those of another picture.
package struct ColorMatch: Sendable {
  /// The look, or nil if colours do not change.
  package let look: Look?
  /// The local gains, or nil if the look alone explains the changes or if gains do not help.
  package let local: LocalGains?
  /// The values of the vignette parameters, or an empty dictionary if no vignette was found.
  package let vignetteValues: [Parameter: Double]
  /// The mean colour difference, ΔE2000, that remains after all changes that were found.
  package let error: Double
  /// The difference between the pictures that remains unexplained.
  package let remainder: ColorRemainder

  /// The pictures that were compared.
  let pair: ColorPair
  /// The original's colours after all changes that were found.
  let shown: [SIMD3<Double>]

  /// A picture, with its ICC profile if the picture itself does not describe its colours.
  package struct Picture {
    /// The picture, upright.
    package var frame: PlanarFrame
    /// The picture's ICC profile.
    package var profile: [UInt8]?

    /// - Parameters:
    ///   - frame: The picture, upright.
    ///   - profile: The picture's ICC profile.
    package init(_ frame: PlanarFrame, profile: [UInt8]?) { (self.frame, self.profile) = (frame, profile) }
  }

  /// The smallest improvement, in ΔE2000, for which a look is kept.
  private static let leastGain = 0.1

  /// A vignette is used in addition to gains only if the remaining difference falls below this fraction of the
  /// difference with gains alone.
  private static let leastShare = 0.9

  /// Fits a look and local gains.
  ///
  /// - Parameters:
  ///   - original: The picture that was edited, after the edit's rotation and geometry.
  ///   - edited: The edited picture, of any size.
  ///   - source: The mapping from positions in the edited picture to positions in the original before the edit's
  ///     rotation and geometry, both in fractions of width and height.
  /// - Throws: ``Basics/MediaError`` if one of the pictures is empty.
  package init(
    original: Picture, edited: Picture, source: PictureProjection = PictureProjection()
  ) throws {
    let pair = try ColorPair(original: original, edited: edited)
    // Lossy compression alone can also move colours outside sRGB.
    let isWide =
      WideColors.areNarrow(original.frame.format.color, profile: original.profile)
      && !WideColors.areNarrow(edited.frame.format.color, profile: edited.profile) && pair.goesBeyondSRGB
    self.init(pair, source: source, isWide: isWide)
  }

  /// - Parameters:
  ///   - pair: The pictures.
  ///   - source: The mapping from positions in the edited picture to positions in the original before the edit's
  ///     rotation and geometry, both in fractions of width and height.
  ///   - isWide: Whether the edited picture has colours outside sRGB although the original's colour space does not
  ///     allow such colours.
  init(_ pair: ColorPair, source: PictureProjection = PictureProjection(), isWide: Bool = false) {
    let vignette = VignetteFit(pair)
    var found = Found(pair, source)
    // Discard a vignette that explains no more than local gains.
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

/// A colour table, the additional local changes, and the remaining difference.
private struct Found {
  /// The table, or nil if no table was found.
  let table: ColorLattice?
  let local: LocalFit
  let hasVignette: Bool
  /// The original's colours after all changes that were found.
  let shown: [SIMD3<Double>]
  /// The mean colour difference, ΔE2000, that remains.
  let error: Double

  /// The number of times that table and gains are fitted to each other.
  private static let rounds = 3
  /// Gains alone are preferred if their remaining difference is below this fraction of the difference with a table and
  /// gains. A table also covers colours that occur only in the movie.
  private static let aloneShare = 0.85
  /// The colour difference, ΔE2000, below which gains alone are not tried.
  private static let near = 0.1

  /// - Parameters:
  ///   - pair: The pictures.
  ///   - source: The mapping from positions in the pictures to positions in the photo as displayed, both in fractions
  ///     of width and height.
  ///   - vignette: The final vignette factor of each position, or nil for no vignette.
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

  /// Returns the table, or nil if no table was found, and the additional local changes.
  ///
  /// The effects of the gains and of the table overlap. After gains have been found, the table is fitted again to the
  /// remaining difference, and then the gains to the difference after the table. Gains alone are also tried: if only
  /// some areas were edited, a table would be a compromise.
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
    // Black and white is always expressed by a table, which is exact.
    guard local.distance > near, !first.isNeutral else { return (table, local) }
    let alone = LocalFit(pair.original, pair, source: source)
    return alone.distance < aloneShare * local.distance ? (nil, alone) : (table, local)
  }
}

extension ColorLattice {
  /// Returns the lattice as a look, or nil if its values are not valid numbers.
  ///
  /// - Parameter isWide: Whether the look produces colours outside sRGB.
  func look(isWide: Bool) -> Look? {
    LookTable(title: "found by comparing", size: size, domain: domain, colors: values).flatMap {
      Look(.table($0), isWide: isWide)
    }
  }
}
