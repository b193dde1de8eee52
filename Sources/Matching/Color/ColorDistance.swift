import Glibc

/// Perceptual distances between colours.
enum ColorDistance {
  /// Converts a colour to CIE 1976 L*, a* and b* (CIE 15:2018 section 8.2.1). The colour must be encoded with sRGB
  /// primaries and transfer function (IEC 61966-2-1). Channels below 0 are mirrored.
  static func lab(_ color: SIMD3<Double>) -> SIMD3<Double> {
    func linear(_ value: Double) -> Double {
      let size = abs(value)
      let light = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
      return value < 0 ? -light : light
    }
    let (r, g, b) = (linear(color.x), linear(color.y), linear(color.z))
    func root(_ part: Double) -> Double {
      part > 216.0 / 24389 ? cbrt(part) : (24389.0 / 27 * part + 16) / 116
    }
    // The rows of the matrix for X, Y and Z, each divided by the X, Y or Z of white.
    let x = root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.950470)
    let y = root(0.2126729 * r + 0.7151522 * g + 0.0721750 * b)
    let z = root((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.088830)
    return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  /// Returns ΔE2000 of two colours in L*, a* and b* (G. Sharma, W. Wu and E. Dalal, “The CIEDE2000 color-difference
  /// formula”, 2005).
  static func deltaE(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    let degree = Double.pi / 180
    let chromas = (hypot(first.y, first.z), hypot(second.y, second.z))
    let seventh = pow((chromas.0 + chromas.1) / 2, 7)
    let stretch = 1 + 0.5 * (1 - (seventh / (seventh + 6_103_515_625)).squareRoot())
    let (a1, a2) = (first.y * stretch, second.y * stretch)
    let (c1, c2) = (hypot(a1, first.z), hypot(a2, second.z))
    func hue(_ a: Double, _ b: Double) -> Double {
      if a == 0 && b == 0 { return 0 }
      let angle = atan2(b, a) / degree
      return angle < 0 ? angle + 360 : angle
    }
    let (h1, h2) = (hue(a1, first.z), hue(a2, second.z))
    let isGrey = c1 * c2 == 0
    var turn = isGrey ? 0 : h2 - h1
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    let (lightness, chroma) = ((first.x + second.x) / 2, (c1 + c2) / 2)
    var mean = isGrey ? h1 + h2 : (h1 + h2) / 2
    if !isGrey && abs(h1 - h2) > 180 { mean += mean < 180 ? 180 : -180 }
    let hues =
      1 - 0.17 * cos((mean - 30) * degree) + 0.24 * cos(2 * mean * degree)
      + 0.32 * cos((3 * mean + 6) * degree) - 0.20 * cos((4 * mean - 63) * degree)
    let middle = (lightness - 50) * (lightness - 50)
    let dL = (second.x - first.x) / (1 + 0.015 * middle / (20 + middle).squareRoot())
    let dC = (c2 - c1) / (1 + 0.045 * chroma)
    let dH = 2 * (c1 * c2).squareRoot() * sin(turn / 2 * degree) / (1 + 0.015 * chroma * hues)
    let power = pow(chroma, 7)
    let rotation =
      -2 * (power / (power + 6_103_515_625)).squareRoot()
      * sin(60 * exp(-pow((mean - 275) / 25, 2)) * degree)
    return max(0, dL * dL + dC * dC + dH * dH + rotation * dC * dH).squareRoot()
  }
}
