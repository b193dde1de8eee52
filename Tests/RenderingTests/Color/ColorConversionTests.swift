import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Tests of converting colours to other codes, compared with matrices from the standards.
@Suite struct ColorConversionTests {
  /// The columns are X, Y, Z of red, green and blue, from IEC 61966-2-1 and SMPTE EG 432-1 with D65.
  private static let sRGBToXYZ = [
    [0.4123908, 0.3575843, 0.1804808], [0.2126390, 0.7151687, 0.0721923], [0.0193308, 0.1191948, 0.9505322],
  ]
  private static let p3ToXYZ = [
    [0.4865709, 0.2656677, 0.1982173], [0.2289746, 0.6917385, 0.0792869], [0, 0.0451134, 1.0439444],
  ]

  private func linear(_ x: Double) -> Double { x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4) }

  /// Returns X, Y, Z of R′G′B′ values from 0 to 1.
  private func xyz(_ color: [Double], _ matrix: [[Double]]) -> [Double] {
    matrix.map { zip($0, color).reduce(0) { $0 + $1.0 * linear(min(max($1.1, 0), 1)) } }
  }

  /// Returns a picture of a single colour.
  private func frame(_ color: [Double], _ description: ColorDescription, depth: Int) throws -> PlanarFrame {
    let format = FrameFormat(width: 4, height: 2, sampling: .yuv444, bitDepth: depth, color: description)
    let frame = try #require(PlanarFrame(format: format))
    let code = format.encoding.luma(SIMD3(color[0], color[1], color[2]))
    let unit = Double(1 << (depth - 8))
    let codes = [
      code.x * format.encoding.lumaRange + format.encoding.black,
      code.y * format.encoding.chromaRange + 128, code.z * format.encoding.chromaRange + 128,
    ]
    for (plane, code) in codes.enumerated() {
      #expect(
        frame.setSamples([UInt16](repeating: UInt16((code * unit).rounded()), count: 8), ofPlane: plane))
    }
    return frame
  }

  private static let colors: [[Double]] = [
    [0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5], [0.8, 0.5, 0.4], [0.3, 0.6, 0.35], [0.25, 0.35, 0.7],
    [0.6, 0.45, 0.2], [0.1, 0.12, 0.08], [0.9, 0.75, 0.7],
  ]

  /// Colours that both colour spaces contain represent the same light afterwards.
  @Test(arguments: [8, 10]) func colorsOfP3StayThemselvesInSRGB(_ depth: Int) throws {
    let p3 = ColorDescription(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
    for target in [ColorDescription.sRGBJPEG, .bt709] {
      let table = try ColorTable(from: p3, to: target, bitDepth: depth)
      for color in Self.colors {
        let new = try table.apply(to: frame(color, p3, depth: depth)).described(as: target)
        #expect(new.format.color == target)
        let pixel = try #require(PackedPixels(new)).pixels[0]
        let result = [16, 8, 0].map { Double(pixel >> UInt32($0) & 255) / 255 }
        let difference = ColorDifference.ciede2000(
          ColorDifference.lab(xyz(result, Self.sRGBToXYZ)), ColorDifference.lab(xyz(color, Self.p3ToXYZ)))
        #expect(difference < 1, "\(color) is \(result)")
      }
    }
  }

  /// The green of P3 is clipped to sRGB.
  @Test func colorsBeyondAreCutOff() throws {
    let p3 = ColorDescription(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
    let table = try ColorTable(from: p3, to: .sRGBJPEG, bitDepth: 8)
    let pixel = try #require(
      PackedPixels(try table.apply(to: frame([0, 1, 0], p3, depth: 8)).described(as: .sRGBJPEG))
    ).pixels[0]
    #expect(pixel >> 16 & 255 == 0 && pixel >> 8 & 255 == 255 && pixel & 255 < 12)
  }

  /// In HLG, black remains black, reference white has 0.85 of white's light, and the brightest value is white. Greys
  /// remain grey, and their order is kept.
  @Test func hdrIsBroughtBelowWhite() throws {
    let hlg = ColorDescription(primaries: 9, transfer: 18, matrix: 9, isFullRange: false)
    let table = try ColorTable(from: hlg, to: .bt709, bitDepth: 10)
    var last = -1.0
    for code in stride(from: 0.0, through: 1, by: 0.05) {
      let new = try table.apply(to: frame([code, code, code], hlg, depth: 10)).described(as: .bt709)
      let pixel = try #require(PackedPixels(new)).pixels[0]
      let channels = [16, 8, 0].map { Int(pixel >> UInt32($0) & 255) }
      #expect((channels.max() ?? 0) - (channels.min() ?? 0) <= 1)
      let light = linear(Double(channels[1]) / 255)
      #expect(light >= last - 0.001)
      last = light
      if code == 0 { #expect(channels[1] == 0) }
      // In ITU-R BT.2408, reference white has the code 0.75.
      if abs(code - 0.75) < 0.001 { #expect(abs(light - 0.853) < 0.01) }
    }
    #expect(last > 0.99)
    #expect(throws: (any Error).self) { try ColorTable(from: hlg, to: .bt709, bitDepth: 12) }
  }
}
