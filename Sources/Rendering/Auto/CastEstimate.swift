import EditModel
import Glibc

/// Estimates the colour cast of a picture and the white balance that removes the cast.
///
/// The colour of the light is estimated in four ways: from the mean of all colours, from bright colours, from the
/// brightest colours, and from edges. Light between neutral and warm is accepted unchanged, because most pictures are a
/// little warm. The deviation from this accepted range is the cast. Two estimates of the cast are averaged: the
/// estimate from edges and the smallest of all estimates.
struct CastEstimate {
  /// The base-2 logarithms of red/green and blue/green.
  private typealias Ratios = SIMD2<Double>
  /// The warmest light that does not count as a cast.
  private static let warm: Ratios = [0.12, -0.45]
  /// A cast smaller than `least` is left alone. A cast that is larger by `transition` is removed completely.
  private static let (least, transition) = (0.15, 0.2)
  /// How much larger a cast must be if the camera's automatic white balance was active. In that case, a remaining cast
  /// is probably the colour of the subject, or intended.
  private static let trust = 0.1
  /// The typical light in pictures, and the range of sizes over which a cast becomes certain.
  private static let usual: Ratios = [0.08, -0.3]
  private static let (certain, certainty) = (0.2, 0.3)
  /// The size below which correcting a cast has no visible effect.
  private static let visible = 0.06
  /// The range of encoded values in which a colour provides information about the light.
  private static let usable = 0.02...0.985
  private static let leastColors = 50

  private let cast: Ratios

  /// - Parameter colors: The colours of the picture.
  init(_ colors: PictureColors) {
    let used = colors.primaries.filter(Self.isUsable)
    guard used.count >= Self.leastColors else {
      cast = [0, 0]
      return
    }
    let brightest = used.sorted { Self.luminance($0) > Self.luminance($1) }.prefix(max(1, used.count / 20))
    let lights = [
      used.reduce(SIMD3<Double>()) { $0 + $1 },
      Self.root(used.reduce(SIMD3<Double>()) { $0 + ($1 * $1 * $1) * ($1 * $1 * $1) }, 6),
      brightest.reduce(SIMD3<Double>()) { $0 + $1 },
      Self.root(colors.edges, 2),
    ].filter { $0.min() > 0 }
    let casts = lights.map { light in
      let ratios: Ratios = [log2(light.x / light.y), log2(light.z / light.y)]
      let share = ((ratios * Self.warm).sum() / (Self.warm * Self.warm).sum()).kept(0...1)
      return (cast: ratios - share * Self.warm, light: share * Self.warm)
    }
    guard let edges = casts.last,
      let smallest = casts.min(by: { ($0.cast * $0.cast).sum() < ($1.cast * $1.cast).sum() })
    else {
      cast = [0, 0]
      return
    }
    var mean = (smallest.cast + edges.cast) / 2
    // Light is rarely magenta, but flowers often are. Magenta is therefore attributed to the light only as far as all
    // estimates agree.
    let magenta = casts.map { $0.cast.sum() / 2 }
    let agreed = 2 * (magenta.min() ?? 0) - (magenta.max() ?? 0)
    mean -= max(0, mean.sum() / 2 - max(0, agreed))
    let size = (mean * mean).sum().squareRoot()
    // If the light certainly has a cast, correct the picture towards the typical light, not just to the nearest
    // acceptable light.
    let usual = Self.usual - (smallest.light + edges.light) / 2
    let wanted = mean - usual * smoothstep((size - Self.certain) / Self.certainty)
    cast =
      wanted
      * smoothstep(
        (size - Self.least - (colors.isBalanced ? Self.trust : 0)) / Self.transition)
  }

  /// Returns whether no channel of a colour is clipped or nearly black.
  static func isUsable(_ color: SIMD3<Double>) -> Bool {
    let encoded = TransferFunction.sRGBEncoded(color)
    return encoded.min() > usable.lowerBound && encoded.max() < usable.upperBound
  }

  private static func luminance(_ color: SIMD3<Double>) -> Double {
    (color * [0.2126, 0.7152, 0.0722]).sum()
  }

  private static func root(_ color: SIMD3<Double>, _ exponent: Double) -> SIMD3<Double> {
    [pow(color.x, 1 / exponent), pow(color.y, 1 / exponent), pow(color.z, 1 / exponent)]
  }

  /// Sets temperature and tint so that an object that is grey in the estimated light becomes grey. Leaves both
  /// unchanged if the picture has no cast, or if the cast does not match any real light.
  func correct(_ edit: inout Edit) {
    guard (cast * cast).sum().squareRoot() > Self.visible else { return }
    let grey = 0.3 * SIMD3(exp2(cast.x), 1, exp2(cast.y))
    guard let found = GreyPlace(Primaries.bt709.toWorking * grey).whiteBalance else { return }
    (edit[.temperature], edit[.tint]) = found
  }
}
