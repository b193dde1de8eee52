import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Likeness
@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of the index that proposes pictures to compare, and of reading grids, with pictures drawn here.
@Suite struct SimilarPicturesTests {
  /// Returns a picture of a few soft spots at random positions.
  private static func grid(_ chance: inout SeededGenerator) -> [Int] {
    let side = PictureGrid.side
    var samples = [Double](repeating: 128, count: side * side)
    for _ in 0..<14 {
      let (x, y) = (Double.random(in: 0..<64, using: &chance), Double.random(in: 0..<64, using: &chance))
      let (size, height) = (
        Double.random(in: 2..<8, using: &chance), Double.random(in: -90..<90, using: &chance)
      )
      for index in samples.indices {
        let (dx, dy) = (Double(index % side) - x, Double(index / side) - y)
        samples[index] += height * exp(-(dx * dx + dy * dy) / (2 * size * size))
      }
    }
    return samples.map { Int(min(max($0, 0), 255)) }
  }

  private static func compared(_ samples: [Int]) -> ComparedGrid? {
    let chroma = Data(repeating: 128, count: PictureGrid.chromaSide * PictureGrid.chromaSide)
    return ComparedGrid(
      PictureGrid(
        luma: Data(samples.map { UInt8(min(max($0, 0), 255)) }), blue: chroma, red: chroma, width: 640,
        height: 640))
  }

  /// Returns the same picture in another orientation, defined independently: 90° rotations clockwise, then a mirror.
  private static func turned(_ samples: [Int], quarters: Int, isMirrored: Bool) -> [Int] {
    let side = PictureGrid.side
    var result = samples
    for _ in 0..<quarters {
      result = result.indices.map { result[(side - 1 - $0 % side) * side + $0 / side] }
    }
    return isMirrored
      ? result.indices.map { result[$0 / side * side + side - 1 - $0 % side] } : result
  }

  /// Every copy is found among other pictures in any of the eight orientations, and nothing else is found.
  @Test func copiesAreFoundInAllOrientations() throws {
    var chance = SeededGenerator(seed: 5)
    var pictures = (0..<60).map { _ in Self.grid(&chance) }
    let count = pictures.count
    for original in 0..<8 {
      let copy = Self.turned(pictures[original], quarters: original % 4, isMirrored: original > 3)
      pictures.append(copy.map { $0 + Int.random(in: -3...3, using: &chance) })
    }
    let grids = pictures.map(Self.compared)
    #expect(grids.allSatisfy { $0 != nil })
    let pairs = SimilarPictures.pairs(of: grids, isCandidate: { _, _ in true })
    let found = pairs.map { [$0.one, $0.other] }.sorted { $0[0] < $1[0] }
    let planted: [[Int]] = (0..<8).map { [$0, count + $0] }
    #expect(found == planted)
    #expect(pairs.allSatisfy { $0.likeness > 0.98 && $0.likeness <= 1 })
    #expect(SimilarPictures.pairs(of: grids, isCandidate: { $0 % 2 == $1 % 2 }).count == 8)
    #expect(SimilarPictures.pairs(of: grids, isCandidate: { _, _ in false }).isEmpty)
  }

  @Test func whatIsPlainOrBrokenIsNotCompared() {
    #expect(Self.compared([Int](repeating: 90, count: 4096)) == nil)
    // Uses gradients like those of skies.
    #expect(Self.compared((0..<4096).map { 3 * ($0 / 64) + $0 % 64 }) == nil)
    #expect(Self.compared((0..<4000).map { $0 % 200 }) == nil)
  }

  /// A converter that dies when it reads certain files.
  private struct DyingConverter: MediaConverter {
    var deadly: Set<String> = []

    func convert(
      _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
    ) throws(EditError) -> ConversionResult {
      guard case .grid(let source) = job else { throw EditError(.renderer, "was not asked for a grid") }
      if deadly.contains(source.path) { throw EditError(.renderer, "died") }
      if source.isMovie { throw EditError(.invalidFile, file: source.path, "is broken") }
      var result = ConversionResult()
      let width = Int(source.path) ?? 0
      result.grids = [PictureGrid(luma: Data(), blue: Data(), red: Data(), width: width, height: 1)]
      return result
    }

    func check(
      _ job: PictureCheckJob, isCancelled: @escaping @Sendable () -> Bool
    ) throws(EditError) -> PictureCheck { throw EditError(.renderer, "checks nothing") }
  }

  /// Files that kill the helper do not keep other files from being read.
  @Test(arguments: [[], [0], [3, 4, 20], [49], Array(0..<50)])
  func othersAreReadWhereAFileKillsTheHelper(_ deadly: [Int]) {
    let reader = GridReader(
      converter: DyingConverter(deadly: Set(deadly.map(String.init))), jobs: 3, progress: { _, _ in },
      isCancelled: { false })
    let answer = reader.read((0..<50).map { PictureGrid.Source(path: "\($0)", isMovie: $0 == 30) })
    let expected = Set(0..<50).subtracting(deadly).subtracting([30])
    #expect(Set(answer.grids.keys) == expected)
    #expect(answer.grids.allSatisfy { [$0.key] == $0.value.map(\.width) })
    #expect(Set(answer.failures.keys) == Set(deadly).union([30]))
  }
}
