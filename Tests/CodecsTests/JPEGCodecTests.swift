import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs
@testable import Rendering

@Suite struct JPEGCodecTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns a JPEG of a picture with structure, made by the IJG tools.
  func jpeg(_ width: Int, _ height: Int, _ options: String...) throws -> [UInt8] {
    let picture = folder.file("\(width)x\(height).ppm").path
    try Tools.output(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "mandelbrot=size=\(width)x\(height)", "-frames:v",
      "1",
      "-pix_fmt", "rgb24", picture)
    var command = "cjpeg -quality 90 -dct int"
    for option in options { command += " " + option }
    return try Tools.output("sh", "-c", "\(command) \(picture)").bytes
  }

  func pixels(_ jpeg: [UInt8]) throws -> [UInt8] {
    let path = try folder.write(jpeg, to: UUID().uuidString + ".jpg").path
    return try Tools.output("djpeg", "-dct", "int", path).bytes
  }

  /// Scans within metadata or after the picture do not count as scans of the picture (ITU-T T.81 B.1.1).
  @Test func scansAreThoseOfThePicture() throws {
    let picture = try jpeg(64, 48, "-progressive")
    let scans = [[UInt8]](repeating: [0xFF, 0xDA, 0, 2], count: 80).flatMap { $0 }
    var segment: [UInt8] = [0xFF, 0xEF, UInt8((scans.count + 2) >> 8), UInt8((scans.count + 2) & 255)]
    segment += scans
    let around: [UInt8] = Array(picture[..<2]) + segment + Array(picture[2...])
    let many: [UInt8] = Array(picture.dropLast(2)) + scans + [0xFF, 0xD9]
    func again(_ bytes: [UInt8]) throws -> [UInt8] {
      try JPEGCodec.encode(JPEGCodec.decode(bytes), quality: 95)
    }
    let wanted = try again(picture)
    for bytes in [picture + scans, around] { #expect(try again(bytes) == wanted) }
    do {
      _ = try JPEGCodec.decode(many)
      Issue.record("80 scans were decoded")
    } catch let error as MediaError {
      #expect(error.problem.description.contains("scans"))
    }
  }

  static let operations: [(Orientation, [String])] = [
    (.upMirrored, ["-flip", "horizontal"]), (.down, ["-rotate", "180"]),
    (.downMirrored, ["-flip", "vertical"]),
    (.leftMirrored, ["-transpose"]), (.right, ["-rotate", "90"]), (.rightMirrored, ["-transverse"]),
    (.left, ["-rotate", "270"]),
  ]

  @Test(arguments: [
    ["-sample", "2x2"], ["-sample", "2x1"], ["-sample", "1x2"], ["-sample", "1x1"], ["-grayscale"],
    ["-sample", "2x2", "-progressive"], ["-sample", "2x2", "-arithmetic"],
    ["-sample", "2x2", "-restart", "1"],
  ])
  func losslessTurnsAreThoseOfJpegtran(options: [String]) throws {
    let picture = folder.file("p.ppm").path
    try Tools.output(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "mandelbrot=size=96x64", "-frames:v", "1",
      "-pix_fmt",
      "rgb24", picture)
    let source = try Tools.output(
      "sh", "-c", "cjpeg -quality 90 \(options.joined(separator: " ")) \(picture)"
    ).bytes
    let path = try folder.write(source, to: "source.jpg").path
    for (orientation, arguments) in Self.operations {
      let turned = try #require(try JPEGCodec.losslessTurn(source, by: orientation))
      let wanted = try Tools.output(
        "sh", "-c", "jpegtran -copy none \(arguments.joined(separator: " ")) \(path)"
      ).bytes
      #expect(try pixels(turned) == pixels(wanted), "\(orientation)")
      let progressive = try JPEGCodingHeader(turned).isProgressive
      #expect(progressive == options.contains("-progressive"))
    }
  }

  @Test func imperfectTurnsAreNotMade() throws {
    // A 4:2:0 block has 16 rows and columns. `jpegtran -perfect` shows which partial edge blocks prevent a transform.
    for (width, height) in [(40, 32), (32, 40), (40, 40)] {
      let source = try jpeg(width, height, "-sample", "2x2")
      let path = try folder.write(source, to: "source.jpg").path
      for (orientation, arguments) in Self.operations {
        let wanted = try? Tools.output(
          "sh", "-c", "jpegtran -perfect -copy none \(arguments.joined(separator: " ")) \(path)"
        ).bytes
        #expect((try JPEGCodec.losslessTurn(source, by: orientation) != nil) == (wanted != nil))
      }
    }
  }

  @Test(arguments: [
    ("2x2", "yuvj420p"), ("2x1", "yuvj422p"), ("1x2", "yuvj440p"), ("1x1", "yuvj444p"), ("4x1", "yuvj411p"),
  ])
  func planesAreThoseThatFFmpegDecodes(sampling: String, format: String) throws {
    for (width, height) in [(64, 48), (61, 45)] {
      let source = try jpeg(width, height, "-sample", sampling)
      let path = try folder.write(source, to: "source.jpg").path
      let wanted = try Tools.output(
        "ffmpeg", "-v", "error", "-idct", "int", "-i", path, "-f", "rawvideo", "-pix_fmt", format, "-"
      ).bytes
      let planes = rawBytes(try JPEGCodec.decode(source))
      #expect(planes.count == wanted.count)
      // The rounding of two exact transforms may differ by one per sample.
      let apart = zip(planes, wanted).map { abs(Int($0) - Int($1)) }.max()
      #expect((apart ?? 255) <= 1)
    }
  }

  @Test func encodedPlanesDecodeElsewhere() throws {
    for sampling in ["2x2", "2x1", "1x2", "1x1", "4x1"] {
      for (width, height) in [(64, 48), (61, 45)] {
        let frame = try JPEGCodec.decode(try jpeg(width, height, "-sample", sampling))
        for orientation in [Orientation.identity, .right, .down] {
          let turned = frame.turned(by: orientation)
          let encoded = try JPEGCodec.encode(turned, quality: 97)
          let luma = try Tools.output(
            "sh", "-c", "djpeg -dct int -grayscale \(try folder.write(encoded, to: "e.jpg").path)"
          ).bytes
          let count = turned.format.width * turned.format.height
          #expect(psnr(luma.suffix(count), rawBytes(turned).prefix(count)) > 42)
        }
      }
    }
  }

  @Test func turnsWithOddSizesStayNearTheOriginal() throws {
    let source = try jpeg(333, 251, "-sample", "2x2")
    let path = try folder.write(source, to: "source.jpg").path
    for (orientation, filter) in [
      (Orientation.right, "transpose=1"), (.down, "hflip,vflip"), (.left, "transpose=2"),
    ] {
      let result = try JPEGCodec.turn(source, by: orientation)
      #expect(!result.isLossless)
      let turned = try folder.write(result.jpeg, to: "turned.jpg").path
      let wanted = try Tools.output(
        "ffmpeg", "-v", "error", "-i", path, "-vf", "format=yuvj444p,\(filter)", "-f", "rawvideo", "-"
      ).bytes
      let have = try Tools.output(
        "ffmpeg", "-v", "error", "-i", turned, "-f", "rawvideo", "-pix_fmt", "yuvj444p", "-"
      ).bytes
      let plane = 333 * 251
      #expect(psnr(wanted.prefix(plane), have.prefix(plane)) > 37.5)
    }
  }

  @Test func thumbnailsOfAnySizeAreTurned() throws {
    let result = try JPEGCodec.turn(try jpeg(160, 120, "-sample", "2x1"), by: .right)
    let header = try JPEGCodingHeader(result.jpeg)
    #expect((header.width, header.height) == (120, 160))
  }

  /// The IJG tools write quantisation tables of a known quality.
  @Test(arguments: [10, 35, 50, 75, 90, 96, 100])
  func qualityIsReadFromTables(quality: Int) throws {
    let picture = folder.file("p.ppm").path
    try Tools.output(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "mandelbrot=size=32x32", "-frames:v", "1",
      "-pix_fmt",
      "rgb24", picture)
    let tables = try JPEGCodingHeader(
      try Tools.output("cjpeg", "-baseline", "-quality", "\(quality)", picture).bytes
    )
    .quantization
    #expect(JPEGQuality.estimated(luminance: tables[0], chrominance: tables[1]) == quality)
  }

  @Test func damagedDataIsAnError() throws {
    let source = try jpeg(160, 120, "-sample", "2x2")
    #expect(throws: MediaError.self) { try JPEGCodec.decode([]) }
    #expect(throws: MediaError.self) { try JPEGCodec.decode([0xFF, 0xD8, 0xFF]) }
    #expect(throws: MediaError.self) { try JPEGCodec.losslessTurn(Array("not a photo".utf8), by: .right) }
    for part in stride(from: 0, to: source.count * 9 / 10, by: 61) {
      #expect(throws: MediaError.self) { try JPEGCodec.decode(Array(source.prefix(part))) }
      #expect(throws: MediaError.self) { try JPEGCodec.losslessTurn(Array(source.prefix(part)), by: .left) }
    }
  }

  @Test func sizesThatTheDataCannotHoldAreRefused() throws {
    var source = try jpeg(32, 32, "-sample", "2x2")
    let frame = try #require(source.indices.first { source[$0] == 0xFF && source[$0 + 1] == 0xC0 })
    source.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: MediaError.self) { try JPEGCodec.losslessTurn(source, by: .right) }
    source.replaceSubrange(frame + 5..<frame + 9, with: [0x20, 0, 0x20, 0])
    #expect(throws: MediaError.self) { try JPEGCodec.decode(source) }
  }

  @Test func fourInksAreTurnedButNotDecoded() throws {
    let path = folder.file("cmyk.jpg").path
    try Tools.output(
      "convert", "-size", "256x256", "gradient:black-white", "-colorspace", "CMYK", "-quality", "90", path)
    let source = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(try JPEGCodec.losslessTurn(source, by: .right) != nil)
    let error = #expect(throws: MediaError.self) { try JPEGCodec.decode(source) }
    #expect(error?.isUnsupported == true)
  }
}
