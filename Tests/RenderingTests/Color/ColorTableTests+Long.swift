import EditModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Rendering

extension ColorTableTests {
  static let pq = ReferenceColor.Source(
    testDescription: "PQ", toXYZ: ReferenceColor.bt2020, kr: 0.2627, kb: 0.0593, isFullRange: false,
    bitDepth: 10, peak: 10_000 / 203, mostInput: 0.7518, comparesSteep: false,
    decode: { $0 < 0 ? -pqLinear(-$0) : pqLinear($0) },
    encode: { $0 < 0 ? -pqEncoded(-$0) : pqEncoded($0) })

  /// Returns linear light after SMPTE ST 2084 section 5.1, where 203 cd/m² is 1.
  private static func pqLinear(_ x: Double) -> Double {
    let root = pow(x, 32 / 2523.0)
    return 10_000 / 203
      * pow(max(root - 107 / 128.0, 0) / (2413 / 128.0 - 2392 / 128.0 * root), 8192 / 1305.0)
  }

  private static func pqEncoded(_ x: Double) -> Double {
    let power = pow(x * 203 / 10_000, 1305 / 8192.0)
    return pow((107 / 128.0 + 2413 / 128.0 * power) / (1 + 2392 / 128.0 * power), 2523 / 32.0)
  }

  /// A quick run uses one edit with HLG and one with PQ. BothHalvesTests compares the others with photos.
  private static let movieCases: [(edit: Int, source: ReferenceColor.Source)] =
    [0, 13, 16, 19].enumerated().flatMap { row, edit in
      Cases.chosen([bt709, tenBit, hlg, pq]) { column, _ in row == column && column > 1 }.map { (edit, $0) }
    }

  @Test(arguments: movieCases.indices)
  func moviesMatchTheReference(_ index: Int) throws {
    let (edit, source) = Self.movieCases[index]
    try compare(Self.edits[edit], source)
  }

  /// A quick run uses one edit of each kind: white point, single hues, grading, black point, levels and grey.
  @Test(arguments: Cases.chosen(edits.dropLast()) { index, _ in [2, 6, 8, 11, 12, 18].contains(index) })
  func photosMatchTheReferenceUnderEachEdit(_ values: [Parameter: Double]) throws {
    try photosMatchTheReference(values)
  }
}
