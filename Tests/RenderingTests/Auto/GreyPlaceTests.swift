import EditModel
import Foundation
import Testing

@testable import Rendering

@Suite struct GreyPlaceTests {
  /// Returns a picture with grey in its right half, under a light of given temperature and tint, and red in its left
  /// half.
  private static func picture(_ temperature: Double, tint: Double, level: Double = 0.3) throws -> PlanarFrame
  {
    let source = ReferenceColor.Source(testDescription: "P3", toXYZ: ReferenceColor.p3)
    // The light that the opposite slider values would apply to grey.
    let toLight = ReferenceColor.inverse(ReferenceColor.balanceMatrix(temperature: temperature, tint: tint))
    let codes = source.codes(linear: ReferenceColor.times(toLight, [level, level, level]))
    let color = ColorTableTests.description(source)
    return try DetailPicture.frame(800, 600, .yuv444, color: color) { plane, x, _ in
      x < 400 ? [90, 110, 190][plane] : codes[plane] + 0.5
    }
  }

  @Test(arguments: [(3200.0, 0.0), (4500, 0.3), (5600, -0.2), (9000, 0.1), (15000, 0)])
  func whatThePlaceWasLitByIsFound(_ temperature: Double, _ tint: Double) throws {
    let frame = try Self.picture(temperature, tint: tint)
    let found = try #require(GreyPlace(frame, profile: nil, x: 0.75, y: 0.5).whiteBalance)
    // Codes are integers, so an error of some mired remains.
    #expect(abs(1e6 / found.temperature - 1e6 / temperature) < 5, "\(found)")
    #expect(abs(found.tint - tint) < 0.08, "\(found)")
  }

  @Test func whatCannotBecomeGreyIsRefused() throws {
    #expect(GreyPlace(try Self.picture(6504, tint: 0), profile: nil, x: 0.2, y: 0.5).whiteBalance == nil)
    #expect(
      GreyPlace(try Self.picture(6504, tint: 0, level: 0), profile: nil, x: 0.8, y: 0.5).whiteBalance == nil)
    #expect(
      GreyPlace(try Self.picture(6504, tint: 0, level: 1), profile: nil, x: 1, y: 1).whiteBalance == nil)
  }
}
