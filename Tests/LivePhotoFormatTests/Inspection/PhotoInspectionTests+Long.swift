import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension PhotoInspectionTests {
  @Test(
    arguments: [
      "iphone-6s-jpeg/IMG_0728.JPG", "iphone-6s-jpeg/IMG_E0728.JPG", "iphone-7plus-jpeg/IMG_2016.JPG",
      "sidecars/IMG_4120.JPG", "motion-photo/PXL_20200710_061629144.MP.jpg",
    ].compactMap(TestFiles.sample))
  func realOnesAgreeWithExiftool(_ file: URL) throws {
    try agreesWithExiftool(file)
  }
}
