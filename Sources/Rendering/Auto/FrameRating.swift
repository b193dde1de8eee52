/// The quality of a movie frame as a photo, relative to the movie's other frames.
///
/// A frame's rating is the product of three numbers from 0 to 1: its sharpness relative to the sharpest frame; the
/// fraction of its pixels that are neither black nor white; and 1 - d / 4, where d is its distance from the preferred
/// time as a fraction of the movie's duration. The content of the frame is not analysed, so closed eyes are not
/// detected.
package struct FrameRating: Hashable, Sendable {
  /// The time at which the frame is displayed, in seconds.
  package var seconds: Double
  /// The square root of the mean squared difference between neighbouring pixels, divided by the variance of all pixels.
  package var sharpness: Double
  /// The fraction of the frame's pixels that are neither black nor white.
  package var exposure: Double

  /// The length of the longer side, in pixels, to which frames are reduced, so that noise matters less.
  private static let side = 960
  /// The fraction of the tonal range at each end that counts as black or white.
  private static let end = 0.02
  /// The weight of the distance from the preferred time.
  private static let distanceWeight = 0.25

  /// Measures a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - seconds: The time at which the frame is displayed.
  package init(_ frame: PlanarFrame, seconds: Double) {
    self.seconds = seconds
    let (longer, format) = (max(frame.format.width, frame.format.height), frame.format)
    let scale = min(1, Double(Self.side) / Double(longer))
    let width = max(1, Int((Double(format.width) * scale).rounded()))
    let height = max(1, Int((Double(format.height) * scale).rounded()))
    let picture = frame.reduced(toWidth: width, height: height) ?? frame
    let luma = picture.samples(ofPlane: 0).map { Int($0) }
    let columns = picture.format.width
    let coding = ColorEncoding(format.color, bitDepth: format.bitDepth)
    let unit = Double(1 << (format.bitDepth - 8))
    let black = Int((coding.black + Self.end * coding.lumaRange) * unit)
    let white = Int((coding.black + (1 - Self.end) * coding.lumaRange) * unit)
    var (sum, squares, differences, clipped) = (0, 0, 0, 0)
    for (index, value) in luma.enumerated() {
      sum += value
      squares += value * value
      if value <= black || value >= white { clipped += 1 }
      let right = index % columns + 1 < columns ? luma[index + 1] - value : 0
      let below = index + columns < luma.count ? luma[index + columns] - value : 0
      differences += right * right + below * below
    }
    let count = Double(max(luma.count, 1))
    let variance = Double(squares) / count - (Double(sum) / count) * (Double(sum) / count)
    sharpness = variance > 0 ? (Double(differences) / count / variance).squareRoot() : 0
    exposure = 1 - Double(clipped) / count
  }

  /// Returns the index of the best frame, or nil if the list is empty.
  ///
  /// - Parameters:
  ///   - frames: The frames in display order. If ratings are equal, the first frame wins.
  ///   - moment: The preferred time in seconds, or nil if no time is preferred.
  ///   - length: The duration of the movie in seconds.
  package static func best(of frames: [FrameRating], near moment: Double?, length: Double) -> Int? {
    let sharpest = frames.map(\.sharpness).max() ?? 0
    func rating(_ frame: FrameRating) -> Double {
      let sharpness = sharpest > 0 ? frame.sharpness / sharpest : 1
      let distance = moment.map { min(1, abs(frame.seconds - $0) / max(length, 1e-6)) } ?? 0
      return sharpness * frame.exposure * (1 - distanceWeight * distance)
    }
    var best: (index: Int, rating: Double)?
    for (index, frame) in frames.enumerated() {
      let rating = rating(frame)
      if best.map({ rating > $0.rating }) ?? true { best = (index, rating) }
    }
    return best?.index
  }
}
