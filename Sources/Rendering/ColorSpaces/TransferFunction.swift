import Glibc

/// A function that converts between encoded values and linear light, where reference white is 1.
///
/// Every function continues below 0 and above 1. Many Y′CbCr codes are not valid colours but have neighbours that are,
/// and the table must be smooth between such codes. Below 0 the function is mirrored.
enum TransferFunction: Hashable, Sendable {
  /// The sRGB function of IEC 61966-2-1.
  case sRGB
  /// A power of the encoded value.
  case gamma(Double)
  /// The HLG function of ITU-R BT.2100, for scene light. Reference white is encoded as 0.75 (ITU-R BT.2408).
  case hlg
  /// The PQ function of ITU-R BT.2100, for display light. Reference white is 203 cd/m² (ITU-R BT.2408).
  case pq
  /// A curve sampled from 0 to 1.
  case sampled(SampledCurve)

  /// Returns the transfer function of a movie.
  ///
  /// The camera curves of BT.709, BT.601 and BT.2020 count as sRGB, because iPhone pictures tagged with them have the
  /// same code values as the photos taken at the same time.
  ///
  /// - Parameter transferCharacteristics: The code point of ITU-T H.273 section 8.2.
  init(transferCharacteristics: Int) {
    switch transferCharacteristics {
    case 4: self = .gamma(2.2)
    case 5: self = .gamma(2.8)
    case 8: self = .gamma(1)
    case 16: self = .pq
    case 17: self = .gamma(2.6)
    case 18: self = .hlg
    default: self = .sRGB
    }
  }

  /// The linear light of the encoded value 1.
  var peak: Double {
    switch self {
    case .hlg, .pq: linear(1)
    default: 1
    }
  }

  /// Returns the linear light of an encoded value.
  @inline(__always)
  func linear(_ x: Double) -> Double {
    if case .sRGB = self { return Self.sRGBLinear(x) }
    return x < 0 ? -positiveLinear(-x) : positiveLinear(x)
  }

  /// Returns the encoded value of linear light.
  @inline(__always)
  func encoded(_ x: Double) -> Double {
    if case .sRGB = self { return Self.sRGBEncoded(x) }
    return x < 0 ? -positiveEncoded(-x) : positiveEncoded(x)
  }

  /// Returns the linear light of an sRGB value (IEC 61966-2-1 section 5.2), mirrored below 0.
  @inline(__always)
  static func sRGBLinear(_ x: Double) -> Double {
    let a = abs(x)
    guard a > 0.04045 else { return x / 12.92 }
    let base = (a + 0.055) / 1.055
    let root = Roots.fifth(base)
    // base^2.4
    let y = base * base * root * root
    return x < 0 ? -y : y
  }

  /// Returns the encoded sRGB value, as the inverse of ``sRGBLinear(_:)``.
  @inline(__always)
  static func sRGBEncoded(_ x: Double) -> Double {
    let a = abs(x)
    guard a > 0.0031308 else { return x * 12.92 }
    let root = Roots.cube(a)
    // a^(1/3 + 1/12)
    let y = 1.055 * root * root.squareRoot().squareRoot() - 0.055
    return x < 0 ? -y : y
  }

  /// Applies ``sRGBLinear(_:)`` to three channels.
  @inline(__always)
  static func sRGBLinear(_ color: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(sRGBLinear(color.x), sRGBLinear(color.y), sRGBLinear(color.z))
  }

  /// Applies ``sRGBEncoded(_:)`` to three channels.
  @inline(__always)
  static func sRGBEncoded(_ color: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(sRGBEncoded(color.x), sRGBEncoded(color.y), sRGBEncoded(color.z))
  }

  private func positiveLinear(_ x: Double) -> Double {
    switch self {
    case .sRGB: return Self.sRGBLinear(x)
    case .gamma(let gamma): return gamma == 1 ? x : pow(x, gamma)
    case .hlg:
      let scene = x <= 0.5 ? x * x / 3 : (exp((min(x, 3) - HLG.c) / HLG.a) + HLG.b) / 12
      return scene / HLG.white
    case .pq:
      // The formula has a pole near 2, so the function continues as a straight line beyond 1.
      guard x <= 1 else { return PQ.peak * (1 + PQ.slope * (x - 1)) }
      let power = pow(x, 1 / PQ.m2)
      return PQ.peak * pow(max(power - PQ.c1, 0) / (PQ.c2 - PQ.c3 * power), 1 / PQ.m1)
    case .sampled(let curve): return curve.linear(x)
    }
  }

  private func positiveEncoded(_ x: Double) -> Double {
    switch self {
    case .sRGB: return Self.sRGBEncoded(x)
    case .gamma(let gamma): return gamma == 1 ? x : pow(x, 1 / gamma)
    case .hlg:
      let scene = x * HLG.white
      return scene <= 1.0 / 12 ? (3 * scene).squareRoot() : HLG.a * log(12 * scene - HLG.b) + HLG.c
    case .pq:
      let share = x / PQ.peak
      guard share <= 1 else { return 1 + (share - 1) / PQ.slope }
      let power = pow(share, PQ.m1)
      return pow((PQ.c1 + PQ.c2 * power) / (1 + PQ.c3 * power), PQ.m2)
    case .sampled(let curve): return curve.encoded(x)
    }
  }

  /// The constants of the HLG function (ITU-R BT.2100-2 table 5).
  private enum HLG {
    static let a = 0.17883277
    static let b = 0.28466892
    static let c = 0.55991073
    /// The scene light of the encoded value 0.75.
    static let white = 0.26496256
  }

  /// The constants of the PQ function (ITU-R BT.2100-2 table 4).
  private enum PQ {
    static let m1 = 0.1593017578125
    static let m2 = 78.84375
    static let c1 = 0.8359375
    static let c2 = 18.8515625
    static let c3 = 18.6875
    static let peak = 10000.0 / 203
    /// The slope at 1, as a fraction of the peak.
    static let slope = (1 / m1) * (1 / m2) * (1 / (1 - c1) + c3 / (c2 - c3))
  }
}

/// An increasing curve through equidistant samples from 0 to 1. Between and beyond the samples the curve is linear.
struct SampledCurve: Hashable, Sendable {
  private let samples: [Double]

  /// - Parameter samples: The linear light at each sample. A sample below the previous one is raised to the value of
  ///   the previous sample.
  /// - Returns: Nil if there are fewer than two samples or if all samples are equal.
  init?(_ samples: [Double]) {
    guard samples.count >= 2, samples.allSatisfy(\.isFinite) else { return nil }
    var rising: [Double] = []
    var least = max(samples[0], 0)
    for sample in samples {
      least = max(least, sample)
      rising.append(least)
    }
    guard let first = rising.first, let last = rising.last, last - first > 0.1 else { return nil }
    // Flat parts get a small slope so that the curve has an inverse.
    let tilt = 1e-7
    self.samples = rising.enumerated().map { $1 + tilt * Double($0) }
  }

  func linear(_ x: Double) -> Double {
    let place = x * Double(samples.count - 1)
    let index = min(max(Int(min(place, 1e9)), 0), samples.count - 2)
    let start = samples[index]
    return start + (samples[index + 1] - start) * (place - Double(index))
  }

  func encoded(_ y: Double) -> Double {
    var low = 0
    var high = samples.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if samples[middle] <= y { low = middle } else { high = middle }
    }
    let part = (y - samples[low]) / (samples[high] - samples[low])
    return (Double(low) + part) / Double(samples.count - 1)
  }
}
