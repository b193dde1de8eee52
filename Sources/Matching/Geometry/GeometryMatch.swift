import Basics
package import EditModel
package import Rendering

/// The rotation, straightening, perspective and crop that convert one picture to another picture.
///
/// The approximate position of one picture in the other is found from matching corners (``FeatureMatch``). A fit of the
/// model's parameters makes this position precise (``PictureFit``). The remaining shift of detail shows whether one
/// picture was made from the other (``DetailAgreement``).
package struct GeometryMatch: Sendable {
  /// The rotation and mirroring of the original.
  package let orientation: Orientation
  /// The straightening, perspective and crop of the rotated original.
  package let geometry: Geometry
  /// The area of the edited picture that shows the original, in fractions of width and height. This area is the whole
  /// picture, unless the picture has a border.
  package let content: FoundEdit.Place
  /// The root mean square of the distances between points in the edited picture and their positions according to this
  /// geometry, in thousandths of the width.
  package let placeError: Double

  /// The lengths, in pixels, of the longer sides of the pictures in which corners are searched for. Small pictures
  /// usually suffice, but a wall has recognisable corners only in large pictures.
  private static let sides = [(original: 1200, edited: 800), (original: 2400, edited: 1600)]
  /// Two tolerated shifts of detail, and the largest tolerated fraction of the picture with larger shifts, averaged
  /// over both. The shifts are in thousandths of the width, or in samples if the picture is small.
  ///
  /// Measured fractions: 0 to 12% in real edits, nearly all below 4%; at least 20% in most pictures taken a thirtieth
  /// of a second later.
  private static let mostMoved = (share: 0.17, distances: [Float(0.06), 0.1])
  /// The largest tolerated fraction of moved detail if half of the regions in the smaller pictures have a correlation
  /// below the given value. Edits that remove or cover detail (blur, noise, compression) leave the rest in place:
  /// shifts occur in at most 4% of the picture. In another picture of the scene, low correlation and shifts occur
  /// together (7% and more a thirtieth of a second later).
  private static let mostMovedUnlike = (share: 0.06, correlation: Float(0.95))
  /// The largest tolerated fraction of detail that has moved far, and the largest tolerated overall error. Detail has
  /// moved far if its shift can be measured even in blurred detail. In real edits, the fraction is at most 8% and the
  /// error at most 0.13 thousandths of the width.
  private static let mostMovedFar = (share: 0.1, distance: Float(0.2), error: 0.15)
  /// The tolerances for edited pictures that show the whole original: the deviation of the corners and the error of
  /// detail, both in thousandths of the width. Cameras and camera makers' programs re-render such pictures, with
  /// different lens corrections and different blur. Nobody holds a camera still enough to take two pictures that match
  /// this closely.
  private static let rendering = (corners: 0.5, error: 0.35)
  /// The minimum correlation of fine detail in the better regions of the pictures.
  private static let leastCorrelation: Float = 0.33

  /// Finds the geometry.
  ///
  /// - Parameters:
  ///   - original: The picture that was edited, upright.
  ///   - edited: The edited picture, upright.
  /// - Throws: ``Basics/MediaError`` if the edited picture was not made from the original.
  package init(original: PlanarFrame, edited: PlanarFrame) throws {
    func longest(_ frame: PlanarFrame) -> Int { max(frame.format.width, frame.format.height) }
    for sides in Self.sides {
      if let match = try Self.init(original: original, edited: edited, sides) {
        self = match
        return
      }
      // Pictures that were not reduced would be the same at the larger size.
      if longest(original) <= sides.original, longest(edited) <= sides.edited { break }
    }
    throw Self.stranger
  }

  /// Finds the geometry from corners at a given picture size. Returns nil if the corners do not lead to an area that
  /// both pictures show.
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

  /// Returns the approximate position of the edited picture in the original.
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

  /// Returns how far detail is shifted relative to a model, in thousandths of the width. The result is infinite if too
  /// few shifts are known, and nil if the detail was not found at all.
  ///
  /// - Throws: ``Basics/MediaError`` if detail is shifted so far that neither picture can have been made from the
  ///   other.
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
  /// Returns whether the edited picture has the aspect ratio of the rotated original and the model shows the whole
  /// original.
  fileprivate func isWhole(_ model: GeometryModel) -> Bool {
    let (width, height) = (original.format.width, original.format.height)
    let size = model.orientation.swapsAxes ? (height, width) : (width, height)
    // The width and height of a reduced picture are rounded.
    guard abs(content.width * size.1 - content.height * size.0) <= (width + height) / 2 else { return false }
    let whole = GeometryModel(model.orientation, of: SIMD2(Double(width), Double(height)))
    return whole.distance(to: model) <= GeometryMatch.corners
  }
}
