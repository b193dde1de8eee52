import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs
@testable import LivePhotoFormat

/// The limits of pictures and frames that are decoded (Documentation/Limits.md), from both sides.
@Suite struct MediaLimitsTests {
  private func problem(_ body: () throws -> Void) -> MediaError? {
    do {
      try body()
      return nil
    } catch {
      return error as? MediaError
    }
  }

  /// A JPEG whose header tells of more than it has.
  @Test func pixelsOfAJPEG() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")))
    let header = try #require(Data(bytes).range(of: Data([0xFF, 0xC0]), options: .backwards)).lowerBound
    func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
      var changed = bytes
      changed.replaceSubrange(
        header + 5..<header + 9,
        with: [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) })
      return changed
    }
    let large = problem { _ = try JPEGCodec.decode(jpeg(16384, 8193)) }
    #expect(large?.problem.description == "its picture is too large")
    #expect(large?.remedy?.description == "at most 134 megapixels are handled")
    // As many pixels as may be, which the file does not have.
    #expect(
      problem { _ = try JPEGCodec.decode(jpeg(16384, 8192)) }?.problem.description
        == "its picture data is damaged")
  }

  @Test func pixelsOfAPNG() throws {
    func layout(_ width: Int, _ height: Int, depth: UInt8) throws -> PNGLayout {
      let words = [width, height].flatMap { value in [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
      return try #require(PNGLayout(header: words + [depth, 6, 0, 0, 0]))
    }
    #expect(problem { try PNGPicture.checkSize(layout(16384, 8192, depth: 8)) } == nil)
    for (width, height, depth) in [(16384, 8193, 8), (16384, 8192, 16), (65536, 10, 8)] {
      let problem = problem { try PNGPicture.checkSize(layout(width, height, depth: UInt8(depth))) }
      #expect(
        problem?.problem.description == "its picture of \(width)x\(height) is larger than a photo may be")
    }
  }

  @Test(arguments: [(8192, 4352), (8192, 4368)]) func pixelsOfAFrame(_ width: Int, _ height: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("large.mov").path
    _ = try Tools.output(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=gray:size=\(width)x\(height):rate=1:duration=1",
      "-c:v",
      "mjpeg", "-pix_fmt", "yuvj420p", path)
    let problem = problem { _ = try MovieReader(path: path) }
    #expect(problem?.problem.description == (height > 4352 ? "its frames are larger than 8192x4352" : nil))
    // Decoding goes as far.
    let decoding = self.problem { try VideoCheck.decode(path: path, trackID: 1, isCancelled: { false }) }
    #expect((decoding == nil) == (height <= 4352), "\(String(describing: decoding))")
  }
}
