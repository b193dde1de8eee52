import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension UnknownMovieTests {
  @Test(arguments: [
    "motion-photo/20240214_samsung.heic", "motion-photo/PXL_20200710_061629144.MP.jpg", "odd/S22Ultra.heic",
    "odd/media3.heic", "odd/xiaomi.heic", "iphone-15pro-heic/IMG_3582.HEIC", "iphone-7plus-jpeg/IMG_2016.JPG",
  ])
  func whatIsAnnouncedIsNoneInRealFiles(_ name: String) throws {
    guard let bytes = sample(name) else { return }
    #expect(try Self.photo(bytes).unknownMovies().isEmpty)
  }
}
