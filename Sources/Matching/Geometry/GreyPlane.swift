import CPixelKernels
import EditModel
import Rendering

/// The luma of a picture as floating-point numbers, row after row, scaled to 8 bits per sample.
struct GreyPlane: Sendable {
  /// The width in samples.
  let width: Int
  /// The height in samples.
  let height: Int
  /// The samples, row after row.
  var samples: [Float]

  /// - Parameter frame: A picture.
  init(_ frame: PlanarFrame) {
    (width, height) = (frame.format.width, frame.format.height)
    samples = frame.lumaSamples
  }

  /// - Parameters:
  ///   - width: The width in samples.
  ///   - height: The height in samples.
  ///   - samples: The samples. Their number must equal width times height.
  init(width: Int, height: Int, samples: [Float]) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  /// Returns the mean of a square around each sample. Averaging is repeated three times to approximate a bell-shaped
  /// filter.
  ///
  /// - Parameter reach: The number of samples from the centre of a square to its edge. Squares are smaller at the edges
  ///   of the picture.
  func blurred(over reach: Int) -> GreyPlane {
    var result = self
    var room = [Float](repeating: 0, count: width * height)
    for _ in 0..<3 { grey_box(&result.samples, &room, Int64(width), Int64(height), Int64(reach)) }
    return result
  }

  /// Returns the squared differences between these samples and those of a picture of the same size.
  func differences(from other: GreyPlane) -> GreyPlane {
    var result = self
    for at in samples.indices {
      let difference = samples[at] - other.samples[at]
      result.samples[at] = difference * difference
    }
    return result
  }

  /// Returns the same picture with local brightness and contrast removed, so that pictures with different tones can be
  /// compared: (sample − mean) / (deviation + 1).
  ///
  /// - Parameter reach: The reach of the surroundings. See ``blurred(over:)``.
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
