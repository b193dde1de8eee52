import EditModel
import Glibc

/// Estimates the colour cast of a picture, and the white balance that takes it away.
///
/// Four estimates of the light's colour are made: by the mean of all colours, by bright ones, by the brightest, and by
/// edges. Light from a neutral one to a warm one is taken as it is, for most pictures are a little warm; what all four
/// find beyond that is the cast, as far as the one that finds least of it.
struct CastEstimate {
  /// Binary logarithms of red by green and of blue by green.
  private typealias Ratios = SIMD2<Double>
  /// The warmest light that counts as no cast.
  private static let warm: Ratios = [0.12, -0.45]
  /// A cast smaller than this is left alone, and one larger by this is taken away wholly.
  private static let (least, transition) = (0.2, 0.25)
  /// Encoded values between which a colour says something about the light.
  private static let usable = 0.02...0.985
  private static let leastColors = 50
  /// The range of the light, in mired.
  private static let mireds = 60.0...240

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
      return ratios - share * Self.warm
    }
    let smallest = casts.min { ($0 * $0).sum() < ($1 * $1).sum() } ?? [0, 0]
    let size = (smallest * smallest).sum().squareRoot()
    cast = smallest * AutoAdjustment.smooth((size - Self.least) / Self.transition)
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

  /// Sets temperature and tint so that a grey in this light becomes grey; leaves them where there is no cast.
  func correct(_ edit: inout Edit) {
    guard (cast * cast).sum().squareRoot() > 0.02 else { return }
    let toSRGB = Primaries.bt709.toWorking.inverse ?? .identity
    var (mired, tint) = (1_000_000 / Parameter.temperature.description.neutral, 0.0)
    func error(_ mired: Double, _ tint: Double) -> Ratios {
      var edit = Edit.identity
      (edit[.temperature], edit[.tint]) = (1_000_000 / mired, tint)
      let white = toSRGB * ((WhiteBalance(edit)?.matrix ?? .identity) * SIMD3(1, 1, 1))
      return cast + [log2(white.x / white.y), log2(white.z / white.y)]
    }
    // Newton's method.
    for _ in 0..<4 {
      let here = error(mired, tint)
      let byMired = (error(mired + 3, tint) - here) / 3
      let byTint = (error(mired, tint + 0.05) - here) / 0.05
      let determinant = byMired.x * byTint.y - byMired.y * byTint.x
      guard abs(determinant) > 1e-9 else { return }
      mired -= (here.x * byTint.y - here.y * byTint.x) / determinant
      tint -= (byMired.x * here.y - byMired.y * here.x) / determinant
      mired = mired.kept(Self.mireds)
      tint = tint.kept(Parameter.tint.description.range)
    }
    (edit[.temperature], edit[.tint]) = (1_000_000 / mired, tint)
  }
}
