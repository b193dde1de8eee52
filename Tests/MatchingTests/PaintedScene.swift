import EditModel
import Foundation
import TestSupport

@testable import Rendering

/// A picture of overlapping discs painted sample by sample, with slow reference code that warps and colours it.
struct PaintedScene {
  let width: Int
  let height: Int
  private(set) var samples: [Double]

  /// - Parameters:
  ///   - seed: The seed of the scene.
  ///   - parallax: How far the nearest discs move to the right, in samples. The farthest discs do not move.
  ///   - noise: The seed of the scene's noise.
  init(seed: UInt64, width: Int = 800, height: Int = 600, parallax: Double = 0, noise: UInt64 = 1) {
    (self.width, self.height) = (width, height)
    samples = [Double](repeating: 90, count: width * height)
    var random = SeededGenerator(seed: seed)
    let count = 700
    for number in 0..<count {
      let radius = Double.random(in: 5...45, using: &random)
      let middle = SIMD2(
        Double.random(in: 0...Double(width), using: &random) + parallax * Double(number) / Double(count),
        Double.random(in: 0...Double(height), using: &random))
      let tone = Double.random(in: 20...235, using: &random)
      paintDisc(middle, radius, tone)
    }
    var grain = SeededGenerator(seed: noise)
    for at in samples.indices { samples[at] += Double.random(in: -3...3, using: &grain) }
  }

  /// Creates a picture of given samples, row after row.
  init(_ width: Int, _ height: Int, _ samples: [Double]) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  /// Paints a disc of one tone over the existing picture.
  ///
  /// - Parameter edge: The width of the disc's edge in samples.
  mutating func paintDisc(_ middle: SIMD2<Double>, _ radius: Double, _ tone: Double, edge: Double = 1) {
    let outer = radius + (edge - 1) / 2
    for y in max(0, Int(middle.y - outer))..<min(height, Int(middle.y + outer) + 2) {
      for x in max(0, Int(middle.x - outer))..<min(width, Int(middle.x + outer) + 2) {
        let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - middle
        let share = min(max((radius - (place * place).sum().squareRoot()) / edge + 0.5, 0), 1)
        if share > 0 { samples[y * width + x] += share * (tone - samples[y * width + x]) }
      }
    }
  }

  /// The picture as a frame.
  var frame: PlanarFrame { Self.frame(samples, width, height) }

  /// Returns an 8-bit grey frame.
  static func frame(_ samples: [Double], _ width: Int, _ height: Int) -> PlanarFrame {
    let frame = PlanarFrame(valid: FrameFormat(width: width, height: height, sampling: .grey))
    _ = frame.setSamples(samples.map { UInt16(min(max($0.rounded(), 0), 255)) }, ofPlane: 0)
    return frame
  }

  /// Returns the sample at a position between samples, interpolated linearly.
  private func sample(_ place: SIMD2<Double>) -> Double {
    let x = min(max(place.x - 0.5, 0), Double(width) - 1.001)
    let y = min(max(place.y - 0.5, 0), Double(height) - 1.001)
    let at = Int(y) * width + Int(x)
    let (u, v) = (x - x.rounded(.down), y - y.rounded(.down))
    let upper = samples[at] * (1 - u) + samples[at + 1] * u
    return upper * (1 - v) + (samples[at + width] * (1 - u) + samples[at + width + 1] * u) * v
  }

  /// Returns the picture that a geometry produces, calculated with its formula.
  ///
  /// - Parameters:
  ///   - planted: The geometry.
  ///   - columns: The number of columns of the result.
  ///   - change: The change of each sample at a position, in fractions of the result.
  func edited(
    _ planted: PlantedGeometry, columns: Int,
    change: (Double, SIMD2<Double>) -> Double = { sample, _ in sample }
  ) -> (samples: [Double], width: Int, height: Int) {
    let rows = Int((Double(columns) * planted.half.y / planted.half.x).rounded())
    var result: [Double] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let place = (SIMD2(Double(column), Double(row)) + 0.5) / SIMD2(Double(columns), Double(rows))
        let source = planted.source(place, of: SIMD2(Double(width), Double(height)))
        result.append(change(sample(source), place))
      }
    }
    return (result, columns, rows)
  }
}

/// A rotation, straightening, perspective and crop, following the formula in the documentation of `Geometry`.
struct PlantedGeometry {
  var turn = Orientation.up
  var degrees = 0.0
  var perspective = SIMD2<Double>.zero
  /// The middle and half the sides of the visible part, in halves of the picture's longer side.
  var center = SIMD2<Double>.zero
  var half: SIMD2<Double>

  /// Returns the position in the original picture, in samples, that appears at a position of the edited picture, in
  /// fractions.
  func source(_ place: SIMD2<Double>, of size: SIMD2<Double>) -> SIMD2<Double> {
    let seen = center + half * (2 * place - 1)
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let straight = SIMD2(cosine * seen.x + sine * seen.y, -sine * seen.x + cosine * seen.y)
    // The inverse of q = p / (1 + k · p) is p = q / (1 - k · q).
    let point = straight / (1 - 0.3 * (perspective * straight).sum())
    // The rotation around the middle is undone by its inverse.
    let m = turn.inverse.matrix
    let back = SIMD2(
      Double(m.a) * point.x + Double(m.c) * point.y, Double(m.b) * point.x + Double(m.d) * point.y)
    return back * max(size.x, size.y) / 2 + size / 2
  }
}
