/// Returns a smooth transition from 0 to 1: x² (3 - 2 x), where x is first clamped to the range from 0 to 1.
@inline(__always)
func smoothstep<Number: BinaryFloatingPoint>(_ x: Number) -> Number {
  let t = min(max(x, 0), 1)
  return t * t * (3 - 2 * t)
}
