import EditModel
import TestSupport
import Testing

@testable import Rendering

/// Tests that compare the kernels' numbers with plain reference code.
@Suite struct SharpeningTests {
  /// Returns the expected plane, calculated sample by sample, with codes as in ``Sharpening``.
  private func twin(_ samples: [UInt16], _ width: Int, _ height: Int, depth: Int, amount: Float) -> [UInt16] {
    let sigma = Double(max(width, height)) / 2000
    let bell = BellWeights(variance: sigma * sigma).fixedPoint.map(Int.init)
    let wide = BellWeights(variance: 4 * sigma * sigma).fixedPoint.map(Int.init)
    func weighted(_ number: (Int) -> Int, _ weights: [Int]) -> Int {
      weights.indices.reduce(0) { sum, k in
        sum + ((k == 0 ? number(0) : number(-k) + number(k)) * weights[k] + 0x4000) >> 15
      }
    }
    func blur(_ numbers: [Int], _ weights: [Int]) -> [Int] {
      func at(_ x: Int, _ y: Int, _ numbers: [Int]) -> Int {
        numbers[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
      }
      let down = numbers.indices.map { index in
        weighted({ at(index % width, index / width + $0, numbers) }, weights)
      }
      return down.indices.map { index in
        weighted({ at(index % width + $0, index / width, down) }, weights)
      }
    }
    let luma = samples.map { depth <= 12 ? Int($0) << (12 - depth) - 2048 : Int($0) >> (depth - 12) - 2048 }
    let difference = zip(luma, blur(luma, bell)).map { $0 - $1 }
    let activity = blur(difference.map(abs), wide)
    let (unit, greatest) = (Float(1 << (depth - 8)), Float(1 << depth - 1))
    let additions = samples.indices.map { index in
      let v = Float(activity[index]) * Float(activity[index]) / 256
      let sum = Float(difference[index]) * (amount * 600) * v / ((v + 6) * (v + 600))
      let code = Float(samples[index]) / unit
      return Int(min(max(sum, -16 * code), 16 * (greatest / unit - code)) + 8192.5) - 8192
    }
    let means = blur(additions, wide)
    return samples.indices.map { index in
      let change = Float(additions[index] - means[index]) * unit / 16
      return UInt16(min(max(Float(samples[index]) + change, 0), greatest) + 0.5)
    }
  }

  @Test(arguments: [8, 10, 16])
  func framesMatchThePlainTwin(_ depth: Int) throws {
    // Strips that are long enough for radii of several samples.
    for (width, height) in [(1, 1), (1200, 3), (5, 900), (2400, 5)] {
      var generator = SeededGenerator(seed: UInt64(width + depth))
      let frame = try DetailPicture.frame(width, height, .grey, depth: depth) { _, x, y in
        x / 7 % 2 == y % 2 ? Double.random(in: 0..<256, using: &generator) : 100
      }
      let samples = frame.samples(ofPlane: 0)
      for value in [0.4] {
        try #require(frame.setSamples(samples, ofPlane: 0))
        let sharpening = try #require(Sharpening(DetailPicture.edit([.sharpness: value])))
        sharpening.apply(to: frame, ColorEncoding(.jpeg, bitDepth: depth))
        let expected = twin(samples, width, height, depth: depth, amount: Float(3 * value))
        #expect(frame.samples(ofPlane: 0) == expected, "\(width)x\(height)")
        if width > 1000 { #expect(expected != samples) }
      }
    }
  }

  @Test func edgesGetSteeperAndNoiseStays() throws {
    var generator = SeededGenerator(seed: 3)
    let frame = try DetailPicture.frame(2000, 40, .grey) { _, x, _ in
      // Noise on the left, and an edge across four columns in the middle of the right half.
      x < 1000
        ? 128 + Double.random(in: -1.5...1.5, using: &generator)
        : 80 + 80 * min(max(Double(x - 1500) / 4, 0), 1)
    }
    let before = frame.samples(ofPlane: 0)
    let sharpening = try #require(Sharpening(DetailPicture.edit([.sharpness: 1])))
    sharpening.apply(to: frame, ColorEncoding(.jpeg, bitDepth: 8))
    let after = frame.samples(ofPlane: 0)
    func deviation(_ samples: [UInt16]) -> Double {
      let some = (0..<40).flatMap { (row: Int) -> ArraySlice<UInt16> in
        samples[row * 2000 + 10..<row * 2000 + 980]
      }
      let mean = DetailPicture.mean(some)
      let squares = some.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
      return (squares / Double(some.count)).squareRoot()
    }
    #expect(deviation(after) < 1.3 * deviation(before))
    let row = 20 * 2000
    func steepest(_ samples: [UInt16]) -> Int {
      (row + 1495..<row + 1510).map { (at: Int) -> Int in Int(samples[at + 1]) - Int(samples[at]) }.max() ?? 0
    }
    #expect(Double(steepest(after)) > 1.15 * Double(steepest(before)))
    // No halo exceeds a fifth of the edge.
    #expect(after[row + 1400..<row + 1600].allSatisfy { 64...176 ~= $0 })
  }
}
