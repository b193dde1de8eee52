import EditModel
import Testing

@testable import Rendering

/// Returns a frame's plane as numbers for comparisons with slow reference code.
func samples(_ frame: PlanarFrame, plane index: Int) -> [[Int]] {
  let plane = frame.planes[index]
  return (0..<plane.height).map { y in
    let row = plane.base + y * plane.stride
    return (0..<plane.width).map { x in
      frame.format.bytesPerSample == 1
        ? Int(row.load(fromByteOffset: x, as: UInt8.self))
        : Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
    }
  }
}

/// Fills every plane with numbers that rarely repeat.
func fill(_ frame: PlanarFrame, seed: UInt64 = 1) {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  for plane in frame.planes {
    for y in 0..<plane.height {
      for x in 0..<plane.width {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let value = Int(state >> 40) & ((1 << frame.format.bitDepth) - 1)
        let row = plane.base + y * plane.stride
        if frame.format.bytesPerSample == 1 {
          row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
        } else {
          row.storeBytes(of: UInt16(value), toByteOffset: 2 * x, as: UInt16.self)
        }
      }
    }
  }
}

/// Rearranges numbers one at a time, according to the new position of each sample's centre.
func turned(_ rows: [[Int]], by orientation: Orientation) -> [[Int]] {
  let width = rows[0].count
  let height = rows.count
  var result = [[Int]](
    repeating: [Int](repeating: -1, count: orientation.swapsAxes ? height : width),
    count: orientation.swapsAxes ? width : height)
  for y in 0..<height {
    for x in 0..<width {
      let p = orientation.apply(
        x: Double(x) + 0.5, y: Double(y) + 0.5, width: Double(width), height: Double(height))
      result[Int(p.y)][Int(p.x)] = rows[y][x]
    }
  }
  return result
}

