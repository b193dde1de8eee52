package import EditModel

/// The remainder between a picture and what was to become like it, looked at from far enough that noise and coding do not
/// count.
package struct ColorRemainder: Sendable {
  /// The mean distance of colours, ΔE2000.
  package let error: Double
  /// The share of the picture, 0 to 1, whose colours are plainly others.
  package let share: Double
  /// The place where most of that share lies; nil where there is next to none.
  package let place: FoundEdit.Place?

  /// Pixels along the side of a cell, whose mean colours are compared.
  private static let cell = 4
  /// The distance, ΔE2000, from which colours are plainly others.
  private static let plain = 5.0
  /// The least share that is worth a word.
  private static let least = 0.002

  /// - Parameters:
  ///   - shown: encoded colours of the one picture, row after row.
  ///   - edited: those of the other, as many.
  ///   - width: columns of both.
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

  /// The mean colours of square cells, cut off at the right and below.
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

  /// The part of an axis that holds all but a twentieth of places on either side, in fractions of it.
  private static func middle(_ places: [Int], of count: Int) -> ClosedRange<Double> {
    let sorted = places.sorted()
    let (first, last) = (sorted[sorted.count / 20], sorted[sorted.count - 1 - sorted.count / 20])
    return Double(first) / Double(count)...Double(last + 1) / Double(count)
  }
}
