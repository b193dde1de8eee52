public import Basics
internal import Glibc

/// The kind of an asset, by the files that it is made of.
public enum AssetKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// A photo without a movie.
  case photo
  /// A movie without a photo.
  case movie
  /// A photo and a movie that carry one identifier.
  case live
}

/// A trait of an asset, as far as its files tell it.
public enum AssetSubtype: String, Codable, Hashable, Sendable, CaseIterable {
  // The order is that of the bits in the index: new ones go to the end.

  /// High dynamic range: Exif CustomRendered 2, 3 or 7, Apple's HDRImageType 3, a gain map, or a movie whose
  /// transfer function is PQ or HLG.
  case hdr
  /// A panorama: Exif CustomRendered 6, or XMP GPano:ProjectionType.
  case panorama
  /// A picture of the screen: Exif UserComment “Screenshot”, as iOS writes it.
  case screenshot
  /// One of several pictures taken in one go: Apple's BurstUUID.
  case burst
  /// Slow motion: shot at 100 frames a second or more and not meant to be shown at that rate, or adjustment data of
  /// the format `com.apple.video.slomo`.
  case slowMotion
  /// A portrait: Exif CustomRendered 7 or 8, or Apple's ImageCaptureType 2.
  case portrait
  /// Shot slower than it is shown: the key `com.android.capture.fps` is below half of the frame rate.
  case timeLapse
  /// A photo with a movie in its file: Google's Motion Photo, MicroVideo before it, or Samsung's box `mpvd`.
  case motionPhoto
}

/// A place on the Earth.
public struct GeoLocation: Codable, Hashable, Sendable {
  /// Degrees north of the equator.
  public var latitude: Double
  /// Degrees east of Greenwich.
  public var longitude: Double
  /// Metres above the sea; nil when the file does not say.
  public var altitude: Double?

  /// - Parameters:
  ///   - latitude: degrees north, -90 to 90.
  ///   - longitude: degrees east, -180 to 180.
  ///   - altitude: metres above the sea; one further than a million kilometres from it is none.
  /// - Returns: nil for a place that is not on the globe.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard -90...90 ~= latitude, -180...180 ~= longitude else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude.flatMap { $0.magnitude < 1e9 ? $0 : nil }
  }

  /// The distance to another place over a sphere of the Earth's mean radius, in metres (haversine formula).
  package func distance(to other: GeoLocation) -> Double {
    let radians = Double.pi / 180
    let (north, east) = (
      sin((other.latitude - latitude) * radians / 2), sin((other.longitude - longitude) * radians / 2)
    )
    let share = north * north + cos(latitude * radians) * cos(other.latitude * radians) * east * east
    return 2 * 6_371_008.8 * asin(min(1, share.squareRoot()))
  }
}

/// The metadata that the files of an asset hold.
///
/// The description of the capture comes from the originals, the size from the current version, and so do date and place where
/// its edit changes them.
public struct AssetMetadata: Codable, Hashable, Sendable {
  /// Its kind.
  public var kind: AssetKind
  /// Its traits.
  public var subtypes: Set<AssetSubtype>
  /// The camera's maker.
  public var make: String?
  /// The camera's model.
  public var model: String?
  /// The program or system that wrote the original.
  public var software: String?
  /// Width as displayed, in pixels; nil when it is not known.
  public var width: Int?
  /// Height as displayed, in pixels; nil when it is not known.
  public var height: Int?
  /// Time it was taken; nil when the files do not say.
  public var created: CaptureDate?
  /// Time the original's file changed last, in milliseconds since 1970 UTC.
  public var modified: Int
  /// The place where it was taken.
  public var location: GeoLocation?
  /// Seconds of the movie; nil for a photo.
  public var duration: Double?
  /// The identifier that the pictures of a burst have in common.
  public var burst: String?
  /// The format of the adjustment data beside the originals; nil when there is none.
  public var adjustmentFormat: String?
  /// True if an edit stands beside the originals: a render or adjustment data.
  public var isEdited: Bool
  /// True if the dates or locations of its halves contradict each other.
  public var isDisagreeing: Bool
  /// Bytes of the originals.
  public var size: Int
  /// The parts that could not be read, one sentence each.
  public var notes: [Message]

  /// - Parameters:
  ///   - kind: what it is made of.
  ///   - modified: when the original's file changed last, in milliseconds since 1970 UTC.
  ///   - size: bytes of the originals.
  public init(kind: AssetKind, modified: Int, size: Int) {
    self.kind = kind
    self.modified = modified
    self.size = size
    subtypes = []
    isEdited = false
    isDisagreeing = false
    notes = []
  }

  /// The camera, else the program, else “imported”.
  public var source: String {
    if let model {
      guard let make, !model.hasPrefix(make) else { return model }
      return make + " " + model
    }
    return make ?? software ?? "imported"
  }
}
