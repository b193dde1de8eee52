import Basics

/// The points of a GPX file (GPX 1.1 and 1.0: `trkpt`, with latitude and longitude as attributes, `ele` and `time` inside) by
/// their times.
package struct GPXTrack: Hashable, Sendable {
  /// One point.
  private struct Point: Hashable {
    /// Milliseconds since 1970 UTC.
    let instant: Int
    let place: GeoLocation
    /// The number of its segment: the track is interrupted between segments.
    let segment: Int
  }

  /// The points with a time, the earliest first.
  private let points: [Point]

  /// Between two points that are farther apart, in seconds, nothing is known, unless one of them is near.
  package static let longestGap = 300
  /// So near, in seconds, a point itself is taken, beyond the track's ends and in its gaps.
  package static let nearness = 60
  /// The most bytes of a file.
  package static var largestFile: Int { ReadingLimit.trackSize.value << 20 }
  private static let deepest = 64

  /// The error of a file with more than ``largestFile``.
  package static var tooLarge: MediaError {
    MediaError(beyond: .trackSize, "it is larger than \(ReadingLimit.trackSize.value) MB")
  }

  /// Reads a file.
  ///
  /// - Parameter bytes: the file, in UTF-8.
  /// - Returns: nil when it is no sound GPX, declares a document type, or has no point with a time.
  /// - Throws: ``Basics/MediaError`` when it is larger, has more points or is nested deeper than is read.
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

  /// The time from the first point to the last, in milliseconds since 1970 UTC.
  package var extent: ClosedRange<Int> {
    let first = points.first?.instant ?? 0
    return first...max(first, points.last?.instant ?? 0)
  }

  /// The place at a moment: on the straight way between the points before and behind it.
  ///
  /// - Parameter instant: milliseconds since 1970 UTC.
  /// - Returns: nil where the track does not say: before its beginning, behind its end, and where points are farther apart
  ///   than ``longestGap``; up to ``nearness`` from a point that point counts.
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
    // The short way, over the date line too.
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
