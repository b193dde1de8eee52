import EditModel
import Testing

/// Tests of halves with contradictory metadata, and of the change that makes them agree.
@Suite struct FactsAgreementTests {
  private func half(_ date: String?, _ source: CaptureDate.Source = .quickTime, _ place: GeoLocation? = nil)
    -> HalfFacts
  {
    HalfFacts(created: date.flatMap { CaptureDate($0, source: source) }, location: place)
  }

  @Test(arguments: [
    // Compares instants, local times if a time zone is missing, and headers in UTC.
    ("2024-05-01T10:00:01.5+02:00", "2024-05-01T10:00:00+02:00", false),
    ("2024-05-01T10:00:01+02:00", "2024-05-01T08:00:00+00:00", false),
    ("2024-05-01T10:00:11+02:00", "2024-05-01T10:00:00+02:00", true),
    ("2024-05-01T10:00:00+02:00", "2024-05-01T10:00:00+01:00", true),
    ("2024-05-01T10:00:00", "2024-05-01T10:00:09+01:00", false),
    ("2024-05-01T10:00:00", "2024-05-01T11:00:00+01:00", true),
  ])
  func datesAreComparedByWhatIsKnown(_ photo: String, _ movie: String, _ disagree: Bool) {
    let both = FactsAgreement(photo: half(photo, .exif), movie: half(movie))
    #expect(both.datesDisagree == disagree && both.isContradiction == disagree)
    #expect(both.agreeing.isNeutral == !disagree)
    if disagree {
      #expect(
        both.agreeing.date?.applied(to: CaptureDate(wallClock: 0, offset: nil, source: .exif))?.text == photo)
    }
  }

  @Test func headersOfMoviesTellLess() {
    func disagree(_ photo: String, _ header: String) -> Bool {
      FactsAgreement(photo: half(photo, .exif), movie: half(header, .movieHeader)).datesDisagree
    }
    #expect(!disagree("2024-05-01T10:00:00+02:00", "2024-05-01T08:05:00Z"))
    #expect(disagree("2024-05-01T10:00:00+02:00", "2024-05-01T08:11:00Z"))
    #expect(!disagree("2024-05-01T10:00:00", "2019-05-01T08:11:00Z"))
  }

  @Test func placesDisagreeBeyondAKilometre() throws {
    let munich = try #require(GeoLocation(latitude: 48.137, longitude: 11.575))
    let near = try #require(GeoLocation(latitude: 48.145, longitude: 11.575))
    let far = try #require(GeoLocation(latitude: 48.147, longitude: 11.575))
    #expect(
      !FactsAgreement(photo: half(nil, .exif, munich), movie: half(nil, .quickTime, near)).placesDisagree)
    let both = FactsAgreement(photo: half(nil, .exif, munich), movie: half(nil, .quickTime, far))
    #expect(both.placesDisagree && !both.datesDisagree)
    #expect(both.agreeing.place == PlaceChange(munich) && both.agreeing.date == nil)
    #expect(!FactsAgreement(photo: half(nil), movie: half(nil, .quickTime, far)).isContradiction)
  }
}
