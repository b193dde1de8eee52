import Basics
public import EditModel
public import Rendering
import Glibc

/// The turn, straightening, perspective and crop that lead from one picture to another.
public struct GeometryMatch: Sendable {
  /// How the original is turned and mirrored.
  public let orientation: Orientation
  /// How the turned original is straightened and cropped.
  public let geometry: Geometry
  /// How far places of the edited picture lie from where this puts them: the root of the mean square, in columns of a
  /// picture of 1000 columns.
  public let placeError: Double

  /// The longer sides of the pictures in which corners are looked for.
  private static let sides = (original: 1200, edited: 800)

  /// Finds the geometry.
  ///
  /// - Parameters:
  ///   - original: the picture that was edited, upright.
  ///   - edited: what was made of it, upright.
  /// - Throws: ``Basics/MediaError`` when the edited picture was not made of the original.
  public init(original: PlanarFrame, edited: PlanarFrame) throws {
    let size = SIMD2(Double(original.format.width), Double(original.format.height))
    let shape = Double(edited.format.width) / Double(edited.format.height)
    guard let one = Self.reduced(original, Self.sides.original), let other = Self.reduced(edited, Self.sides.edited)
    else { throw Self.stranger }
    let (from, to) = (PictureFeatures(one), PictureFeatures(other))
    let found = FeatureMatch.all(from, to)
    let debug = getenv("MATCH_DEBUG") != nil
    if debug { print("features", from.corners.count, to.corners.count, found.map { ($0.pairs.count, $0.isMirrored, $0.angle) }) }
    let models = found.compactMap { GeometryModel.fitted(to: $0, of: size, shape: shape) }
    if debug { for model in models { print(model.inliers, model.model) } }
    guard let best = models.max(by: { $0.inliers < $1.inliers }) else { throw Self.stranger }
    let fit = PictureFit(
      original: original, edited: edited, content: (0, 0, edited.format.width, edited.format.height))
    guard let result = fit.settled(best.model) else { throw Self.stranger }
    if debug { print("refined", result) }
    if debug {
      for (side, cell) in [(500, 48), (1000, 32), (1000, 96), (2000, 32)] {
        print("DETAIL", side, cell, DetailAgreement(fit, result.model, side: side, cell: cell)?.summary() ?? "-")
      }
    }
    guard
      let found = result.model.geometry(
        of: size, shown: [Double(edited.format.width), Double(edited.format.height)])
    else { throw Self.stranger }
    orientation = result.model.orientation
    geometry = found
    placeError = result.error
  }

  private static func reduced(_ frame: PlanarFrame, _ side: Int) -> PlanarFrame? {
    let (width, height) = (frame.format.width, frame.format.height)
    let scale = min(1, Double(side) / Double(max(width, height)))
    return frame.luma(
      (0, 0, width, height),
      scaledTo: RenderJob.Size(
        width: max(Int((Double(width) * scale).rounded()), 1),
        height: max(Int((Double(height) * scale).rounded()), 1)))
  }

  private static let stranger = MediaError(
    "it does not show what the original shows", remedy: "name a picture that was made of the original")
}
