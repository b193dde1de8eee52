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

  /// The picture with the tones that another one has on average where this one has each of its own.
  func toned(as other: GreyPlane) -> GreyPlane {
    let bins = 65
    var (sums, counts) = ([Float](repeating: 0, count: bins), [Float](repeating: 0, count: bins))
    func place(_ sample: Float) -> (bin: Int, share: Float) {
      let tone = min(max(sample, 0), 255) / 255 * Float(bins - 1)
      let bin = min(Int(tone), bins - 2)
      return (bin, tone - Float(bin))
    }
    for at in samples.indices {
      let (bin, share) = place(samples[at])
      sums[bin] += (1 - share) * other.samples[at]
      sums[bin + 1] += share * other.samples[at]
      counts[bin] += 1 - share
      counts[bin + 1] += share
    }
    // Tones that hardly occur take those beside them.
    let few = Float(samples.count) / 5000
    var tones = [Float](repeating: 0, count: bins)
    for bin in 0..<bins {
      var (sum, count, reach) = (sums[bin], counts[bin], 0)
      while count < few, reach < bins {
        reach += 1
        for near in [bin - reach, bin + reach] where 0..<bins ~= near {
          sum += sums[near]
          count += counts[near]
        }
      }
      tones[bin] = count > 0 ? sum / count : 0
    }
    var result = self
    for at in samples.indices {
      let (bin, share) = place(samples[at])
      result.samples[at] = tones[bin] + (tones[bin + 1] - tones[bin]) * share
    }
    return result
  }
}
