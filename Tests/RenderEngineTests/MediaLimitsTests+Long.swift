import Basics
import EditModel
import Foundation
import Rendering
import TestSupport
import Testing

@testable import Codecs
@testable import LivePhotoFormat

extension MediaLimitsTests {
  /// If `pixels` is raised, every format supports 2³⁰ pixels but not more. The test uses a separate process.
  @Test func pixelsOfTheLargestPictures() async {
    await #expect(processExitsWith: .success) {
      let side = 32768
      ReadingLimit.set([.pixels: 1024])
      #expect(FrameFormat.maximumSamples == side * side)
      let jpeg = MediaError.tooLarge.message.description
      #expect(jpeg == "the picture is too large; at most 1073 megapixels are supported", "\(jpeg)")
      let ofFourBytes = Self.problem { try PNGPicture.checkSize(Self.layout(side, side, depth: 8)) }
      #expect(ofFourBytes == nil, "four bytes")
      let ofEightBytes = Self.problem { try PNGPicture.checkSize(Self.layout(side, side, depth: 16)) }
      #expect(ofEightBytes != nil, "eight bytes")
      ReadingLimit.set([.pixels: ReadingLimit.pixels.range.upperBound])
      #expect(FrameFormat.maximumSamples == side * side)
      let all = Self.problem { try PNGPicture.checkSize(Self.layout(side, side, depth: 16)) }
      #expect(all == nil, "all")
      let png = Self.problem { try PNGPicture.checkSize(Self.layout(side, side + 1, depth: 8)) }
      #expect(png != nil && png?.remedy == nil, "\(png?.message.description ?? "")")
      #expect(HEIFPicture.mostPixels == 1 << 30, "HEIC")
      ReadingLimit.set([.pixels: 512])
      #expect(HEIFPicture.mostPixels == 1 << 30, "HEIC at half")
    }
  }
}
