/// Powers of two for any exponent, calculated without the C library. See ``Roots`` for the reason.
enum PowerOfTwo {
  /// - Parameter exponent: A number from -1000 to 1000.
  static func value(_ exponent: Double) -> Double {
    let whole = exponent.rounded(.down)
    // Process the fraction bit by bit. Each factor is the square root of the previous one.
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
