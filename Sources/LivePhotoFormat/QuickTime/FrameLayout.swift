import EditModel

/// The way in which players show the stored frames of a video track: a part of them, in square pixels, turned.
package struct FrameLayout: Hashable, Sendable {
  /// How they are laid down.
  package let orientation: Orientation
  /// The part of them that is shown, before they are turned; nil for all of it.
  package var cleanAperture: FrameAperture?
  /// A stored pixel's width to its height.
  package let pixelAspect: Double

  /// - Throws: ``MediaError`` when the track is not laid down by quarter turns and mirror images, or its sample
  ///   description is broken.
  init(_ track: Track) throws {
    orientation = try track.orientation
    let description = try track.visualDescription
    cleanAperture = description.first("clap").flatMap { try? FrameAperture(CleanAperture($0)) }
    pixelAspect = description.pixelAspect
  }
}
