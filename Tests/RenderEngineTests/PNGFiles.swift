import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Functions that create, render and read PNGs for the tests. scripts/fixtures/make-png writes PNGs, and ImageMagick
/// reads them.
extension TemporaryFolder {
  /// Writes a PNG of an irregular scene.
  ///
  /// - Parameter options: The options of scripts/fixtures/make-png.
  func png(_ kind: String, _ options: [String] = [], to name: String = "in.png") throws -> URL {
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/make-png").path
    let answer = try Tools.run(["python3", script, file(name).path, kind] + options)
    guard answer.status == 0 else { throw ToolFailure(answer.standardError) }
    return file(name)
  }

  /// Renders a PNG alone.
  func rendered(
    png: URL, _ edit: Edit, settings: RenderSettings = .standard, to name: String = "out.png"
  ) throws -> (result: RenderResult, photo: URL) {
    let output = file(name)
    try? FileManager.default.removeItem(at: output)
    let job = RenderJob(
      photo: .init(source: png.path, output: output.path), movie: nil, edit: edit, settings: settings,
      identifier: nil)
    return (try render(job, progress: { _ in }, isCancelled: { false }), output)
  }

  /// Returns the pixels that ImageMagick reads, with 16 bits per sample, without applying any orientation.
  func pixels(_ png: URL) throws -> Pixels {
    let size = try run("identify", ["-format", "%w %h", png.path])
    let sides = String(decoding: size, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    guard sides.count == 2 else { throw ToolFailure("identify said: \(sides)") }
    // The samples are big-endian on every machine.
    let bytes = try run("convert", [png.path, "-depth", "16", "-endian", "MSB", "rgba:-"])
    return Pixels(width: sides[0], height: sides[1], bytes: bytes)
  }
}

/// Pixels of eight bytes each: red, green, blue and alpha with 16 bits.
struct Pixels: Equatable {
  var width: Int
  var height: Int
  var bytes: [UInt8]

  /// Returns a sample, from 0 to 65535.
  func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
    let at = (y * width + x) * 8 + channel * 2
    return Int(bytes[at]) << 8 | Int(bytes[at + 1])
  }

  /// Returns the picture after a transform, pixel by pixel.
  func turned(_ transform: Orientation) -> Pixels {
    var turned = self
    if transform.rawValue > 4 { swap(&turned.width, &turned.height) }
    turned.bytes = []
    for y in 0..<turned.height {
      for x in 0..<turned.width {
        let (column, row) = transform.origin(of: (x, y), in: (width, height))
        let start = (row * width + column) * 8
        turned.bytes += bytes[start..<start + 8]
      }
    }
    return turned
  }

  /// Returns a part of the picture.
  func part(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Pixels {
    var part = Pixels(width: width, height: height, bytes: [])
    for row in y..<y + height {
      let start = (row * self.width + x) * 8
      part.bytes += bytes[start..<start + width * 8]
    }
    return part
  }

  /// Returns the greatest difference in any of the given channels.
  func difference(_ other: Pixels, channels: Range<Int>) -> Int {
    guard (width, height) == (other.width, other.height) else { return Int.max }
    var greatest = 0
    for y in 0..<height {
      for x in 0..<width {
        for channel in channels {
          greatest = max(greatest, abs(sample(x, y, channel) - other.sample(x, y, channel)))
        }
      }
    }
    return greatest
  }
}

extension Orientation {
  /// Returns the position in the stored picture that is displayed at a position, following Exif's definition of the
  /// eight orientations.
  ///
  /// - Parameters:
  ///   - place: The column and row of the displayed picture.
  ///   - size: The width and height of the stored picture.
  func origin(of place: (x: Int, y: Int), in size: (width: Int, height: Int)) -> (column: Int, row: Int) {
    let ((x, y), right, bottom) = (place, size.width - 1, size.height - 1)
    return switch self {
    case .up: (x, y)
    case .upMirrored: (right - x, y)
    case .down: (right - x, bottom - y)
    case .downMirrored: (x, bottom - y)
    case .leftMirrored: (y, x)
    case .right: (y, bottom - x)
    case .rightMirrored: (right - y, bottom - x)
    case .left: (right - y, x)
    }
  }
}
