import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

@Suite struct GeometryPlanTests {
  static func rectangle(_ left: Double, _ top: Double, _ width: Double, _ height: Double) throws -> Crop {
    func part(_ value: Double) -> Int { Int((value * 1e6).rounded()) }
    return .rectangle(
      try Crop.Rectangle(left: part(left), top: part(top), width: part(width), height: part(height)))
  }

  /// Tests the largest upright rectangle with the picture's aspect ratio inside a rotated picture, using elementary
  /// geometry: with the sides w and h, h ≤ w, the height is h² / (w sin + h cos).
  @Test(arguments: [0.01, 1, 2.5, 10, 30, 45], [(4000, 3000), (3000, 4000), (1440, 1080)])
  func straighteningKeepsTheLargestInscribedRectangle(_ degrees: Double, _ size: (Int, Int)) throws {
    let plan = try GeometryPlan(
      Geometry(straighten: degrees), of: GeometryPlan.Picture(width: size.0, height: size.1))
    let (w, h) = (Double(max(size.0, size.1)), Double(min(size.0, size.1)))
    let height = h * h / (w * sin(degrees * .pi / 180) + h * cos(degrees * .pi / 180))
    #expect(abs(Double(min(plan.width, plan.height)) - height) <= 0.51)
    #expect(abs(Double(max(plan.width, plan.height)) - height * w / h) <= 0.51)
    let opposite = try GeometryPlan(
      Geometry(straighten: -degrees), of: GeometryPlan.Picture(width: size.0, height: size.1))
    #expect(opposite.width == plan.width && opposite.height == plan.height)
  }

