import EditModel
import Testing

@testable import Rendering

@Suite struct FrameReductionTests {
  static let formats = [
    FrameFormat(width: 37, height: 26, sampling: .yuv420),
    FrameFormat(width: 40, height: 31, sampling: .yuv422, bitDepth: 10),
    FrameFormat(width: 16, height: 16, sampling: .grey),
    FrameFormat(width: 33, height: 18, sampling: .yuv444),
  ]

  /// Returns the mean of all samples that a new sample replaces, calculated one at a time.
  func reduced(_ rows: [[Int]], to width: Int, _ height: Int) -> [[Int]] {
    let (oldWidth, oldHeight) = (rows[0].count, rows.count)
    return (0..<height).map { y in
      (0..<width).map { x in
        var all: [Int] = []
        for row in 0..<oldHeight where row >= y * oldHeight / height && row < (y + 1) * oldHeight / height {
          for column in 0..<oldWidth
          where column >= x * oldWidth / width && column < (x + 1) * oldWidth / width {
            all.append(rows[row][column])
          }
        }
        return Int((Double(all.reduce(0, +)) / Double(all.count)).rounded(.toNearestOrAwayFromZero))
      }
    }
  }

  @Test(arguments: formats) func samplesAreMeans(_ format: FrameFormat) throws {
    let frame = try #require(PlanarFrame(format: format))
    fill(frame)
    for (width, height) in [
      (format.width, format.height), (format.width / 2, format.height / 3), (7, 5), (1, 1),
    ] {
      let small = try #require(frame.reduced(toWidth: width, height: height))
      #expect(small.format.width == width && small.format.height == height)
      for plane in 0..<format.sampling.planeCount {
        let size = small.format.planeSize(plane)
        #expect(
          samples(small, plane: plane) == reduced(samples(frame, plane: plane), to: size.width, size.height))
      }
    }
    for (width, height) in [(0, 5), (5, 0), (format.width + 1, 5), (5, format.height + 1), (-1, -1)] {
      #expect(frame.reduced(toWidth: width, height: height) == nil)
    }
  }

  @Test(arguments: formats) func samplesGoOutAndIn(_ format: FrameFormat) throws {
    let (frame, copy) = (try #require(PlanarFrame(format: format)), try #require(PlanarFrame(format: format)))
    fill(frame)
    for plane in 0..<format.sampling.planeCount {
      let numbers = frame.samples(ofPlane: plane)
      #expect(numbers.map { Int($0) } == samples(frame, plane: plane).flatMap { $0 })
      #expect(copy.setSamples(numbers, ofPlane: plane))
      #expect(samples(copy, plane: plane) == samples(frame, plane: plane))
      #expect(!copy.setSamples(numbers + [0], ofPlane: plane))
      #expect(!copy.setSamples([], ofPlane: plane))
      var tooLarge = numbers
      tooLarge[numbers.count - 1] = 1 << UInt16(format.bitDepth)
      #expect(!copy.setSamples(tooLarge, ofPlane: plane))
    }
  }
}
