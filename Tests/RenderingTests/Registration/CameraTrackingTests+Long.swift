import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

extension CameraTrackingTests {
  @Test(arguments: Cases.chosen(["IMG_0001.JPG", "IMG_0003.JPG"]) { index, _ in index == 0 })
  func plantedShakeIsFound(_ name: String) throws {
    var random = SeededGenerator(seed: 19)
    let (width, height) = (960, 720)
    let picture = try Grey(TestFiles.fixture(name), width: width, height: height)
    let planted = Self.shake(8, &random)
    var tracking = CameraTracking()
    for move in planted { tracking.look(at: picture.moved(by: move, noise: 3, &random)) }
    let residual = Self.residual(tracking.path, planted, width: width, height: height)
    #expect(residual < 0.3, "\(residual)")
  }

  /// Tests with shake added to frames of real movies, whose own movement is the one found without the shake. The last
  /// two movies show a pan through a crowd and a wheel that turns.
  @Test(
    .enabled(if: TestFiles.samples != nil),
    arguments: [
      ("iphone-7plus-jpeg/IMG_2016.MOV", 0), ("iphone-15pro-heic/IMG_3582.MOV", 0),
      ("iphone-15plus-heic/IMG_3853.MOV", 30),
      ("iphone-6s-jpeg/IMG_0728.MOV", 10),
    ])
  func shakePlantedOnAMovieIsFound(_ name: String, first: Int) throws {
    guard let movie = TestFiles.sample(name) else { return }
    let (width, height, count) = (1440, 1080, 12)
    var random = SeededGenerator(seed: 19)
    let planted = Self.shake(count, &random)
    let still = try Self.path(
      of: movie, width, height, [Similarity](repeating: .identity, count: count), first)
    let shaken = try Self.path(of: movie, width, height, planted, first)
    let residual = Self.residual(shaken, planted, along: still, width: width, height: height)
    // Almost nothing in the picture of the wheel is static.
    #expect(residual < (name.hasPrefix("iphone-6s") ? 1 : 0.5), "\(residual)")
  }
}
