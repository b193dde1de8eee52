/// The Oklab colour space of B. Ottosson (A perceptual color space for image processing, 2020), converted from and to
/// the working space. The matrices are scaled so that greys have no chroma.
struct Oklab: Sendable {
  /// The matrix from X, Y, Z (white D65) to cone responses.
  private static let conesFromXYZ = Matrix3(
    rows: [0.8189330101, 0.3618667424, -0.1288597137], [0.0329845436, 0.9293118715, 0.0361456387],
    [0.0482003018, 0.2643662691, 0.6338517070])
  private static let conesFromWorking = (conesFromXYZ * Primaries.bt2020.toXYZ).withUnitRowSums
  private static let workingFromCones = conesFromWorking.inverse ?? .identity
  private static let labFromRoots = Matrix3(
    rows: [0.2104542553, 0.7936177850, -0.0040720403], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086758033])
  private static let rootsFromLab = labFromRoots.inverse ?? .identity

  // Stored in the instance, because colours are converted very often and every access to a static property first checks
  // whether the property is initialised.
  private let cones = conesFromWorking
  private let lab = labFromRoots
  private let roots = rootsFromLab
  private let working = workingFromCones

  /// Returns lightness, a and b for linear light.
  @inline(__always)
  func lab(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let c = cones * color
    return lab * SIMD3(Roots.cube(c.x), Roots.cube(c.y), Roots.cube(c.z))
  }

  /// Returns linear light for lightness, a and b.
  @inline(__always)
  func color(_ value: SIMD3<Double>) -> SIMD3<Double> {
    let r = roots * value
    return working * (r * r * r)
  }
}
