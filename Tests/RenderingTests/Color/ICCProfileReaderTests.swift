import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Profiles that Pillow (Little CMS) makes, or that fixtures carry, against the primaries that they stand for.
@Suite struct ICCProfileReaderTests {
  /// The profile in a fixture: Display P3 as iPhones write it.
  private static func displayP3() throws -> [UInt8] {
    [UInt8](
      try Tools.output("exiftool", "-b", "-ICC_Profile", TestFiles.fixture("IMG_0001.JPG").path)
        .standardOutput)
  }

  /// A profile of three curves and a matrix by hand (ICC.1:2022 section 8.3.3): X, Y, Z of the colourants under D50
  /// in 1/65536, and one gamma for all in 1/256. nil leaves out the colourants and makes it grey.
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

  /// Adobe RGB (1998), annex B: its colourants in a profile.
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
    // Its primaries are those of BT.709 but for green at (0.21, 0.71).
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
    // None may crash; what is still a profile may pass.
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<8 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = ColorTable.canUse(profile: bytes)
    }
  }

  /// A broken profile is as none.
  @Test func brokenProfilesCountAsSRGB() throws {
    var edit = Edit.identity
    edit[.contrast] = 0.5
    let none = try #require(try ColorTable(edit, color: .jpeg, bitDepth: 8))
    let broken = try #require(try ColorTable(edit, color: .jpeg, bitDepth: 8, profile: [1, 2, 3]))
    for index in stride(from: 0, to: 64 * 64 * 64 * 8, by: 997) {
      #expect(none.cb.pointer[index] == broken.cb.pointer[index])
    }
  }
}
