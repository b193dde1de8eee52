/// The capture date and the location in one half's file.
package struct HalfFacts: Hashable, Sendable {
  /// The capture date; nil if the file contains no capture date.
  package var created: CaptureDate?
  /// The location; nil if the file contains no location.
  package var location: GeoLocation?

  /// - Parameters:
  ///   - created: The capture date.
  ///   - location: The location.
  package init(created: CaptureDate?, location: GeoLocation?) {
    (self.created, self.location) = (created, location)
  }
}

/// A comparison of the capture dates and locations of a Live Photo's halves.
package struct FactsAgreement: Hashable, Sendable {
  /// The date and location in the photo.
  package let photo: HalfFacts
  /// The date and location in the movie.
  package let movie: HalfFacts

  /// The maximum difference, in seconds, between two dates from the same capture. A movie begins up to three seconds
  /// before its photo.
  package static let seconds = 10
  /// The maximum difference, in seconds, if the movie's date comes from the movie's header. The header contains the
  /// time of writing, which can be several minutes after the capture.
  package static let secondsOfHeader = 600
  /// The maximum distance, in metres, between two locations from the same capture. A train can travel this far between
  /// two GPS fixes.
  package static let metres = 1000.0

  /// - Parameters:
  ///   - photo: The date and location in the photo.
  ///   - movie: The date and location in the movie.
  package init(photo: HalfFacts, movie: HalfFacts) {
    (self.photo, self.movie) = (photo, movie)
  }

  /// Whether the dates or the locations of the two halves cannot have come from the same capture.
  package var isContradiction: Bool { datesDisagree || placesDisagree }

  /// Whether the dates cannot have come from the same capture. If either half has no time zone, local times are
  /// compared. In that case, movie headers are ignored because their dates are in UTC.
  package var datesDisagree: Bool {
    guard let one = photo.created, let other = movie.created else { return false }
    let isHeader = other.source == .movieHeader
    if isHeader, one.offset == nil { return false }
    let haveZones = one.offset != nil && other.offset != nil
    let distance =
      haveZones ? one.instant - other.instant : one.wallClock - other.wallClock
    return distance.magnitude > UInt(isHeader ? Self.secondsOfHeader : Self.seconds) * 1000
  }

  /// Whether the locations cannot have come from the same capture.
  package var placesDisagree: Bool { distance.map { $0 > Self.metres } ?? false }

  /// The distance between the locations in metres; nil if either half has no location.
  package var distance: Double? {
    guard let one = photo.location, let other = movie.location else { return nil }
    return one.distance(to: other)
  }

  /// The change that makes the movie's metadata match the photo's metadata. This change covers only values that
  /// contradict each other.
  package var agreeing: Facts {
    var facts = Facts()
    if datesDisagree, let date = photo.created {
      // If the dates do not come from the same capture, a time zone that only the movie contains does not apply to the
      // photo.
      facts.date = DateChange(.set(wallClock: date.wallClock), offset: date.offset)
    }
    if placesDisagree, let place = photo.location { facts.place = PlaceChange(place) }
    return facts
  }
}
