/// Removes noise from the frames of a movie, one after another. Each frame is merged with the result of the previous
/// frames, moved along the motion of the picture (as Hasinoff and others merge burst photographs, ACM TOG 35, 2016).
/// Each coefficient of the difference is merged if it is small enough to be noise, with the gain of a Kalman filter.
/// The remaining noise is removed from the frame alone. If nothing matches, for example after a cut, the frame is
/// treated as a single picture.
struct MovieCleaning {
  private let amount: Float
  private let sideBySide: NoiseReduction.SideBySide
  private var format: FrameFormat?
  private var planes: [MoviePlane] = []
  /// The luma of the previous frame after noise reduction.
  private var last: SearchPyramid?
  private var number = 0

  /// The number of frames from one noise estimate to the next, after the first frames.
  private static let pause = 6

  /// - Parameters:
  ///   - amount: The amount of noise reduction.
  ///   - sideBySide: A function that processes luma and chroma in parallel.
  init(amount: Float, sideBySide: @escaping NoiseReduction.SideBySide) {
    (self.amount, self.sideBySide) = (amount, sideBySide)
  }

  /// The variance of the noise that is removed from luma, in 8-bit codes. It is 0 before the first frame.
  var noise: Float { planes.first?.noise ?? 0 }

  /// Removes noise from the next frame in place.
  mutating func clean(_ frame: PlanarFrame) {
    if format != frame.format {
      (format, last, number) = (frame.format, nil, 0)
      planes = frame.planes.enumerated().map { index, plane in
        MoviePlane(
          plane, frame.format, multiple: amount * (index == 0 ? NoiseReduction.luma : NoiseReduction.chroma),
          amount: amount)
      }
    }
    guard let samples = frame.planes.first, let luma = planes.first else { return }
    let levels = LevelCells(samples, frame.format)
    let (planes, isFirst) = (planes, number == 0)
    if number < 4 || number % Self.pause == 0 {
      forEachPlane { planes[$0].estimateNoise(of: frame.planes[$0], levels, isFirst: isFirst) }
    }
    number += 1
    let isWorthIt = planes.contains(where: \.isWorthIt)
    let motion = isWorthIt ? last.map { luma.motion(of: samples, since: $0) } : nil
    forEachPlane { planes[$0].clean(frame, $0, levels, motion) }
    // Motion is searched for in the frame after noise reduction, because that frame contains the least noise.
    last = isWorthIt ? SearchPyramid(samples, depth: frame.format.bitDepth) : nil
  }

  /// Processes luma and chroma in parallel. The two chroma planes, each smaller than luma, are processed together.
  private func forEachPlane(_ body: @escaping @Sendable (Int) -> Void) {
    let count = planes.count
    sideBySide(min(count, 2)) { part in
      for index in part == 0 ? 0..<1 : 1..<count { body(index) }
    }
  }
}
