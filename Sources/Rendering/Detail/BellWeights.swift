/// Bell-shaped weights for samples, with a given variance, formed by repeatedly averaging three neighbours. The
/// variance is exact even if the bell is narrower than a sample. No C library function affects the result.
struct BellWeights {
  /// The weight of the centre, followed by the weights on one side, from the inside outwards. The sum of the centre
  /// weight and twice the other weights is 1.
  let values: [Double]

  /// The threshold below which weights at the ends are dropped.
  private static let least = 1.0 / 512

  /// - Parameter variance: The square of the radius in samples. If it is 0 or less, the only weight is 1.
  init(variance: Double) {
    let steps = max(1, Int((2 * min(max(variance, 0), 10_000)).rounded(.up)))
    let share = min(max(variance, 0), 10_000) / Double(2 * steps)
    var side = [1.0]
    for _ in 0..<steps {
      var wider = [Double](repeating: 0, count: side.count + 1)
      for index in wider.indices {
        func weight(_ place: Int) -> Double { place < side.count ? side[place] : 0 }
        wider[index] =
          weight(index) * (1 - 2 * share) + share * (weight(abs(index - 1)) + weight(index + 1))
      }
      while wider.count > 1, let last = wider.last, last < 1e-7 { wider.removeLast() }
      side = wider
    }
    while side.count > 1, let last = side.last, last < Self.least { side.removeLast() }
    side[0] = 1 - 2 * side.dropFirst().reduce(0, +)
    values = side
  }

  /// The number of samples on either side of the centre.
  var radius: Int { values.count - 1 }

  /// The weights in units of 1/32768, with the sum 32768.
  var fixedPoint: [Int16] {
    var fixed = values.map { Int16(min(($0 * 32768).rounded(), 32767)) }
    let others = fixed.dropFirst().reduce(0) { $0 + Int($1) }
    fixed[0] = Int16(min(32768 - 2 * others, 32767))
    return fixed
  }
}