  /// A rectangle may extend beyond the frame if the picture covers it, and shows that part of the picture.
  @Test func aWideCropShowsWhatLiesBesideTheFrame() throws {
    let picture = GeometryPlan.Picture(width: 1200, height: 800)
    // Straightened by 10 degrees, the frame is 800 / (1.5 sin + cos) high. The strip in the middle extends far beyond
    // it.
    let (sine, cosine) = (sin(Double.pi / 18), cos(Double.pi / 18))
    let frame = 800 / (1.5 * sine + cosine)
    let height = 100.0
    // The position where the corners of the strip touch the picture's sides.
    let width = (1200 - height * sine) / cosine
    let part = SIMD2(width / (1.5 * frame), height / frame)
    let wide = Geometry(
      crop: try Self.rectangle((1 - part.x) / 2, (1 - part.y) / 2, part.x, part.y), straighten: 10)
    #expect(part.x > 1.1)
    let plan = try GeometryPlan(wide, of: picture)
    #expect(abs(Double(plan.width) - width) <= 0.51 && plan.height == 100)
    let corner = try #require(plan.sources.apply([0, 0]))
    #expect(abs(corner.x) < 1e-5 && abs(corner.y * 800 - (400 + width / 2 * sine - 50 * cosine)) < 0.01)
    let wider = Geometry(
      crop: try Self.rectangle((1 - part.x) / 2 - 0.01, (1 - part.y) / 2, part.x + 0.02, part.y),
      straighten: 10)
    #expect(throws: EditError.self) { try GeometryPlan(wider, of: picture) }
    #expect(throws: EditError.self) {
      try GeometryPlan(Geometry(crop: try Self.rectangle(-0.01, 0, 0.5, 0.5)), of: picture)
    }
  }

  /// No corner of any output lies outside the scene, and the output touches an edge of the scene.
  @Test func nothingBeyondTheSceneIsShown() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let ratio = try Crop.AspectRatio(
        width: Int.random(in: 1...20, using: &generator), height: Int.random(in: 1...20, using: &generator))
      let geometry = Geometry(
        crop: Bool.random(using: &generator)
          ? .aspect(ratio, Crop.Anchor.allCases.randomElement(using: &generator) ?? .center) : nil,
        straighten: Double.random(in: -45...45, using: &generator),
        horizontalPerspective: Double.random(in: -1...1, using: &generator),
        verticalPerspective: Double.random(in: -1...1, using: &generator))
      let plan = try GeometryPlan(geometry, of: GeometryPlan.Picture(width: 1200, height: 800))
      var touches = false
      for corner in [SIMD2(0.0, 0.0), [1, 0], [1, 1], [0, 1]] {
        let place = try #require(plan.sources.apply(corner))
        for value in [place.x, place.y] {
          #expect(value > -1e-6 && value < 1 + 1e-6, "\(geometry)")
          touches = touches || value < 1e-6 || value > 1 - 1e-6
        }
      }
      #expect(touches)
      if geometry.crop == nil {
        #expect(abs(Double(plan.width) / Double(plan.height) - 1.5) < 3 / Double(plan.height))
      } else {
        #expect(
          abs(Double(plan.width) - Double(plan.height) * Double(ratio.width) / Double(ratio.height))
            <= 0.51 + 0.51 * Double(ratio.width) / Double(ratio.height))
      }
    }
  }

  /// Rotating a picture before changing its geometry gives the same result as changing the geometry first.
  @Test(arguments: Orientation.allCases)
  func turnsAndGeometriesCommute(_ turn: Orientation) throws {
    let geometries = [
      Geometry(
        crop: try Self.rectangle(0.1, 0.2, 0.5, 0.6), straighten: 7, horizontalPerspective: 0.4,
        verticalPerspective: -0.7),
      Geometry(crop: .aspect(try Crop.AspectRatio(width: 2, height: 3), .topRight), straighten: -3),
      Geometry(crop: .aspect(try Crop.AspectRatio(width: 1, height: 1), .left)),
      Geometry(crop: try Self.rectangle(0.25, 0.125, 0.5, 0.25)),
    ]
    for geometry in geometries {
      let before = try GeometryPlan(geometry, of: GeometryPlan.Picture(width: 1200, height: 800))
      let (width, height) = turn.swapsAxes ? (800, 1200) : (1200, 800)
      let after = try GeometryPlan(
        geometry.turned(by: turn), of: GeometryPlan.Picture(width: width, height: height))
      #expect(
        (after.width, after.height)
          == (turn.swapsAxes ? (before.height, before.width) : (before.width, before.height)))
      for place in [SIMD2(0.5, 0.5), [0.3, 0.4], [0.45, 0.62]] {
        let one = try #require(before.projection.apply(place).flatMap(PictureProjection(turn).apply))
        let two = try #require(PictureProjection(turn).apply(place).flatMap(after.projection.apply))
        #expect(abs(one.x - two.x) < 1e-9 && abs(one.y - two.y) < 1e-9)
      }
    }
  }

  /// A photo and a movie whose clean aperture shows the same area, but with other sizes, keep the same positions.
  @Test(arguments: [
    (4032, 3024, 1440, 1080, 66.0, 50.0, 1308.0, 980.0), (161, 121, 120, 90, 3, 2.5, 113, 85),
  ])
  func halvesKeepTheSamePlaces(
    _ size: (Int, Int, Int, Int, Double, Double, Double, Double)
  ) throws {
    let geometries = [
      Geometry(crop: try Self.rectangle(0.1, 0.2, 0.5, 0.6)),
      Geometry(straighten: 11, verticalPerspective: 0.5),
      Geometry(crop: .aspect(try Crop.AspectRatio(width: 1, height: 1), .right)),
      Geometry(
        crop: try Self.rectangle(0.05, 0.02, 0.7, 0.9), straighten: -4.44, horizontalPerspective: -0.3),
      Geometry(crop: .aspect(try Crop.AspectRatio(width: 4, height: 3), .center)),
    ]
    for geometry in geometries {
      let shape = Double(size.0) / Double(size.1)
      let photo = try GeometryPlan(
        geometry,
        of: GeometryPlan.Picture(width: size.0, height: size.1, sampling: .yuv420, shape: shape))
      let movie = try GeometryPlan(
        geometry,
        of: GeometryPlan.Picture(
          width: size.2, height: size.3, scene: [size.4, size.5, size.6, size.7], sampling: .yuv420,
          shape: shape, needsEvenSize: true))
      #expect(movie.width % 2 == 0 && movie.height % 2 == 0)
      // With an exact ratio and even sizes, a side may lose up to one more sample.
      let most = max(0.005, 1 / size.7)
      for place in [SIMD2(0.4, 0.4), [0.5, 0.5], [0.55, 0.45], [0.3, 0.6]] {
        let one = try #require(photo.projection.apply(place))
        let two = try #require(movie.projection.apply(place))
        #expect(abs(one.x - two.x) < most && abs(one.y - two.y) < most, "\(geometry)")
      }
    }
  }

  /// An aspect ratio is exact if that loses less than 1/250 of a side, and otherwise as close as integers allow.
  @Test(
    arguments: [(1209, 1611), (1611, 1209), (403, 303), (4032, 3024), (1308, 980), (113, 85)], [true, false])
  func aspectRatiosAreExact(_ size: (Int, Int), _ needsEvenSize: Bool) throws {
    for (width, height) in [(1, 1), (4, 3), (3, 2), (16, 9), (2, 3), (97, 89)] {
      for anchor in Crop.Anchor.allCases {
        let geometry = Geometry(
          crop: .aspect(try Crop.AspectRatio(width: width, height: height), anchor))
        let plan = try GeometryPlan(
          geometry,
          of: GeometryPlan.Picture(
            width: size.0, height: size.1, sampling: .yuv420, needsEvenSize: needsEvenSize))
        if plan.isIdentity { continue }
        #expect(plan.width <= size.0 && plan.height <= size.1)
        let step = needsEvenSize ? 2 : 1
        #expect(plan.width % step == 0 && plan.height % step == 0)
        // The largest possible rectangle.
        let most = min(Double(size.0), Double(size.1) * Double(width) / Double(height))
        #expect(
          most - Double(plan.width) < max(most / 200, Double(step) + 0.01), "\(size) \(width):\(height)")
        let isExact = plan.width * height == plan.height * width
        let unit = needsEvenSize && (width % 2 != 0 || height % 2 != 0) ? 2 : 1
        if Double(unit * width) < most / 250 { #expect(isExact, "\(size) \(width):\(height)") }
        if width == height { #expect(plan.width == plan.height) }
        let error = abs(Double(plan.width) - Double(plan.height) * Double(width) / Double(height))
        #expect(error <= Double(step) * (1 + Double(width) / Double(height)) / 2 + 0.01)
      }
    }
  }

  /// Applying the plan to a part gives the same pixels as applying it to the whole picture.
  @Test func aPartIsEnough() throws {
    let format = FrameFormat(width: 403, height: 303, sampling: .yuv420)
    let frame = try #require(PlanarFrame(format: format))
    var generator = SeededGenerator(seed: 5)
    for plane in frame.planes {
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          plane.row(y).storeBytes(
            of: UInt8.random(in: 0...255, using: &generator), toByteOffset: x, as: UInt8.self)
        }
      }
    }
    for geometry in [
      Geometry(crop: try Self.rectangle(0.25, 0.125, 0.5, 0.25)),
      Geometry(crop: try Self.rectangle(0.6, 0.6, 0.2, 0.3), straighten: 4, verticalPerspective: 0.2),
      Geometry(crop: .aspect(try Crop.AspectRatio(width: 1, height: 1), .right)),
    ] {
      let plan = try GeometryPlan(
        geometry, of: GeometryPlan.Picture(width: 403, height: 303, sampling: .yuv420))
      let part = plan.neededPart
      #expect(part.width < 403 || part.height < 303)
      var small = format
      (small.width, small.height) = (part.width, part.height)
      let cut = try #require(PlanarFrame(format: small))
      cut.copy(frame, from: (part.x, part.y))
      let (whole, same) = (try plan.applied(to: frame), try plan.cut(to: part).applied(to: cut))
      #expect(whole.format == same.format)
      for index in whole.planes.indices {
        let pairs = zip(whole.samples(ofPlane: index), same.samples(ofPlane: index))
        #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(geometry)")
      }
    }
  }

  @Test func roundingAndAlignment() throws {
    func plan(
      _ left: Double, _ top: Double, _ width: Double, _ height: Double, even: Bool = false,
      of size: (Int, Int) = (4032, 3024), _ sampling: ChromaSampling = .yuv420
    ) throws -> GeometryPlan {
      try GeometryPlan(
        Geometry(
          crop: try Self.rectangle(
            left / Double(size.0), top / Double(size.1), width / Double(size.0), height / Double(size.1))),
        of: GeometryPlan.Picture(
          width: size.0, height: size.1, sampling: sampling, needsEvenSize: even))
    }
    let aligned = try plan(100, 50, 1001, 803)
    #expect(aligned.copied == [100, 50] && aligned.width == 1001 && aligned.height == 803)
    let odd = try plan(101, 51, 1001, 803)
    let corner = try #require(odd.copied)
    #expect(abs(corner.x - 101) == 1 && abs(corner.y - 51) == 1)
    #expect(try plan(101, 51, 1001, 803, .yuv444).copied == [101, 51])
    let even = try plan(100, 50, 1001, 803, even: true)
    #expect(abs(even.width - 1001) == 1 && abs(even.height - 803) == 1)
    // The last column and row remain reachable.
    #expect(try plan(4032 - 17, 3024 - 17, 17, 17).copied == [4014, 3006])
    // In a small picture, one odd column is half a percent of the width, so samples are interpolated.
    let small = try plan(5, 3, 41, 31, of: (160, 120))
    #expect(small.copied == nil && small.width == 41 && small.height == 31)
    #expect(throws: EditError.self) { try plan(0, 0, 10, 100, even: true, of: (160, 120)) }
    let whole = try GeometryPlan(
      Geometry(crop: .aspect(try Crop.AspectRatio(width: 4, height: 3), .bottom)),
      of: GeometryPlan.Picture(width: 4032, height: 3024))
    #expect(whole.isIdentity && whole.width == 4032 && whole.height == 3024)
    #expect(!aligned.isIdentity)
  }

  /// A clean aperture from a hostile file changes only which part is shown.
  @Test(arguments: [
    SIMD4(Double.nan, 0, 10, 10), [0, 0, .infinity, 10], [-5, -5, 1e300, 1e300], [50, 50, -10, -10],
    [1e300, 0, 1, 1], [0, 0, 0, 0], [0, .nan, 10, .nan],
  ])
  func impossibleScenes(_ scene: SIMD4<Double>) throws {
    for geometry in [
      Geometry(straighten: 45, horizontalPerspective: 1, verticalPerspective: -1), Geometry.neutral,
    ] {
      let plan = try GeometryPlan(
        geometry, of: GeometryPlan.Picture(width: 100, height: 80, scene: scene, shape: scene.x))
      #expect(1...100 ~= plan.width && 1...100 ~= plan.height)
      #expect(plan.projection.apply([0.5, 0.5]) != nil)
    }
  }
}
