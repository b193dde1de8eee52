import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

@Suite struct CameraHoldTests {
  func near(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) < 0.01 } ?? false
  }

  /// If a phone is rotated clockwise, as seen from its screen, its picture shows the world rotated counterclockwise,
  /// however the phone is held.
  @Test(arguments: [Orientation.up, .right, .down, .left])
  func aTurnedPhoneTurnsThePicture(_ orientation: Orientation) throws {
    for turn in [-10.0, 0, 3] {
      // How far the phone is rotated clockwise from upright.
      let held = [Orientation.right: 0.0, .up: 270, .left: 180, .down: 90][orientation, default: 0] + turn
      let angle = held * .pi / 180
      let hold = CameraHold((sin(angle), -cos(angle), 0), orientation)
      #expect(near(hold?.lean, -turn) && near(hold?.pitch, 0) && near(hold?.strength, 1))
    }
  }

  @Test func anglesAreOfThePictureAsDisplayed() throws {
    let up = try #require(CameraHold((0, -0.866, 0.5), .right))
    #expect(near(up.pitch, 30.0) && near(up.lean, 0))
    #expect(near(CameraHold((0, -0.9, -0.9), .right)?.pitch, -45))
    // Gravity points to the picture's side, so the picture was rotated afterwards; or it points straight into the
    // picture.
    #expect(CameraHold((0, -1, 0), .up) == nil && CameraHold((0, -1, 0), .left) == nil)
    #expect(CameraHold((0, -0.1, -1), .right) == nil && CameraHold((0, -1, 0), .leftMirrored) == nil)
  }

  static func hold(_ file: URL) throws -> CameraHold? {
    try Photo(MemoryByteSource([UInt8](try Data(contentsOf: file)))).metadata().hold
  }
}
