import EditModel
import Foundation
import Testing

@testable import Rendering

/// Tests of scaling pictures down, compared with sums implemented directly from their definition.
@Suite struct FrameScalingTests {
  static let formats = [
    FrameFormat(width: 61, height: 46, sampling: .yuv420),
    FrameFormat(
      width: 64, height: 40, sampling: .yuv420, color: ColorDescription(chromaLocation: .left)),
    FrameFormat(width: 50, height: 31, sampling: .yuv422, bitDepth: 10),
    FrameFormat(width: 40, height: 40, sampling: .grey, color: .jpeg),
    FrameFormat(width: 33, height: 28, sampling: .yuv444, color: .jpeg),
  ]

  /// Returns the Lanczos weights of all old samples of an axis for a new sample at a position among them.
  private func weights(_ count: Int, _ place: Double, _ ratio: Double) -> [Double] {
    let weights = (0..<count).map { index -> Double in
      let distance = abs(Double(index) - place)
      if ratio < 1 { return max(0, 1 - distance) }
      let x = distance / ratio
      func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
      return x < 3 ? sinc(x) * sinc(x / 3) : 0
    }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  private func sum(_ weights: [Double], _ samples: [Double]) -> Double {
    var sum = 0.0
    for index in weights.indices { sum += weights[index] * samples[index] }
    return sum
  }

  @Test(arguments: formats) func samplesAreThoseOfTheKernel(_ format: FrameFormat) throws {
    let frame = try #require(PlanarFrame(format: format))
    fill(frame)
    for (width, height) in [(format.width / 2, format.height / 3), (17, 13), (format.width, 11)] {
      for sampling in [format.sampling, .yuv444] {
        let small = try #require(
          frame.scaled(
            to: .init(width: width, height: height), sampling: sampling, bitDepth: format.bitDepth))
        #expect(small.format.size == .init(width: width, height: height))
        for plane in 0..<small.format.sampling.planeCount {
          var old = samples(frame, plane: plane).map { $0.map { Double($0) } }
          var (from, to) = (format.sampleGrid(ofPlane: plane), small.format.sampleGrid(ofPlane: plane))
          // Shared chroma is first interpolated for each pixel.
          if to.step.x == 1, from.step.x > 1 {
            let between = (0..<format.width).map {
              weights(old[0].count, (Double($0) - from.offset.x) / from.step.x, 0.5)
            }
            old = old.map { row in between.map { sum($0, row) } }
            (from.step.x, from.offset.x) = (1, 0)
          }
          if to.step.y == 1, from.step.y > 1 {
            let columns = old[0].indices.map { x in old.map { $0[x] } }
            old = (0..<format.height).map { y in
              let between = weights(columns[0].count, (Double(y) - from.offset.y) / from.step.y, 0.5)
              return columns.map { sum(between, $0) }
            }
            (from.step.y, from.offset.y) = (1, 0)
          }
          let scale = (
            x: Double(format.width) / Double(width), y: Double(format.height) / Double(height)
          )
          let size = small.format.planeSize(plane)
          let across = (0..<size.width).map { x in
            weights(
              old[0].count, ((Double(x) * to.step.x + to.offset.x) * scale.x - from.offset.x) / from.step.x,
              scale.x * to.step.x / from.step.x)
          }
          let down = (0..<size.height).map { y in
            weights(
              old.count, ((Double(y) * to.step.y + to.offset.y) * scale.y - from.offset.y) / from.step.y,
              scale.y * to.step.y / from.step.y)
          }
          let rows = across.map { across in old.map { sum(across, $0) } }
          let codes = format.encoding.codes
          for (y, row) in samples(small, plane: plane).enumerated() {
            for (x, sample) in row.enumerated() {
              let exact = sum(down[y], rows[x])
              let wanted = min(max(exact, Double(codes.lowerBound)), Double(codes.upperBound))
              // Rounding may change the result by half a code in either direction.
              if abs(Double(sample) - wanted) > 0.502 {
                Issue.record("\(sample) at \(x), \(y), not \(wanted)")
              }
            }
          }
        }
      }
    }
  }

