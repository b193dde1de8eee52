/// Roots calculated with additions, multiplications, divisions and square roots only. IEEE 754 defines these operations
/// to the last bit, so a table calculated with them is the same on every machine. The C library's `pow` does not
/// guarantee identical results.
enum Roots {
  /// Returns the cube root of a positive or negative number.
  @inline(__always)
  static func cube(_ x: Double) -> Double {
    let a = abs(x)
    guard a > 1e-30 else { return 0 }
    // Start with a third of the exponent. Each of the two iterations of Halley's method then triples the number of
    // correct digits.
    var y = Double(bitPattern: a.bitPattern / 3 &+ 0x2A9F_8000_0000_0000)
    for _ in 0..<2 {
      let cube = y * y * y
      y *= (cube + 2 * a) / (2 * cube + a)
    }
    return x < 0 ? -y : y
  }

  /// Returns the fifth root of a non-negative number.
  @inline(__always)
  static func fifth(_ x: Double) -> Double {
    guard x > 1e-30 else { return 0 }
    var y = Double(bitPattern: x.bitPattern / 5 &+ 0x3325_E666_6666_6666)
    for _ in 0..<2 {
      let square = y * y
      let power = square * square * y
      y *= (2 * power + 3 * x) / (3 * power + 2 * x)
    }
    return y
  }
}
