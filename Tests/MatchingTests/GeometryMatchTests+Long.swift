import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Matching
@testable import Rendering

/// Tests with known geometries applied to painted pictures by formula, and with unrelated pictures.
@Suite struct GeometryMatchTests {
  static let scene = PaintedScene(seed: 5)
  /// The seeds of the noise in a picture.
  static let seeds = Cases.chosen([1, 2, 3, 4, 5, 6] as [UInt64]) { index, _ in index < 2 }

  static let planted: [PlantedGeometry] = [
    PlantedGeometry(half: [1, 0.75]),
    PlantedGeometry(degrees: -7.3, half: [0.8, 0.6]),
    PlantedGeometry(turn: .right, degrees: 4.21, center: [0.05, 0.1], half: [0.5, 0.6]),
    PlantedGeometry(turn: .downMirrored, perspective: [0.31, 0], center: [-0.05, 0], half: [0.7, 0.5]),
    PlantedGeometry(turn: .leftMirrored, degrees: 9.6, perspective: [-0.2, 0.25], half: [0.45, 0.55]),
    PlantedGeometry(
      turn: .upMirrored, degrees: -2.5, perspective: [0, -0.4], center: [0.2, 0.1], half: [0.4, 0.3]),
    // Wider than the frame, up to the sides of the picture.
    PlantedGeometry(degrees: 10, half: [0.97, 0.15]),
    PlantedGeometry(turn: .left, degrees: 31, half: [0.4, 0.4]),
  ]

  /// Returns how far the corners of the edited picture are from their correct positions, in columns of a picture with
  /// 1000 columns.
  static func error(_ match: GeometryMatch, _ planted: PlantedGeometry) throws -> Double {
    let size = SIMD2(Double(scene.width), Double(scene.height))
    let turned = match.orientation.swapsAxes ? (scene.height, scene.width) : (scene.width, scene.height)
    let plan = try GeometryPlan(match.geometry, of: GeometryPlan.Picture(width: turned.0, height: turned.1))
    let way = plan.sources.then(PictureProjection(match.orientation).inverse)
    return try [SIMD2(0.0, 0.0), [1, 0], [0, 1], [1, 1]].map { corner in
      let distance = try #require(way.apply(corner)) * size - planted.source(corner, of: size)
      return (distance * distance).sum().squareRoot() * 1000 / size.x
    }.max() ?? .infinity
  }

  /// Applies a tone curve as strong as sliders can make it, and a vignette.
  static func graded(_ sample: Double, _ place: SIMD2<Double>) -> Double {
    let tone = min(max(sample / 255, 0), 1)
    let curve = 1 / (1 + exp(-7 * (tone - 0.45)))
    let distance = (place - 0.5) * (place - 0.5)
    return 255 * curve * (1 - 0.7 * distance.sum())
  }

  /// A quick run rotates, mirrors, straightens by a small and a large angle, bends, and includes the crop that is wider
  /// than the frame.
  @Test(arguments: Cases.chosen(Array(planted.indices)) { _, number in [2, 4, 6, 7].contains(number) })
  func aPlantedGeometryIsFound(_ number: Int) throws {
    let planted = Self.planted[number]
    for isGraded in [false, true] {
      let edited = Self.scene.edited(
        planted, columns: 480, change: isGraded ? Self.graded : { sample, _ in sample })
      let match = try GeometryMatch(
        original: Self.scene.frame, edited: PaintedScene.frame(edited.samples, edited.width, edited.height))
      #expect(match.orientation == planted.turn)
      #expect(abs(match.geometry.straighten - planted.degrees) <= 0.05)
      #expect(try Self.error(match, planted) <= 0.5)
      #expect(match.placeError < 0.15)
      #expect(match.content == FoundEdit.Place(left: 0, top: 0, width: 1, height: 1))
    }
  }

  /// Small and noisy pictures determine their corners less exactly. No perspective is found without evidence for it.
  @Test(arguments: seeds)
  func noiseIsNoPerspective(_ seed: UInt64) throws {
    let planted = PlantedGeometry(
      degrees: -8.1, perspective: [0, 0.3], center: [-0.2, 0.1], half: [0.32, 0.33])
    var noise = SeededGenerator(seed: seed)
    let edited = Self.scene.edited(planted, columns: 160) { sample, _ in
      sample + Double.random(in: -25...25, using: &noise)
    }
    let match = try GeometryMatch(
      original: Self.scene.frame, edited: PaintedScene.frame(edited.samples, edited.width, edited.height))
    #expect(match.geometry.horizontalPerspective == 0)
    #expect(abs(match.geometry.straighten - planted.degrees) <= 0.1)
    #expect(try Self.error(match, planted) <= 0.5)
  }

