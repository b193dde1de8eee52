import Basics
import EditModel

/// The way from places of a photo to those of its movie's frames, which show less of the scene as a rule.
struct PhotoPlacement: Sendable {
  /// From pixels of the photo to fractions of the movie's picture.
  private let map: PictureProjection

  /// The shares of the photo that a movie may show: stabilisation and crops of video cut off its borders.
  private static let zooms = [1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7]
  /// The longer side of the photo in which the movie is sought, at most.
  private static let side = 720
  /// The share of the movie's detail that must be found again in the photo.
  private static let leastAgreement = 0.35

  /// Finds the movie's picture in a photo.
  ///
  /// - Parameters:
  ///   - photo: the photo.
  ///   - turn: how it is turned to lie as the movie's stored frames do.
  ///   - key: the frame of the photo's moment.
  ///   - width: columns of the frames.
  ///   - height: their rows.
  /// - Throws: ``MediaError`` when it is not there.
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
    // Pixels of the photo in one of the movie, where both show the same.
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
    // Pixels of the photo, fractions of it, the same turned, pixels from its middle, those of the guess and of the movie.
    let inverse = best.match.similarity.inverse
    let scale = laid / (unit * best.zoom)
    let guess = PictureProjection(scale: scale, shift: -scale / 2)
    let movie = PictureProjection(
      x: [1 + inverse.a, -inverse.b, inverse.x], y: [inverse.b, 1 + inverse.a, inverse.y])
    map = PictureProjection(scale: [1 / photoWidth, 1 / photoHeight], shift: .zero)
      .then(PictureProjection(turn)).then(guess).then(movie)
      .then(PictureProjection(scale: 1 / size, shift: [0.5, 0.5]))
  }

  /// Where the movie shows a pixel of the photo, in fractions of its picture.
  func seen(_ x: Int, _ y: Int) -> SIMD2<Float> { seen(SIMD2(Double(x) + 0.5, Double(y) + 0.5)) }

  /// Where the movie shows a place of the photo.
  ///
  /// - Parameter place: in pixels from the photo's upper left corner.
  func seen(_ place: SIMD2<Double>) -> SIMD2<Float> {
    // A similarity and a turn: the divisor is 1.
    let terms = SIMD3(place.x, place.y, 1)
    return [Float((map.x * terms).sum()), Float((map.y * terms).sum())]
  }
}
