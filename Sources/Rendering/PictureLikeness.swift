import Glibc

/// Compares pictures of different sizes by what is left of them when they are tiny.
package enum PictureLikeness {
  /// Columns and rows that both pictures are reduced to.
  private static let side = 48

  /// The peak signal-to-noise ratio of the luma of two pictures, each reduced to 48 by 48 means.
  ///
  /// - Parameters:
  ///   - first: a picture.
  ///   - second: a picture.
  /// - Returns: dB; at most 99.
  package static func decibels(_ first: PlanarFrame, _ second: PlanarFrame) -> Double {
    let squares = zip(means(first), means(second)).map { ($0 - $1) * ($0 - $1) }
    let mean = squares.reduce(0, +) / Double(squares.count)
    return mean > 0 ? min(99, 10 * log10(255 * 255 / mean)) : 99
  }

  /// Means of cells, on the scale of 8 bits a sample.
  private static func means(_ frame: PlanarFrame) -> [Double] {
    let scale = Double(1 << (frame.format.bitDepth - 8))
    let columns = PlanarFrame.parts(side, of: frame.format.width)
    return PlanarFrame.parts(side, of: frame.format.height).flatMap { rows in
      columns.map { frame.meanLuma(columns: $0, rows: rows) / scale }
    }
  }
}
