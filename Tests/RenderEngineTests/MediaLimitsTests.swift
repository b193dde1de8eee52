import Basics
import EditModel
import Foundation
import Rendering
import TestSupport
import Testing

@testable import Codecs
@testable import LivePhotoFormat

/// Tests of the limits on decoded pictures and frames (Documentation/Limits.md), at and beyond each limit.
@Suite struct MediaLimitsTests {
  /// Returns a JPEG whose header states a larger size than its data has.
  static func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
    var bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")))
    let header = try #require(Data(bytes).range(of: Data([0xFF, 0xC0]), options: .backwards)).lowerBound
    bytes.replaceSubrange(
      header + 5..<header + 9,
      with: [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) })
    return bytes
  }

  static func layout(_ width: Int, _ height: Int, depth: UInt8) throws -> PNGLayout {
    let words = [width, height].flatMap { value in [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
    return try #require(PNGLayout(header: words + [depth, 6, 0, 0, 0]))
  }

  static func problem(_ body: () throws -> Void) -> MediaError? {
    do {
      try body()
      return nil
    } catch {
      return error as? MediaError
    }
  }

  /// Runs in a separate process with a limit of 2²⁰ pixels for a picture.
  @Test func pixelsOfAJPEG() async {
    #expect(FrameFormat.maximumSamples == 1 << 27)
    #expect(
      MediaError.tooLarge.remedy?.description
        == "at most 134 megapixels are supported; if you trust the file, raise the limit, for example with LIVEEDIT_LIMITS=pixels=256"
    )
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.pixels: 1])
      let large = Self.problem { _ = try JPEGCodec.decode(Self.jpeg(1024, 1025)) }
      #expect(large?.problem.description == "the picture is too large")
      let remedy = large?.remedy?.description
      #expect(
        remedy
          == "at most 1 megapixels are supported; if you trust the file, raise the limit, for example with LIVEEDIT_LIMITS=pixels=2"
      )
      // The header states the maximum number of pixels, but the file does not contain them.
      let whole = Self.problem { _ = try JPEGCodec.decode(Self.jpeg(1024, 1024)) }?.problem.description
      #expect(whole == "the picture data is damaged", "\(whole ?? "")")
    }
  }

  @Test func pixelsOfAPNG() throws {
    #expect(Self.problem { try PNGPicture.checkSize(Self.layout(16384, 8192, depth: 8)) } == nil)
    for (width, height, depth) in [(16384, 8193, 8), (16384, 8192, 16), (65536, 10, 8)] {
      let problem = Self.problem { try PNGPicture.checkSize(Self.layout(width, height, depth: UInt8(depth))) }
      #expect(
        problem?.problem.description == "the picture of \(width)x\(height) exceeds the size limit for photos")
      // For sides that are too long, no limit can be raised.
      #expect(
        problem?.remedy?.description.contains("LIVEEDIT_LIMITS=pixels=256") == (width < 65536 ? true : nil))
    }
  }

  /// No codec accepts longer sides, even with few pixels.
  @Test(arguments: [16384, 16400]) func sidesOfAFrame(_ width: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("wide.mov").path
    _ = try Tools.output(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=gray:size=\(width)x16:rate=1:duration=1", "-c:v",
      "mjpeg", "-pix_fmt", "yuvj420p", path)
    let expected =
      width > 16384 ? "frames of 16400x16 exceed the limit of 16384 pixels in width or height" : nil
    #expect(Self.problem { _ = try MovieReader(path: path) }?.problem.description == expected)
    let decoding = Self.problem { try VideoCheck.decode(path: path, trackID: 1, isCancelled: { false }) }
    #expect(decoding?.problem.description == expected)
  }

  @Test func sidesOfACodedPicture() {
    for width in [16384, 16385] {
      let size = PixelSize(width: width, height: 16)
      let problem = Self.problem {
        _ = try CodedTiles(configuration: [], grid: TileGrid(covering: size, with: size)) { _ in [] }
      }
      #expect(
        problem?.problem.description
          == (width > 16384
            ? "encoded pictures of 16385x16 exceed the limit of 16384 pixels in width or height" : nil))
    }
  }

  @Test(arguments: [(8192, 4352), (8192, 4368)]) func pixelsOfAFrame(_ width: Int, _ height: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("large.mov").path
    _ = try Tools.output(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=gray:size=\(width)x\(height):rate=1:duration=1",
      "-c:v",
      "mjpeg", "-pix_fmt", "yuvj420p", path)
    let problem = Self.problem { _ = try MovieReader(path: path) }
    #expect(problem?.problem.description == (height > 4352 ? "the frames are larger than 8192x4352" : nil))
    // Decoding has the same limit.
    let decoding = Self.problem { try VideoCheck.decode(path: path, trackID: 1, isCancelled: { false }) }
    #expect((decoding == nil) == (height <= 4352), "\(String(describing: decoding))")
  }
}
