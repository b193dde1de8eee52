import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

extension HEIFCheckingTests {
  @Test(
    arguments: [
      "iphone-15plus-heic/IMG_3853.HEIC", "iphone-15pro-heic/IMG_3582.HEIC",
      "iphone-15pro-heic/IMG_E3582.HEIC",
    ].compactMap(TestFiles.sample))
  func realPhotosDecodeAndTheirThumbnailsShowThem(url: URL) throws {
    try photosDecodeAndTheirThumbnailsShowThem(url: url)
  }
}
