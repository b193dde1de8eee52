import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Rendering and comparison functions for the tests of odd photos.
extension TemporaryFolder {
  /// Renders a photo alone.
  ///
  /// - Returns: The rendered file and the result of the render.
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

  /// Returns the error of a render that must fail and leave no files.
  func refusal(_ photo: [UInt8], isLossless: Bool = false) throws -> EditError {
    defer { #expect(!FileManager.default.fileExists(atPath: file("rendered.jpg").path)) }
    do {
      _ = try rendered(photo, .right, isLossless: isLossless)
    } catch let error as EditError {
      return error
    }
    throw ToolFailure("it was rendered")
  }

  /// Returns the coefficients of a JPEG in a normalised form, independent of its coding and metadata.
  func normalised(_ photo: [UInt8]) throws -> [UInt8] {
    try write(photo, to: "coded.jpg")
    return try run("jpegtran", ["-copy", "none", "-optimize", "coded.jpg"])
  }

  /// Returns the photo rotated by jpegtran, or nil if a perfect transform is impossible.
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

  /// Returns the luma of a JPEG as decoded by djpeg, ignoring its Exif orientation.
  func luma(_ photo: [UInt8]) throws -> Luma {
    try write(photo, to: "luma.jpg")
    return try Luma(pgm: run("djpeg", ["-dct", "int", "-grayscale", "luma.jpg"]))
  }
}

/// A plane of samples that can be rotated sample by sample.
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

  /// Returns the picture after a transform, sample by sample.
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

  /// Returns the peak signal-to-noise ratio in dB, or 0 if the sizes differ.
  func psnr(_ other: Luma) -> Double {
    guard (width, height) == (other.width, other.height) else { return 0 }
    let sum = zip(samples, other.samples).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    return sum == 0 ? 99 : 10 * log10(65025 * Double(samples.count) / Double(sum))
  }
}
