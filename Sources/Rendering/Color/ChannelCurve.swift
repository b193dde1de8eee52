import EditModel

/// An increasing function of an encoded value, sampled from 0 to 1.
///
/// Outside 0 to 1 the function continues with its slope at the end, and the slope gradually returns to 1. At the
/// distance d from the end, where the slope is s, the value is f(1) + d (1 + (s - 1) / (1 + 2 d)).
struct ChannelCurve: Sendable {
  private let samples: [Double]
  /// The slope at 0.
  let startSlope: Double
  private let endSlope: Double

  private static let count = 2048

  /// - Parameter function: A function defined from 0 to 1.
  init(_ function: (Double) -> Double) {
    let step = 1 / Double(Self.count)
    samples = (0...Self.count).map { function(Double($0) * step) }
    // The slopes are one-sided second-order differences.
    let fine = 1e-4
    startSlope = (4 * function(fine) - 3 * function(0) - function(2 * fine)) / (2 * fine)
    endSlope = (3 * function(1) - 4 * function(1 - fine) + function(1 - 2 * fine)) / (2 * fine)
  }

  @inline(__always)
  func callAsFunction(_ x: Double) -> Double {
    if x < 0 { return samples[0] + Self.beyond(x, startSlope) }
    if x >= 1 { return samples[Self.count] + Self.beyond(x - 1, endSlope) }
    let place = x * Double(Self.count)
    let index = Int(place)
    let start = samples[index]
    return start + (samples[index + 1] - start) * (place - Double(index))
  }

  @inline(__always)
  private static func beyond(_ distance: Double, _ slope: Double) -> Double {
    distance * (1 + (slope - 1) / (1 + 2 * abs(distance)))
  }
}

extension ToneCurve {
  /// The curve as a function, by the monotone cubic interpolation of Fritsch and Carlson. Its slopes are the harmonic
  /// means of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984).
  var function: (Double) -> Double {
    var x: [Double] = points.map { Double($0.x) / 1000 }
    var y: [Double] = points.map { Double($0.y) / 1000 }
    if x.first != 0 { (x, y) = ([0] + x, [0] + y) }
    if x.last != 1 { (x, y) = (x + [1], y + [1]) }
    let last = x.count - 1
    var secants: [Double] = []
    for index in 0..<last { secants.append((y[index + 1] - y[index]) / (x[index + 1] - x[index])) }
    var slopes: [Double] = secants + [secants[last - 1]]
    for index in 1..<max(last, 1) {
      let (a, b) = (secants[index - 1], secants[index])
      let (h, k) = (x[index] - x[index - 1], x[index + 1] - x[index])
      let weights: Double = (2 * k + h) / a + (k + 2 * h) / b
      slopes[index] = a * b > 0 ? 3 * (h + k) / weights : 0
    }
    return { value in
      let index = max((x.firstIndex { $0 > value } ?? last) - 1, 0)
      let width = x[index + 1] - x[index]
      let t = (value - x[index]) / width
      let rest = 1 - t
      let low = y[index] * rest * rest * (1 + 2 * t)
      let high = y[index + 1] * t * t * (3 - 2 * t)
      return low + high + width * t * rest * (slopes[index] * rest - slopes[index + 1] * t)
    }
  }
}
