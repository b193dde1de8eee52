/// Time and place a half was taken, as its file says it.
package struct HalfFacts: Hashable, Sendable {
  /// Time; nil where it does not say.
  package var created: CaptureDate?
  /// Place; nil where it does not say.
  package var location: GeoLocation?

  /// - Parameters:
  ///   - created: when.
  ///   - location: where.
  package init(created: CaptureDate?, location: GeoLocation?) {
    (self.created, self.location) = (created, location)
  }
}

/// The facts of the two halves of a Live Photo, compared.
package struct FactsAgreement: Hashable, Sendable {
  /// The facts by the photo.
  package let photo: HalfFacts
  /// The facts by the movie.
  package let movie: HalfFacts

  /// A movie begins before its photo, by three seconds at most; dates within so many seconds are of one capture.
  package static let seconds = 10
  /// A movie's header tells when it was written, which cameras do up to some minutes later, in seconds.
  package static let secondsOfHeader = 600
  /// Places within so many metres are of one capture: that far a train goes between two fixes of GPS.
  package static let metres = 1000.0

  /// - Parameters:
  ///   - photo: what the photo says.
  ///   - movie: what the movie says.
  package init(photo: HalfFacts, movie: HalfFacts) {
    (self.photo, self.movie) = (photo, movie)
  }

  /// True if both halves say a date, or both a place, and these cannot be of one capture.
  package var isContradiction: Bool { datesDisagree || placesDisagree }

  /// True if the dates cannot be of one capture. Where a half names no time zone, clocks are compared, and headers of movies,
  /// which count in UTC, not at all.
  package var datesDisagree: Bool {
    guard let one = photo.created, let other = movie.created else { return false }
    let isHeader = other.source == .movieHeader
    if isHeader, one.offset == nil { return false }
    let haveZones = one.offset != nil && other.offset != nil
    let distance =
      haveZones ? one.instant - other.instant : one.wallClock - other.wallClock
    return distance.magnitude > UInt(isHeader ? Self.secondsOfHeader : Self.seconds) * 1000
  }

  /// True if the places cannot be of one capture.
  package var placesDisagree: Bool { distance.map { $0 > Self.metres } ?? false }

  /// The distance of both places in metres; nil where a half says none.
  package var distance: Double? {
    guard let one = photo.location, let other = movie.location else { return nil }
    return one.distance(to: other)
  }

  /// The change after which both halves say what the photo says; what it does not say stays. Nothing is changed where they
  /// agree.
  package var agreeing: Facts {
    var facts = Facts()
    if datesDisagree, let date = photo.created {
      // A time zone that the movie alone knows is not the photo's where the dates are not of one capture.
      facts.date = DateChange(.set(wallClock: date.wallClock), offset: date.offset)
    }
    if placesDisagree, let place = photo.location { facts.place = PlaceChange(place) }
    return facts
  }
}
