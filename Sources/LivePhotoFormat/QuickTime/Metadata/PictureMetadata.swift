import EditModel

/// Metadata whose values are places in the stored picture, tell how it is laid down or how its colours were made.
enum PictureMetadata {
  /// The Exif orientation of the frames, as a signed number.
  static let videoOrientation = "com.apple.quicktime.video-orientation"

  /// True if a key's values are no longer true when the pixels are turned.
  ///
  /// `live-photo-info` holds motion vectors and faces; the still-image transform maps the movie's frame
  /// to the photo; `detected-…` are rectangles around faces, bodies, cats and dogs.
  static func describesPlaces(_ key: String) -> Bool {
    let prefix = "com.apple.quicktime."
    guard key.hasPrefix(prefix) else { return false }
    let name = key.dropFirst(prefix.count)
    return name == "live-photo-info" || describesPhoto(key) || name.hasPrefix("detected-")
  }

  /// True if a key's values are no longer true when the photo is another picture: those that lay it over the movie.
  static func describesPhoto(_ key: String) -> Bool {
    key.hasPrefix("com.apple.quicktime.live-photo-still-image-transform")
  }

  /// True if a key's values are no longer true when colours are changed: those of photographic styles
  /// (`smartstyle.…`, `smartstyle-info`).
  static func describesColors(_ key: String) -> Bool { key.hasPrefix("com.apple.quicktime.smartstyle") }

  /// True if a key's values are no longer true when there is one picture a frame: those of spatial video
  /// (`spatial.format-version`, `spatial.aggressors-seen`, …).
  static func describesViews(_ key: String) -> Bool { key.hasPrefix("com.apple.quicktime.spatial.") }

  /// The payload of a `video-orientation` item.
  ///
  /// - Parameter old: the payload to replace; the new one is as long.
  static func orientationPayload(_ orientation: Orientation, like old: [UInt8]) -> [UInt8] {
    guard !old.isEmpty else { return old }
    return [UInt8](repeating: 0, count: old.count - 1) + [UInt8(orientation.rawValue)]
  }
}
