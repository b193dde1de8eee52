import Basics
package import EditModel
package import Rendering

/// The turn, straightening, perspective and crop that lead from one picture to another.
///
/// Corners that look alike in both tell about how one lies in the other (``FeatureMatch``); a fit of the model's own numbers
/// makes it exact (``PictureFit``); and whatever detail lies elsewhere tells whether the one was made of the other
/// (``DetailAgreement``).
package struct GeometryMatch: Sendable {
  /// The turn and the mirroring of the original.
  package let orientation: Orientation
  /// The straightening and the crop of the turned original.
  package let geometry: Geometry
  /// The part of the edited picture that shows the original, in fractions: all of it, unless there is a border around it.
  package let content: FoundEdit.Place
  /// The distance of places of the edited picture from where this puts them: the root of the mean square, in columns of a
  /// picture of 1000 columns.
  package let placeError: Double

  /// The longer sides of the pictures in which corners are looked for: small ones say enough as a rule, while a wall has corners
  /// only where it is seen from near.
  private static let sides = [(original: 1200, edited: 800), (original: 2400, edited: 1600)]
  /// How far detail may lie elsewhere, in columns of 1000 and in samples of smaller pictures, and in which share of the
  /// picture, on average over both.
  ///
  /// Measured: in 0 to 12 % of real edits, nearly all below 4 %; in 20 % and more of most pictures that were taken a thirtieth of a
  /// second later.
  private static let mostMoved = (share: 0.17, distances: [Float(0.06), 0.1])
  /// The same where half of the parts of the smaller pictures agree less than this: edits that take or cover detail (blur,
  /// noise, coding) leave the rest of it in its place, all but 4 % at most, while in another picture both go together (7 % and
  /// more a thirtieth of a second later).
  private static let mostMovedUnlike = (share: 0.06, correlation: Float(0.95))
  /// The same for one distance that is known even where detail is blurred (8 % at most of real edits), and how far all of it may
  /// lie elsewhere (0.13 columns at most).
  private static let mostMovedFar = (share: 0.1, distance: Float(0.2), error: 0.15)
  /// How far apart corners may lie where the edited picture shows all of the original, and how far detail may lie elsewhere then,
  /// in columns of 1000: cameras and their makers' programs render such pictures anew, with other corrections of the lens and
  /// other blur, while nobody holds a camera that still for two pictures.
  private static let rendering = (corners: 0.5, error: 0.35)
  /// The correlation of fine detail that the better parts of the pictures have at least.
  private static let leastCorrelation: Float = 0.33

  /// Finds the geometry.
  ///
  /// - Parameters:
  ///   - original: the picture that was edited, upright.
  ///   - edited: what was made of it, upright.
  /// - Throws: ``Basics/MediaError`` when the edited picture was not made of the original.
  package init(original: PlanarFrame, edited: PlanarFrame) throws {
    func longest(_ frame: PlanarFrame) -> Int { max(frame.format.width, frame.format.height) }
    for sides in Self.sides {
      if let match = try Self.init(original: original, edited: edited, sides) {
        self = match
        return
      }
      // Pictures that were not made smaller are the same in larger sizes.
      if longest(original) <= sides.original, longest(edited) <= sides.edited { break }
    }
    throw Self.stranger
  }

  /// Finds the geometry by corners of some sizes; nil where they lead to nothing that both pictures show.
  private init?(original: PlanarFrame, edited: PlanarFrame, _ sides: (original: Int, edited: Int)) throws {
    let (width, height) = (edited.format.width, edited.format.height)
    let size = SIMD2(Double(original.format.width), Double(original.format.height))
    var fit = PictureFit(original: original, edited: edited, content: (0, 0, width, height))
    guard let start = Self.start(fit, of: size, sides) else { return nil }
    let result: PictureFit.Result?
    (fit, result) = fit.withoutBorder(start)
    guard let result, let error = try Self.error(fit, result.model) else { return nil }
    let shown = SIMD2(Double(fit.content.width), Double(fit.content.height))
    let model =
      fit.isWhole(result.model) ? GeometryModel(result.model.orientation, of: size) : result.model
    guard let found = model.geometry(of: size, shown: shown) else { return nil }
    orientation = result.model.orientation
    geometry = found
    content = FoundEdit.Place(
      left: Double(fit.content.x) / Double(width), top: Double(fit.content.y) / Double(height),
      width: shown.x / Double(width), height: shown.y / Double(height))
    placeError = error.isFinite ? error : result.error
  }

  /// About how the edited picture lies in the original.
  private static func start(
    _ fit: PictureFit, of size: SIMD2<Double>, _ sides: (original: Int, edited: Int)
  ) -> GeometryModel? {
    let shape = Double(fit.edited.format.width) / Double(fit.edited.format.height)
    guard let original = reduced(fit.original, sides.original), let edited = reduced(fit.edited, sides.edited)
    else { return nil }
    let found = FeatureMatch.all(PictureFeatures(original), PictureFeatures(edited))
    let models = found.compactMap { GeometryModel.fitted(to: $0, of: size, shape: shape) }
    return models.max { $0.inliers < $1.inliers }?.model
  }

  private static func reduced(_ frame: PlanarFrame, _ side: Int) -> PlanarFrame? {
    let (width, height) = (frame.format.width, frame.format.height)
    let scale = min(1, Double(side) / Double(max(width, height)))
    return frame.luma(
      (0, 0, width, height),
      scaledTo: PixelSize(
        width: max(Int((Double(width) * scale).rounded()), 1),
        height: max(Int((Double(height) * scale).rounded()), 1)))
  }

  /// How far detail lies from where a model puts it, in columns of 1000; infinite where too little is known, nil where it is not
  /// there at all.
  ///
  /// - Throws: ``Basics/MediaError`` where it lies elsewhere: one picture was not made of the other.
  private static func error(_ fit: PictureFit, _ model: GeometryModel) throws -> Double? {
    guard let coarse = DetailAgreement(fit, model, side: 500, cellSide: 48),
      let fine = DetailAgreement(fit, model, side: 1000, cellSide: 96)
    else { return nil }
    if fit.isWhole(model), fine.error <= fine.limit(rendering.error) { return fine.error }
    let shares = mostMoved.distances.map { fine.moved($0) }
    guard coarse.correlation(exceededBy: 0.25) >= leastCorrelation else { return nil }
    let isAlike = coarse.correlation(exceededBy: 0.5) >= mostMovedUnlike.correlation
    let most = isAlike ? mostMoved.share : mostMovedUnlike.share
    guard shares.reduce(0, +) / Double(shares.count) <= most,
      fine.moved(mostMovedFar.distance) <= mostMovedFar.share,
      fine.error <= fine.limit(mostMovedFar.error) || fine.error == .infinity
    else { throw neighbour }
    return fine.error
  }

  fileprivate static var corners: Double { rendering.corners }

  private static let stranger = MediaError(
    "the picture does not show the same scene as the original",
    remedy: "specify a picture made from the original")
  private static let neighbour = MediaError(
    "the picture shows the same scene as the original, but was not made from it",
    remedy: "specify a picture made from the original")
}

extension PictureFit {
  /// True if the edited picture has the shape of the turned original, and the model shows all of it.
  fileprivate func isWhole(_ model: GeometryModel) -> Bool {
    let (width, height) = (original.format.width, original.format.height)
    let size = model.orientation.swapsAxes ? (height, width) : (width, height)
    // Sides of a smaller picture are rounded.
    guard abs(content.width * size.1 - content.height * size.0) <= (width + height) / 2 else { return false }
    let whole = GeometryModel(model.orientation, of: SIMD2(Double(width), Double(height)))
    return whole.distance(to: model) <= GeometryMatch.corners
  }
}
