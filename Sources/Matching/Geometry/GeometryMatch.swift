import Basics
public import EditModel
public import Rendering

/// The turn, straightening, perspective and crop that lead from one picture to another.
public struct GeometryMatch: Sendable {
  /// How the original is turned and mirrored.
  public let orientation: Orientation
  /// How the turned original is straightened and cropped.
  public let geometry: Geometry
  /// How far places of the edited picture lie from where this puts them: the root of the mean square, in columns of a
  /// picture of 1000 columns.
  public let placeError: Double

  /// Finds the geometry.
  ///
  /// - Parameters:
  ///   - original: the picture that was edited, upright.
  ///   - edited: what was made of it, upright.
  /// - Throws: ``Basics/MediaError`` when the edited picture was not made of the original.
  public init(original: PlanarFrame, edited: PlanarFrame) throws {
    throw MediaError("its geometry cannot be found yet")
  }
}