  /// Strong compression leaves artefacts in dark parts. Relative to their surroundings, they are as strong as the
  /// visible detail in bright parts.
  @Test(arguments: seeds)
  func marksInTheDarkTellLittle(_ seed: UInt64) throws {
    let planted = PlantedGeometry(
      degrees: -8.1, perspective: [0, 0.55], center: [-0.2, -0.1], half: [0.4, 0.3])
    var noise = SeededGenerator(seed: seed)
    let edited = Self.scene.edited(planted, columns: 256) { sample, place in
      // The left half is a dark sky with little detail.
      let isDark = place.x < 0.5
      let tone = isDark ? 20 + 0.02 * sample : sample
      return tone + Double.random(in: isDark ? -8...8 : -2...2, using: &noise)
    }
    let match = try GeometryMatch(
      original: Self.scene.frame, edited: PaintedScene.frame(edited.samples, edited.width, edited.height))
    #expect(abs(match.geometry.straighten - planted.degrees) <= 0.05)
    #expect(try Self.error(match, planted) <= 0.5)
  }

  /// Clipped highlights and a vignette seem to move soft edges, but two separate photos never show exactly the same
  /// area.
  @Test func aSmallerPictureOfAllIsTheSameHoweverItsTonesAre() throws {
    let plane = GreyPlane(Self.scene.frame).blurred(over: 2)
    let soft = PaintedScene(plane.width, plane.height, plane.samples.map(Double.init))
    let edited = soft.edited(Self.planted[0], columns: 430) { sample, place in
      let distance = (place - 0.5) * (place - 0.5)
      return min(max(2 * sample - 60, 0), 255) * (1 - distance.sum())
    }
    let match = try GeometryMatch(
      original: soft.frame, edited: PaintedScene.frame(edited.samples, edited.width, edited.height))
    #expect(match.orientation == .up && match.geometry.isNeutral)
  }

  /// A white flower before dark leaves: nearly all detail is edges between the lightest and the darkest tones, and a
  /// tone curve seems to move these edges.
  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func edgesOfAFlowerStayWhereTheyAre(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (width, height) = (1600, 1200)
    var flower = PaintedScene(
      width, height, (0..<width * height).map { _ in Double.random(in: 8...12, using: &random) })
    func paintDiscs(
      _ count: Int, _ radii: ClosedRange<Double>, _ tones: ClosedRange<Double>, of part: ClosedRange<Double>
    ) {
      for _ in 0..<count {
        let middle = SIMD2(
          Double(width) * Double.random(in: part, using: &random),
          Double(height) * Double.random(in: part, using: &random))
        let radius = Double.random(in: radii, using: &random)
        // Edges are several samples wide, as with a real lens.
        flower.paintDisc(middle, radius, Double.random(in: tones, using: &random), edge: 5)
      }
    }
    paintDiscs(120, 15...60, 10...45, of: 0...1)
    paintDiscs(9, 120...260, 190...225, of: 0.25...0.75)
    let planted = PlantedGeometry(degrees: 2.4, half: [0.9, 0.675])
    let edited = flower.edited(planted, columns: 800) { sample, _ in 1.6 * sample - 40 }
    let match = try GeometryMatch(
      original: flower.frame, edited: PaintedScene.frame(edited.samples, edited.width, edited.height))
    #expect(abs(match.geometry.straighten - planted.degrees) <= 0.05)
  }

  /// A wall lit from one side, with marks two samples wide that disappear in a smaller picture.
  @Test func marksOfAWallAreEnough() throws {
    var generator = SeededGenerator(seed: 12)
    let (width, height) = (2200, 1650)
    var samples = (0..<width * height).map { 60 + 90 * Double($0 % width) / Double(width) }
    for _ in 0..<9000 {
      let at = Int.random(in: 0..<(height - 2) * width - 2, using: &generator)
      let tone = Double.random(in: -25...25, using: &generator)
      for (place, share) in [(at, 1.0), (at + 1, 0.8), (at + width, 0.6), (at + width + 1, 0.5)] {
        samples[place] += tone * share
      }
    }
    let wall = PaintedScene(width, height, samples)
    let planted = PlantedGeometry(turn: .right, degrees: 3.2, center: [0.05, 0.02], half: [0.5, 0.62])
    let edited = wall.edited(planted, columns: 1300) { sample, _ in 1.3 * sample - 20 }
    let match = try GeometryMatch(
      original: wall.frame, edited: PaintedScene.frame(edited.samples, edited.width, edited.height))
    #expect(match.orientation == planted.turn)
    #expect(abs(match.geometry.straighten - planted.degrees) <= 0.05)
  }

