import EditModel
import Foundation

@testable import Rendering

/// A slow resampler in double precision, written only from the formula of `Geometry`, without plans, fixed-point
/// numbers or weight tables.
struct ReferenceResampling {
  let geometry: Geometry
  /// The size and corner of the scene in samples of the frame.
  let scene: SIMD4<Double>
  let shape: Double
  /// The visible part of the warped plane, in halves of the scene's longer side.
  let center: SIMD2<Double>
  let half: SIMD2<Double>

  /// Returns the source, in samples, of a position in the warped plane.
  func source(_ place: SIMD2<Double>) -> SIMD2<Double> {
    let angle = -geometry.straighten * .pi / 180
    let x = place.x * cos(angle) - place.y * sin(angle)
    let y = place.x * sin(angle) + place.y * cos(angle)
    // The equation p / (1 + k p) = q is equivalent to p = q / (1 - k q).
    let part = 1 - 0.3 * (geometry.horizontalPerspective * x + geometry.verticalPerspective * y)
    let corner = SIMD2(min(shape, 1), min(1 / shape, 1))
    return [
      scene.x + scene.z * (x / part / corner.x + 1) / 2, scene.y + scene.w * (y / part / corner.y + 1) / 2,
    ]
  }

  /// Returns the samples of a plane.
  func plane(_ index: Int, of frame: PlanarFrame, width: Int, height: Int) -> [Double] {
    let samples = frame.samples(ofPlane: index).map(Double.init)
    let (columns, rows) = frame.format.planeSize(index)
    // The chroma positions, from H.273 figure 10 and JFIF.
    var (step, offset) = (SIMD2(1.0, 1.0), SIMD2(0.5, 0.5))
    if index > 0 {
      step = [
        Double(1 << frame.format.sampling.horizontalShift), Double(1 << frame.format.sampling.verticalShift),
      ]
      offset = step / 2
      if frame.format.color.chromaLocation == .left { offset.x = 0.5 }
      if frame.format.color.chromaLocation == .topLeft { offset = [0.5, 0.5] }
    }
    var format = frame.format
    (format.width, format.height) = (width, height)
    let (newColumns, newRows) = format.planeSize(index)
    let largest = Double((1 << frame.format.bitDepth) - 1)
    func weight(_ distance: Double) -> Double {
      let d = abs(distance)
      if d <= 1 { return 1.5 * d * d * d - 2.5 * d * d + 1 }
      return d < 2 ? -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2 : 0
    }
    var result: [Double] = []
    for j in 0..<newRows {
      for i in 0..<newColumns {
        let luma = SIMD2(Double(i), Double(j)) * step + offset
        let place = center + half * (2 * luma / SIMD2(Double(width), Double(height)) - 1)
        let from = (source(place) - offset) / step
        let (x0, y0) = (Int(from.x.rounded(.down)), Int(from.y.rounded(.down)))
        var sum = 0.0
        for y in y0 - 1...y0 + 2 {
          for x in x0 - 1...x0 + 2 {
            let (column, row) = (min(max(x, 0), columns - 1), min(max(y, 0), rows - 1))
            sum += weight(from.x - Double(x)) * weight(from.y - Double(y)) * samples[row * columns + column]
          }
        }
        result.append(min(max(sum, 0), largest))
      }
    }
    return result
  }

  static func decibels(_ a: [UInt16], _ b: [Double], bitDepth: Int) -> Double {
    var sum = 0.0
    for (x, y) in zip(a, b) { sum += (Double(x) - y) * (Double(x) - y) }
    let largest = Double((1 << bitDepth) - 1)
    return sum == 0 ? 99 : 10 * log10(largest * largest * Double(b.count) / sum)
  }
}
