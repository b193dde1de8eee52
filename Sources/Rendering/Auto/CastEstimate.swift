import EditModel
import Glibc

/// Estimates the colour cast of a picture, and the white balance that takes it away.
///
/// Four estimates of the light's colour are made: by the mean of all colours, by bright ones, by the brightest, and by
/// edges. Light from a neutral one to a warm one is taken as it is, for most pictures are a little warm. What lies beyond
/// that is the cast, half by edges and half by the estimate that finds least of it.
struct CastEstimate {
  /// Binary logarithms of red by green and of blue by green.
  private typealias Ratios = SIMD2<Double>
  /// The warmest light that counts as no cast.
  private static let warm: Ratios = [0.12, -0.45]
  /// A cast smaller than this is left alone, and one larger by this is taken away wholly.
  private static let (least, transition) = (0.15, 0.2)
  /// How much larger a cast must be where the camera balanced the light by its own estimate: what is left is rather the
  /// colour of things, or meant.
  private static let trust = 0.1
  /// The usual light of pictures, and the cast from which on it is certain that there is one.
  private static let usual: Ratios = [0.08, -0.3]
  private static let (certain, certainty) = (0.2, 0.3)
  /// A cast that is not worth the pixels of a picture.
  private static let visible = 0.06
  /// Encoded values between which a colour says something about the light.
  private static let usable = 0.02...0.985
  private static let leastColors = 50

  private let cast: Ratios

  /// - Parameter colors: the picture.
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
    // Light is rarely magenta, while flowers are: that much is of the light on which all estimates agree.
    let magenta = casts.map { $0.cast.sum() / 2 }
    let agreed = 2 * (magenta.min() ?? 0) - (magenta.max() ?? 0)
    mean -= max(0, mean.sum() / 2 - max(0, agreed))
    let size = (mean * mean).sum().squareRoot()
    // A light that is certainly wrong leads to the usual one rather than to the nearest that would do.
    let usual = Self.usual - (smallest.light + edges.light) / 2
    let wanted = mean - usual * smoothstep((size - Self.certain) / Self.certainty)
    cast =
      wanted
      * smoothstep(
        (size - Self.least - (colors.isBalanced ? Self.trust : 0)) / Self.transition)
  }

  /// True if a colour is neither clipped nor nearly black in any channel.
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

  /// Sets temperature and tint so that a grey in this light becomes grey; leaves them where there is no cast, or none of
  /// a light that there is.
  func correct(_ edit: inout Edit) {
    guard (cast * cast).sum().squareRoot() > Self.visible else { return }
    let grey = 0.3 * SIMD3(exp2(cast.x), 1, exp2(cast.y))
    guard let found = GreyPlace(Primaries.bt709.toWorking * grey).whiteBalance else { return }
    (edit[.temperature], edit[.tint]) = found
  }
}