  @Test func whatCopiedSamplesIsFoundToTheSample() throws {
    let (left, top, width, height) = (101, 57, 512, 400)
    var part: [Double] = []
    for y in top..<top + height {
      part += Self.scene.samples[y * Self.scene.width + left..<y * Self.scene.width + left + width]
    }
    let match = try GeometryMatch(
      original: Self.scene.frame, edited: PaintedScene.frame(part, width, height))
    #expect(match.orientation == .up)
    let plan = try GeometryPlan(match.geometry, of: GeometryPlan.Picture(width: 800, height: 600))
    #expect(plan.copied == SIMD2(left, top) && plan.width == width && plan.height == height)
    let all = try GeometryMatch(original: Self.scene.frame, edited: Self.scene.frame)
    #expect(all.geometry.isNeutral && all.orientation == .up)
  }

  /// One tenth of the picture is painted over, and the whole picture is surrounded by a white border.
  @Test func retouchedPlacesAndABorderDoNotCount() throws {
    let planted = Self.planted[1]
    let inner = Self.scene.edited(planted, columns: 480) { sample, place in
      let distance = place - SIMD2(0.4, 0.6)
      return (distance * distance).sum() < 0.03 ? 40 : sample
    }
    let border = 23
    let (width, height) = (inner.width + 2 * border, inner.height + 2 * border)
    var samples = [Double](repeating: 250, count: width * height)
    for y in 0..<inner.height {
      for x in 0..<inner.width {
        samples[(y + border) * width + x + border] = inner.samples[y * inner.width + x]
      }
    }
    let match = try GeometryMatch(
      original: Self.scene.frame, edited: PaintedScene.frame(samples, width, height))
    #expect(try Self.error(match, planted) <= 0.5)
    #expect(abs(match.content.left * Double(width) - 23) < 1e-9)
    #expect(abs(match.content.height * Double(height) - Double(inner.height)) < 1e-9)
  }

  /// A white border above a sky that continues evenly in the original, beyond the visible part.
  @Test func aBorderIsNoPartOfAnEvenSky() throws {
    let (columns, rows) = (Self.scene.width, Self.scene.height)
    var samples = Self.scene.samples
    for at in 0..<columns * 150 { samples[at] = 150 }
    let (left, top, width, height, border) = (80, 60, 600, 480, 20)
    let (outerWidth, outerHeight) = (width + 2 * border, height + 2 * border)
    var edited = [Double](repeating: 250, count: outerWidth * outerHeight)
    for y in 0..<height {
      for x in 0..<width {
        edited[(y + border) * outerWidth + x + border] = samples[(top + y) * columns + left + x]
      }
    }
    let match = try GeometryMatch(
      original: PaintedScene.frame(samples, columns, rows),
      edited: PaintedScene.frame(edited, outerWidth, outerHeight))
    #expect(abs(match.content.top * Double(outerHeight) - Double(border)) < 1e-9)
    #expect(abs(match.content.height * Double(outerHeight) - Double(height)) < 1e-9)
    let plan = try GeometryPlan(match.geometry, of: GeometryPlan.Picture(width: columns, height: rows))
    #expect(plan.copied == SIMD2(left, top) && plan.width == width && plan.height == height)
  }

  /// The same scene from a camera position slightly to the side: the nearest discs move by 0.3 to 0.6% of the picture.
  @Test(arguments: [2.5, 5])
  func anotherPictureOfTheSceneIsRefused(_ parallax: Double) throws {
    let neighbour = PaintedScene(seed: 5, parallax: parallax, noise: 2)
    let planted = PlantedGeometry(degrees: 0.7, center: [0.01, 0.005], half: [0.96, 0.72])
    let edited = neighbour.edited(planted, columns: 700)
    let error = #expect(throws: MediaError.self) {
      try GeometryMatch(
        original: Self.scene.frame, edited: PaintedScene.frame(edited.samples, edited.width, edited.height))
    }
    #expect(error?.description.contains("was not made from it") == true)
  }

  @Test func whatDoesNotBelongTogetherIsRefused() throws {
    let other = PaintedScene(seed: 6, width: 640, height: 480)
    #expect(throws: MediaError.self) {
      try GeometryMatch(original: Self.scene.frame, edited: other.frame)
    }
    for (width, height) in [(1, 1), (3, 700), (40, 30)] {
      let even = PaintedScene.frame([Double](repeating: 128, count: width * height), width, height)
      #expect(throws: MediaError.self) { try GeometryMatch(original: Self.scene.frame, edited: even) }
      #expect(throws: MediaError.self) { try GeometryMatch(original: even, edited: Self.scene.frame) }
    }
  }
}
