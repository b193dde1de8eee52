import CPixelKernels
import TestSupport
import Testing

/// Tests of the registration sums, compared with slow sums in double precision.
@Suite struct RegistrationKernelTests {
  private let width = 61
  private let height = 47
  private let stored = 1208
  private let count = 1203
  private let samples: [Float]
  /// Rows of position values. Some positions lie outside the picture after they are moved.
  private let points: [Float]

  init() {
    let stored = stored
    var random = SeededGenerator(seed: 5)
    samples = (0..<width * height).map { _ in Float.random(in: 0...255, using: &random) }
    let reaches: [Float] = [32, 25, 60, 60, 255, 1]
    var points = reaches.flatMap { reach in
      (0..<stored).map { _ in Float.random(in: -reach...reach, using: &random) }
    }
    for index in 0..<stored { points[5 * stored + index] = 1 / (4 + 60 * abs(points[5 * stored + index])) }
    for index in count..<stored { points[index] = .nan }
    self.points = points
  }

  private func number(_ row: registration_row, _ index: Int) -> Double {
    Double(points[Int(row.rawValue) * stored + index])
  }

  @Test func sumsAreThoseOfASlowReference() {
    let (scale, turn, x, y, gain, offset) = (1.02, 0.03, 30.7, 22.9, 0.9, 4.0)
    var residuals = [Float](repeating: 0, count: stored)
    var bins = [Int32](repeating: 7, count: Int(REGISTRATION_BINS))
    samples.withUnsafeBufferPointer { samples in
      var picture = registration_picture(
        samples: samples.baseAddress, width: Int64(width), height: Int64(height), scale: Float(scale),
        turn: Float(turn), x: Float(x), y: Float(y), gain: Float(gain), offset: Float(offset))
      registration_residuals(&picture, points, Int64(stored), &residuals, &bins)
    }
    var inside = 0
    for index in 0..<count {
      let (px, py) = (number(REGISTRATION_X, index), number(REGISTRATION_Y, index))
      let place = (x: scale * px - turn * py + x, y: turn * px + scale * py + y)
      guard place.x >= 0, place.y >= 0, place.x < Double(width - 1), place.y < Double(height - 1) else {
        #expect(residuals[index].isNaN)
        continue
      }
      inside += 1
      let (column, row) = (Int(place.x), Int(place.y))
      let share = (x: place.x - Double(column), y: place.y - Double(row))
      func sample(_ x: Int, _ y: Int) -> Double { Double(samples[(row + y) * width + column + x]) }
      let upper = sample(0, 0) * (1 - share.x) + sample(1, 0) * share.x
      let lower = sample(0, 1) * (1 - share.x) + sample(1, 1) * share.x
      let wanted =
        upper * (1 - share.y) + lower * share.y - gain * number(REGISTRATION_VALUE, index) - offset
      #expect(abs(Double(residuals[index]) - wanted) < 0.02)
    }
    #expect((700..<count).contains(inside))
    #expect(residuals[count...].count { $0.isNaN } == stored - count)
    #expect(bins.reduce(0, +) == Int32(inside))

    // Half of the positions are nearer than the median in the histogram.
    let moves = (0..<count).filter { !residuals[$0].isNaN }.map {
      abs(Double(residuals[$0])) * number(REGISTRATION_DISTANCE, $0)
    }
    for bin in [1, 10, 200] {
      let nearer = moves.count { $0 < Double(bin) / 128 }
      #expect(abs(nearer - Int(bins[..<bin].reduce(0, +))) <= 2)
    }

    var sums = [Double](repeating: 1, count: 42)
    var seen: [Int64] = [9, 9]
    registration_equations(points, residuals, Int64(stored), 0.7, &sums, &seen)
    var wanted = [Double](repeating: 0, count: 42)
    var sizes = wanted
    var agreeing = 0
    for index in 0..<count where !residuals[index].isNaN {
      let residual = Double(residuals[index])
      let (slopeX, slopeY) = (number(REGISTRATION_SLOPE_X, index), number(REGISTRATION_SLOPE_Y, index))
      let (px, py) = (number(REGISTRATION_X, index), number(REGISTRATION_Y, index))
      let ratio = residual * number(REGISTRATION_DISTANCE, index) / 0.7
      let weight = 1 / ((1 + ratio * ratio) * (1 + ratio * ratio))
      let numbers = [
        slopeX * px + slopeY * py, slopeY * px - slopeX * py, slopeX, slopeY,
        number(REGISTRATION_VALUE, index), 1, residual,
      ]
      if abs(residual) <= 4 + (abs(slopeX) + abs(slopeY)) / 2 { agreeing += 1 }
      for row in 0..<6 {
        for column in 0..<7 {
          wanted[row * 7 + column] += weight * numbers[row] * numbers[column]
          sizes[row * 7 + column] += abs(weight * numbers[row] * numbers[column])
        }
      }
    }
    #expect(seen == [Int64(inside), Int64(agreeing)])
    #expect(agreeing > 50 && agreeing < inside - 50)
    for index in sums.indices { #expect(abs(sums[index] - wanted[index]) < 1e-5 * sizes[index]) }
  }
}
