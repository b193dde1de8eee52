import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Tests of finding the camera's path in pictures that were moved by known similarities.
@Suite struct CameraTrackingTests {
  /// A grey picture.
  struct Grey {
    var width: Int
    var height: Int
    var samples: [Double]

    /// Reads a fixture that ffmpeg decodes.
    init(_ file: URL, width: Int, height: Int) throws {
      (self.width, self.height) = (width, height)
      samples = try Tools.output(
        "ffmpeg", "-v", "error", "-i", file.path, "-vf", "scale=\(width):\(height)", "-frames:v", "1", "-f",
        "rawvideo", "-pix_fmt", "gray", "-"
      ).bytes.map(Double.init)
    }

    /// Returns the picture moved with bicubic interpolation (Keys, a = -1/2), sample by sample, with noise and repeated
    /// edges.
    func moved(by move: Similarity, noise: Double = 0, _ random: inout SeededGenerator) -> PlanarFrame {
      let middle = SIMD2(Double(width), Double(height)) / 2
      var moved: [UInt16] = []
      for row in 0..<height {
        for column in 0..<width {
          let place = SIMD2(Double(column) + 0.5, Double(row) + 0.5) - middle
          let source = move.apply(place) + middle - 0.5
          let first = SIMD2(source.x.rounded(.down), source.y.rounded(.down))
          var sum = 0.0
          for y in -1...2 {
            for x in -1...2 {
              let (column, row) = (Int(first.x) + x, Int(first.y) + y)
              let sample = samples[
                min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)]
              sum +=
                sample * Self.weight(source.x - first.x - Double(x))
                * Self.weight(source.y - first.y - Double(y))
            }
          }
          sum +=
            noise * (Double.random(in: -1...1, using: &random) + Double.random(in: -1...1, using: &random))
          moved.append(UInt16(min(max(sum.rounded(), 0), 255)))
        }
      }
      let frame = PlanarFrame(valid: FrameFormat(width: width, height: height, sampling: .grey))
      _ = frame.setSamples(moved, ofPlane: 0)
      return frame
    }

