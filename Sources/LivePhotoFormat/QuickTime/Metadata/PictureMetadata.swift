import EditModel

/// Metadata that is specific to the stored picture: positions in the picture, the picture's orientation, or how the
/// picture's colours were created.
enum PictureMetadata {
  /// The Exif orientation of the frames, as a signed number.
  static let videoOrientation = "com.apple.quicktime.video-orientation"

  /// Returns whether a rotation of the pixels makes a key's values invalid.
  ///
  /// `live-photo-info` contains motion vectors and faces. The still-image transform maps a movie frame to the photo.
  /// The `detected-…` keys contain rectangles around faces, bodies, cats and dogs.
  static func describesPlaces(_ key: String) -> Bool {
    let prefix = "com.apple.quicktime."
    guard key.hasPrefix(prefix) else { return false }
    let name = key.dropFirst(prefix.count)
    return name == "live-photo-info" || describesPhoto(key) || name.hasPrefix("detected-")
  }

  /// Returns whether a different key photo makes a key's values invalid, because these values describe how the photo
  /// aligns with the movie.
  static func describesPhoto(_ key: String) -> Bool {
    key.hasPrefix("com.apple.quicktime.live-photo-still-image-transform")
  }

  /// Returns whether changed colours make a key's values invalid, because these values describe photographic styles
  /// (`smartstyle.…`, `smartstyle-info`).
  static func describesColors(_ key: String) -> Bool { key.hasPrefix("com.apple.quicktime.smartstyle") }

  /// Returns whether the reduction of spatial video to a single picture per frame makes a key's values invalid
  /// (`spatial.format-version`, `spatial.aggressors-seen`, …).
  static func describesViews(_ key: String) -> Bool { key.hasPrefix("com.apple.quicktime.spatial.") }

  /// Returns the payload of a `video-orientation` item.
  ///
  /// - Parameter old: The payload to replace. The new payload has the same length.
  static func orientationPayload(_ orientation: Orientation, like old: [UInt8]) -> [UInt8] {
    guard !old.isEmpty else { return old }
    return [UInt8](repeating: 0, count: old.count - 1) + [UInt8(orientation.rawValue)]
  }
}
