import EditModel
import Foundation
import TestSupport
import Testing

@testable import Matching

/// Tests of models fitted to pairs of points whose geometry is defined by a formula.
@Suite struct GeometryModelTests {
  private static let size = SIMD2(3000.0, 4000)

  /// Returns the pairs of a geometry, each with an error of at most one column of 1000.
  private static func pairs(
    _ planted: PlantedGeometry, at places: [SIMD2<Double>], _ random: inout SeededGenerator
  ) -> [FeatureMatch.Pair] {
    places.map { place in
      let off = SIMD2(Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random))
      return FeatureMatch.Pair(edited: place + off / 1000, original: planted.source(place, of: size) / size)
    }
  }

  /// Returns the greatest distance of the corners from their correct positions, in columns of an edited picture with
  /// 1000 columns.
  private static func error(_ model: GeometryModel, _ planted: PlantedGeometry) throws -> Double {
    let unit = SIMD2(1000, 1000 * planted.half.y / planted.half.x)
    return try [SIMD2(0.0, 0.0), [1, 0], [0, 1], [1, 1]].map { corner in
      let place = try #require(model.projection.apply(planted.source(corner, of: size) / size))
      let distance = (place - corner) * unit
      return (distance * distance).sum().squareRoot()
    }.max() ?? .infinity
  }

  /// A dark wall with marks in one part, few marks far from them, and similar marks that are matched wrongly.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func pairsOfAPartTellAllOfIt(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let planted = PlantedGeometry(degrees: -3.68, center: [0.088, 0.372], half: [0.535, 0.334])
    let near = (0..<14).map { _ in
      SIMD2(Double.random(in: 0.32...0.57, using: &random), Double.random(in: 0.03...0.3, using: &random))
    }
    var pairs = Self.pairs(planted, at: near + [[0.043, 0.557], [0.033, 0.58]], &random)
    for _ in 0..<4 {
      var pair = pairs[Int.random(in: 0..<14, using: &random)]
      pair.original += [
        Double.random(in: -0.08...0.08, using: &random), Double.random(in: -0.05...0.05, using: &random),
      ]
      pairs.append(pair)
    }
    // The angle suggested by one pair.
    let match = FeatureMatch(pairs: pairs, isMirrored: false, angle: 0.037)
    let found = try #require(
      GeometryModel.fitted(to: match, of: Self.size, shape: planted.half.x / planted.half.y))
    #expect(found.model.orientation == .up && found.inliers >= 16)
    #expect(try Self.error(found.model, planted) < 10)
  }

  /// If the pairs show perspective, it is found, although a fit without perspective would match some of them.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func pairsOfAllOfItTellPerspective(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let planted = PlantedGeometry(
      degrees: 2, perspective: [0.3, -0.25], center: [0.02, -0.05], half: [0.45, 0.5])
    let places = (0..<60).map { _ in
      SIMD2(Double.random(in: 0.05...0.95, using: &random), Double.random(in: 0.05...0.95, using: &random))
    }
    let match = FeatureMatch(
      pairs: Self.pairs(planted, at: places, &random), isMirrored: false, angle: 2 * .pi / 180)
    let found = try #require(
      GeometryModel.fitted(to: match, of: Self.size, shape: planted.half.x / planted.half.y))
    #expect(found.inliers == 60)
    #expect(abs(found.model.perspective.x - 0.3) < 0.01 && abs(found.model.perspective.y + 0.25) < 0.01)
    #expect(try Self.error(found.model, planted) < 2)
  }
}
