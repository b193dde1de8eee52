/// Follows the camera through the frames of a movie, in the order of showing.
///
/// Each frame is compared with one reference as long as enough of it is found there again, so that errors do not add
/// up; then the frame before becomes the reference.
package struct CameraTracking {
  /// From places of the first frame to those of each frame, see ``Similarity``.
  package private(set) var path: [Similarity] = []
  /// Each frame very small, as ``LoopSearch`` compares them.
  private(set) var small: [RegistrationPyramid.Level] = []
  /// Luma samples along one side of a sample of the small frames.
  private(set) var smallStep = 1
  private var reference: PictureRegistration?
  /// The place of the reference, and how much of it was found in the frame after it.
  private var start = Similarity.identity
  private var firstAgreement: Double?
  private var last: RegistrationPyramid?

  /// The share of the first agreement with a reference below which another one is taken.
  private static let leastShare = 0.8

  /// A path without frames.
  package init() {}

  /// Follows the camera to the next frame.
  ///
  /// - Parameter frame: the frame, as large as those before.
  package mutating func look(at frame: PlanarFrame) {
    let pyramid = RegistrationPyramid(frame)
    defer { last = pyramid }
    let number = max(pyramid.levels.count - 2, 0)
    small.append(pyramid.levels[number])
    smallStep = pyramid.step << number
    guard let reference, let before = path.last, let last else {
      reference = PictureRegistration(reference: pyramid)
      path = [.identity]
      return
    }
    var match = reference.match(pyramid, from: start.inverse.then(before))
    if match.agreement < Self.leastShare * (firstAgreement ?? 0) {
      let nearer = PictureRegistration(reference: last)
      match = nearer.match(pyramid)
      (self.reference, start, firstAgreement) = (nearer, before, match.agreement)
    }
    firstAgreement = firstAgreement ?? match.agreement
    path.append(start.then(match.similarity))
  }
}
