import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Tests of the area that all frames cover, checked corner by corner, and of loops of repeating scenes.
@Suite struct StabilizationTests {
  private static func reach(_ stabilization: Stabilization, width: Int, height: Int) -> Double {
    let middle = SIMD2(Double(width), Double(height)) / 2
    let scene = stabilization.scene
    var beyond = -Double.greatestFiniteMagnitude
    for move in stabilization.moves {
      for corner in [SIMD2(0.0, 0.0), [1, 0], [0, 1], [1, 1]] {
        let place = SIMD2(scene.x, scene.y) + corner * SIMD2(scene.z, scene.w)
        let source = move.apply(place - middle) + middle
        beyond = max(beyond, -source.x, -source.y, source.x - Double(width), source.y - Double(height))
      }
    }
    return beyond
  }

  @Test func aShakenPictureIsHeldAndCut() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20 {
      let path = CameraTrackingTests.shake(30, &random)
      let held = Stabilization(path, around: 12, of: [0, 0, 640, 480], width: 640, height: 480)
      #expect(held.isHeld && abs(held.moves[12].x) < 1e-9)
      let beyond = Self.reach(held, width: 640, height: 480)
      // The result shows nothing outside the frames, and crops little more than necessary.
      #expect(beyond <= 1e-6 && beyond > -4, "\(beyond)")
      #expect(held.scene.z >= 0.85 * 640 && held.scene.w >= 0.85 * 480)
      #expect([held.scene.x, held.scene.y, held.scene.z, held.scene.w].allSatisfy { Int($0) % 2 == 0 })
      // Each position in the new picture continues to show the same object.
      for (move, place) in zip(held.moves, path) {
        let (one, two) = (path[12].then(move).apply([100, -50]), place.apply([100, -50]))
        #expect(abs(one.x - two.x) < 1e-9 && abs(one.y - two.y) < 1e-9)
      }
    }
  }

  @Test func aCameraThatMovesFarIsFollowed() {
    var random = SeededGenerator(seed: 6)
    // A pan by more than the width of the picture, with a shake of one pixel.
    let path = (0..<60).map {
      Similarity(
        x: Double($0) * 15 + .random(in: -1...1, using: &random), y: .random(in: -1...1, using: &random))
    }
    let followed = Stabilization(path, around: 30, of: [0, 0, 640, 480], width: 640, height: 480)
    #expect(!followed.isHeld && followed.scene.z >= 0.8 * 640 - 2)
    #expect(Self.reach(followed, width: 640, height: 480) <= 1e-6)
    let still = Stabilization(
      [Similarity](repeating: .identity, count: 9), around: 4, of: [0, 0, 641, 480], width: 641, height: 480)
    #expect(still.isHeld && still.scene == [0, 0, 640, 480])
    let alone = Stabilization([], around: 0, of: [0, 0, 64, 48], width: 64, height: 48)
    #expect(alone.moves.isEmpty && alone.scene == [0, 0, 64, 48])
  }

  @Test func aTurnedStabilizationCoversTheSame() {
    var random = SeededGenerator(seed: 8)
    let held = Stabilization(
      CameraTrackingTests.shake(12, &random), around: 3, of: [10, 0, 600, 480], width: 640, height: 480)
    for orientation in Orientation.allCases {
      let turned = held.turned(by: orientation, width: 640, height: 480)
      let (width, height) = orientation.swapsAxes ? (480, 640) : (640, 480)
      #expect(Self.reach(turned, width: width, height: height) <= 1e-6, "\(orientation)")
      #expect(turned.turned(by: orientation.inverse, width: width, height: height).scene == held.scene)
    }
  }

  /// A bright bar crosses the picture once every 24 frames, so loops have 24 or 48 frames.
  @Test(arguments: [nil, 20, 33]) func aLoopIsAsLongAsWhatRepeatsItself(_ key: Int?) {
    var tracking = CameraTracking()
    let (width, height) = (96, 72)
    for number in 0..<60 {
      let frame = PlanarFrame(valid: FrameFormat(width: width, height: height, sampling: .grey))
      var samples = [UInt16](repeating: 40, count: width * height)
      for y in 0..<height {
        for x in 0..<width {
          let isBar = (x + 96 - number * 4 % 96) % 96 < 20 && y > 36
          samples[y * width + x] = isBar ? 220 : y < 30 ? UInt16(40 + (x * 7 + y * 13) % 90) : 40
        }
      }
      _ = frame.setSamples(samples, ofPlane: 0)
      tracking.look(at: frame)
    }
    let held = Stabilization(
      tracking.path, around: key ?? 30, of: [0, 0, Double(width), Double(height)], width: width,
      height: height)
    let loop = LoopSearch(tracking, held, width: width, height: height).best(fade: 6, key: key)
    #expect(loop.fade == 6 && loop.frames.count == 48, "\(loop)")
    #expect(loop.frames.lowerBound >= 6 && loop.frames.contains(loop.start))
    if let key { #expect(loop.frames.lowerBound <= key && key <= loop.frames.upperBound - 6) }
  }

  /// A photo at the very beginning leaves no room for a cross-fade.
  @Test func theKeyFrameIsAlwaysSeenAsItIs() {
    var tracking = CameraTracking()
    for number in 0..<10 {
      let frame = PlanarFrame(valid: FrameFormat(width: 32, height: 32, sampling: .grey))
      _ = frame.setSamples([UInt16](repeating: UInt16(20 * number), count: 1024), ofPlane: 0)
      tracking.look(at: frame)
    }
    let held = Stabilization(tracking.path, around: 0, of: [0, 0, 32, 32], width: 32, height: 32)
    for key in 0..<10 {
      let loop = LoopSearch(tracking, held, width: 32, height: 32).best(fade: 12, key: key)
      #expect(loop.frames.lowerBound >= loop.fade && loop.frames.lowerBound <= key, "\(key) \(loop)")
      #expect(key <= loop.frames.upperBound - loop.fade && loop.frames.contains(loop.start), "\(key) \(loop)")
    }
  }
}
