import Basics
import CPixelKernels
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

@Suite struct GeometryFrameTests {
  static func frame(
    _ width: Int, _ height: Int, _ sampling: ChromaSampling = .yuv420, bitDepth: Int = 8,
    location: ChromaLocation? = .left, _ value: (_ plane: Int, _ x: Double, _ y: Double) -> Double
  ) throws -> PlanarFrame {
    let format = FrameFormat(
      width: width, height: height, sampling: sampling, bitDepth: bitDepth,
      color: ColorDescription(isFullRange: true, chromaLocation: location))
    let frame = try #require(PlanarFrame(format: format))
    let largest = Double((1 << bitDepth) - 1)
    for plane in 0..<sampling.planeCount {
      let (columns, rows) = format.planeSize(plane)
      // Positions are in luma samples from the corner, and each plane has its own sample positions.
      let step = SIMD2(Double(1 << sampling.horizontalShift), Double(1 << sampling.verticalShift))
      var samples: [UInt16] = []
      for y in 0..<rows {
        for x in 0..<columns {
          var place = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
          if plane > 0 {
            place *= step
            if location == .left { place.x = Double(x) * step.x + 0.5 }
          }
          let level = value(plane, place.x, place.y) * largest
          samples.append(UInt16(min(max(level.rounded(), 0), largest)))
        }
      }
      #expect(frame.setSamples(samples, ofPlane: plane))
    }
    return frame
  }

