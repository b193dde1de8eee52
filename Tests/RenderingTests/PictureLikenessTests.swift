import EditModel
import Foundation
import Testing

@testable import Rendering

@Suite struct PictureLikenessTests {
  private func picture(_ width: Int, _ height: Int, _ value: (Double, Double) -> Double) throws -> PlanarFrame
  {
    let frame = try #require(
      PlanarFrame(format: FrameFormat(width: width, height: height, sampling: .grey, color: .jpeg)))
    let plane = frame.planes[0]
    for y in 0..<height {
      for x in 0..<width {
        let sample = UInt8(max(0, min(255, value(Double(x) / Double(width), Double(y) / Double(height)))))
        plane.base.storeBytes(of: sample, toByteOffset: y * plane.stride + x, as: UInt8.self)
      }
    }
    return frame
  }

  @Test func aSmallerPictureOfTheSameSceneIsLikeIt() throws {
    func scene(_ x: Double, _ y: Double) -> Double { 100 + 100 * x + 40 * y }
    let large = try picture(960, 480, scene)
    #expect(PictureLikeness.decibels(large, try picture(96, 96, scene)) > 40)
    #expect(PictureLikeness.decibels(large, large) == 99)
    // The mean square of 100 - 200 x over the picture is 10000/3.
    let mirrored = try picture(960, 480) { x, y in scene(1 - x, y) }
    let expected = 10 * log10(255 * 255 / (10_000 / 3.0))
    #expect(abs(PictureLikeness.decibels(large, mirrored) - expected) < 0.1)
  }

  @Test func differencesOfOneLevelCountAsTheFormulaSays() throws {
    let one = try picture(48, 48) { _, _ in 100 }
    let other = try picture(48, 48) { _, _ in 101 }
    #expect(abs(PictureLikeness.decibels(one, other) - 48.13) < 0.01)
  }

  @Test(arguments: [(1, 1), (3, 200), (47, 49)])
  func tinyPicturesAreCompared(_ width: Int, _ height: Int) throws {
    let frame = try picture(width, height) { _, _ in 9 }
    #expect(PictureLikeness.decibels(frame, try picture(500, 400) { _, _ in 9 }) == 99)
  }

  @Test func tenBitsAreFourTimesEight() throws {
    let narrow = try picture(60, 50) { x, y in 200 * x * y }
    let wide = try #require(
      PlanarFrame(format: FrameFormat(width: 60, height: 50, sampling: .grey, bitDepth: 10)))
    for y in 0..<50 {
      for x in 0..<60 {
        let (from, to) = (narrow.planes[0], wide.planes[0])
        let sample = UInt16(from.base.load(fromByteOffset: y * from.stride + x, as: UInt8.self)) * 4
        to.base.storeBytes(of: sample, toByteOffset: y * to.stride + 2 * x, as: UInt16.self)
      }
    }
    #expect(PictureLikeness.decibels(narrow, wide) == 99)
  }
}
