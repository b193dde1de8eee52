/// Follows the camera through the frames of a movie, in the order of showing.
///
/// Each frame is compared with one reference as long as enough of it is found there again, so that errors do not add
/// up; then the frame before becomes the reference.
package struct CameraTracking {
  /// From places of the first frame to those of each frame, see ``Similarity``.
  package private(set) var path: [Similarity] = []
  /// Each frame very small, as ``LoopSearch`` compares them.
  private(set) var small: [RegistrationPyramid.Level] = []
  /// How much moves by itself from the frame before to each: the mean difference of luma where the camera is followed.
  private(set) var steps: [Float] = []
  /// Luma samples along one side of a sample of the small frames.
  private(set) var smallStep = 1
  private var reference: PictureRegistration?
  /// The place of the reference, and how much of it was found in the frame after it.
  private var start = Similarity.identity
  private var firstAgreement: Double?
  private var last: RegistrationPyramid?

  /// The share of the first agreement with a reference below which another one is taken.
  private static let leastShare = 0.9
  /// The agreement with the frame before below which the camera may have jumped.
  private static let leastAgreement = 0.6

  /// A path without frames.
  package init() {}

  /// Follows the camera to the next frame.
  ///
  /// - Parameter frame: the frame, as large as those before.
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

  /// The mean difference of two pictures, in their inner parts.
  ///
  /// - Parameters:
  ///   - move: from places of one to those of the other, see ``Similarity``.
  ///   - step: luma samples along one side of a sample of the pictures.
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
