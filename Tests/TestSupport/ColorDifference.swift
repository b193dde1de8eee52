import Foundation

/// The CIEDE2000 colour difference: G. Sharma, W. Wu, E. Dalal, “The CIEDE2000 Color-Difference Formula: Implementation
/// Notes, Supplementary Test Data, and Mathematical Observations”, Color Research and Application 30 (2005).
public enum ColorDifference {
  /// Converts X, Y, Z to CIE L*a*b* relative to a white point.
  public static func lab(_ xyz: [Double], white: [Double] = [0.9504559, 1, 1.0890578]) -> [Double] {
    let f = zip(xyz, white).map { value, white in
      let t = value / white
      return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }

  /// Returns the difference between two CIE L*a*b* colours.
  public static func ciede2000(_ first: [Double], _ second: [Double]) -> Double {
    func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let c1 = hypot(first[1], first[2])
    let c2 = hypot(second[1], second[2])
    let seventh = pow((c1 + c2) / 2, 7)
    let g = 0.5 * (1 - sqrt(seventh / (seventh + pow(25, 7))))
    func polar(_ color: [Double]) -> (c: Double, h: Double) {
      let a = (1 + g) * color[1]
      guard a != 0 || color[2] != 0 else { return (0, 0) }
      let h = degrees(atan2(color[2], a))
      return (hypot(a, color[2]), h < 0 ? h + 360 : h)
    }
    let (p1, p2) = (polar(first), polar(second))
    let dl = second[0] - first[0]
    let dc = p2.c - p1.c
    var turn = 0.0
    if p1.c * p2.c != 0 {
      turn = p2.h - p1.h
      if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    }
    let dh = 2 * sqrt(p1.c * p2.c) * sin(radians(turn / 2))
    let l = (first[0] + second[0]) / 2
    let c = (p1.c + p2.c) / 2
    var h = p1.h + p2.h
    if p1.c * p2.c != 0 {
      if abs(p1.h - p2.h) <= 180 { h /= 2 } else { h = h < 360 ? (h + 360) / 2 : (h - 360) / 2 }
    }
    let t =
      1 - 0.17 * cos(radians(h - 30)) + 0.24 * cos(radians(2 * h)) + 0.32 * cos(radians(3 * h + 6))
      - 0.2 * cos(radians(4 * h - 63))
    let sl = 1 + 0.015 * pow(l - 50, 2) / sqrt(20 + pow(l - 50, 2))
    let sc = 1 + 0.045 * c
    let sh = 1 + 0.015 * c * t
    let rc = 2 * sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7)))
    let rt = -rc * sin(radians(60 * exp(-pow((h - 275) / 25, 2))))
    let (x, y, z) = (dl / sl, dc / sc, dh / sh)
    return sqrt(x * x + y * y + z * z + rt * y * z)
  }
}
