public import Basics
internal import Glibc

/// The kind of an asset, determined from the asset's files.
public enum AssetKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// A photo without a movie.
  case photo
  /// A movie without a photo.
  case movie
  /// A photo and a movie with the same identifier.
  case live
}

/// A characteristic of an asset that can be recognised from its files.
public enum AssetSubtype: String, Codable, Hashable, Sendable, CaseIterable {
  // The order of the cases is the order of the bits in the index, so new cases must be added at the end.

  /// High dynamic range: Exif CustomRendered 2, 3 or 7, Apple's HDRImageType 3, a gain map, or a movie whose
  /// transfer function is PQ or HLG.
  case hdr
  /// A panorama: Exif CustomRendered 6, or XMP GPano:ProjectionType.
  case panorama
  /// A screenshot: Exif UserComment “Screenshot”, as written by iOS.
  case screenshot
  /// A photo from a burst: Apple's BurstUUID.
  case burst
  /// Slow motion: recorded at 100 frames per second or more and meant to be played more slowly, or adjustment data in
  /// the format `com.apple.video.slomo`.
  case slowMotion
  /// A portrait: Exif CustomRendered 7 or 8, or Apple's ImageCaptureType 2.
  case portrait
  /// A time lapse, recorded at a lower frame rate than its playback rate: the key `com.android.capture.fps` is below
  /// half of the frame rate.
  case timeLapse
  /// A photo with a movie embedded in its file: Google's Motion Photo, the older MicroVideo, or Samsung's box `mpvd`.
  case motionPhoto
}

/// A location on Earth.
public struct GeoLocation: Codable, Hashable, Sendable {
  /// The latitude in degrees north of the equator.
  public var latitude: Double
  /// The longitude in degrees east of Greenwich.
  public var longitude: Double
  /// The altitude in metres above sea level; nil if the file does not contain an altitude.
  public var altitude: Double?

  /// - Parameters:
  ///   - latitude: The latitude in degrees north, -90 to 90.
  ///   - longitude: The longitude in degrees east, -180 to 180.
  ///   - altitude: The altitude in metres above sea level. A value of more than a million kilometres is ignored.
  /// - Returns: nil if the latitude or longitude is out of range.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard -90...90 ~= latitude, -180...180 ~= longitude else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude.flatMap { $0.magnitude < 1e9 ? $0 : nil }
  }

  /// Returns the distance to another location in metres, on a sphere with the Earth's mean radius (haversine formula).
  package func distance(to other: GeoLocation) -> Double {
    let radians = Double.pi / 180
    let (north, east) = (
      sin((other.latitude - latitude) * radians / 2), sin((other.longitude - longitude) * radians / 2)
    )
    let share = north * north + cos(latitude * radians) * cos(other.latitude * radians) * east * east
    return 2 * 6_371_008.8 * asin(min(1, share.squareRoot()))
  }
}

/// The metadata of an asset's files.
///
/// The details of the capture come from the originals. The size comes from the current version. If the edit changes the
/// date or the location, that value also comes from the current version.
public struct AssetMetadata: Codable, Hashable, Sendable {
  /// The kind of the asset.
  public var kind: AssetKind
  /// The characteristics of the asset.
  public var subtypes: Set<AssetSubtype>
  /// The camera's manufacturer.
  public var make: String?
  /// The camera's model.
  public var model: String?
  /// The program or operating system that wrote the original.
  public var software: String?
  /// The displayed width in pixels; nil if the width is not known.
  public var width: Int?
  /// The displayed height in pixels; nil if the height is not known.
  public var height: Int?
  /// The time of the capture; nil if the files do not contain a time.
  public var created: CaptureDate?
  /// The time of the last change to the original's file, in milliseconds since 1970 UTC.
  public var modified: Int
  /// The location of the capture; nil if the files do not contain a location.
  public var location: GeoLocation?
  /// The duration of the movie in seconds; nil for a photo.
  public var duration: Double?
  /// The identifier that all photos of a burst share.
  public var burst: String?
  /// The format of the adjustment data stored next to the originals; nil if there is no adjustment data.
  public var adjustmentFormat: String?
  /// Whether an edit is stored next to the originals: a rendered file or adjustment data.
  public var isEdited: Bool
  /// Whether the dates or locations of the asset's halves contradict each other.
  public var isDisagreeing: Bool
  /// The size of the originals in bytes.
  public var size: Int
  /// Notes about parts of the files that could not be read, one sentence each.
  public var notes: [Message]

  /// - Parameters:
  ///   - kind: The kind of the asset.
  ///   - modified: The time of the last change to the original's file, in milliseconds since 1970 UTC.
  ///   - size: The size of the originals in bytes.
  public init(kind: AssetKind, modified: Int, size: Int) {
    self.kind = kind
    self.modified = modified
    self.size = size
    subtypes = []
    isEdited = false
    isDisagreeing = false
    notes = []
  }

  /// The name of the camera. If the camera is not known, this is the name of the program; if neither is known,
  /// “imported”.
  public var source: String {
    if let model {
      guard let make, !model.hasPrefix(make) else { return model }
      return make + " " + model
    }
    return make ?? software ?? "imported"
  }
}
