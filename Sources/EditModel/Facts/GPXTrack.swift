import Basics

/// The points of a GPX file (GPX 1.1 and 1.0: `trkpt` with latitude and longitude as attributes, and `ele` and `time`
/// as children), sorted by time.
package struct GPXTrack: Hashable, Sendable {
  /// A single point of a track.
  private struct Point: Hashable {
    /// The time of the point, in milliseconds since 1970 UTC.
    let instant: Int
    let place: GeoLocation
    /// The number of the point's segment. The track is interrupted between segments.
    let segment: Int
  }

  /// The points that have a time, earliest first.
  private let points: [Point]

  /// The maximum interval between two points, in seconds, over which the location is interpolated.
  package static let longestGap = 300
  /// The maximum time difference, in seconds, for using a single point's location. This limit applies before the start
  /// of the track, after its end, and in its gaps.
  package static let nearness = 60
  /// The maximum size of a file in bytes.
  package static var largestFile: Int { ReadingLimit.trackSize.value << 20 }
  private static let deepest = 64

  /// The error for a file larger than ``largestFile``.
  package static var tooLarge: MediaError {
    MediaError(beyond: .trackSize, "it is larger than \(ReadingLimit.trackSize.value) MB")
  }

  /// Reads a GPX file.
  ///
  /// - Parameter bytes: The content of the file, in UTF-8.
  /// - Returns: nil if the file is not valid GPX, contains a document type declaration (DOCTYPE), or has no point with
  ///   a time.
  /// - Throws: ``Basics/MediaError`` if the file is too large, has too many points or is nested too deeply.
  package init?(_ bytes: [UInt8]) throws(MediaError) {
    guard bytes.count <= Self.largestFile else { throw Self.tooLarge }
    let mostPoints = ReadingLimit.trackPoints.value
    var scanner = XMLScanner(bytes)
    var points: [Point] = []
    var place: (latitude: Double, longitude: Double)?
    var altitude: Double?
    var instant: Int?
    var segment = 0
    var depth = 0
    var isTrack = false
    func local(_ name: String) -> Substring { name.split(separator: ":").last ?? "" }
    func text() -> String {
      let raw = scanner.text.map { String(decoding: bytes[$0.range], as: UTF8.self) }.joined()
      return String(raw.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
    }
    while let token = scanner.next() {
      switch token {
      case .start(let tag):
        let name = local(tag.name)
        if depth == 0 {
          guard name == "gpx" else { return nil }
          isTrack = true
        }
        if !tag.isEmpty { depth += 1 }
        guard depth <= Self.deepest else {
          throw MediaError("it is nested more than \(Self.deepest) levels deep", isUnsupported: true)
        }
        if name == "trkseg" { segment += 1 }
        if name == "trkpt", !tag.isEmpty {
          func number(_ name: String) -> Double? {
            tag.attributes.first { $0.name == name }.flatMap {
              Double(String(decoding: bytes[$0.value], as: UTF8.self))
            }
          }
          (altitude, instant) = (nil, nil)
          place = number("lat").flatMap { latitude in number("lon").map { (latitude, $0) } }
        }
      case .end(let name, _):
        depth -= 1
        switch local(name) {
        case "ele": altitude = Double(text())
        case "time":
          instant = CaptureDate(text(), source: .exif).flatMap { $0.offset == nil ? nil : $0.instant }
        case "trkpt":
          if let place, let instant,
            let place = GeoLocation(
              latitude: place.latitude, longitude: place.longitude, altitude: altitude)
          {
            guard points.count < mostPoints else {
              throw MediaError(beyond: .trackPoints, "it has more than \(mostPoints) timestamped points")
            }
            points.append(Point(instant: instant, place: place, segment: segment))
          }
          place = nil
        default: break
        }
      }
    }
    guard scanner.isWellFormed, isTrack, depth == 0, !points.isEmpty else { return nil }
    self.points = points.sorted { $0.instant < $1.instant }
  }

  /// The time range from the first point to the last, in milliseconds since 1970 UTC.
  package var extent: ClosedRange<Int> {
    let first = points.first?.instant ?? 0
    return first...max(first, points.last?.instant ?? 0)
  }

  /// Returns the location at a given time, interpolated linearly between the neighbouring points.
  ///
  /// - Parameter instant: The time, in milliseconds since 1970 UTC.
  /// - Returns: The location. Before the start of the track, after its end, between segments, and in gaps longer than
  ///   ``longestGap``, the location of the nearest point is returned. If the nearest point is not within ``nearness``,
  ///   the result is nil.
  package func place(at instant: Int) -> GeoLocation? {
    var low = 0
    var high = points.count
    while low < high {
      let middle = (low + high) / 2
      if points[middle].instant <= instant { low = middle + 1 } else { high = middle }
    }
    let before = low > 0 ? points[low - 1] : nil
    let behind = low < points.count ? points[low] : nil
    if let before, let behind, behind.instant - before.instant <= Self.longestGap * 1000,
      before.segment == behind.segment || before.instant == instant
    {
      let share = Double(instant - before.instant) / Double(max(behind.instant - before.instant, 1))
      return Self.between(before.place, behind.place, share)
    }
    let near = [before, behind].compactMap { $0 }.min {
      abs($0.instant - instant) < abs($1.instant - instant)
    }
    return near.flatMap { abs($0.instant - instant) <= Self.nearness * 1000 ? $0.place : nil }
  }

  private static func between(_ one: GeoLocation, _ other: GeoLocation, _ share: Double) -> GeoLocation? {
    // Uses the shorter direction, which may cross the 180° meridian.
    var east = other.longitude - one.longitude
    if east > 180 { east -= 360 }
    if east < -180 { east += 360 }
    var longitude = one.longitude + east * share
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    let altitude = one.altitude.flatMap { low in other.altitude.map { low + ($0 - low) * share } }
    return GeoLocation(
      latitude: one.latitude + (other.latitude - one.latitude) * share, longitude: longitude,
      altitude: altitude ?? one.altitude ?? other.altitude)
  }
}
