import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

extension PreviewPainterTests {
  /// Every edit of two photos, or in a quick run of one of them.
  static let paintings: [(values: [Parameter: Double], name: String)] = edits.enumerated().flatMap {
    row, values in
    Cases.chosen(["IMG_0001", "IMG_0003"]) { column, _ in column == row % 2 }.map { (values, $0) }
  }

  /// A preview of the photo's full size equals the render except for the coding of both, even if the photo is rotated
  /// by a flag.
  @Test(arguments: paintings)
  func paintedPhotosAreRenders(_ values: [Parameter: Double], _ name: String) throws {
    let edit = Self.edit(values)
    var settings = RenderSettings.standard
    settings.quality = .high
    let output = try folder.rendered(TestFiles.fixture(name + ".JPG"), edit, settings, as: "out.jpg").photo
    let file = try painted(PreviewSession(Self.job(name)), PreviewPicture(edit, side: 4096))
    let found = difference(try pixels(file), try pixels(output))
    #expect(found < 1.2, "\(found)")
    // The edit has an effect: without it the picture differs.
    let plain = difference(try pixels(TestFiles.fixture(name + ".JPG")), try pixels(output))
    #expect(plain > 1.3 * found || values[.noiseReduction] != nil, "\(plain)")
  }
}
