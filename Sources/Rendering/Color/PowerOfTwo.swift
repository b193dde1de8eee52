/// Powers of two of numbers with few digits, without the C library: see ``Roots``.
enum PowerOfTwo {
  /// - Parameter exponent: any number from -1000 to 1000.
  static func value(_ exponent: Double) -> Double {
    let whole = exponent.rounded(.down)
    // The fraction bit by bit: each is a square root of the one before.
    var (rest, root, product) = (exponent - whole, 2.0.squareRoot(), 1.0)
    for _ in 0..<53 {
      rest *= 2
      if rest >= 1 {
        product *= root
        rest -= 1
      }
      root = root.squareRoot()
    }
    return Double(sign: .plus, exponent: Int(whole), significand: product)
  }
}