@Suite struct FrameTurnTests {
  @Test(arguments: [8, 10])
  func everyOrientationOfManySizes(bitDepth: Int) throws {
    let sizes = [(1, 1), (2, 2), (7, 5), (16, 8), (17, 9), (64, 48), (65, 130), (131, 67), (200, 72)]
    for (width, height) in sizes {
      for sampling in [ChromaSampling.grey, .yuv444] {
        let format = FrameFormat(width: width, height: height, sampling: sampling, bitDepth: bitDepth)
        let frame = try #require(PlanarFrame(format: format))
        fill(frame)
        for orientation in Orientation.allCases {
          let result = frame.turned(by: orientation)
          #expect(result.planes.count == sampling.planeCount)
          for plane in 0..<sampling.planeCount {
            #expect(
              samples(result, plane: plane) == turned(samples(frame, plane: plane), by: orientation),
              "\(width)x\(height) \(orientation)")
          }
        }
      }
    }
  }

  @Test(arguments: [ChromaSampling.yuv420, .yuv422, .yuv440, .yuv411, .yuv441])
  func chromaPlanesTurnWithTheirSampling(sampling: ChromaSampling) throws {
    let format = FrameFormat(width: 72, height: 40, sampling: sampling)
    let frame = try #require(PlanarFrame(format: format))
    fill(frame)
    for orientation in Orientation.allCases {
      let result = frame.turned(by: orientation)
      #expect(result.format.sampling == (orientation.swapsAxes ? sampling.transposed : sampling))
      for plane in 0..<3 {
        #expect(samples(result, plane: plane) == turned(samples(frame, plane: plane), by: orientation))
      }
    }
  }

  /// With odd sizes, every luma sample must keep the chroma sample that covers it.
  @Test func oddSizesKeepLumaAndChromaTogether() throws {
    for sampling in [ChromaSampling.yuv420, .yuv422, .yuv411] {
      let format = FrameFormat(width: 21, height: 13, sampling: sampling)
      let frame = try #require(PlanarFrame(format: format))
      fill(frame)
      func covering(_ frame: PlanarFrame) -> [[Int]] {
        let chroma = samples(frame, plane: 1)
        let sampling = frame.format.sampling
        return (0..<frame.format.height).map { y in
          (0..<frame.format.width).map { chroma[y >> sampling.verticalShift][$0 >> sampling.horizontalShift] }
        }
      }
      for orientation in Orientation.allCases {
        #expect(covering(frame.turned(by: orientation)) == turned(covering(frame), by: orientation))
      }
    }
  }

  @Test func framesAreReusedWhenTheyFit() throws {
    let format = FrameFormat(width: 32, height: 16, sampling: .yuv420)
    let frame = try #require(PlanarFrame(format: format))
    let first = frame.turned(by: .right)
    #expect(frame.turned(by: .left, into: first) === first)
    #expect(frame.turned(by: .down, into: first) !== first)
    #expect(frame.turned(by: .up, into: frame) !== frame)
  }

  @Test func foreignMemoryWithAnyStrideIsRead() throws {
    final class Owner {}
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 37 * 20, alignment: 1)
    defer { memory.deallocate() }
    for i in 0..<37 * 20 {
      memory.storeBytes(of: UInt8(truncatingIfNeeded: i &* 7), toByteOffset: i, as: UInt8.self)
    }
    let format = FrameFormat(width: 33, height: 19, sampling: .grey)
    let frame = PlanarFrame(format: format, rows: [(memory + 1, 37)], owner: Owner())
    #expect(samples(frame.turned(by: .right), plane: 0) == turned(samples(frame, plane: 0), by: .right))
  }

  @Test func formatsThatCannotBeAllocatedAreRefused() {
    #expect(PlanarFrame(format: FrameFormat(width: 0, height: 4, sampling: .grey)) == nil)
    #expect(PlanarFrame(format: FrameFormat(width: 65536, height: 4, sampling: .grey)) == nil)
    #expect(PlanarFrame(format: FrameFormat(width: 65535, height: 65535, sampling: .yuv420)) == nil)
    #expect(PlanarFrame(format: FrameFormat(width: 4, height: 4, sampling: .grey, bitDepth: 17)) == nil)
  }
}

@Suite struct ChromaLocationTests {
  @Test func locationsFollowThePicture() {
    #expect(ChromaLocation.left.turned(by: .right) == .top)
    #expect(ChromaLocation.left.turned(by: .left) == .bottom)
    #expect(ChromaLocation.topLeft.turned(by: .downMirrored) == .bottomLeft)
    #expect(ChromaLocation.topLeft.turned(by: .leftMirrored) == .topLeft)
    #expect(ChromaLocation.bottom.turned(by: .right) == .left)
    #expect(ChromaLocation.center.turned(by: .right) == .center)
  }

  @Test func theRightColumnBecomesTheMiddle() {
    #expect(ChromaLocation.left.turned(by: .down) == .center)
    #expect(ChromaLocation.left.turned(by: .upMirrored) == .center)
    #expect(ChromaLocation.topLeft.turned(by: .upMirrored) == .top)
  }
}

@Suite struct ChromaResamplingTests {
  @Test func moreSamplesRepeatAndFewerAverage() throws {
    let frame = try #require(PlanarFrame(format: FrameFormat(width: 8, height: 6, sampling: .yuv440)))
    fill(frame)
    let chroma = samples(frame, plane: 2)
    let full = frame.chromaResampled(to: .yuv444)
    #expect(samples(full, plane: 0) == samples(frame, plane: 0))
    #expect(samples(full, plane: 2) == [0, 0, 1, 1, 2, 2].map { chroma[$0] })
    let half = frame.chromaResampled(to: .yuv420)
    let means: [[Int]] = chroma.map { row in
      (0..<4).map { (x: Int) -> Int in (row[2 * x] + row[2 * x + 1] + 1) / 2 }
    }
    #expect(samples(half, plane: 2) == means)
  }
}