    private static func weight(_ distance: Double) -> Double {
      let d = abs(distance)
      if d < 1 { return (1.5 * d - 2.5) * d * d + 1 }
      return d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0
    }
  }

  /// Returns a shake of ±12 pixels and ±0.7°.
  static func shake(_ count: Int, _ random: inout SeededGenerator) -> [Similarity] {
    (0..<count).map { _ in
      let angle = Double.random(in: -0.7...0.7, using: &random) * .pi / 180
      return Similarity(
        a: cos(angle) - 1, b: sin(angle), x: .random(in: -12...12, using: &random),
        y: .random(in: -12...12, using: &random))
    }
  }

  /// Returns the mean distance, in pixels, of positions in the first frame from their correct positions, over all
  /// frames and positions.
  ///
  /// - Parameters:
  ///   - path: The path that was found.
  ///   - planted: The added shake.
  ///   - own: The path of the frames before the shake was added, or nil if all frames are equal.
  static func residual(
    _ path: [Similarity], _ planted: [Similarity], along own: [Similarity]? = nil, width: Int, height: Int
  ) -> Double {
    var sum = 0.0
    for (number, (found, shake)) in zip(path, planted).enumerated() {
      // A frame shows at each position the content from the moved position.
      let truth = planted[0].then(own?[number] ?? .identity).then(shake.inverse)
      for row in [-0.5, -0.25, 0, 0.25, 0.5] {
        for column in [-0.5, -0.25, 0, 0.25, 0.5] {
          let place = SIMD2(column * Double(width), row * Double(height))
          let off = found.apply(place) - truth.apply(place)
          sum += (off * off).sum().squareRoot() / 25
        }
      }
    }
    return sum / Double(planted.count)
  }

  /// A camera that jumps by a tenth of the picture is found again.
  @Test func aJumpIsFollowed() throws {
    var random = SeededGenerator(seed: 20)
    let (width, height) = (960, 720)
    let picture = try Grey(TestFiles.fixture("IMG_0001.JPG"), width: width, height: height)
    let planted = [Similarity(x: -45, y: -30), Similarity(x: -43, y: -31), Similarity(x: 60, y: 45)]
    var tracking = CameraTracking()
    for move in planted { tracking.look(at: picture.moved(by: move, noise: 3, &random)) }
    let residual = Self.residual(tracking.path, planted, width: width, height: height)
    #expect(residual < 0.3, "\(residual)")
  }

  /// Returns the path found in a movie's frames, from a first frame on, after ffmpeg moved them.
  static func path(
    of movie: URL, _ width: Int, _ height: Int, _ moves: [Similarity], _ first: Int
  ) throws -> [Similarity] {
    let middle = SIMD2(Double(width), Double(height)) / 2
    // The source of the frames' corners, in samples whose centres are integers.
    func sum(_ value: (SIMD2<Double>) -> Double, _ corner: SIMD2<Double>) -> String {
      moves.enumerated().map { number, move in
        "eq(in,\(number + 1))*(\(value(move.apply(corner + 0.5 - middle) + middle - 0.5)))"
      }.joined(separator: "+")
    }
    let corners = [[0, 0], [Double(width), 0], [0, Double(height)], [Double(width), Double(height)]]
      .enumerated()
      .map { number, corner in
        let corner = SIMD2<Double>(corner)
        return "x\(number)='\(sum({ $0.x }, corner))':y\(number)='\(sum({ $0.y }, corner))'"
      }
    let filter =
      "select=gte(n\\,\(first)),scale=\(width):\(height),format=gray,perspective="
      + corners.joined(separator: ":")
      + ":interpolation=cubic:sense=source:eval=frame"
    let bytes = try Tools.output(
      "ffmpeg", "-v", "error", "-noautorotate", "-i", movie.path, "-map", "0:v:0", "-vf", filter, "-frames:v",
      "\(moves.count)", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray", "-"
    ).bytes
    try #require(bytes.count == width * height * moves.count)
    var tracking = CameraTracking()
    for number in moves.indices {
      let frame = PlanarFrame(valid: FrameFormat(width: width, height: height, sampling: .grey))
      bytes.withUnsafeBytes { bytes in
        for y in 0..<height {
          let line = bytes[((number * height + y) * width)...].prefix(width)
          UnsafeMutableRawBufferPointer(start: frame.planes[0].row(y), count: width).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: line))
        }
      }
      tracking.look(at: frame)
    }
    return tracking.path
  }

  /// Objects that move on their own are ignored: a quarter of the picture moves independently.
  @Test func whatMovesByItselfIsPassedOver() throws {
    var random = SeededGenerator(seed: 7)
    let (width, height) = (480, 360)
    let picture = try Grey(TestFiles.fixture("IMG_0001.JPG"), width: width, height: height)
    let other = try Grey(TestFiles.fixture("IMG_0002.JPG"), width: width, height: height)
    let planted = Self.shake(6, &random).map { Similarity(a: $0.a, b: $0.b, x: $0.x / 2, y: $0.y / 2) }
    var tracking = CameraTracking()
    for (number, move) in planted.enumerated() {
      let frame = picture.moved(by: move, noise: 2, &random)
      let inner = other.moved(by: Similarity(x: Double(9 * number), y: Double(-4 * number)), &random)
      var samples = frame.samples(ofPlane: 0)
      let across = inner.samples(ofPlane: 0)
      for y in 120..<300 {
        for x in 60..<300 { samples[y * width + x] = across[y * width + x] }
      }
      _ = frame.setSamples(samples, ofPlane: 0)
      tracking.look(at: frame)
    }
    let residual = Self.residual(tracking.path, planted, width: width, height: height)
    #expect(residual < 0.5, "\(residual)")
  }

  /// Frames without any detail have no movement, and tiny frames cause no error.
  @Test(arguments: [(64, 48), (16, 16), (1, 1), (700, 3)]) func evenFramesStandStill(_ size: (Int, Int)) {
    var tracking = CameraTracking()
    for level in [10, 10, 200] as [UInt16] {
      let frame = PlanarFrame(valid: FrameFormat(width: size.0, height: size.1, sampling: .grey))
      _ = frame.setSamples([UInt16](repeating: level, count: size.0 * size.1), ofPlane: 0)
      tracking.look(at: frame)
    }
    #expect(tracking.path == [.identity, .identity, .identity])
  }

  @Test func similaritiesAreAGroup() {
    var random = SeededGenerator(seed: 3)
    for move in Self.shake(20, &random) {
      let other = Similarity(a: 0.1, b: -0.2, x: 5, y: 3)
      let place = SIMD2(17.0, -40.0)
      for (one, two) in [
        (move.then(other).apply(place), other.apply(move.apply(place))),
        (move.inverse.apply(move.apply(place)), place),
        (move.scaled(by: 2).apply(place * 2), move.apply(place) * 2),
        (move.projection(around: [30, 20]).apply(place + [30, 20]) ?? .zero, move.apply(place) + [30, 20]),
      ] { #expect(abs(one.x - two.x) < 1e-9 && abs(one.y - two.y) < 1e-9) }
      for orientation in Orientation.allCases {
        let turned = move.turned(by: orientation)
        func turn(_ place: SIMD2<Double>) -> SIMD2<Double> {
          let m = orientation.matrix
          return [
            Double(m.a) * place.x + Double(m.c) * place.y, Double(m.b) * place.x + Double(m.d) * place.y,
          ]
        }
        let (one, two) = (turned.apply(turn(place)), turn(move.apply(place)))
        #expect(abs(one.x - two.x) < 1e-9 && abs(one.y - two.y) < 1e-9, "\(orientation)")
      }
    }
  }
}
