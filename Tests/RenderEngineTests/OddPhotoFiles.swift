import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// How the tests of odd photos render, and what they compare with.
extension TemporaryFolder {
  /// Renders a photo alone.
  ///
  /// - Returns: the rendered file and what the render says of it.
  func rendered(
    _ photo: [UInt8], _ edit: Orientation, isLossless: Bool = false, identifier: String? = nil
  ) throws -> (bytes: [UInt8], result: RenderResult) {
    let source = try write(photo, to: "odd.jpg")
    let output = file("rendered.jpg")
    try? FileManager.default.removeItem(at: output)
    let job = RenderJob(
      photo: .init(source: source.path, output: output.path), movie: nil, edit: Edit(orientation: edit),
      settings: RenderSettings(isLossless: isLossless), identifier: identifier)
    let result = try render(job, progress: { _ in }, isCancelled: { false })
    return (try read("rendered.jpg"), result)
  }

  /// What a render that must fail says; nothing may be left behind.
  func refusal(_ photo: [UInt8], isLossless: Bool = false) throws -> EditError {
    defer { #expect(!FileManager.default.fileExists(atPath: file("rendered.jpg").path)) }
    do {
      _ = try rendered(photo, .right, isLossless: isLossless)
    } catch let error as EditError {
      return error
    }
    throw ToolFailure("it was rendered")
  }

  /// The coefficients of a JPEG in one form, whatever its coding and metadata.
  func normalised(_ photo: [UInt8]) throws -> [UInt8] {
    try write(photo, to: "coded.jpg")
    return try run("jpegtran", ["-copy", "none", "-optimize", "coded.jpg"])
  }

  /// The photo turned by jpegtran; nil where that is not perfect.
  func perfectlyTurned(_ photo: [UInt8], _ transform: Orientation) throws -> [UInt8]? {
    let options: [Orientation: [String]] = [
      .up: [], .upMirrored: ["-flip", "horizontal"], .down: ["-rotate", "180"],
      .downMirrored: ["-flip", "vertical"], .leftMirrored: ["-transpose"], .right: ["-rotate", "90"],
      .rightMirrored: ["-transverse"], .left: ["-rotate", "270"],
    ]
    try write(photo, to: "before.jpg")
    let answer = try Tools.run(
      ["jpegtran", "-perfect", "-copy", "none"] + (options[transform] ?? []) + ["before.jpg"], in: url)
    return answer.status == 0 ? answer.bytes : nil
  }

  /// The luma of a JPEG as djpeg decodes it, without a look at its Exif orientation.
  func luma(_ photo: [UInt8]) throws -> Luma {
    try write(photo, to: "luma.jpg")
    return try Luma(pgm: run("djpeg", ["-dct", "int", "-grayscale", "luma.jpg"]))
  }
}

/// A plane of samples, and a turn of it sample by sample.
struct Luma: Equatable {
  var width: Int
  var height: Int
  var samples: [UInt8]

  init(pgm: [UInt8]) throws {
    let fields = String(decoding: pgm.prefix(20), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard fields.count >= 3, fields[0] == "P5", let width = Int(fields[1]), let height = Int(fields[2]),
      pgm.count > width * height
    else { throw ToolFailure("not a portable grey map") }
    self.width = width
    self.height = height
    samples = Array(pgm.suffix(width * height))
  }

  /// The picture turned, sample by sample.
  func turned(_ transform: Orientation) -> Luma {
    var turned = self
    if transform.rawValue > 4 { swap(&turned.width, &turned.height) }
    for y in 0..<turned.height {
      for x in 0..<turned.width {
        let (column, row) = transform.origin(of: (x, y), in: (width, height))
        turned.samples[y * turned.width + x] = samples[row * width + column]
      }
    }
    return turned
  }

  /// Peak signal-to-noise ratio in dB; 0 for another size.
  func psnr(_ other: Luma) -> Double {
    guard (width, height) == (other.width, other.height) else { return 0 }
    let sum = zip(samples, other.samples).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    return sum == 0 ? 99 : 10 * log10(65025 * Double(samples.count) / Double(sum))
  }
}