  /// Returns rings that become finer outwards, up to almost two samples per ring.
  static func zonePlate(_ width: Int, _ height: Int) -> (Int, Double, Double) -> Double {
    { plane, x, y in
      let (dx, dy) = (x - Double(width) / 2, y - Double(height) / 2)
      let rate = 0.4 * Double.pi / Double(max(width, height)) / Double(plane == 0 ? 1 : 3)
      return 0.5 + 0.4 * cos(rate * (dx * dx + dy * dy) + Double(plane))
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var sampling = ChromaSampling.yuv420
    var bitDepth = 8
    var location: ChromaLocation? = .left
    var size = (161, 120)
    var scene: SIMD4<Double>?
    var degrees = 0.0
    var horizontal = 0.0
    var vertical = 0.0
    var testDescription: String {
      "\(sampling) \(bitDepth) \(size) \(degrees)° \(horizontal) \(vertical)"
    }
  }

  static let cases = [
    Case(degrees: 2.5), Case(degrees: -45), Case(location: .center, size: (120, 161), degrees: -17.03),
    Case(sampling: .yuv444, bitDepth: 10, degrees: 8), Case(sampling: .grey, degrees: 30),
    Case(sampling: .yuv422, bitDepth: 12, degrees: 3), Case(sampling: .yuv440, location: .center, degrees: 3),
    Case(location: .topLeft, degrees: 0.5, vertical: 0.1), Case(bitDepth: 10, vertical: -0.12),
    Case(sampling: .yuv411, location: .center, degrees: -1, horizontal: 0.1),
    Case(scene: [11, 7.5, 133, 101], degrees: 4, horizontal: 0.05, vertical: 0.05),
    Case(bitDepth: 9, degrees: 11),
  ]

  @Test(arguments: cases)
  func isTheSlowReference(_ one: Case) throws {
    let (width, height) = one.size
    let frame = try Self.frame(
      width, height, one.sampling, bitDepth: one.bitDepth, location: one.location,
      Self.zonePlate(width, height))
    let geometry = Geometry(
      straighten: one.degrees, horizontalPerspective: one.horizontal, verticalPerspective: one.vertical)
    let picture = GeometryPlan.Picture(
      width: width, height: height, scene: one.scene, sampling: one.sampling)
    let plan = try GeometryPlan(geometry, of: picture)
    let result = try plan.applied(to: frame)
    #expect((result.format.width, result.format.height) == (plan.width, plan.height))

    let scene = one.scene ?? [0, 0, Double(width), Double(height)]
    let shape = scene.z / scene.w
    let corner = SIMD2(min(shape, 1), min(1 / shape, 1))
    // The plan's own tests check the visible part. Here the part is the one in the plan.
    func warped(_ place: SIMD2<Double>) throws -> SIMD2<Double> {
      let p = (2 * (try #require(plan.sources.apply(place))) - 1) * corner
      let q = p / (1 + 0.3 * (one.horizontal * p.x + one.vertical * p.y))
      let angle = one.degrees * .pi / 180
      return [q.x * cos(angle) - q.y * sin(angle), q.x * sin(angle) + q.y * cos(angle)]
    }
    let (first, last) = (try warped([0, 0]), try warped([1, 1]))
    let reference = ReferenceResampling(
      geometry: geometry, scene: scene, shape: shape, center: (first + last) / 2, half: (last - first) / 2)
    for plane in 0..<one.sampling.planeCount {
      let wanted = reference.plane(plane, of: frame, width: plan.width, height: plan.height)
      let samples = result.samples(ofPlane: plane)
      #expect(samples.count == wanted.count)
      #expect(ReferenceResampling.decibels(samples, wanted, bitDepth: one.bitDepth) > 50, "plane \(plane)")
    }
  }

  @Test(arguments: [8, 9, 10, 12])
  func evenAreasKeepTheirValue(_ bitDepth: Int) throws {
    let largest = (1 << bitDepth) - 1
    for value in [0, 1, largest / 3, largest - 1, largest] {
      let frame = try Self.frame(90, 70, bitDepth: bitDepth) { _, _, _ in Double(value) / Double(largest) }
      for geometry in [
        Geometry(straighten: 33.33, horizontalPerspective: 1, verticalPerspective: 1),
        Geometry(straighten: -0.4),
      ] {
        let result = try GeometryPlan(geometry, of: .init(width: 90, height: 70)).applied(to: frame)
        for plane in 0..<3 {
          #expect(result.samples(ofPlane: plane).allSatisfy { Int($0) == value })
        }
      }
    }
  }

  /// Returns the centre of a bright spot in luma samples.
  static func spot(_ frame: PlanarFrame, plane: Int, near: SIMD2<Double>, radius: Double) -> SIMD2<Double> {
    let (columns, rows) = frame.format.planeSize(plane)
    let samples = frame.samples(ofPlane: plane)
    let (step, offset) = frame.format.sampleGrid(ofPlane: plane)
    var (sum, weight) = (SIMD2<Double>.zero, 0.0)
    for y in 0..<rows {
      for x in 0..<columns {
        let place = SIMD2(Double(x), Double(y)) * step + offset
        let level = Double(samples[y * columns + x]) - 16
        guard ((place - near) * (place - near)).sum() < radius * radius, level > 0 else { continue }
        sum += place * level
        weight += level
      }
    }
    return sum / weight
  }

  /// Round spots keep their correct positions in luma and in chroma.
  @Test(arguments: [ChromaLocation.left, .center], [1.0, 7.5, -30, 45])
  func nothingShifts(_ location: ChromaLocation, _ degrees: Double) throws {
    let (width, height) = (240, 180)
    let spots: [SIMD2<Double>] = [[120, 90], [140, 105], [95, 100]]
    let frame = try Self.frame(width, height, location: location) { _, x, y in
      var level = 16.0 / 255
      for spot in spots {
        level += 0.7 * exp(-((x - spot.x) * (x - spot.x) + (y - spot.y) * (y - spot.y)) / 12)
      }
      return level
    }
    let plan = try GeometryPlan(
      Geometry(straighten: degrees),
      of: .init(width: width, height: height, sampling: .yuv420))
    let result = try plan.applied(to: frame)
    for (index, spot) in spots.enumerated() {
      let fraction = try #require(
        plan.projection.apply(spot / SIMD2(Double(width), Double(height))))
      let wanted = fraction * SIMD2(Double(plan.width), Double(plan.height))
      // The centre of the picture remains the centre.
      if index == 0 {
        let middle = SIMD2(Double(plan.width), Double(plan.height)) / 2
        #expect(abs(wanted.x - middle.x) < 1e-6 && abs(wanted.y - middle.y) < 1e-6)
      }
      for plane in 0..<3 {
        let found = Self.spot(result, plane: plane, near: wanted, radius: 9)
        #expect(
          abs(found.x - wanted.x) < 0.05 && abs(found.y - wanted.y) < 0.05, "plane \(plane) spot \(index)")
      }
    }
  }

  /// The overshoot at an edge is at most the value in CubicKernel: 15.4% of the edge's height, or 7.4% for an upright
  /// edge.
  @Test func edgesSwingLittle() throws {
    for tilt in stride(from: 0.0, through: 45, by: 3) {
      let (sine, cosine) = (sin(tilt * .pi / 180), cos(tilt * .pi / 180))
      let frame = try Self.frame(120, 120, .grey) { _, x, y in
        (x - 60) * cosine + (y - 60) * sine < 0 ? 60.0 / 255 : 160.0 / 255
      }
      for degrees in [tilt, 20, -33] {
        let result = try GeometryPlan(
          Geometry(straighten: degrees), of: .init(width: 120, height: 120)
        ).applied(to: frame).samples(ofPlane: 0).map(Int.init)
        #expect((result.min() ?? 0) >= 60 - 16 && (result.max() ?? 255) <= 160 + 16)
      }
      if tilt == 0 {
        // Moves the picture by a fraction of a sample, without a rotation.
        let plan = try GeometryPlan(
          Geometry(crop: try GeometryPlanTests.rectangle(0.1028, 0.1028, 0.5, 0.5)),
          of: .init(width: 120, height: 120, scene: [3.3, 3.3, 60, 60]))
        let result = try plan.applied(to: frame).samples(ofPlane: 0).map(Int.init)
        #expect((result.min() ?? 0) >= 60 - 8 && (result.max() ?? 255) <= 160 + 8)
      }
    }
  }

  /// If a map moves samples closer together, stripes of the finest width fade, and even areas are unchanged.
  @Test func narrowedPatternsFade() throws {
    let stripes = (0..<400).map { UInt8($0 % 2 == 0 ? 50 : 200) }
    let samples = (0..<20).flatMap { _ in stripes }
    for apart in [1.8, 2.3, 2.9] {
      var result = [UInt8](repeating: 0, count: 100)
      samples.withUnsafeBytes { samples in
        CubicKernel.weights.withUnsafeBufferPointer { weights in
          CubicKernel.wideWeights.withUnsafeBufferPointer { wide in
            var source = resample_source()
            source.samples = samples.baseAddress
            (source.stride, source.width, source.height, source.depth) = (400, 400, 20, 8)
            (source.weights, source.wide) = (weights.baseAddress, wide.baseAddress)
            (source.x, source.y, source.w) = ((apart, 0, 9.3), (0, 1, 0), (0, 1e-12, 1))
            resample_row(&source, 10, 100, &result)
          }
        }
      }
      #expect(result.allSatisfy { abs(Int($0) - 125) <= 12 }, "\(apart)")
      let sum = result.reduce(0) { $0 + Int($1) }
      #expect(abs(sum / 100 - 125) <= 1)
    }
  }

  @Test(arguments: ChromaSampling.allCases, [8, 10, 16])
  func aPureCropCopiesSamples(_ sampling: ChromaSampling, _ bitDepth: Int) throws {
    var generator = SeededGenerator(seed: 7)
    let frame = try Self.frame(1203, 604, sampling, bitDepth: bitDepth) { _, _, _ in
      Double.random(in: 0...1, using: &generator)
    }
    let plan = try GeometryPlan(
      Geometry(
        crop: try GeometryPlanTests.rectangle(200 / 1203.0, 100 / 604.0, 303 / 1203.0, 205 / 604.0)),
      of: .init(width: 1203, height: 604, sampling: sampling))
    let result = try plan.applied(to: frame)
    #expect((plan.width, plan.height) == (303, 205))
    for plane in 0..<sampling.planeCount {
      let (columns, _) = frame.format.planeSize(plane)
      let (newColumns, newRows) = result.format.planeSize(plane)
      let (h, v) = plane == 0 ? (0, 0) : (sampling.horizontalShift, sampling.verticalShift)
      let (old, new) = (frame.samples(ofPlane: plane), result.samples(ofPlane: plane))
      for y in 0..<newRows {
        let from = ((100 >> v) + y) * columns + (200 >> h)
        #expect(old[from..<from + newColumns] == new[y * newColumns..<(y + 1) * newColumns])
      }
    }
  }

  /// Both kernels give the same samples for every map and every position, including positions outside the plane.
  @Test(arguments: [8, 9, 10, 12])
  func kernelsAgree(_ depth: Int) throws {
    var generator = SeededGenerator(seed: UInt64(depth))
    let (width, height) = (37, 23)
    let bytes = depth == 8 ? 1 : 2
    var samples = [UInt8](repeating: 0, count: width * height * bytes)
    for index in 0..<width * height {
      let value = UInt16.random(in: 0..<1 << UInt16(depth), using: &generator)
      samples[index * bytes] = UInt8(truncatingIfNeeded: value)
      if bytes == 2 { samples[index * 2 + 1] = UInt8(value >> 8) }
    }
    func vector(_ range: ClosedRange<Double>) -> (Double, Double, Double) {
      (
        Double.random(in: range, using: &generator), Double.random(in: range, using: &generator),
        Double.random(in: -10...40, using: &generator)
      )
    }
    samples.withUnsafeBytes { samples in
      CubicKernel.weights.withUnsafeBufferPointer { weights in
        CubicKernel.wideWeights.withUnsafeBufferPointer { wide in
          for round in 0..<200 {
            var source = resample_source()
            source.samples = samples.baseAddress
            (source.stride, source.width, source.height) = (Int64(width * bytes), Int64(width), Int64(height))
            source.depth = Int32(depth)
            (source.weights, source.wide) = (weights.baseAddress, wide.baseAddress)
            (source.x, source.y, source.w) = (vector(-1.2...1.2), vector(-1.2...1.2), (0, 0, 1))
            if round % 3 == 0 { source.w = (0.002, -0.001, 1) }
            // Even maps that no plan produces must not read outside the plane.
            if round % 10 == 9 { source.w = (-0.1, .nan, 0) }
            if round % 10 == 8 { source.x = (1e300, .infinity, 0) }
            var (fast, plain) = ([UInt8](repeating: 1, count: 200), [UInt8](repeating: 2, count: 200))
            let row = Int64(round % 50)
            resample_row(&source, row, 100, &fast)
            resample_row_plain(&source, row, 100, &plain)
            #expect(fast[..<(100 * bytes)] == plain[..<(100 * bytes)])
          }
        }
      }
    }
  }

  @Test func piecesMakeTheSamePicture() throws {
    let frame = try Self.frame(100, 75, .yuv420, Self.zonePlate(100, 75))
    let plan = try GeometryPlan(
      Geometry(straighten: 5, verticalPerspective: 0.7), of: .init(width: 100, height: 75))
    let whole = try plan.applied(to: frame)
    for pieces in [0, 2, 7, 1000] {
      let split = try plan.applied(to: frame, pieces: pieces) { count, body in
        for index in (0..<count).reversed() { body(index) }
      }
      for plane in 0..<3 { #expect(split.samples(ofPlane: plane) == whole.samples(ofPlane: plane)) }
    }
  }

  /// A map of half the size, like a gain map, keeps the same positions.
  @Test func otherSizesOfTheSameSceneFollow() throws {
    let spot = SIMD2(0.55, 0.4)
    func map(_ width: Int, _ height: Int) throws -> PlanarFrame {
      try Self.frame(width, height, .grey) { _, x, y in
        let (dx, dy) = (x - spot.x * Double(width), y - spot.y * Double(height))
        return 16.0 / 255 + 0.7 * exp(-(dx * dx + dy * dy) / 12)
      }
    }
    for geometry in [
      Geometry(straighten: 6, horizontalPerspective: 0.4),
      Geometry(crop: try GeometryPlanTests.rectangle(0.2, 0.1, 0.7, 0.6)),
    ] {
      let plan = try GeometryPlan(geometry, of: .init(width: 404, height: 302, sampling: .yuv420))
      for (width, height) in [(404, 302), (202, 151), (101, 75)] {
        let result = try plan.applied(to: try map(width, height))
        let size = SIMD2(Double(result.format.width), Double(result.format.height))
        #expect(abs(size.x - Double(plan.width * width) / 404) <= 0.5)
        let wanted = try #require(plan.projection.apply(spot)) * size
        let found = Self.spot(result, plane: 0, near: wanted, radius: 12)
        #expect(abs(found.x - wanted.x) < 0.1 && abs(found.y - wanted.y) < 0.1, "\(width)")
      }
    }
  }

  @Test func deepSamplesAreRefusedWhereTheyMustBeInterpolated() throws {
    let frame = try Self.frame(64, 48, bitDepth: 14) { _, _, _ in 0.5 }
    let plan = try GeometryPlan(Geometry(straighten: 5), of: .init(width: 64, height: 48))
    #expect(throws: MediaError.self) { try plan.applied(to: frame) }
  }
}
