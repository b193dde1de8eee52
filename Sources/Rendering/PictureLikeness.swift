import Glibc

/// Compares pictures of different sizes after reducing both to the same tiny size.
package enum PictureLikeness {
  /// The width and height, in samples, to which both pictures are reduced.
  private static let side = 48

  /// Returns the peak signal-to-noise ratio between the luma of two pictures, each reduced to 48×48 means.
  ///
  /// - Parameters:
  ///   - first: A picture.
  ///   - second: The picture to compare with the first.
  /// - Returns: The ratio in dB, at most 99.
  package static func decibels(_ first: PlanarFrame, _ second: PlanarFrame) -> Double {
    let squares = zip(means(first), means(second)).map { ($0 - $1) * ($0 - $1) }
    let mean = squares.reduce(0, +) / Double(squares.count)
    return mean > 0 ? min(99, 10 * log10(255 * 255 / mean)) : 99
  }

  /// Returns the means of the cells, scaled to 8 bits per sample.
  private static func means(_ frame: PlanarFrame) -> [Double] {
    let scale = Double(1 << (frame.format.bitDepth - 8))
    let columns = PlanarFrame.parts(side, of: frame.format.width)
    return PlanarFrame.parts(side, of: frame.format.height).flatMap { rows in
      columns.map { frame.meanLuma(columns: $0, rows: rows) / scale }
    }
  }
}
