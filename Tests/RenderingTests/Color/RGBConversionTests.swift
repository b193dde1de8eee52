import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Tests of converting colours to a program's own code and back, compared with published matrices and formulas.
@Suite struct RGBConversionTests {
  private typealias Source = ReferenceColor.Source
  private static let sources = [
    ColorTableTests.p3Photo, ColorTableTests.bt709, ColorTableTests.tenBit, ColorTableTests.hlg,
  ]

  private static func frame(
    _ width: Int, _ height: Int, _ sampling: ChromaSampling, _ color: ColorDescription, depth: Int,
    _ code: (Int, Int, Int) -> Int
  ) throws -> PlanarFrame {
    let frame = try #require(
      PlanarFrame(
        format: FrameFormat(width: width, height: height, sampling: sampling, bitDepth: depth, color: color)))
    for plane in frame.planes.indices {
      let (columns, rows) = frame.format.planeSize(plane)
      let samples = (0..<rows).flatMap { y in (0..<columns).map { UInt16(code(plane, $0, y)) } }
      #expect(frame.setSamples(samples, ofPlane: plane))
    }
    return frame
  }

  private static func planes(_ frame: PlanarFrame) -> [[UInt16]] {
    frame.planes.indices.map(frame.samples(ofPlane:))
  }

  /// Returns the values that a program should receive: linear light from the reference, or the same light encoded for a
  /// screen.
  private static func expected(
    _ encoding: RGBEncoding, _ source: Source, _ codes: [Double]
  ) -> [Double] {
    let light = source.linear(codes)
    guard encoding == .display else { return light }
    return ReferenceColor.times(
      ReferenceColor.times(ReferenceColor.inverse(ReferenceColor.p3), ReferenceColor.bt2020), light
    ).map(ReferenceColor.encode)
  }

  @Test(arguments: RGBEncoding.allCases, [0, 1, 2, 3])
  func colorsAreThoseOfTheReference(_ encoding: RGBEncoding, _ index: Int) throws {
    let source = Self.sources[index]
    let unit = 1 << (source.bitDepth - 8)
    var generator = SeededGenerator(seed: 3)
    let codes = (0..<64).map { _ in
      [
        Int.random(in: 40...200, using: &generator) * unit,
        Int.random(in: 100...150, using: &generator) * unit,
        Int.random(in: 100...150, using: &generator) * unit,
      ]
    }
    let frame = try Self.frame(
      8, 8, .yuv444, ColorTableTests.description(source), depth: source.bitDepth
    ) { plane, x, y in codes[8 * y + x][plane] }
    let samples = RGBConversion(encoding, format: frame.format).samples(of: frame)
    var greatest = 0.0
    for (at, code) in codes.enumerated() {
      let wanted = Self.expected(encoding, source, code.map(Double.init))
      for part in 0..<3 { greatest = max(greatest, abs(Double(samples[3 * at + part]) - wanted[part])) }
    }
    #expect(greatest < 2e-4, "\(greatest)")
  }

  /// Colours that a program writes become the reference's nearest codes.
  @Test(arguments: RGBEncoding.allCases, [0, 1, 2, 3])
  func writtenColorsBecomeTheirCodes(_ encoding: RGBEncoding, _ index: Int) throws {
    let source = Self.sources[index]
    let unit = 1 << (source.bitDepth - 8)
    var generator = SeededGenerator(seed: 4)
    let codes = (0..<64).map { _ in
      [
        Double(Int.random(in: 60...180, using: &generator) * unit),
        Double(Int.random(in: 110...140, using: &generator) * unit),
        Double(Int.random(in: 110...140, using: &generator) * unit),
      ]
    }
    let frame = try Self.frame(
      8, 8, .yuv444, ColorTableTests.description(source), depth: source.bitDepth
    ) { plane, _, _ in plane == 0 ? 90 * unit : 128 * unit }
    let samples = codes.flatMap { Self.expected(encoding, source, $0).map { Float($0) } }
    RGBConversion(encoding, format: frame.format).write(samples, to: frame)
    let written = Self.planes(frame)
    for (at, code) in codes.enumerated() {
      for plane in 0..<3 { #expect(abs(Double(written[plane][at]) - code[plane]) <= 1, "\(at) \(plane)") }
    }
  }

  /// A picture that is not changed remains bit-identical in every chroma layout, and so do the unchanged pixels of a
  /// changed picture.
  @Test(arguments: ChromaSampling.allCases, [8, 10])
  func whatIsLeftAloneStays(_ sampling: ChromaSampling, _ depth: Int) throws {
    for location in ChromaLocation.allCases {
      var color = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
      color.chromaLocation = location
      for (width, height) in [(1, 1), (3, 5), (17, 4), (50, 33)] {
        var generator = SeededGenerator(seed: UInt64(width))
        let largest = (1 << depth) - 1
        let frame = try Self.frame(width, height, sampling, color, depth: depth) { _, _, _ in
          Int.random(in: 0...largest, using: &generator)
        }
        let before = Self.planes(frame)
        for encoding in RGBEncoding.allCases {
          let conversion = RGBConversion(encoding, format: frame.format)
          conversion.write(conversion.samples(of: frame), to: frame)
          #expect(Self.planes(frame) == before)
        }
        let conversion = RGBConversion(.linear, format: frame.format)
        var samples = conversion.samples(of: frame)
        for part in 0..<3 { samples[part] = 0.25 }
        conversion.write(samples, to: frame)
        #expect(Self.planes(frame)[0].dropFirst() == before[0].dropFirst())
        if sampling != .grey, before[1].count > 1 {
          #expect(Self.planes(frame)[1].dropFirst() == before[1].dropFirst())
        }
      }
    }
  }

  /// Chroma is interpolated between its samples: a gradient along the columns remains a gradient, wherever the samples
  /// are located.
  @Test(arguments: [ChromaLocation.left, .center, .topLeft, .bottom])
  func chromaIsInterpolated(_ location: ChromaLocation) throws {
    var color = ColorDescription(primaries: 1, transfer: 8, matrix: 1, isFullRange: true)
    color.chromaLocation = location
    // Cr rises by 4 per chroma column, so by 2 per luma column.
    let frame = try Self.frame(16, 8, .yuv420, color, depth: 8) { plane, x, _ in
      plane == 2 ? 100 + 4 * x : 128
    }
    let samples = RGBConversion(.linear, format: frame.format).samples(of: frame)
    let isLeft = location == .left || location == .topLeft
    // Converts the working space to linear light with BT.709's primaries, using the published matrices.
    let toOwn = ReferenceColor.times(ReferenceColor.inverse(ReferenceColor.sRGB), ReferenceColor.bt2020)
    for x in 2..<14 {
      let own = ReferenceColor.times(toOwn, (0..<3).map { Double(samples[3 * (4 * 16 + x) + $0]) })
      let luma = zip(own, [0.2126, 0.7152, 0.0722]).map(*).reduce(0, +)
      let cr = (own[0] - luma) / (2 * (1 - 0.2126)) * 255 + 128
      let place = isLeft ? Double(x) / 2 : (Double(x) - 0.5) / 2
      #expect(abs(cr - (100 + 4 * place)) < 0.01)
    }
  }

  /// If all pixels get one colour, nothing of the previous colours remains in any chroma layout.
  @Test(arguments: ChromaSampling.allCases.filter { $0 != .grey })
  func oneColorIsOneColor(_ sampling: ChromaSampling) throws {
    let source = ColorTableTests.bt709
    var generator = SeededGenerator(seed: 5)
    let frame = try Self.frame(
      17, 9, sampling, ColorTableTests.description(source), depth: 8
    ) { _, _, _ in Int.random(in: 30...220, using: &generator) }
    let light = source.linear([120, 100, 160]).map { Float($0) }
    RGBConversion(.linear, format: frame.format)
      .write((0..<17 * 9).flatMap { _ in light }, to: frame)
    for (plane, code) in zip(Self.planes(frame), [120, 100, 160]) {
      #expect(plane.allSatisfy { $0 == code })
    }
  }

  /// Colours beyond the range of the codes are clipped to the ends of the range.
  @Test func whatIsTooBrightIsClipped() throws {
    for value: Float in [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e9, -1e9] {
      for depth in [8, 10] {
        let color = ColorDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
        let frame = try Self.frame(4, 4, .yuv420, color, depth: depth) { _, _, _ in 128 << (depth - 8) }
        for encoding in RGBEncoding.allCases {
          RGBConversion(encoding, format: frame.format)
            .write([Float](repeating: value, count: 48), to: frame)
          let unit = UInt16(1 << (depth - 8))
          #expect(Self.planes(frame)[0].allSatisfy { $0 == (value > 0 ? 255 * unit - 1 : unit) })
        }
      }
    }
  }
}
