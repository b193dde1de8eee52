/// The CIE 1931 x and y coordinates of a colour space's red, green, blue and white points.
struct Primaries: Hashable, Sendable {
  /// A chromaticity in CIE 1931 x and y.
  struct Chromaticity: Hashable, Sendable {
    let x: Double
    let y: Double

    /// X, Y and Z for Y = 1.
    var xyz: SIMD3<Double> { [x / y, 1, (1 - x - y) / y] }
  }

  let red: Chromaticity
  let green: Chromaticity
  let blue: Chromaticity
  let white: Chromaticity

  private init(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double), white: Chromaticity
  ) {
    self.red = Chromaticity(x: red.0, y: red.1)
    self.green = Chromaticity(x: green.0, y: green.1)
    self.blue = Chromaticity(x: blue.0, y: blue.1)
    self.white = white
  }

  static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
  /// The primaries of ITU-R BT.709, which are also those of sRGB.
  static let bt709 = Primaries((0.64, 0.33), (0.30, 0.60), (0.15, 0.06), white: d65)
  /// ITU-R BT.2020 primaries. Linear light with these primaries is the working space of all adjustments.
  static let bt2020 = Primaries((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), white: d65)
  /// The primaries of Display P3 (SMPTE EG 432-1).
  static let p3 = Primaries((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: d65)

  /// - Parameter colourPrimaries: The code point of ITU-T H.273 section 8.1. Unknown code points count as BT.709.
  init(colourPrimaries: Int) {
    let illuminantC = Chromaticity(x: 0.310, y: 0.316)
    switch colourPrimaries {
    case 4: self.init((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), white: illuminantC)
    case 5: self.init((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), white: Self.d65)
    case 6, 7: self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), white: Self.d65)
    case 9: self = .bt2020
    case 11:
      self.init(
        (0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: Chromaticity(x: 0.314, y: 0.351))
    case 12: self = .p3
    case 22: self.init((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), white: Self.d65)
    default: self = .bt709
    }
  }

  /// The matrix from linear R, G, B to X, Y, Z, with white at Y = 1 (SMPTE RP 177).
  var toXYZ: Matrix3 {
    let columns = Matrix3(columns: red.xyz, green.xyz, blue.xyz)
    guard let inverse = columns.inverse else { return .identity }
    return columns * Matrix3(diagonal: inverse * white.xyz)
  }

  /// The matrix from linear R, G, B to the working space, which maps white to white.
  var toWorking: Matrix3 {
    guard self != .bt2020 else { return .identity }
    let adapted = ChromaticAdaptation.matrix(from: white.xyz, to: Self.d65.xyz) * toXYZ
    return (Self.xyzToWorking * adapted).withUnitRowSums
  }

  /// The matrix from X, Y, Z (white D65) to the working space.
  static let xyzToWorking = bt2020.toXYZ.inverse ?? .identity
}

/// Chromatic adaptation from one white point to another.
enum ChromaticAdaptation {
  /// The white point of ICC profiles (ICC.1:2022 section 7.2.16).
  static let d50 = SIMD3(0.9642, 1, 0.8249)

  /// The Bradford matrix (ICC.1:2022 annex E.3).
  private static let cones = Matrix3(
    rows: [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])

  /// Returns the matrix that adapts X, Y, Z from one white point to another.
  static func matrix(from: SIMD3<Double>, to: SIMD3<Double>) -> Matrix3 {
    guard from != to, let inverse = cones.inverse else { return .identity }
    return inverse * (Matrix3(diagonal: (cones * to) / (cones * from)) * cones)
  }

  /// Returns a white point near daylight.
  ///
  /// - Parameters:
  ///   - mired: A million divided by the correlated colour temperature in kelvin, from 40 to 250.
  ///   - offset: The distance from the daylight locus in CIE 1960 u, v. Positive values are greenish.
  /// - Returns: X, Y, Z for Y = 1.
  static func daylight(mired: Double, offset: Double) -> SIMD3<Double> {
    let here = locus(mired)
    guard offset != 0 else { return Primaries.Chromaticity(x: here.x, y: here.y).xyz }
    // The direction perpendicular to the locus, in u and v.
    let (low, high) = (uv(locus(mired - 1)), uv(locus(mired + 1)))
    let along = (u: high.u - low.u, v: high.v - low.v)
    let length = (along.u * along.u + along.v * along.v).squareRoot()
    let point = uv(here)
    let u = point.u - offset * along.v / length
    let v = point.v + offset * along.u / length
    let scale = 2 * u - 8 * v + 4
    return Primaries.Chromaticity(x: 3 * u / scale, y: 2 * v / scale).xyz
  }

  /// Returns the chromaticity of daylight for a colour temperature (CIE 15:2018 section 4.1.2).
  private static func locus(_ mired: Double) -> (x: Double, y: Double) {
    let k = mired / 1000
    let x =
      k > 1 / 7.0
      ? -4.6070 * k * k * k + 2.9678 * k * k + 0.09911 * k + 0.244063
      : -2.0064 * k * k * k + 1.9018 * k * k + 0.24748 * k + 0.237040
    return (x, -3 * x * x + 2.870 * x - 0.275)
  }

  private static func uv(_ point: (x: Double, y: Double)) -> (u: Double, v: Double) {
    let scale = -2 * point.x + 12 * point.y + 3
    return (4 * point.x / scale, 6 * point.y / scale)
  }
}
