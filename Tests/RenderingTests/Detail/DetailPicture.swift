import EditModel
import TestSupport
import Testing

@testable import Rendering

/// Pictures for the tests of detail and effects.
enum DetailPicture {
  /// Returns a frame whose samples, in 8-bit codes, are a function of plane, column and row.
  static func frame(
    _ width: Int, _ height: Int, _ sampling: ChromaSampling = .yuv420, depth: Int = 8,
    color: ColorDescription = .jpeg, code: (Int, Int, Int) -> Double
  ) throws -> PlanarFrame {
    let format = FrameFormat(width: width, height: height, sampling: sampling, bitDepth: depth, color: color)
    let frame = try #require(PlanarFrame(format: format))
    let unit = Double(1 << (depth - 8))
    for plane in 0..<sampling.planeCount {
      let (columns, rows) = format.planeSize(plane)
      let samples = (0..<columns * rows).map { index in
        UInt16(
          min(max(code(plane, index % columns, index / columns) * unit, 0), 256 * unit - 1).rounded(.down))
      }
      try #require(frame.setSamples(samples, ofPlane: plane))
    }
    return frame
  }

  /// Returns the brightness of a scene at positions from 0 to 1, with soft shapes, hard edges, fine lines, and empty
  /// areas.
  static func scene(_ x: Double, _ y: Double) -> Double {
    let isFlat = y > 0.8
    if isFlat { return 120 }
    if y > 0.6 { return Int(x * 24) % 2 == 0 ? 60 : 190 }
    let dx = x - 0.3
    let dy = y - 0.3
    let disc: Double = dx * dx + dy * dy < 0.03 ? 70 : 0
    let lines: Double = x > 0.6 ? (Int(x * 160) % 2 == 0 ? 25 : -25) : 0
    return 80 + 60 * x + disc + lines
  }

  static func edit(_ values: [Parameter: Double]) -> Edit {
    var edit = Edit.identity
    for (parameter, value) in values { edit[parameter] = value }
    return edit
  }

  static func mean(_ samples: [UInt16]) -> Double {
    Double(samples.reduce(0) { $0 + Int($1) }) / Double(samples.count)
  }
}
