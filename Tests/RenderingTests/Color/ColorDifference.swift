import Foundation
import Testing

/// CIEDE2000: G. Sharma, W. Wu, E. Dalal, “The CIEDE2000 Color-Difference Formula: Implementation Notes,
/// Supplementary Test Data, and Mathematical Observations”, Color Research and Application 30 (2005).
enum ColorDifference {
  /// CIE L*a*b* of X, Y, Z relative to a white.
  static func lab(_ xyz: [Double], white: [Double] = [0.9504559, 1, 1.0890578]) -> [Double] {
    let f = zip(xyz, white).map { value, white in
      let t = value / white
      return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }

  static func ciede2000(_ first: [Double], _ second: [Double]) -> Double {
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

@Suite struct ColorDifferenceTests {
  /// Table 1 of the paper.
  static let pairs: [[Double]] = [
    [50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425], [50, 3.1571, -77.2803, 50, 0, -82.7485, 2.8615],
    [50, 2.8361, -74.0200, 50, 0, -82.7485, 3.4412], [50, -1.3802, -84.2814, 50, 0, -82.7485, 1.0000],
    [50, -1.1848, -84.8006, 50, 0, -82.7485, 1.0000], [50, -0.9009, -85.5211, 50, 0, -82.7485, 1.0000],
    [50, 0, 0, 50, -1, 2, 2.3669], [50, -1, 2, 50, 0, 0, 2.3669],
    [50, 2.4900, -0.0010, 50, -2.4900, 0.0009, 7.1792], [50, 2.4900, -0.0010, 50, -2.4900, 0.0010, 7.1792],
    [50, 2.4900, -0.0010, 50, -2.4900, 0.0011, 7.2195], [50, 2.4900, -0.0010, 50, -2.4900, 0.0012, 7.2195],
    [50, -0.0010, 2.4900, 50, 0.0009, -2.4900, 4.8045], [50, -0.0010, 2.4900, 50, 0.0010, -2.4900, 4.8045],
    [50, -0.0010, 2.4900, 50, 0.0011, -2.4900, 4.7461], [50, 2.5, 0, 50, 0, -2.5, 4.3065],
    [50, 2.5, 0, 73, 25, -18, 27.1492], [50, 2.5, 0, 61, -5, 29, 22.8977],
    [50, 2.5, 0, 56, -27, -3, 31.9030],
    [50, 2.5, 0, 58, 24, 15, 19.4535], [50, 2.5, 0, 50, 3.1736, 0.5854, 1.0000],
    [50, 2.5, 0, 50, 3.2972, 0, 1.0000], [50, 2.5, 0, 50, 1.8634, 0.5757, 1.0000],
    [50, 2.5, 0, 50, 3.2592, 0.3350, 1.0000],
    [60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644],
    [63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.2630],
    [61.2901, 3.7196, -5.3901, 61.4292, 2.2480, -4.9620, 1.8731],
    [35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645],
    [22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373],
    [36.4612, 47.8580, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146],
    [90.8027, -2.0831, 1.4410, 91.1528, -1.6435, 0.0447, 1.4441],
    [90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381],
    [6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377],
    [2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082],
  ]

  @Test func publishedPairsComeOut() {
    for pair in Self.pairs {
      let difference = ColorDifference.ciede2000(Array(pair[0..<3]), Array(pair[3..<6]))
      #expect(abs(difference - pair[6]) < 0.0001, "\(pair)")
    }
  }
}
