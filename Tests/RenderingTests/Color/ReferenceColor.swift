import EditModel
import Foundation
import Testing

/// A second, slow implementation of the formulas in ``Parameter/description`` with published matrices, used as the
/// reference for the colour table. It uses no code of the engine.
enum ReferenceColor {
  typealias Vector = [Double]
  typealias Matrix = [[Double]]

  static func times(_ m: Matrix, _ v: Vector) -> Vector {
    m.map { (row: [Double]) -> Double in row[0] * v[0] + row[1] * v[1] + row[2] * v[2] }
  }

  static func times(_ m: Matrix, _ n: Matrix) -> Matrix {
    m.map { (row: [Double]) -> [Double] in
      (0..<3).map { (column: Int) -> Double in
        row[0] * n[0][column] + row[1] * n[1][column] + row[2] * n[2][column]
      }
    }
  }

  static func inverse(_ m: Matrix) -> Matrix {
    func minor(_ r: Int, _ c: Int) -> Double {
      let rows = [0, 1, 2].filter { $0 != r }
      let columns = [0, 1, 2].filter { $0 != c }
      return m[rows[0]][columns[0]] * m[rows[1]][columns[1]] - m[rows[0]][columns[1]] * m[rows[1]][columns[0]]
    }
    let determinant = m[0][0] * minor(0, 0) - m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2)
    return (0..<3).map { r in (0..<3).map { c in ((r + c) % 2 == 0 ? 1 : -1) * minor(c, r) / determinant } }
  }

  // The matrix from linear R, G, B to X, Y, Z, as printed in ITU-R and W3C papers.
  static let bt2020: Matrix = [
    [0.6369580483, 0.1446169036, 0.1688809752], [0.2627002120, 0.6779980715, 0.0593017165],
    [0, 0.0280726930, 1.0609850577],
  ]
  static let sRGB: Matrix = [
    [0.4123907993, 0.3575843394, 0.1804807884], [0.2126390059, 0.7151686788, 0.0721923154],
    [0.0193308187, 0.1191947798, 0.9505321522],
  ]
  static let p3: Matrix = [
    [0.4865709486, 0.2656676932, 0.1982172852], [0.2289745641, 0.6917385218, 0.0792869141],
    [0, 0.0451133819, 1.0439443689],
  ]

  static func decode(_ x: Double) -> Double {
    let a = abs(x)
    return (a <= 0.04045 ? a / 12.92 : pow((a + 0.055) / 1.055, 2.4)) * (x < 0 ? -1 : 1)
  }

  static func encode(_ x: Double) -> Double {
    let a = abs(x)
    return (a <= 0.0031308 ? a * 12.92 : 1.055 * pow(a, 1 / 2.4) - 0.055) * (x < 0 ? -1 : 1)
  }

  /// Extends a function of encoded values beyond 0 and 1: first straight, then back to a slope of 1.
  private static func extended(_ x: Double, _ f: (Double) -> Double) -> Double {
    guard x < 0 || x > 1 else { return f(x) }
    let end = x < 0 ? 0.0 : 1.0
    let h = x < 0 ? 1e-6 : -1e-6
    let slope = (f(end + h) - f(end)) / h
    let d = x - end
    return f(end) + d * (1 + (slope - 1) / (1 + 2 * abs(d)))
  }

  private static func shoulder(_ x: Double, knee: Double, top: Double, largest: Double) -> Double {
    guard largest > top, x > knee else { return x }
    let t = (x - knee) / (top - knee)
    let m = (largest - knee) / (top - knee)
    return knee + (top - knee) * t * (1 + t / (m * m)) / (1 + t)
  }

  /// Returns adjusted linear light in the working space.
  ///
  /// - Parameter channels: The matrix from the working space to linear light of the encoded channels.
  static func adjust(_ color: Vector, _ edit: Edit, peak: Double, channels toChannels: Matrix? = nil)
    -> Vector
  {
    let balanced = balance(color, edit)
    var c = light(balanced, edit, peak: peak)
    c = tone(c, edit)
    c = c.map { decode(extended(encode($0)) { channel($0, edit) }) }
    c = withHue(of: balanced, c)
    var lab = oklab(c)
    lab = ranges(lab, edit)
    lab = chroma(lab, edit)
    lab = grade(lab, edit)
    if let toChannels { lab = kept(lab, from: oklab(color), toChannels, peak) }
    c = light(ofLab: lab)
    if edit[.monochrome] > 0 {
      var w = zip([0.2627, 0.678, 0.0593], [Parameter.monochromeRed, .monochromeGreen, .monochromeBlue])
        .map { $0 * pow(4, edit[$1]) }
      let sum = w.reduce(0, +)
      w = w.map { $0 / sum }
      let y = encode(zip(w, c).map(*).reduce(0, +))
      let grey = decode(extended(y) { $0 + 1.5 * edit[.monochromeTone] * $0 * (1 - $0) * ($0 - 0.48) })
      c = c.map { $0 + edit[.monochrome] * (grey - $0) }
    }
    return c
  }

  private static let m1: Matrix = [
    [0.8189330101, 0.3618667424, -0.1288597137], [0.0329845436, 0.9293118715, 0.0361456387],
    [0.0482003018, 0.2643662691, 0.6338517070],
  ]
  private static let m2: Matrix = [
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
  ]
  private static let toCones = times(m1, bt2020)
  private static let fromRoots = inverse(m2)
  private static let fromCones = inverse(toCones)

  private static func oklab(_ c: Vector) -> Vector { times(m2, times(toCones, c).map { cbrt($0) }) }

  private static func light(ofLab lab: Vector) -> Vector {
    times(fromCones, times(fromRoots, lab).map { $0 * $0 * $0 })
  }

  private static func withHue(of other: Vector, _ c: Vector) -> Vector {
    let (wanted, lab) = (oklab(other), oklab(c))
    let (before, after) = (hypot(wanted[1], wanted[2]), hypot(lab[1], lab[2]))
    guard before > 1e-4 else { return c }
    return light(ofLab: [lab[0], wanted[1] / before * after, wanted[2] / before * after])
  }

  /// Reduces the chroma if the colour would not fit into the gamut.
  private static func kept(_ lab: Vector, from before: Vector, _ toChannels: Matrix, _ peak: Double) -> Vector
  {
    let top = cbrt(peak)
    func share(_ lab: Vector) -> Double {
      func fits(_ share: Double) -> Bool {
        times(toChannels, light(ofLab: [lab[0], lab[1] * share, lab[2] * share])).allSatisfy {
          -1e-6...peak * (1 + 1e-6) ~= $0
        }
      }
      if fits(1.25) { return 0 }
      var (least, most) = (0.0, 1.25)
      for _ in 0..<18 {
        if fits((least + most) / 2) { least = (least + most) / 2 } else { most = (least + most) / 2 }
      }
      return 1 / max(least, 1e-4)
    }
    if lab[0] >= top, before[0] < top { return [top, 0, 0] }
    let held = [min(before[0], 0.995 * top), before[1], before[2]]
    let (knee, wanted) = (max(0.8, share(held)), share(lab))
    guard wanted > knee else { return lab }
    let t = (wanted - knee) / (1 - knee)
    let result = knee < 1 ? knee + (1 - knee) * t / (1 + t) : knee
    return [lab[0], lab[1] * result / wanted, lab[2] * result / wanted]
  }

  private static func smooth(_ x: Double) -> Double {
    let t = min(max(x, 0), 1)
    return t * t * (3 - 2 * t)
  }

  private static func ranges(_ lab: Vector, _ edit: Edit) -> Vector {
    let chroma = hypot(lab[1], lab[2])
    guard chroma > 1e-6 else { return lab }
    // Angles are measured along a square, so that the weight can be calculated from a and b by division alone.
    func square(_ a: Double, _ b: Double) -> Double {
      let way = abs(b) / (abs(a) + abs(b))
      return b >= 0 ? (a >= 0 ? way : 2 - way) : (a < 0 ? 2 + way : 4 - way)
    }
    let middles = Parameter.hueRanges.map { square(cos($0.degrees * .pi / 180), sin($0.degrees * .pi / 180)) }
    let here = square(lab[1], lab[2])
    var (turn, gain, lift) = (0.0, 0.0, 0.0)
    for index in middles.indices {
      let next = (index + 1) % middles.count
      let width = (middles[next] - middles[index] + 4).truncatingRemainder(dividingBy: 4)
      let way = (here - middles[index] + 4).truncatingRemainder(dividingBy: 4) / width
      guard way < 1 else { continue }
      for (range, weight) in [(index, 1 - smooth(way)), (next, smooth(way))] {
        let range = Parameter.hueRanges[range]
        turn += weight * tan(edit[range.hue] * .pi / 12)
        gain += weight * edit[range.saturation]
        lift += weight * edit[range.luminance]
      }
    }
    let hue = atan2(lab[2], lab[1]) + 2 * atan(turn)
    let wanted = chroma * (1 + gain)
    return [lab[0] * (1 + 0.25 * lift * chroma / (chroma + 0.05)), wanted * cos(hue), wanted * sin(hue)]
  }

  private static func grade(_ lab: Vector, _ edit: Edit) -> Vector {
    let shadows = 1 - smooth((lab[0] - 0.2) / 0.45)
    let highlights = smooth((lab[0] - 0.55) / 0.4)
    var result = lab
    for (part, weight) in zip(Parameter.grades, [shadows, 1 - shadows - highlights, highlights]) {
      let hue = edit[part.hue] * .pi / 180
      result[0] += 0.6 * edit[part.luminance] * weight * max(lab[0] * (1 - lab[0]), 0)
      result[1] += 0.1 * edit[part.saturation] * cos(hue) * weight
      result[2] += 0.1 * edit[part.saturation] * sin(hue) * weight
    }
    return result
  }

  private static func adaptation(to mired: Double, _ offset: Double) -> Matrix {
    let bradford: Matrix = [
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ]
    let from = times(bradford, daylight(1e6 / 6504, 0))
    let to = times(bradford, daylight(mired, offset))
    let scale: Matrix = [[to[0] / from[0], 0, 0], [0, to[1] / from[1], 0], [0, 0, to[2] / from[2]]]
    let adapt = times(inverse(bradford), times(scale, bradford))
    return times(inverse(bt2020), times(adapt, bt2020))
  }

  /// Returns the matrix by which white balance multiplies linear light.
  static func balanceMatrix(temperature: Double, warmth: Double = 0, tint: Double) -> Matrix {
    times(
      adaptation(to: 1e6 / 6504 + 70 * warmth, -0.02 * tint), inverse(adaptation(to: 1e6 / temperature, 0)))
  }

  private static func balance(_ color: Vector, _ edit: Edit) -> Vector {
    times(
      balanceMatrix(temperature: edit[.temperature], warmth: edit[.warmth], tint: edit[.tint]), color)
  }

  private static func light(_ color: Vector, _ edit: Edit, peak: Double) -> Vector {
    let gain = pow(2, edit[.exposure])
    let white = balance([peak, peak, peak], edit).map { $0 * gain }
    return (0..<3).map { shoulder(color[$0] * gain, knee: peak / 2, top: peak, largest: white[$0]) }
  }

  /// Returns CIE 15 daylight, moved perpendicular to its locus.
  private static func daylight(_ mired: Double, _ offset: Double) -> Vector {
    func xy(_ mired: Double) -> (Double, Double) {
      let t = 1e6 / mired
      let x =
        t <= 7000
        ? -4.6070e9 / (t * t * t) + 2.9678e6 / (t * t) + 0.09911e3 / t + 0.244063
        : -2.0064e9 / (t * t * t) + 1.9018e6 / (t * t) + 0.24748e3 / t + 0.237040
      return (x, -3 * x * x + 2.87 * x - 0.275)
    }
    func uv(_ p: (Double, Double)) -> (Double, Double) {
      let d = -2 * p.0 + 12 * p.1 + 3
      return (4 * p.0 / d, 6 * p.1 / d)
    }
    let (a, b, p) = (uv(xy(mired - 1)), uv(xy(mired + 1)), uv(xy(mired)))
    let (du, dv) = (b.0 - a.0, b.1 - a.1)
    let length = hypot(du, dv)
    let (u, v) = (p.0 - offset * dv / length, p.1 + offset * du / length)
    let (x, y) = (3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4))
    return [x / y, 1, (1 - x - y) / y]
  }

  private static func tone(_ c: Vector, _ edit: Edit) -> Vector {
    let squares = c.map { $0 * $0 }.reduce(0, +)
    guard squares > 1e-12 else { return c }
    let norm = c.map { abs($0 * $0 * $0) }.reduce(0, +) / squares
    let v = extended(encode(norm)) { value in
      let v = value + 0.7 * edit[.brightness] * value * (1 - value)
      return v / (1 - 0.13 * edit[.whites] * v * v)
    }
    return c.map { $0 * decode(v) / norm }
  }

  private static func channel(_ value: Double, _ edit: Edit) -> Double {
    var v = value
    v *= 1 - 0.85 * edit[.blackPoint] * pow(1 - v, 4)
    v += 1.5 * edit[.contrast] * v * (1 - v) * (v - 0.48)
    v = (v - edit[.levelsBlack]) / (edit[.levelsWhite] - edit[.levelsBlack])
    if v <= 0 { v = 0 } else if v >= 1 { v = 1 } else { v = v / (v + (1 - v) / pow(2, edit[.levelsMidtone])) }
    return edit[.levelsOutputBlack] + v * (edit[.levelsOutputWhite] - edit[.levelsOutputBlack])
  }

  private static func chroma(_ lab: Vector, _ edit: Edit) -> Vector {
    let amount = hypot(lab[1], lab[2])
    let hue = atan2(lab[2], lab[1])
    let spared = 1 - 0.72 * pow(max(cos(hue - 55 * .pi / 180), 0), 8)
    let saturation = 1 + edit[.saturation] * (edit[.saturation] > 0 ? 0.7 : 1)
    let wanted = amount * saturation * (1 + 0.8 * edit[.vibrance] * spared / (1 + pow(amount / 0.075, 4)))
    return [lab[0], wanted * cos(hue), wanted * sin(hue)]
  }

  /// The encoding of colours as codes.
  struct Source: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let toXYZ: Matrix
    var kr = 0.299
    var kb = 0.114
    var isFullRange = true
    var bitDepth = 8
    var peak = 1.0
    /// The largest R′, G′ and B′ of colours to compare.
    var mostInput = 1.0
    /// Whether to compare results where a step of one node changes them by more than 2.5 codes per code.
    var comparesSteep = true
    var decode: @Sendable (Double) -> Double = ReferenceColor.decode
    var encode: @Sendable (Double) -> Double = ReferenceColor.encode

    private var scales: (black: Double, luma: Double, middle: Double, chroma: Double) {
      let unit = Double(1 << (bitDepth - 8))
      let all = 256 * unit - 1
      return isFullRange ? (0, all, 128 * unit, all) : (16 * unit, 219 * unit, 128 * unit, 224 * unit)
    }

    /// Returns the encoded R′, G′, B′ of codes.
    func primaries(_ codes: Vector) -> Vector {
      let s = scales
      let y = (codes[0] - s.black) / s.luma
      let (b, r) = ((codes[1] - s.middle) / s.chroma, (codes[2] - s.middle) / s.chroma)
      let (red, blue) = (y + 2 * (1 - kr) * r, y + 2 * (1 - kb) * b)
      return [red, (y - kr * red - kb * blue) / (1 - kr - kb), blue]
    }

    /// Returns the codes of encoded R′, G′, B′ without rounding.
    func codes(_ c: Vector) -> Vector {
      let s = scales
      let y = kr * c[0] + (1 - kr - kb) * c[1] + kb * c[2]
      return [
        y * s.luma + s.black, (c[2] - y) / (2 - 2 * kb) * s.chroma + s.middle,
        (c[0] - y) / (2 - 2 * kr) * s.chroma + s.middle,
      ]
    }

    /// The matrix from the working space to linear light of the channels.
    var channels: Matrix { times(inverse(toXYZ), bt2020) }

    /// Returns the linear light of codes in the working space.
    func linear(_ codes: Vector) -> Vector {
      times(times(inverse(bt2020), toXYZ), primaries(codes).map(decode))
    }

    /// Returns the codes of linear light in the working space.
    func codes(linear: Vector) -> Vector {
      codes(times(times(inverse(toXYZ), bt2020), linear).map(encode))
    }
  }
}
