internal import CPixelKernels
import EditModel
import Synchronization

/// Film-like grain, strongest in mid-tones: noise that depends on position and is the same in the photo and in every
/// frame. `Parameter.description` contains the formula.
final class Grain: DetailPass {
  private let amount: Float
  private let size: Double
  private let seed: UInt64
  /// The patterns created so far, keyed by width and height.
  private let patterns = Mutex<[SIMD2<Int>: GrainPattern]>([:])

  init?(_ edit: Edit) {
    guard edit[.grain] > 0 else { return nil }
    amount = Float(40 * edit[.grain])
    size = (0.5 + edit[.grainSize]) / 2000
    seed =
      UInt64((edit[.grain] * 100).rounded()) &* 0x1000_0000_01B3
      ^ UInt64((edit[.grainSize] * 100).rounded())
  }

  func apply(to frame: PlanarFrame, _ encoding: ColorEncoding) {
    guard let plane = frame.planes.first else { return }
    let depth = frame.format.bitDepth
    let unit = Float(1 << (depth - 8))
    let (black, white) = (Float(encoding.black), Float(encoding.black + encoding.lumaRange))
    let pattern = pattern(of: [plane.width, plane.height])
    let scale = amount * unit / GrainPattern.deviation
    pattern.samples.withUnsafeBufferPointer { samples in
      guard let first = samples.baseAddress else { return }
      for y in 0..<plane.height {
        grain_apply(
          first + y * plane.width, Int64(plane.width), scale, black * unit, white * unit, Int32(depth),
          Int32(encoding.codes.lowerBound), Int32(encoding.codes.upperBound), plane.row(y))
      }
    }
  }

  private func pattern(of places: SIMD2<Int>) -> GrainPattern {
    patterns.withLock { patterns in
      if let made = patterns[places] { return made }
      let made = GrainPattern(width: places.x, height: places.y, size: size, seed: seed)
      patterns[places] = made
      return made
    }
  }
}

/// A noise pattern for a picture: random numbers on a lattice, interpolated with a quadratic B-spline. The lattice is
/// anchored at the centre of the picture and contains the same numbers for every picture size. If a pixel is larger
/// than a grain, the pixel gets the mean of the grains that it covers.
struct GrainPattern: Sendable {
  /// The standard deviation of the noise at full strength. The mean is 0.
  static let deviation: Float = 40
  /// The noise of each pixel, row after row.
  let samples: [Int8]

  /// - Parameters:
  ///   - width: The width of the picture in pixels.
  ///   - height: The height of the picture in pixels.
  ///   - size: The size of a grain as a fraction of the picture's longer side.
  ///   - seed: The seed of the random numbers.
  init(width: Int, height: Int, size: Double, seed: UInt64) {
    // The number of lattice points per pixel.
    let step = 1 / (Double(max(width, height)) * size)
    let columns = Axis(count: width, step: step)
    let rows = Axis(count: height, step: step)
    // Along each axis, B-spline interpolation of independent numbers reduces their standard deviation by the factor
    // 0.55. Numbers from -1 to 1 have a standard deviation of 0.577.
    let scale = Self.deviation / Float(0.55 * 0.55 * 0.577)
    var values = [Float](repeating: 0, count: width * height)
    var lines: [Int: [Float]] = [:]
    for y in 0..<height {
      let taps = rows.taps[y]
      lines = lines.filter { $0.key >= taps.first }
      values.withUnsafeMutableBufferPointer { values in
        for (index, weight) in taps.weights.enumerated() {
          let place = taps.first + index
          let line = lines[place] ?? Self.line(place, columns, seed)
          lines[place] = line
          let factor = weight * scale
          for x in 0..<width { values[y &* width &+ x] += line[x] * factor }
        }
      }
    }
    let mean = Float(values.reduce(0.0) { $0 + Double($1) } / Double(values.count))
    samples = values.map { Int8(min(max(($0 - mean).rounded(), -127), 127)) }
  }

  /// Returns one row of the lattice, interpolated along the row.
  private static func line(_ row: Int, _ columns: Axis, _ seed: UInt64) -> [Float] {
    let first = columns.taps.first?.first ?? 0
    let end = (columns.taps.last.map { $0.first + $0.weights.count } ?? 0)
    let numbers = (first..<max(end, first)).map { number(row, $0, seed) }
    return columns.taps.map { taps in
      var sum: Float = 0
      for (index, weight) in taps.weights.enumerated() { sum += numbers[taps.first - first + index] * weight }
      return sum
    }
  }

  /// Returns a number from -1 to 1 for a lattice point: the SplitMix64 finaliser (Steele, Lea and Flood, OOPSLA 2014)
  /// applied to position and seed.
  private static func number(_ row: Int, _ column: Int, _ seed: UInt64) -> Float {
    var z = seed &+ UInt64(bitPattern: Int64(row)) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 31)) &+ UInt64(bitPattern: Int64(column)) &* 0xD1B5_4A32_D192_ED03
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    z ^= z >> 31
    return Float(Int64(z >> 40) - (1 << 23)) / Float(1 << 23)
  }

  /// The lattice points from which each column or row is computed, with their weights.
  private struct Axis {
    let taps: [(first: Int, weights: [Float])]

    init(count: Int, step: Double) {
      // The half-width of the spline is 1.5 times the size of a grain or the size of a pixel, whichever is larger.
      let wide = max(step, 1)
      let taps = (0..<count).map { index -> (first: Int, weights: [Double]) in
        let place = (Double(index) + 0.5 - Double(count) / 2) * step
        let first = Int((place - 1.5 * wide).rounded(.up))
        let last = Int((place + 1.5 * wide).rounded(.down))
        let weights = (first...max(first, last)).map { spline((Double($0) - place) / wide) }
        let sum = weights.reduce(0, +)
        return (first, weights.map { sum > 0 ? $0 / sum : 0 })
      }
      // The standard deviation of a weighted sum of independent numbers is proportional to the square root of the sum
      // of squared weights. The weights are scaled so that this sum is equal everywhere; otherwise the lattice would be
      // visible.
      let squares = taps.map { $0.weights.reduce(0) { $0 + $1 * $1 } }
      let mean = squares.reduce(0, +) / Double(max(count, 1))
      self.taps = zip(taps, squares).map { tap, square in
        let factor = square > 0 ? (mean / square).squareRoot() : 0
        return (tap.first, tap.weights.map { Float($0 * factor) })
      }
    }
  }

  /// Returns the value of the quadratic B-spline, which is 0 at distances of 1.5 and more.
  private static func spline(_ x: Double) -> Double {
    let distance = abs(x)
    if distance < 0.5 { return 0.75 - distance * distance }
    let rest = max(1.5 - distance, 0)
    return rest * rest / 2
  }
}
