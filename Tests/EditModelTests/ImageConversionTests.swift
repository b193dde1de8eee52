import EditModel
import Testing

/// Sizes of images and videos.
@Suite struct ImageConversionTests {
  @Test(arguments: [
    (1440, 4032, 3024, 1440, 1080), (1440, 3024, 4032, 1080, 1440), (1000, 4032, 3024, 1000, 750),
    (100, 4000, 3, 100, 1), (5000, 4032, 3024, 4032, 3024), (4032, 4032, 3024, 4032, 3024), (1, 10, 20, 1, 1),
  ])
  func imagesFitTheirLongerSide(_ side: Int, _ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int) {
    let job = ImageConversion(source: "a", output: "b", longerSide: side)
    #expect(
      job.size(of: .init(width: width, height: height)) == .init(width: newWidth, height: newHeight))
  }

  @Test func imagesKeepTheirSizeWithoutAnother() {
    let job = ImageConversion(source: "a", output: "b")
    #expect(job.size(of: .init(width: 17, height: 3)) == .init(width: 17, height: 3))
  }

  @Test(arguments: [
    (720, 1920, 1440, 960, 720), (720, 1080, 1920, 720, 1280), (720, 1440, 1080, 960, 720),
    (721, 1440, 1080, 960, 720), (2000, 1440, 1080, 1440, 1080), (1080, 750, 1334, 750, 1334),
    (16, 1920, 1080, 28, 16), (360, 641, 481, 480, 360), (720, 641, 481, 640, 480),
  ])
  func videosFitTheirShorterSide(_ side: Int, _ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int)
  {
    let job = VideoConversion(source: "a", output: "b", shorterSide: side)
    #expect(
      job.size(width: Double(width), height: Double(height)) == .init(width: newWidth, height: newHeight))
  }
}
