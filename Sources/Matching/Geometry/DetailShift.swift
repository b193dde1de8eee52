/// The shift of fine detail in a region of a picture relative to another picture, and the uncertainty of this shift.
///
/// A shift changes detail in proportion to its gradients (B. Lucas and T. Kanade, “An Iterative Image Registration
/// Technique”, 1981). Tone curves and blur also change detail, but these changes can be expressed by the detail itself.
/// Four forms of the detail are therefore fitted to the gradients, and only the remainder of the gradients is used.
/// From this remainder, the shift is found by least squares, perpendicular to the direction of most of the detail.
struct DetailShift: Sendable {
  /// The correlation of fine detail in the two pictures, from -1 to 1.
  let correlation: Float
  /// The apparent shift of the original's detail, in samples.
  let shift: Float
  /// The standard deviation of the shift, including all other differences and what they may hide.
  let doubt: Float

  /// The detail of two pictures of the same size.
  struct Pictures {
    /// The width of both pictures in samples.
    let width: Int
    /// Four forms of the original's detail at each position: unchanged; with the tones of the edited picture; with
    /// these tones and blurred; with these tones and squared.
    fileprivate let original: [SIMD4<Float>]
    /// The detail of the edited picture.
    fileprivate let edited: [Float]

    /// - Parameters:
    ///   - original: The original, projected to the geometry of the edited picture.
    ///   - toned: The projected original, with the tones of the edited picture.
    ///   - edited: The edited picture, of the same size.
    init(_ original: GreyPlane, toned: GreyPlane, _ edited: GreyPlane) {
      width = edited.width
      let forms = [original, toned, toned.blurred(over: 1), toned.squared].map { $0.finest.samples }
      self.original = forms[0].indices.map { [forms[0][$0], forms[1][$0], forms[2][$0], forms[3][$0]] }
      self.edited = edited.finest.samples
    }
  }

  /// The smallest mean square of detail for a meaningful result, for samples scaled to 8 bits.
  private static let leastDetail: Float = 0.01
  /// The assumed minimum fraction of the detail that changed in a way that looks like a shift. This assumption matters
  /// little if there is much detail of many kinds. If a single edge is the only detail, the assumed change exceeds the
  /// part of the gradients that tone curves cannot express.
  private static let leastChange: Float = 0.005
  /// The width and height, in samples, of the squares within which differences are assumed to be alike.
  private static let squareSide = 8

  /// Compares a region of the pictures. Returns nil if the region has no detail.
  ///
  /// - Parameters:
  ///   - pictures: The pictures.
  ///   - columns: The region's columns, none of them at an edge of the picture.
  ///   - rows: The region's rows, none of them at an edge of the picture.
  init?(_ pictures: Pictures, columns: Range<Int>, rows: Range<Int>) {
    let (detail, edited, width) = (pictures.original, pictures.edited, pictures.width)
    let places = rows.flatMap { y in columns.map { y * width + $0 } }
    var products = [SIMD4<Float>](repeating: .zero, count: 4)
    var (withEdited, square): (SIMD4<Float>, Float) = (.zero, 0)
    for at in places {
      for form in 0..<4 { products[form] += detail[at] * detail[at][form] }
      withEdited += detail[at] * edited[at]
      square += edited[at] * edited[at]
    }
    guard products[0][0] > Self.leastDetail * Float(places.count), square > 0 else { return nil }
    // If a vignette distorts the tones, the correlation with the original's own tones is higher.
    correlation =
      (0..<2).map { withEdited[$0] / (max(products[$0][$0], 1e-9) * square).squareRoot() }.max() ?? 0

    // A small number is added, because the forms may be nearly identical.
    for form in 0..<4 { products[form][form] += 1e-3 * products[0][0] }
    func shares(of sums: SIMD4<Float>) -> SIMD4<Float>? {
      let equations = (0..<4).map { row in (0..<4).map { products[row][$0] } + [sums[row]] }
      return NormalEquations.solution(equations).map { SIMD4($0.map { Float($0) }) }
    }
    guard let made = shares(of: withEdited) else { return nil }
    let slopes = places.map { at in
      SIMD2(
        (made * (detail[at + 1] - detail[at - 1])).sum(),
        (made * (detail[at + width] - detail[at - width])).sum()) / 2
    }
    let axis = Self.axis(slopes)
    var withSlopes = SIMD4<Float>.zero
    for (index, at) in places.enumerated() { withSlopes += detail[at] * (axis * slopes[index]).sum() }
    guard let alike = shares(of: withSlopes) else { return nil }

    // The remaining gradients and differences, summed over small squares.
    let across = (columns.count + Self.squareSide - 1) / Self.squareSide
    let down = (rows.count + Self.squareSide - 1) / Self.squareSide
    var sums = [SIMD2<Float>](repeating: .zero, count: across * down)
    for (index, at) in places.enumerated() {
      let slope = (axis * slopes[index]).sum() - (alike * detail[at]).sum()
      let difference = edited[at] - (made * detail[at]).sum()
      let (row, column) = index.quotientAndRemainder(dividingBy: columns.count)
      let place = row / Self.squareSide * across + column / Self.squareSide
      sums[place] += SIMD2<Float>(slope * difference, slope * slope)
    }
    let total = sums.reduce(.zero, +)
    guard total.y > 0 else { return nil }
    let shift = total.x / total.y
    self.shift = shift
    let variance = sums.reduce(Float(0)) { $0 + ($1.x - shift * $1.y) * ($1.x - shift * $1.y) }
    let hidden = Self.leastChange * Self.leastChange * square * total.y
    doubt = correlation > 0 ? (variance + hidden).squareRoot() / total.y : .infinity
  }

  /// Returns the direction of the strongest gradients: the eigenvector for the greater eigenvalue of the matrix of
  /// gradient products.
  private static func axis(_ slopes: [SIMD2<Float>]) -> SIMD2<Float> {
    let squares = slopes.reduce(SIMD2<Float>.zero) { $0 + $1 * $1 }
    let both = slopes.reduce(Float(0)) { $0 + $1.x * $1.y }
    let difference = (squares.x - squares.y) / 2
    let strength = squares.sum() / 2 + (difference * difference + both * both).squareRoot()
    var axis = SIMD2(both, strength - squares.x)
    if abs(strength - squares.y) > abs(axis.y) { axis = [strength - squares.y, both] }
    return axis / max((axis * axis).sum().squareRoot(), 1e-9)
  }
}

extension GreyPlane {
  /// The detail finer than about four samples.
  fileprivate var finest: GreyPlane {
    let means = blurred(over: 1)
    var result = self
    for at in samples.indices { result.samples[at] -= means.samples[at] }
    return result
  }

  /// The squares of the samples, scaled to the range of the samples.
  fileprivate var squared: GreyPlane {
    var result = self
    for at in samples.indices { result.samples[at] *= samples[at] / 255 }
    return result
  }
}
