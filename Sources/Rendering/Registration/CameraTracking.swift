/// Tracks the camera through the frames of a movie, in display order.
///
/// Each frame is compared with the same reference frame as long as enough of the reference is found in the frame, so
/// that errors do not accumulate. After that, the previous frame becomes the reference.
package struct CameraTracking {
  /// The mappings from positions in the first frame to positions in each frame. See ``Similarity``.
  package private(set) var path: [Similarity] = []
  /// Each frame at a very small size, used by ``LoopSearch`` for comparisons.
  private(set) var small: [RegistrationPyramid.Level] = []
  /// The subject motion between each frame and the previous frame: the mean difference in luma after compensating for
  /// camera motion.
  private(set) var steps: [Float] = []
  /// The width and height, in luma samples, of a sample in the small frames.
  private(set) var smallStep = 1
  private var reference: PictureRegistration?
  /// The position of the reference frame, and how much of the reference was found in the next frame.
  private var start = Similarity.identity
  private var firstAgreement: Double?
  private var last: RegistrationPyramid?

  /// The fraction of the first agreement with a reference frame below which a new reference is chosen.
  private static let leastShare = 0.9
  /// The agreement with the previous frame below which a jump of the camera is suspected.
  private static let leastAgreement = 0.6

  /// Creates a tracking without frames.
  package init() {}

  /// Tracks the camera to the next frame.
  ///
  /// - Parameter frame: The frame, of the same size as the previous frames.
  package mutating func look(at frame: PlanarFrame) {
    let pyramid = RegistrationPyramid(frame).smoothed
    defer { last = pyramid }
    let number = max(pyramid.levels.count - 2, 0)
    small.append(pyramid.levels[number])
    smallStep = pyramid.step << number
    guard let reference, let before = path.last, let last else {
      reference = PictureRegistration(reference: pyramid)
      path = [.identity]
      steps = [0]
      return
    }
    var match = reference.match(pyramid, from: start.inverse.then(before))
    if match.agreement < Self.leastShare * (firstAgreement ?? 0) {
      let nearer = PictureRegistration(reference: last)
      match = nearer.match(pyramid)
      if match.agreement < Self.leastAgreement {
        let jumped = nearer.match(pyramid, from: nearer.shift(of: pyramid))
        if jumped.agreement > match.agreement { match = jumped }
      }
      (self.reference, start, firstAgreement) = (nearer, before, match.agreement)
    }
    firstAgreement = firstAgreement ?? match.agreement
    path.append(start.then(match.similarity))
    steps.append(
      Self.difference(
        last.levels[0], pyramid.levels[0], before.inverse.then(path[path.count - 1]), pyramid.step))
  }

  /// Returns the mean difference between the inner parts of two pictures.
  ///
  /// - Parameters:
  ///   - move: The mapping from positions in one picture to positions in the other. See ``Similarity``.
  ///   - step: The width and height, in luma samples, of a sample in the pictures.
  private static func difference(
    _ one: RegistrationPyramid.Level, _ other: RegistrationPyramid.Level, _ move: Similarity, _ step: Int
  ) -> Float {
    var sum: Float = 0
    let margin = (x: one.width / 10, y: one.height / 10)
    let middle = SIMD2(Double(one.width), Double(one.height)) / 2
    var count: Float = 0
    for y in stride(from: margin.y, to: one.height - margin.y, by: 2) {
      for x in stride(from: margin.x, to: one.width - margin.x, by: 2) {
        let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - middle
        sum += abs(
          one.samples[y * one.width + x] - other.sample(at: move.apply(place * Double(step)) / Double(step)))
        count += 1
      }
    }
    return sum / max(count, 1)
  }
}
