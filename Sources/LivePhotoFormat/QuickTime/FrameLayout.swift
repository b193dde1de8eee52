import EditModel

/// How players display the stored frames of a video track: the displayed part of each frame, the pixel shape, and the
/// orientation.
package struct FrameLayout: Hashable, Sendable {
  /// The orientation in which the frames are displayed.
  package let orientation: Orientation
  /// The displayed part of the frames, before rotation, or nil if frames are displayed without cropping.
  package var cleanAperture: FrameAperture?
  /// The ratio of a stored pixel's width to its height.
  package let pixelAspect: Double

  /// Reads the layout of a video track.
  ///
  /// - Throws: ``MediaError`` if the track's matrix is not a combination of 90° rotations and mirroring, or if the
  ///   track's sample description is invalid.
  init(_ track: Track) throws {
    orientation = try track.orientation
    let description = try track.visualDescription
    cleanAperture = description.first("clap").flatMap { try? FrameAperture(CleanAperture($0)) }
    pixelAspect = description.pixelAspect
  }
}
