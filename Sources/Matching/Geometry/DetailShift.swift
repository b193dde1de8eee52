/// How far the fine detail of a part of a picture lies from where another picture has it, and how sure that is.
///
/// A shift changes detail by as much as its slopes say (B. Lucas and T. Kanade, “An Iterative Image Registration Technique”,
/// 1981). So do curves of tones and blur, by what can be made of the detail itself: hence the shift is found by least squares
/// from that part of the slopes alone that the detail in four forms does not make, across the direction of most of it.
struct DetailShift: Sendable {
  /// The correlation of fine detail in both pictures, -1 to 1.
  let correlation: Float
  /// How far the original's detail seems to lie from its place, in samples.
  let shift: Float
  /// The standard deviation of that number, for all that differs besides and what may lie hidden in it.
  let doubt: Float

  /// The detail of two pictures of the same size.
  struct Pictures {
    /// Columns.
    let width: Int
    /// The original's in each place: its own, with the edited picture's tones, that blurred, and its tones bent.
    fileprivate let original: [SIMD4<Float>]
    /// The edited picture's.
    fileprivate let edited: [Float]

    /// - Parameters:
    ///   - original: the original as the edited picture shows it.
    ///   - toned: the same with the tones of the edited picture.
    ///   - edited: the edited picture, of the same size.
    init(_ original: GreyPlane, toned: GreyPlane, _ edited: GreyPlane) {
      width = edited.width
      let forms = [original, toned, toned.blurred(over: 1), toned.squared].map { $0.finest.samples }
      self.original = forms[0].indices.map { [forms[0][$0], forms[1][$0], forms[2][$0], forms[3][$0]] }
      self.edited = edited.finest.samples
    }
  }

  /// The least mean square of detail that tells anything, of samples on the scale of 8 bits.
  private static let leastDetail: Float = 0.01
  /// How much of the detail may be changed in a way that looks like a shift, at least: little where there is much of many
  /// kinds, more than curves of tones leave of the slopes where a single edge is all there is.
  private static let leastChange: Float = 0.005
  /// The sides of the squares within which what differs is alike, in samples.
  private static let squareSide = 8

  /// Compares a part; nil where it has no detail.
  ///
  /// - Parameters:
  ///   - pictures: the pictures.
  ///   - columns: the part's columns, none of them at an edge of the picture.
  ///   - rows: its rows, none of them at an edge.
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
    // Where a vignette hides what the tones are, the original's own agree more.
    correlation =
      (0..<2).map { withEdited[$0] / (max(products[$0][$0], 1e-9) * square).squareRoot() }.max() ?? 0

    // The forms may be nearly the same.
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

    // What is left of slopes and differences, summed over small squares.
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

  /// The direction in which slopes are steepest: that of the greater eigenvalue of their products.
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
  /// Detail finer than about four samples.
  fileprivate var finest: GreyPlane {
    let means = blurred(over: 1)
    var result = self
    for at in samples.indices { result.samples[at] -= means.samples[at] }
    return result
  }

  /// The squares of its samples, on the same scale.
  fileprivate var squared: GreyPlane {
    var result = self
    for at in samples.indices { result.samples[at] *= samples[at] / 255 }
    return result
  }
}