  /// The middle of a ramp remains the middle: nothing moves by a fraction of a sample, and no level changes.
  @Test func rampsStayRamps() throws {
    let format = FrameFormat(width: 200, height: 100, sampling: .yuv420, color: .jpeg)
    let frame = try #require(PlanarFrame(format: format))
    #expect(frame.setSamples((0..<20_000).map { UInt16($0 % 200) }, ofPlane: 0))
    for plane in 1...2 { #expect(frame.setSamples((0..<5000).map { UInt16($0 % 100) }, ofPlane: plane)) }
    let small = try #require(
      frame.scaled(to: .init(width: 50, height: 25), sampling: .yuv420, bitDepth: 10))
    // Away from the edges, a sample is in the middle of the four samples that it replaces.
    for x in 4..<46 {
      let wanted = (Double(4 * x) + 1.5) * 1023 / 255
      #expect(abs(Double(samples(small, plane: 0)[12][x]) - wanted) < 0.6)
    }
    for x in 4..<21 {
      let wanted = 512 + (Double(4 * x) + 1.5 - 128) * 1023 / 255
      #expect(abs(Double(samples(small, plane: 1)[6][x]) - wanted) < 0.6)
    }
  }

  /// Detail finer than the new pixels becomes grey and not a false pattern.
  @Test func fineDetailDoesNotAlias() throws {
    let format = FrameFormat(width: 300, height: 200, sampling: .grey, color: .jpeg)
    let frame = try #require(PlanarFrame(format: format))
    let board = (0..<60_000).map { (place: Int) -> UInt16 in (place % 300 + place / 300) % 2 == 0 ? 228 : 28 }
    #expect(frame.setSamples(board, ofPlane: 0))
    let small = try #require(frame.scaled(to: .init(width: 110, height: 73), sampling: .grey, bitDepth: 8))
    let all = samples(small, plane: 0).dropFirst(3).dropLast(3).flatMap { $0.dropFirst(3).dropLast(3) }
    #expect(all.allSatisfy { abs($0 - 128) <= 2 })
  }

  @Test func aPictureOfTheSameSizeStaysAsItIs() throws {
    for format in Self.formats {
      let frame = try #require(PlanarFrame(format: format))
      fill(frame)
      let location = format.color.chromaLocation ?? .center
      let same = try #require(
        frame.scaled(
          to: format.size, sampling: format.sampling, location: location, bitDepth: format.bitDepth))
      for plane in 0..<format.sampling.planeCount {
        let codes = format.encoding.codes
        let kept = samples(frame, plane: plane).map {
          $0.map { min(max($0, codes.lowerBound), codes.upperBound) }
        }
        #expect(samples(same, plane: plane) == kept)
      }
      for (width, height) in [(0, 1), (format.width + 1, 1), (1, format.height + 1), (1, 0)] {
        #expect(
          frame.scaled(to: .init(width: width, height: height), sampling: .yuv420, bitDepth: 8) == nil)
      }
    }
  }

  /// Compares red, green and blue with a slow implementation of ITU-T H.273's equations.
  @Test(arguments: [(8, true), (10, true), (8, false), (10, false)])
  func pixelsAreThoseOfTheEquations(_ depth: Int, _ isFull: Bool) throws {
    let color = ColorDescription(matrix: 1, isFullRange: isFull)
    let format = FrameFormat(width: 24, height: 9, sampling: .yuv444, bitDepth: depth, color: color)
    let frame = try #require(PlanarFrame(format: format))
    fill(frame)
    let pixels = try #require(PackedPixels(frame))
    let planes = (0..<3).map { samples(frame, plane: $0) }
    let largest = Double(1 << depth - 1)
    let unit = Double(1 << (depth - 8))
    for y in 0..<9 {
      for x in 0..<24 {
        let codes = planes.map { Double($0[y][x]) }
        let luma = isFull ? codes[0] / largest : (codes[0] / unit - 16) / 219
        let chroma = codes[1...].map {
          isFull ? ($0 - Double(1 << (depth - 1))) / largest : ($0 / unit - 128) / 224
        }
        let red = luma + 1.5748 * chroma[1]
        let blue = luma + 1.8556 * chroma[0]
        let green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
        let pixel = pixels.pixels[y * 24 + x]
        #expect(pixel >> 24 == 255)
        for (shift, value) in [(UInt32(16), red), (8, green), (0, blue)] {
          #expect(abs(Double(pixel >> shift & 255) - min(max(value * 255, 0), 255)) < 0.51)
        }
      }
    }
    let half = try #require(PlanarFrame(format: FrameFormat(width: 4, height: 4, sampling: .yuv420)))
    #expect(PackedPixels(half) == nil)
  }
}
