import EditModel

/// The camera calibration for a depth map, as in Apple's AVCameraCalibrationData. The calibration describes a pinhole
/// camera and a lens, in pixels of a reference picture that shows the same scene as the depth map.
struct CameraCalibration: Hashable, Sendable {
  /// The width and height of the reference picture to which all other values refer.
  var size: SIMD2<Double>
  /// The first row of the intrinsic matrix: the focal length, the skew, and the x-coordinate of the principal point.
  var x: SIMD3<Double>
  /// The second row of the intrinsic matrix: 0, the focal length, and the y-coordinate of the principal point. The
  /// third row is 0, 0, 1.
  var y: SIMD3<Double>
  /// The centre of the lens distortion. The distortion coefficients refer to distances in millimetres from this point,
  /// so they do not change.
  var distortionCenter: SIMD2<Double>?

  private static let largestSide = 1e6

  /// Returns the calibration for a part of the picture. If that part is straightened, the camera is rotated about its
  /// axis.
  ///
  /// Let A be the affine mapping of the pixels, and let K be the intrinsic matrix. An RQ decomposition splits A·K into
  /// the new intrinsic matrix, which is upper triangular, and a rotation. The pixel size does not change, except for
  /// the effect of rounding the picture's size.
  ///
  /// - Parameter projection: The mapping from positions in the picture to positions in the part, in fractions of width
  ///   and height.
  /// - Returns: The new camera, and the cosine and sine of the angle from the old camera's axes to the new camera's
  ///   axes. The result is nil if the mapping changes the perspective, because a camera in the same position cannot
  ///   have such a view.
  func moved(by projection: PictureProjection) -> (camera: CameraCalibration, roll: SIMD2<Double>)? {
    guard projection.w.x == 0, projection.w.y == 0, projection.w.z != 0 else { return nil }
    let pixel = SIMD3(1 / size.x, 1 / size.y, 1)
    var (across, down) = (projection.x / projection.w.z * pixel, projection.y / projection.w.z * pixel)
    func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    let whole = SIMD2(1 / length(across.x, across.y), 1 / length(down.x, down.y))
      .rounded(.toNearestOrAwayFromZero)
    guard 1...Self.largestSide ~= whole.x, 1...Self.largestSide ~= whole.y else { return nil }
    across *= whole.x
    down *= whole.y
    func place(_ point: SIMD2<Double>) -> SIMD2<Double> {
      let point = SIMD3(point.x, point.y, 1)
      return [(across * point).sum(), (down * point).sum()]
    }
    func product(_ row: SIMD3<Double>) -> SIMD2<Double> {
      [row.x * x.x + row.y * y.x, row.x * x.y + row.y * y.y]
    }
    let (first, second) = (product(across), product(down))
    let focal = length(second.x, second.y)
    guard focal > 0 else { return nil }
    let (sine, cosine) = (second.x / focal, second.y / focal)
    let center = place([x.z, y.z])
    var camera = self
    camera.size = whole
    camera.x = [first.x * cosine - first.y * sine, first.x * sine + first.y * cosine, center.x]
    camera.y = [0, focal, center.y]
    camera.distortionCenter = distortionCenter.map(place)
    guard camera.x.x > 0 else { return nil }
    return (camera, [cosine, sine])
  }
}
