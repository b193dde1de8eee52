import CPixelKernels
import EditModel
import Rendering

/// The luma of a picture as numbers, row after row, scaled to 8 bits per sample.
struct GreyPlane: Sendable {
  /// The number of columns.
  let width: Int
  /// The number of rows.
  let height: Int
  /// The samples, row after row.
  var samples: [Float]

  /// - Parameter frame: A picture.
  init(_ frame: PlanarFrame) {
    (width, height) = (frame.format.width, frame.format.height)
    samples = frame.lumaSamples
  }

  /// - Parameters:
  ///   - width: The number of columns.
  ///   - height: The number of rows.
  ///   - samples: The samples, as many as width times height.
  init(width: Int, height: Int, samples: [Float]) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  /// Returns the means of squares around each sample, calculated three times to approximate a bell-shaped filter.
  ///
  /// - Parameter reach: The number of samples from the centre of a square to its side. Squares are smaller at the
  ///   edges.
  func blurred(over reach: Int) -> GreyPlane {
    var result = self
    var room = [Float](repeating: 0, count: width * height)
    for _ in 0..<3 { grey_box(&result.samples, &room, Int64(width), Int64(height), Int64(reach)) }
    return result
  }

  /// Returns the squared differences from the samples of a picture of the same size.
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
