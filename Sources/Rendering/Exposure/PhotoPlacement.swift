import Basics
import EditModel

/// The mapping from positions in a photo to positions in the frames of its movie. The frames usually show less of the
/// scene than the photo.
struct PhotoPlacement: Sendable {
  /// The projection from pixels of the photo to fractions of the movie's picture.
  private let map: PictureProjection

  /// The fractions of the photo's width and height that a movie may show. Video stabilisation and video crops cut off
  /// the borders.
  private static let zooms = [1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7]
  /// The maximum length of the photo's longer side, in pixels, for the search.
  private static let side = 720
  /// The minimum fraction of the movie's detail that must be found in the photo.
  private static let leastAgreement = 0.35

  /// Finds the movie's picture in a photo.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - turn: The rotation from the photo to the orientation of the movie's stored frames.
  ///   - key: The frame at the moment of the photo.
  ///   - width: The width of the frames in pixels.
  ///   - height: The height of the frames in pixels.
  /// - Throws: ``MediaError`` if the movie's picture is not found.
  init(
    _ photo: PlanarFrame, turnedBy turn: Orientation, in key: RegistrationPyramid, width: Int, height: Int
  ) throws(MediaError) {
    guard let level = key.levels.first, let luma = RegistrationPyramid(photo, side: Self.side).levels.first
    else {
      throw MediaError("the picture is too small for a long exposure")
    }
    let (photoWidth, photoHeight) = (Double(photo.format.width), Double(photo.format.height))
    let laid = turn.swapsAxes ? SIMD2(photoHeight, photoWidth) : SIMD2(photoWidth, photoHeight)
    let size = SIMD2(Double(width), Double(height))
    // The number of photo pixels per movie pixel if both show the same area.
    let unit = min(laid.x / size.x, laid.y / size.y)
    let back = PictureProjection(turn).inverse
    let reference = PictureRegistration(reference: key.normalized)
    var best: (match: PictureRegistration.Match, zoom: Double)?
    for zoom in Self.zooms {
      var guess = level
      for row in 0..<level.height {
        for column in 0..<level.width {
          let place = SIMD2(
            Double(column) + 0.5 - Double(level.width) / 2, Double(row) + 0.5 - Double(level.height) / 2)
          let fraction = place * Double(key.step) * unit * zoom / laid + 0.5
          guard let found = back.apply(fraction) else { continue }
          guess.samples[row * level.width + column] = luma.sample(
            atFraction: [Float(found.x), Float(found.y)])
        }
      }
      let match = reference.match(RegistrationPyramid(guess, step: key.step).normalized)
      if match.agreement > best?.match.agreement ?? 0 { best = (match, zoom) }
    }
    guard let best, best.match.agreement >= Self.leastAgreement else {
      throw MediaError("the movie does not show the same scene as the photo")
    }
    // Successive mappings lead from pixels of the photo to fractions of the photo, the same fractions after rotation,
    // pixels from the centre, pixels of the guess, and pixels of the movie.
    let inverse = best.match.similarity.inverse
    let scale = laid / (unit * best.zoom)
    let guess = PictureProjection(scale: scale, shift: -scale / 2)
    let movie = PictureProjection(
      x: [1 + inverse.a, -inverse.b, inverse.x], y: [inverse.b, 1 + inverse.a, inverse.y])
    map = PictureProjection(scale: [1 / photoWidth, 1 / photoHeight], shift: .zero)
      .then(PictureProjection(turn)).then(guess).then(movie)
      .then(PictureProjection(scale: 1 / size, shift: [0.5, 0.5]))
  }

  /// Returns the position of a photo pixel in the movie's picture, in fractions of the width and height of that
  /// picture.
  func seen(_ x: Int, _ y: Int) -> SIMD2<Float> { seen(SIMD2(Double(x) + 0.5, Double(y) + 0.5)) }

  /// Returns the position of a point of the photo in the movie's picture.
  ///
  /// - Parameter place: The point, in pixels, measured from the photo's top-left corner.
  func seen(_ place: SIMD2<Double>) -> SIMD2<Float> {
    // The mapping consists of a similarity transformation and a rotation, so the divisor is 1.
    let terms = SIMD3(place.x, place.y, 1)
    return [Float((map.x * terms).sum()), Float((map.y * terms).sum())]
  }
}
