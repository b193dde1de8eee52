import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Tests of profiles made by Pillow (Little CMS) or contained in fixtures, compared with their primaries.
@Suite struct ICCProfileReaderTests {
  /// Returns the profile in a fixture: Display P3 as iPhones write it.
  private static func displayP3() throws -> [UInt8] {
    [UInt8](
      try Tools.output("exiftool", "-b", "-ICC_Profile", TestFiles.fixture("IMG_0001.JPG").path)
        .standardOutput)
  }

  /// Returns a hand-made profile of three curves and a matrix (ICC.1:2022 section 8.3.3): X, Y, Z of the colourants
  /// under D50 in 1/65536, and one gamma for all channels in 1/256. If the colourants are nil, the profile is grey.
  private static func profile(_ colorants: [[Int]]?, gamma: Int) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }
    let white = [63190, 65536, 54061]
    func xyz(_ values: [Int]) -> [UInt8] {
      Array("XYZ ".utf8) + number(0, 4) + values.flatMap { number($0, 4) }
    }
    let curve = Array("curv".utf8) + number(0, 4) + number(1, 4) + number(gamma, 2) + [0, 0]
    var tags: [(String, [UInt8])] = [("wtpt", xyz(white))]
    if let colorants {
      tags += zip(["rXYZ", "gXYZ", "bXYZ"], colorants).map { ($0, xyz($1)) }
      tags += ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
    } else {
      tags.append(("kTRC", curve))
    }
    var table = number(tags.count, 4)
    var data: [UInt8] = []
    for (name, content) in tags {
      table += Array(name.utf8) + number(132 + 12 * tags.count + data.count, 4) + number(content.count, 4)
      data += content
    }
    let size = 128 + table.count + data.count
    var header = number(size, 4) + number(0, 4) + [4, 0x20, 0, 0] + Array("mntr".utf8)
    header += Array((colorants == nil ? "GRAY" : "RGB ").utf8) + Array("XYZ ".utf8)
    header += number(2026, 2) + [0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + white.flatMap { number($0, 4) }
    return header + [UInt8](repeating: 0, count: 128 - header.count) + table + data
  }

  /// A profile with the colourants of Adobe RGB (1998), annex B.
  private static let adobe = profile(
    [[39960, 20389, 1276], [13453, 41009, 3990], [9777, 4139, 48795]], gamma: 563)

  @Test func displayP3IsWhatMoviesCallP3() throws {
    let space = try #require(ICCProfileReader.space(try Self.displayP3()))
    let photo = ColorEncoding(.jpeg, bitDepth: 8, profile: space)
    let movie = ColorEncoding(
      ColorDescription(primaries: 12, transfer: 1, matrix: 6, isFullRange: true), bitDepth: 8)
    for color in [
      SIMD3(1.0, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(0.4, 0.5, 0.6), SIMD3(0.01, 0.02, 0.03),
    ] {
      let difference = photo.linear(color) - movie.linear(color)
      #expect(max(abs(difference.min()), abs(difference.max())) < 2e-3, "\(color)")
    }
  }

  @Test func adobeRGBIsItself() throws {
    let space = try #require(ICCProfileReader.space(Self.adobe))
    let photo = ColorEncoding(.jpeg, bitDepth: 8, profile: space)
    // Its primaries are those of BT.709, except for green at (0.21, 0.71).
    let linear = photo.linear(SIMD3(0.5, 0.5, 0.5))
    #expect(linear.max() - linear.min() < 1e-9)
    #expect(abs(linear.x - pow(0.5, 563.0 / 256)) < 1e-4)
    let green = ReferenceColor.times(ReferenceColor.bt2020, (0..<3).map { photo.linear(SIMD3(0, 1, 0))[$0] })
    let sum = green.reduce(0, +)
    #expect(abs(green[0] / sum - 0.21) < 0.002 && abs(green[1] / sum - 0.71) < 0.002)
    for color in [SIMD3(0.2, 0.7, 0.1), SIMD3(-0.02, 1.03, 0.5)] {
      let back = photo.encoded(photo.linear(color)) - color
      #expect(max(abs(back.min()), abs(back.max())) < 1e-6)
    }
  }

  @Test func greyProfilesAndCurvesAreRead() throws {
    let space = try #require(ICCProfileReader.space(Self.profile(nil, gamma: 461)))
    let grey = ColorEncoding(.jpeg, bitDepth: 8, profile: space)
    #expect(abs(grey.linear(SIMD3(0.5, 0.5, 0.5)).y - pow(0.5, 461.0 / 256)) < 1e-3)
  }

  @Test func damagedProfilesAreRefused() throws {
    let whole = try Self.displayP3()
    #expect(ColorTable.canUse(profile: whole))
    #expect(!ColorTable.canUse(profile: []))
    #expect(!ColorTable.canUse(profile: Array(whole.prefix(200))))
    #expect(!ColorTable.canUse(profile: [UInt8](repeating: 0xFF, count: 600)))
    var generator = SeededGenerator(seed: 5)
    // No profile may cause a crash. A profile that is still valid may be accepted.
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<8 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = ColorTable.canUse(profile: bytes)
    }
  }

  /// A broken profile is treated like no profile.
  @Test func brokenProfilesCountAsSRGB() throws {
    var edit = Edit.identity
    edit[.contrast] = 0.5
    let none = try #require(try ColorTable(edit, color: .jpeg, bitDepth: 8))
    let broken = try #require(try ColorTable(edit, color: .jpeg, bitDepth: 8, profile: [1, 2, 3]))
    for index in stride(from: 0, to: 64 * 64 * 64 * 8, by: 997) {
      #expect(none.cb.pointer[index] == broken.cb.pointer[index])
    }
  }

  // MARK: Profiles of tables

  private static func number(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
  }

  /// Returns a hand-made profile with given tags (ICC.1:2022 section 7.2).
  private static func profile(
    space: String = "RGB ", connection: String = "XYZ ", _ tags: [(String, [UInt8])]
  ) -> [UInt8] {
    var table = number(tags.count, 4)
    var data: [UInt8] = []
    for (name, content) in tags {
      let padded = content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
      table += Array(name.utf8) + number(132 + 12 * tags.count + data.count, 4) + number(content.count, 4)
      data += padded
    }
    var header = number(132 + 12 * tags.count + data.count, 4) + number(0, 4) + [4, 0x20, 0, 0]
    header += Array(("mntr" + space + connection).utf8) + number(2026, 2) + [0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += [63190, 65536, 54061].flatMap { number($0, 4) }
    return header + [UInt8](repeating: 0, count: 128 - header.count) + table + data
  }

  /// Returns a 16-bit table (`mft2`, ICC.1:2022 section 10.10) with a matrix, straight curves, and two points per axis.
  ///
  /// - Parameters:
  ///   - scale: The diagonal of the matrix, which applies if the input is X, Y, Z.
  ///   - white: The outputs if all inputs are 1, in units of 1/65535. Each output depends only on its own input.
  private static func table(scale: [Double], white: [Int]) -> [UInt8] {
    var bytes = Array("mft2".utf8) + number(0, 4) + [3, 3, 2, 0]
    for row in 0..<3 {
      for column in 0..<3 { bytes += number(row == column ? Int((scale[row] * 65536).rounded()) : 0, 4) }
    }
    bytes += number(2, 2) + number(2, 2)
    for _ in 0..<3 { bytes += number(0, 2) + number(65535, 2) }
    for corner in 0..<8 {
      for channel in 0..<3 { bytes += number(corner >> (2 - channel) & 1 == 1 ? white[channel] : 0, 2) }
    }
    for _ in 0..<3 { bytes += number(0, 2) + number(65535, 2) }
    return bytes
  }

  /// X, Y, Z of the D50 white.
  private static let d50 = [0.9642, 1, 0.8249]

  /// A profile whose light is R′ · X, G′ · Y and B′ · Z of the white. X, Y, Z are stored in units of 1/32768.
  private static let tables: [UInt8] = {
    let stored = d50.map { Int(($0 * 32768).rounded()) }
    let largest = 65535.0 / 32768
    return profile([
      ("A2B0", table(scale: [1, 1, 1], white: stored)),
      ("B2A0", table(scale: d50.map { largest / $0 }, white: [65535, 65535, 65535])),
    ])
  }()

  /// Converts X, Y, Z under D50 to linear BT.2020, with Bradford's matrix as published by Lindbloom and then the
  /// primaries.
  private static func working(_ xyz: [Double]) -> [Double] {
    let bradford = [
      [0.9555766, -0.0230393, 0.0631636], [-0.0282895, 1.0099416, 0.0210077],
      [0.0122982, -0.0204830, 1.3299098],
    ]
    return ReferenceColor.times(
      ReferenceColor.times(ReferenceColor.inverse(ReferenceColor.bt2020), bradford), xyz)
  }

  @Test func profilesOfTablesAreRead() throws {
    let space = try #require(ICCProfileReader.space(Self.tables))
    guard case .profile = space else {
      Issue.record("read as curves and a matrix")
      return
    }
    let encoding = ColorEncoding(.jpeg, bitDepth: 8, profile: space)
    for color in [
      SIMD3(0, 0, 0), SIMD3(1, 1, 1), SIMD3(0.5, 0.5, 0.5), SIMD3(1, 0, 0), SIMD3(0, 1, 0),
      SIMD3(0.2, 0.7, 0.4),
    ] as [SIMD3<Double>] {
      let linear = encoding.linear(color)
      let expected = Self.working((0..<3).map { color[$0] * Self.d50[$0] })
      for channel in 0..<3 { #expect(abs(linear[channel] - expected[channel]) < 2e-3, "\(color)") }
      let back = encoding.encoded(linear) - color
      #expect(max(abs(back.min()), abs(back.max())) < 2e-3, "\(color)")
    }
  }

  @Test func beyondATableColoursGoOnAsThoseOfSRGB() throws {
    let space = try #require(ICCProfileReader.space(Self.tables))
    let encoding = ColorEncoding(.jpeg, bitDepth: 8, profile: space)
    for (color, inside) in [
      (SIMD3(1.2, 0.5, 0.5), SIMD3(1, 0.5, 0.5)), (SIMD3(0.5, -0.1, 0.5), SIMD3(0.5, 0, 0.5)),
    ] as [(SIMD3<Double>, SIMD3<Double>)] {
      let step = encoding.linear(color) - encoding.linear(inside)
      for channel in 0..<3 {
        let expected = ReferenceColor.decode(color[channel]) - ReferenceColor.decode(inside[channel])
        #expect(abs(step[channel] - expected) < 1e-6)
      }
    }
    // Light without a code in the table results in values above 1.
    let bright = encoding.encoded(encoding.linear(SIMD3(1, 1, 1)) * 2)
    #expect(bright.min() > 1.05)
  }

  /// Floating-point steps (`mpet`, ICC.1:2022 section 10.14) that multiply beyond the range of numbers and then
  /// subtract. A result that is not a number counts as no profile.
  @Test func whatIsNoNumberIsNone() throws {
    func float(_ value: Float) -> [UInt8] { Self.number(Int(value.bitPattern), 4) }
    func matrix(_ rows: [[Float]]) -> [UInt8] {
      Array("matf".utf8) + Self.number(0, 4) + Self.number(3, 2) + Self.number(3, 2)
        + (rows.flatMap { $0 } + [0, 0, 0]).flatMap(float)
    }
    let huge = matrix([[9e19, 0, 0], [0, 9e19, 0], [0, 0, 9e19]])
    let difference = matrix([[1, -1, 0], [0, 1, -1], [-1, 0, 1]])
    let steps = [huge, huge, difference]
    var bytes = Array("mpet".utf8) + Self.number(0, 4) + Self.number(3, 2) + Self.number(3, 2)
    bytes += Self.number(steps.count, 4)
    for index in steps.indices {
      bytes += Self.number(16 + 24 + index * huge.count, 4) + Self.number(huge.count, 4)
    }
    bytes += steps.joined()
    let stored = Self.d50.map { Int(($0 * 32768).rounded()) }
    let profile = Self.profile([
      ("A2B0", Self.table(scale: [1, 1, 1], white: stored)),
      ("B2A0", Self.table(scale: [1, 1, 1], white: [65535, 65535, 65535])), ("D2B1", bytes), ("B2D1", bytes),
    ])
    let space = try #require(ICCProfileReader.space(profile))
    let encoding = ColorEncoding(.jpeg, bitDepth: 8, profile: space)
    for color in [SIMD3(1, 1, 1), SIMD3(0.5, 0.2, 0.9)] as [SIMD3<Double>] {
      for result in [encoding.linear(color), encoding.encoded(color)] {
        for channel in 0..<3 { #expect(result[channel].isFinite, "\(result)") }
      }
    }
  }

  @Test func onlyHalfATableIsNone() {
    let stored = Self.d50.map { Int(($0 * 32768).rounded()) }
    let oneWay = Self.profile([("A2B0", Self.table(scale: [1, 1, 1], white: stored))])
    #expect(ICCProfileReader.space(oneWay) == nil)
  }

  // MARK: Curves

  /// Returns a profile of BT.709's colourants under D50 with one curve for all channels, given as points.
  private static func profile(curve points: [Int]) -> [UInt8] {
    let curve = Array("curv".utf8) + number(0, 4) + number(points.count, 4) + points.flatMap { number($0, 2) }
    func xyz(_ values: [Int]) -> [UInt8] {
      Array("XYZ ".utf8) + number(0, 4) + values.flatMap { number($0, 4) }
    }
    return profile([
      ("rXYZ", xyz([28578, 14581, 912])), ("gXYZ", xyz([25238, 46983, 6364])),
      ("bXYZ", xyz([9374, 3972, 46781])),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ])
  }

  @Test func aCurveThatIsNoGammaIsSampled() throws {
    // An S-shaped curve that is neither a power nor sRGB's curve.
    func s(_ x: Double) -> Double { x * x * (3 - 2 * x) }
    let points = (0..<1024).map { Int((s(Double($0) / 1023) * 65535).rounded()) }
    let space = try #require(ICCProfileReader.space(Self.profile(curve: points)))
    let encoding = ColorEncoding(.jpeg, bitDepth: 8, profile: space)
    for value in [0, 0.1, 0.25, 0.5, 0.8, 1] {
      let linear = encoding.linear(SIMD3(value, value, value))
      #expect(abs(linear.x - s(value)) < 1e-3 && linear.max() - linear.min() < 1e-9)
      #expect(abs(encoding.encoded(linear).y - value) < 2e-3)
    }
  }

  @Test func sRGBsCurveIsRecognised() throws {
    let points = (0..<4096).map { Int((ReferenceColor.decode(Double($0) / 4095) * 65535).rounded()) }
    let space = try #require(ICCProfileReader.space(Self.profile(curve: points)))
    guard case .matrix(.sRGB, .sRGB, .sRGB, _, _) = space else {
      Issue.record("not sRGB's curve")
      return
    }
    let encoding = ColorEncoding(.jpeg, bitDepth: 8, profile: space)
    let red = encoding.linear(SIMD3(1, 0, 0))
    let expected = ReferenceColor.times(
      ReferenceColor.times(ReferenceColor.inverse(ReferenceColor.bt2020), ReferenceColor.sRGB), [1, 0, 0])
    for channel in 0..<3 { #expect(abs(red[channel] - expected[channel]) < 1e-3) }
  }

  @Test func profilesOfOtherSpacesAndSizesAreRefused() {
    #expect(ICCProfileReader.space(Self.profile(space: "CMYK", [])) == nil)
    #expect(ICCProfileReader.space(Self.profile(space: "GRAY", [])) == nil)
    #expect(ICCProfileReader.space(Self.profile([])) == nil)
    let large = Self.adobe + [UInt8](repeating: 0, count: 16 << 20)
    #expect(ICCProfileReader.space(Self.adobe) != nil && ICCProfileReader.space(large) == nil)
  }
}
