import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import LivePhotoFormat

extension CodedMediaTests {
  @Test(
    arguments: [
      "iphone-6s-jpeg/IMG_0728.JPG", "iphone-6s-jpeg/IMG_0728.MOV", "iphone-6s-jpeg/IMG_E0728.JPG",
      "iphone-7plus-jpeg/IMG_2016.JPG", "iphone-7plus-jpeg/IMG_2016.MOV", "iphone-15plus-heic/IMG_3853.HEIC",
      "iphone-15plus-heic/IMG_3853.MOV", "iphone-15pro-heic/IMG_3582.HEIC", "iphone-15pro-heic/IMG_3582.MOV",
      "iphone-15pro-heic/IMG_E3582.HEIC",
    ].compactMap(TestFiles.sample))
  func tagsOfRealOnesDoNotCount(_ file: URL) throws {
    try tagsDoNotCount(file)
  }
}
