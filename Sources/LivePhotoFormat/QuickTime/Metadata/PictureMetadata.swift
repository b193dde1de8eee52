import EditModel

/// Metadata whose values describe positions in the stored picture, the picture's orientation, or how its colours were
/// created.
enum PictureMetadata {
  /// The Exif orientation of the frames, as a signed number.
  static let videoOrientation = "com.apple.quicktime.video-orientation"

  /// Returns whether rotating the pixels invalidates a key's values.
  ///
  /// `live-photo-info` contains motion vectors and faces. The still-image transform maps the movie's frame to the
  /// photo. The `detected-…` keys contain rectangles around faces, bodies, cats and dogs.
  static func describesPlaces(_ key: String) -> Bool {
    let prefix = "com.apple.quicktime."
    guard key.hasPrefix(prefix) else { return false }
    let name = key.dropFirst(prefix.count)
    return name == "live-photo-info" || describesPhoto(key) || name.hasPrefix("detected-")
  }

  /// Returns whether replacing the photo by another picture invalidates a key's values, because they describe how the
  /// photo aligns with the movie.
  static func describesPhoto(_ key: String) -> Bool {
    key.hasPrefix("com.apple.quicktime.live-photo-still-image-transform")
  }

  /// Returns whether changing the colours invalidates a key's values, because they describe photographic styles
  /// (`smartstyle.…`, `smartstyle-info`).
  static func describesColors(_ key: String) -> Bool { key.hasPrefix("com.apple.quicktime.smartstyle") }

  /// Returns whether reducing spatial video to one picture per frame invalidates a key's values
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
