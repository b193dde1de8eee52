/// The frames of a movie, cleaned one after the other: each is laid over the one before along motion, coefficient by
/// coefficient of their difference, where that is no more than noise (as burst photographs are merged by Hasinoff and
/// others, ACM TOG 35, 2016), with the gain of a Kalman filter; what noise is left then is taken out
/// of the frame alone.
/// Where nothing matches, as after a cut, the frame comes out as if it stood alone.
struct MovieCleaning {
  private let amount: Float
  private let sideBySide: NoiseReduction.SideBySide
  private var format: FrameFormat?
  private var planes: [MoviePlane] = []
  /// Luma of the last frame as it came out.
  private var last: SearchPyramid?
  private var number = 0

  /// Frames between two estimates of noise, after the first ones.
  private static let pause = 6

  /// - Parameters:
  ///   - amount: the value of noise reduction.
  ///   - sideBySide: runs work on luma and on chroma.
  init(amount: Float, sideBySide: @escaping NoiseReduction.SideBySide) {
    (self.amount, self.sideBySide) = (amount, sideBySide)
  }

  /// The variance of the noise that is taken out of luma, in 8-bit codes; 0 before the first frame.
  var noise: Float { planes.first?.noise ?? 0 }

  /// Changes the next frame in place.
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
    // Motion is searched in what came out, which has least noise.
    last = isWorthIt ? SearchPyramid(samples, depth: frame.format.bitDepth) : nil
  }

  /// Does something with luma, and with both planes of chroma, half as large, at the same time.
  private func forEachPlane(_ body: @escaping @Sendable (Int) -> Void) {
    let count = planes.count
    sideBySide(min(count, 2)) { part in
      for index in part == 0 ? 0..<1 : 1..<count { body(index) }
    }
  }
}
