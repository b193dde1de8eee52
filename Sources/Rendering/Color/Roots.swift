/// Roots from additions, multiplications, divisions and square roots only, which IEEE 754 defines to the last
/// bit: a table made with them is the same on every machine. The C library's `pow` promises no such thing.
enum Roots {
  /// The cube root of a number of either sign.
  @inline(__always)
  static func cube(_ x: Double) -> Double {
    let a = abs(x)
    guard a > 1e-30 else { return 0 }
    // A third of the exponent, then two rounds of Halley's method, which triple the digits.
    var y = Double(bitPattern: a.bitPattern / 3 &+ 0x2A9F_8000_0000_0000)
    for _ in 0..<2 {
      let cube = y * y * y
      y *= (cube + 2 * a) / (2 * cube + a)
    }
    return x < 0 ? -y : y
  }

  /// The fifth root of a number that is not negative.
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
