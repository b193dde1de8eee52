import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension CameraHoldTests {
  /// Compares the samples with exiftool's values.
  @Test(.enabled(if: TestFiles.samples != nil, "LIVEEDIT_SAMPLES names no samples"))
  func samples() throws {
    let waves = try #require(TestFiles.sample("iphone-7plus-jpeg/IMG_2016.JPG"))
    let vector = try #require(try Tools.exiftool(waves)["Apple:AccelerationVector"]).split(separator: " ")
      .compactMap { Double($0) }
    let hold = try #require(try Self.hold(waves))
    let length = (vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]).squareRoot()
    let lean = atan2(-vector[0], -vector[1]) * 180 / .pi
    #expect(near(hold.strength, length))
    #expect(near(hold.lean, lean) && near(hold.pitch, -6.05))
    let temple = try #require(TestFiles.sample("iphone-15plus-heic/IMG_3853.HEIC"))
    #expect(try near(Self.hold(temple)?.lean, -1.61) && near(Self.hold(temple)?.pitch, 13.58))
    // Photos rotated the pixels upright, but kept the tag.
    #expect(try Self.hold(#require(TestFiles.sample("iphone-15pro-heic/IMG_E3582.HEIC"))) == nil)
    #expect(try Self.hold(#require(TestFiles.sample("iphone-6s-jpeg/IMG_E0728.JPG"))) == nil)
    #expect(try Self.hold(TestFiles.fixture("IMG_0001.JPG")) == nil)
  }
}
