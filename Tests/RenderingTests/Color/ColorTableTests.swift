import EditModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Rendering

/// Tests of the table and the code that applies it, compared with ``ReferenceColor``.
@Suite struct ColorTableTests {
  static let p3Photo = ReferenceColor.Source(testDescription: "P3 full range", toXYZ: ReferenceColor.p3)
  static let bt709 = ReferenceColor.Source(
    testDescription: "709 limited", toXYZ: ReferenceColor.sRGB, kr: 0.2126, kb: 0.0722, isFullRange: false)
  static let tenBit = ReferenceColor.Source(
    testDescription: "P3 10 bit", toXYZ: ReferenceColor.p3, kr: 0.2126, kb: 0.0722, bitDepth: 10)
  static let hlg = ReferenceColor.Source(
    testDescription: "HLG", toXYZ: ReferenceColor.bt2020, kr: 0.2627, kb: 0.0593, isFullRange: false,
    bitDepth: 10,
    peak: hlgLinear(1),
    decode: { $0 < 0 ? -hlgLinear(-$0) : hlgLinear($0) },
    encode: { $0 < 0 ? -hlgEncoded(-$0) : hlgEncoded($0) })

  /// Returns linear light after ITU-R BT.2100 table 5, where 75% is 1.
  private static func hlgLinear(_ x: Double) -> Double {
    func light(_ x: Double) -> Double {
      x <= 0.5 ? x * x / 3 : (exp((x - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
    return light(x) / light(0.75)
  }

  private static func hlgEncoded(_ x: Double) -> Double {
    let e = x * (exp((0.75 - 0.55991073) / 0.17883277) + 0.28466892) / 12
    return e <= 1.0 / 12 ? sqrt(3 * e) : 0.17883277 * log(12 * e - 0.28466892) + 0.55991073
  }

  static func description(_ source: ReferenceColor.Source) -> ColorDescription {
    switch source.testDescription {
    case "709 limited": ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
    case "P3 10 bit": ColorDescription(primaries: 12, transfer: 1, matrix: 1, isFullRange: true)
    case "HLG": ColorDescription(primaries: 9, transfer: 18, matrix: 9, isFullRange: false)
    case "PQ": ColorDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
    default: ColorDescription(primaries: 12, transfer: 1, matrix: 6, isFullRange: true)
    }
  }

  static func edit(_ values: [Parameter: Double]) -> Edit {
    var edit = Edit.identity
    for (parameter, value) in values { edit[parameter] = value }
    return edit
  }

  private static let made = Mutex<[String: [[Double]]]>([:])

  /// Returns 1500 colours that the source can show, calculated once, beginning with some greys.
  private static func colors(_ source: ReferenceColor.Source) -> [[Double]] {
    if let known = made.withLock({ $0[source.testDescription] }) { return known }
    let colors = colors(source, count: 1500)
    made.withLock { $0[source.testDescription] = colors }
    return colors
  }

  /// Returns colours that the source can show, beginning with some greys.
  static func colors(_ source: ReferenceColor.Source, count: Int) -> [[Double]] {
    var generator = SeededGenerator(seed: 7)
    let greys = stride(from: 0.0, through: 1, by: 1.0 / 63).map {
      source.codes([$0, $0, $0]).map { $0.rounded() }
    }
    var colors = greys
    while colors.count < count {
      var color = (0..<3).map { _ in Double.random(in: 0...source.mostInput, using: &generator) }
      if source.peak > 1 {
        // HDR is recorded with BT.2020's primaries, but no camera or screen exceeds those of P3. The root in HLG is
        // infinitely steep at zero light, which no table can represent.
        let xyz = ReferenceColor.times(ReferenceColor.p3, color.map(source.decode))
        color = ReferenceColor.times(ReferenceColor.inverse(source.toXYZ), xyz).map(source.encode)
      }
      let codes = source.codes(color).map { $0.rounded() }
      if source.primaries(codes).allSatisfy({ 0...1 ~= $0 }) { colors.append(codes) }
    }
    return colors
  }

  /// Returns a table's results for colours, using a frame in which each colour has its own chroma samples.
  static func render(_ table: ColorTable, _ colors: [[Double]], _ source: ReferenceColor.Source) throws
    -> [[Double]]
  {
    let format = FrameFormat(
      width: colors.count, height: 1, sampling: .yuv444, bitDepth: source.bitDepth, color: description(source)
    )
    let frame = try #require(PlanarFrame(format: format))
    for (plane, memory) in frame.planes.enumerated() {
      for (x, color) in colors.enumerated() {
        if source.bitDepth == 8 {
          memory.base.storeBytes(of: UInt8(color[plane]), toByteOffset: x, as: UInt8.self)
        } else {
          memory.base.storeBytes(of: UInt16(color[plane]), toByteOffset: 2 * x, as: UInt16.self)
        }
      }
    }
    let result = try table.apply(to: frame)
    return colors.indices.map { x in
      result.planes.map { plane in
        source.bitDepth == 8
          ? Double(plane.base.load(fromByteOffset: x, as: UInt8.self))
          : Double(plane.base.load(fromByteOffset: 2 * x, as: UInt16.self))
      }
    }
  }

  static func expected(_ color: [Double], _ edit: Edit, _ source: ReferenceColor.Source) -> [Double] {
    let light = ReferenceColor.adjust(
      source.linear(color), edit, peak: source.peak, channels: source.channels)
    let most =
      Double(1 << source.bitDepth) - (source.isFullRange ? 1 : Double(1 << (source.bitDepth - 8)) + 1)
    let least = source.isFullRange ? 0 : Double(1 << (source.bitDepth - 8))
    return source.codes(linear: light).map { min(max($0.rounded(), least), most) }
  }

  /// Returns whether the function is too steep at a colour. At zero light, the slope of PQ is unbounded, which no table
  /// can represent.
  private static func isSteep(_ color: [Double], _ edit: Edit, _ source: ReferenceColor.Source) -> Bool {
    let node = 16.0
    let here = expected(color, edit, source)
    return (0..<3).contains { axis in
      [-node, node].contains { distance in
        var other = color
        other[axis] += distance
        return zip(expected(other, edit, source), here).contains { abs($0 - $1) > 2.5 * node }
      }
    }
  }

  static let edits: [[Parameter: Double]] = [
    [.exposure: 1], [.exposure: -2], [.temperature: 3200], [.whites: 1], [.whites: -1], [.brightness: 1],
    [.blueHue: 1, .redSaturation: 0.6, .greenLuminance: -1], [.orangeSaturation: -1, .yellowHue: -0.5],
    [
      .shadowGradeHue: 250, .shadowGradeSaturation: 0.6, .highlightGradeHue: 70,
      .highlightGradeSaturation: 0.4,
    ],
    [.midtoneGradeLuminance: 1, .shadowGradeLuminance: -1],
    [.contrast: 1], [.blackPoint: 1], [.levelsBlack: 0.05, .levelsWhite: 0.9, .levelsMidtone: 0.4],
    [.saturation: 1], [.saturation: -1], [.vibrance: 1], [.warmth: 1], [.warmth: -0.6, .tint: 1],
    [.monochrome: 1, .monochromeRed: 1, .monochromeTone: 1],
    [
      .exposure: 0.4, .contrast: 0.3, .whites: 0.4, .brightness: -0.2, .warmth: 0.25, .vibrance: 0.5,
      .saturation: 0.1,
    ],
  ]

  func compare(_ values: [Parameter: Double], _ source: ReferenceColor.Source) throws {
    let edit = Self.edit(values)
    let table = try #require(
      try ColorTable(edit, color: Self.description(source), bitDepth: source.bitDepth))
    let colors = Self.colors(source)
    let result = try Self.render(table, colors, source)
    var differences: [Double] = []
    for (index, color) in colors.enumerated() {
      let wanted = Self.expected(color, edit, source)
      guard index < 64 || source.comparesSteep || !Self.isSteep(color, edit, source) else { continue }
      let apart = zip(result[index], wanted).map { abs($0 - $1) }
      if index < 64 { #expect((apart.max() ?? 0) <= Double(1 << (source.bitDepth - 8)), "grey \(color)") }
      differences += apart
    }
    #expect(differences.count >= 3 * 500)
    let unit = Double(1 << (source.bitDepth - 8))
    let mean = differences.reduce(0, +) / Double(differences.count)
    let worst = differences.max() ?? 0
    let far = differences.count { $0 > 3 * unit }
    let summary = "\(source.testDescription) \(values) mean \(mean) worst \(worst) beyond 3: \(far)"
    #expect(mean < (source.bitDepth == 8 ? 0.15 : 0.65), "\(summary)")
    if source.bitDepth == 8 {
      // At the boundary of the gamut the function has corners, which the table's linear interpolation cannot follow.
      #expect(worst <= 32, "\(summary)")
      #expect(Double(far) <= 0.004 * Double(differences.count), "\(summary)")
    }
    if ProcessInfo.processInfo.environment["LIVEEDIT_SHOW"] != nil { print(summary) }
  }

  @Test(arguments: edits.suffix(1))
  func photosMatchTheReference(_ values: [Parameter: Double]) throws {
    try compare(values, Self.p3Photo)
  }
}
