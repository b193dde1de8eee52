import CPixelKernels
import EditModel
import Rendering

/// The luma of a picture as numbers, row after row, on the scale of 8 bits a sample.
struct GreyPlane: Sendable {
  /// Columns.
  let width: Int
  /// Rows.
  let height: Int
  /// Its samples.
  var samples: [Float]

  /// - Parameter frame: a picture.
  init(_ frame: PlanarFrame) {
    (width, height) = (frame.format.width, frame.format.height)
    samples = frame.lumaSamples
  }

  /// - Parameters:
  ///   - width: columns.
  ///   - height: rows.
  ///   - samples: as many as that asks for.
  init(width: Int, height: Int, samples: [Float]) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  /// The means of squares around each sample, three times: about a bell.
  ///
  /// - Parameter reach: how far a square reaches from its middle, in samples; at the edges it is smaller.
  func blurred(over reach: Int) -> GreyPlane {
    var result = self
    var room = [Float](repeating: 0, count: width * height)
    for _ in 0..<3 { grey_box(&result.samples, &room, Int64(width), Int64(height), Int64(reach)) }
    return result
  }

  /// The squares of what the samples of a picture of the same size differ by.
  func differences(from other: GreyPlane) -> GreyPlane {
    var result = self
    for at in samples.indices {
      let difference = samples[at] - other.samples[at]
      result.samples[at] = difference * difference
    }
    return result
  }

  /// The same picture with the brightness and contrast of its surroundings taken out of every place, so that pictures of
  /// other tones can be compared: (sample − mean) / (deviation + 1).
  ///
  /// - Parameter reach: how far the surroundings reach, see ``blurred(over:)``.
  func normalized(over reach: Int) -> GreyPlane {
    let means = blurred(over: reach)
    var result = self
    for at in result.samples.indices { result.samples[at] -= means.samples[at] }
    let squares = GreyPlane(
      width: width, height: height, samples: result.samples.map { $0 * $0 }
    ).blurred(over: reach)
    for at in result.samples.indices {
      result.samples[at] /= max(0, squares.samples[at]).squareRoot() + 1
    }
    return result
  }
}
