package import EditModel

/// The remaining difference between a picture and its target, measured coarsely enough to ignore noise and compression
/// artefacts.
package struct ColorRemainder: Sendable {
  /// The mean colour difference, ΔE2000.
  package let error: Double
  /// The fraction of the picture, 0 to 1, whose colours clearly differ.
  package let share: Double
  /// The region that contains most of the clearly different colours, or nil if hardly any colours clearly differ.
  package let place: FoundEdit.Place?

  /// The width and height, in pixels, of the cells whose mean colours are compared.
  private static let cell = 4
  /// The difference, ΔE2000, above which colours clearly differ.
  private static let plain = 5.0
  /// The smallest fraction of clearly different colours that is reported.
  private static let least = 0.002

  /// - Parameters:
  ///   - shown: The encoded colours of the picture, row after row.
  ///   - edited: The encoded colours of the target. Their number must equal that of the picture.
  ///   - width: The width of both pictures in pixels.
  init(shown: [SIMD3<Double>], edited: [SIMD3<Double>], width: Int) {
    let (first, columns) = Self.means(shown, width)
    let (second, _) = Self.means(edited, width)
    let distances = zip(first, second).map {
      ColorDistance.deltaE(ColorDistance.lab($0), ColorDistance.lab($1))
    }
    error = distances.reduce(0, +) / Double(max(distances.count, 1))
    let far = distances.indices.filter { distances[$0] > Self.plain }
    share = Double(far.count) / Double(max(distances.count, 1))
    guard share >= Self.least else {
      place = nil
      return
    }
    let rows = distances.count / columns
    let across = Self.middle(far.map { $0 % columns }, of: columns)
    let down = Self.middle(far.map { $0 / columns }, of: rows)
    place = FoundEdit.Place(
      left: across.lowerBound, top: down.lowerBound, width: across.upperBound - across.lowerBound,
      height: down.upperBound - down.lowerBound)
  }

  /// Returns the mean colours of square cells. Cells at the right and bottom edges may be smaller.
  private static func means(_ colors: [SIMD3<Double>], _ width: Int) -> (
    colors: [SIMD3<Double>], columns: Int
  ) {
    let height = colors.count / max(width, 1)
    let (columns, rows) = ((width + cell - 1) / cell, (height + cell - 1) / cell)
    var sums = [SIMD4<Double>](repeating: SIMD4(), count: columns * rows)
    for y in 0..<height {
      for x in 0..<width { sums[y / cell * columns + x / cell] += SIMD4(colors[y * width + x], 1) }
    }
    return (sums.map { SIMD3($0.x, $0.y, $0.z) / $0.w }, columns)
  }

  /// Returns the part of an axis, in fractions, that contains all positions except one twentieth at either end.
  private static func middle(_ places: [Int], of count: Int) -> ClosedRange<Double> {
    let sorted = places.sorted()
    let (first, last) = (sorted[sorted.count / 20], sorted[sorted.count - 1 - sorted.count / 20])
    return Double(first) / Double(count)...Double(last + 1) / Double(count)
  }
}
