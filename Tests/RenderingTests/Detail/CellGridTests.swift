import EditModel
import TestSupport
import Testing

@testable import Rendering

/// The grid against a twin in double precision.
@Suite struct CellGridTests {
  private func twin(
    _ samples: [UInt16], _ width: Int, _ height: Int, depth: Int, radius: (Double, Double), amount: Double,
    gain: (Double) -> Double
  ) -> [Double] {
    let unit = Double(1 << (depth - 8))
    let across = max(1, min(width, Int((radius.0 / 1.5).rounded())))
    let down = max(1, min(height, Int((radius.1 / 1.5).rounded())))
    let (columns, rows) = ((width + across - 1) / across, (height + down - 1) / down)
    func weights(_ radius: Double, _ cell: Int) -> [Double] {
      let inCells = radius / Double(cell)
      return BellWeights(variance: inCells * inCells).values
    }
    let (horizontal, vertical) = (weights(radius.0, across), weights(radius.1, down))
    func cells(_ value: (Double) -> Double) -> [Double] {
      (0..<rows * columns).map { index in
        let ys = index / columns * down..<min((index / columns + 1) * down, height)
        let xs = index % columns * across..<min((index % columns + 1) * across, width)
        var sum = 0.0
        for y in ys { for x in xs { sum += value(Double(samples[y * width + x]) / unit - 128) } }
        return sum / Double(ys.count * xs.count)
      }
    }
    func at(_ numbers: [Double], _ x: Int, _ y: Int) -> Double {
      numbers[min(max(y, 0), rows - 1) * columns + min(max(x, 0), columns - 1)]
    }
    func blur(_ numbers: [Double]) -> [Double] {
      numbers.indices.map { index in
        var sum = 0.0
        for dy in 1 - vertical.count..<vertical.count {
          for dx in 1 - horizontal.count..<horizontal.count {
            sum +=
              vertical[abs(dy)] * horizontal[abs(dx)]
              * at(numbers, index % columns + dx, index / columns + dy)
          }
        }
        return sum
      }
    }
    let means = blur(cells { $0 })
    let gains = zip(means, blur(cells { $0 * $0 })).map { gain(max($1 - $0 * $0, 0)) }
    let (g, m) = (blur(gains), blur(zip(gains, means).map { $0 * $1 }))
    func between(_ numbers: [Double], _ x: Int, _ y: Int) -> Double {
      let px = max((Double(x) + 0.5) / Double(across) - 0.5, 0)
      let py = max((Double(y) + 0.5) / Double(down) - 0.5, 0)
      let (ix, iy) = (Int(px), Int(py))
      let (fx, fy) = (px - Double(ix), py - Double(iy))
      return (1 - fy) * ((1 - fx) * at(numbers, ix, iy) + fx * at(numbers, ix + 1, iy))
        + fy * ((1 - fx) * at(numbers, ix, iy + 1) + fx * at(numbers, ix + 1, iy + 1))
    }
    return samples.indices.map { index in
      let (x, y) = (index % width, index / width)
      let value = Double(samples[index]) / unit - 128
      let code = Double(samples[index]) + unit * amount * (between(g, x, y) * value - between(m, x, y))
      return min(max(code, 0), 256 * unit - 1)
    }
  }

  @Test(arguments: [8, 10, 16])
  func planesMatchThePlainTwin(_ depth: Int) throws {
    let sizes: [(Int, Int, (Double, Double))] = [
      (1, 1, (1, 1)), (3, 5, (0.4, 0.4)), (40, 31, (1.6, 1.6)), (41, 30, (4.5, 4.5)), (57, 43, (12, 6)),
      (30, 1, (8, 8)),
    ]
    for (width, height, radius) in sizes {
      var generator = SeededGenerator(seed: UInt64(width))
      let frame = try DetailPicture.frame(width, height, .grey, depth: depth) { _, x, y in
        DetailPicture.scene(Double(x) / Double(width), Double(y) / Double(height))
          + Double.random(in: -8...8, using: &generator)
      }
      let samples = frame.samples(ofPlane: 0)
      let grid = CellGrid(frame.planes[0], depth: depth, radius: radius)
      grid.apply(CellGrid.Change(amount: 0.8, limit: nil, codes: 0...(1 << depth - 1))) { 500 / ($0 + 500) }
      let expected = twin(samples, width, height, depth: depth, radius: radius, amount: 0.8) {
        500 / ($0 + 500)
      }
      // The weights in the code are rounded to 1/4096.
      let allowed = 0.6 + 0.1 * Double(1 << (depth - 8))
      for (result, exact) in zip(frame.samples(ofPlane: 0), expected) {
        #expect(abs(Double(result) - exact) < allowed, "\(width)x\(height)")
      }
    }
  }
}
