import Foundation
import TestSupport
import Testing

@testable import EditModel

/// Tests of facts as a part of an edit: how they are combined and stored.
@Suite struct FactsTests {
  private let noon = CaptureDate(wallClock: 1_714_557_600_000, offset: 120, source: .exif)

  @Test func aDateMovesByItsMomentOrItsClock() throws {
    let shift = try #require(DateChange(.moved(clock: 9000, instant: 9000), offset: nil))
    #expect(shift.applied(to: noon)?.text == "2024-05-01T12:30:00+02:00")
    // A new time zone keeps the instant. A local time without a time zone shifts too.
    let zone = try #require(DateChange(.moved(clock: -3600, instant: 0), offset: 60, zone: "Europe/London"))
    #expect(zone.applied(to: noon)?.text == "2024-05-01T09:00:00+01:00")
    let bare = CaptureDate(wallClock: noon.wallClock, offset: nil, source: .exif)
    #expect(zone.applied(to: bare)?.text == "2024-05-01T09:00:00+01:00")
    let set = try #require(DateChange(.set(wallClock: 0), offset: nil))
    #expect(set.applied(to: noon)?.text == "1970-01-01T00:00:00+02:00")
  }

  @Test func whatChangesNothingIsNoChange() {
    #expect(DateChange(.moved(clock: 0, instant: 0), offset: nil) == nil)
    #expect(DateChange(.set(wallClock: 1 << 60), offset: nil) == nil)
    #expect(DateChange(.moved(clock: 1, instant: 1), offset: 1440) == nil)
    #expect(DateChange(.moved(clock: 1, instant: 1), offset: nil, zone: "Europe/Rome") == nil)
  }

  @Test func wordsComeTogether() {
    var first = DescriptionChange()
    first.title = "Sea"
    first.keywords.add("beach")
    first.keywords.add("sun")
    var second = DescriptionChange()
    second.caption = "Waves"
    second.keywords.remove("beach")
    second.keywords.add("sea")
    let both = second.after(first)
    #expect(both.title == "Sea" && both.caption == "Waves")
    #expect(both.keywords.added == ["sun", "sea"] && both.keywords.removed == ["beach"])
    #expect(both.keywords.applied(to: ["beach", "sea", "old"]) == ["sea", "old", "sun"])
  }

  @Test func factsAreStoredAndReadAgain() throws {
    var facts = Facts()
    facts.date = DateChange(.set(wallClock: 1_714_557_600_505), offset: 120, zone: "Europe/Rome")
    facts.place = PlaceChange(
      try #require(GeoLocation(latitude: -33.8567844, longitude: 151.2152967, altitude: -2.5)))
    facts.description.title = "A “title” with \u{1F30A}"
    facts.description.rating = 4
    facts.description.persons.add("Zoë")
    let edit = Edit(orientation: .right, facts: facts)
    let data = AdjustmentData(edit: edit, settings: .standard)
    #expect(data.formatVersion == "1.6")
    #expect(data.decoded()?.edit == edit)
    let json = try #require(try JSONSerialization.jsonObject(with: data.data) as? [String: Any])
    let stored = try #require((json["edit"] as? [String: Any])?["facts"] as? [String: Any])
    #expect((stored["date"] as? [String: Any])?["set"] as? String == "2024-05-01T10:00:00.505")
    #expect((stored["place"] as? [String: Any])?["latitude"] as? Double == -33.8567844)
    // Builds that do not support facts refuse this version number.
    #expect(AdjustmentData(edit: Edit(orientation: .right), settings: .standard).formatVersion == "1.4")
  }

  @Test(arguments: [
    #"{"date":{"clock":0,"instant":0}}"#, #"{"date":{"set":"2024-05-01"}}"#, #"{"date":{}}"#,
    #"{"place":{"latitude":91,"longitude":0}}"#, #"{"description":{"rating":6}}"#, #"{"mood":"good"}"#,
    #"{"description":{"keywords":{"added":[""]}}}"#, #"{"date":{"clock":1,"instant":1,"offset":2000}}"#,
  ])
  func impossibleFactsAreRefused(_ json: String) throws {
    let text = #"{"facts":\#(json)}"#
    #expect(throws: (any Error).self) { try JSONDecoder().decode(Edit.self, from: Data(text.utf8)) }
  }

  @Test func anEditOfFactsIsKeptApartFromPictures() {
    var edit = Edit.identity
    edit.facts.place = .removed
    #expect(!edit.isIdentity && edit.isOfFactsOnly && edit.keepsAppearance && edit.isTurnOnly)
    // Copying a look does not copy facts.
    let copied = PartialEdit(Set(EditPart.allCases), of: edit).applied(to: .identity)
    #expect(copied.isIdentity)
    edit.orientation = .right
    #expect(!edit.isOfFactsOnly)
  }
}

/// Tests of time zones from the system's database against GNU `date`, which reads the same files with different code.
@Suite struct TimeZoneRulesTests {
  static let zones = [
    "Europe/Rome", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Casablanca",
    "America/Nuuk", "Pacific/Apia", "UTC", "Asia/Tehran", "Europe/Dublin",
  ]

  func rules(_ zone: String) throws -> TimeZoneRules {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/" + zone)))
    return try #require(TimeZoneRules(name: zone, bytes))
  }

  @Test func clocksThatArePutForwardAndBack() throws {
    let rome = try rules("Europe/Rome")
    func offset(_ text: String) throws -> Int {
      let date = try #require(CaptureDate(text, source: .exif))
      return rome.offset(atWallClock: date.wallClock / 1000)
    }
    #expect(try offset("2024-03-31T01:59:59") == 60)
    #expect(try offset("2024-03-31T02:30:00") == 60)
    #expect(try offset("2024-03-31T03:00:00") == 120)
    #expect(try offset("2024-10-27T02:30:00") == 120)
    #expect(try offset("2024-10-27T03:00:00") == 60)
  }

  @Test func damagedFilesAreRefused() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Rome")))
    #expect(TimeZoneRules(name: "x", []) == nil)
    #expect(TimeZoneRules(name: "x", Array("TZif2 and so on, and so on, and so on, and so on".utf8)) == nil)
    for count in stride(from: 0, to: bytes.count - 40, by: 7) {
      #expect(TimeZoneRules(name: "x", Array(bytes[..<count])) == nil, "\(count)")
    }
    for index in 20..<44 {
      var damaged = bytes
      damaged[index] = 0xFF
      _ = TimeZoneRules(name: "x", damaged)
    }
  }
}

/// Tests of tracks in GPX files.
@Suite struct GPXTrackTests {
  private func gpx(_ points: String, head: String = "") throws -> GPXTrack? {
    try GPXTrack(
      Array(
        "<?xml version=\"1.0\"?>\(head)<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\(points)</trkseg></trk></gpx>"
          .utf8))
  }

  private func point(_ latitude: Double, _ longitude: Double, _ time: String, _ more: String = "") -> String {
    "<trkpt lat=\"\(latitude)\" lon='\(longitude)'>\(more)<time>\(time)</time></trkpt>"
  }

  private func instant(_ text: String) throws -> Int {
    try #require(CaptureDate(text, source: .exif)).instant
  }

  @Test func placesLieBetweenPoints() throws {
    let track = try #require(
      try gpx(
        point(48, 11, "2024-05-01T10:00:00Z", "<ele>500</ele>")
          + point(48.2, 11.4, "2024-05-01T10:02:00Z", "<ele>520</ele>")
          + point(48.2, 11.4, "2024-05-01T11:00:00Z")))
    let between = try #require(track.place(at: try instant("2024-05-01T12:00:30+02:00")))
    #expect(abs(between.latitude - 48.05) < 1e-9 && abs(between.longitude - 11.1) < 1e-9)
    #expect(between.altitude == 505)
    // Inside a gap, only times near a point have a location.
    #expect(track.place(at: try instant("2024-05-01T10:03:00Z"))?.latitude == 48.2)
    #expect(track.place(at: try instant("2024-05-01T10:03:01Z")) == nil)
    #expect(track.place(at: try instant("2024-05-01T09:59:00Z"))?.latitude == 48)
    #expect(track.place(at: try instant("2024-05-01T09:58:59Z")) == nil)
    #expect(track.place(at: try instant("2024-05-01T11:01:01Z")) == nil)
  }

  @Test func theDateLineIsCrossedTheShortWay() throws {
    let track = try #require(
      try gpx(point(0, 179.5, "2024-05-01T10:00:00Z") + point(0, -179.5, "2024-05-01T10:01:00Z")))
    let place = try #require(track.place(at: try instant("2024-05-01T10:00:45Z")))
    #expect(abs(place.longitude - -179.75) < 1e-9)
  }

  @Test func hostileFilesAreRefused() throws {
    #expect(try gpx("") == nil)
    #expect(try gpx(point(48, 11, "yesterday")) == nil)
    #expect(try gpx(point(98, 11, "2024-05-01T10:00:00Z")) == nil)
    #expect(
      try gpx(
        point(48, 11, "2024-05-01T10:00:00Z"),
        head: "<!DOCTYPE gpx [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>") == nil)
    #expect(try GPXTrack(Array(String(repeating: "<gpx>", count: 60).utf8)) == nil)
    #expect(try GPXTrack(Array("<kml/>".utf8)) == nil)
  }

  @Test func factsLieOverOthers() throws {
    var (first, second) = (Facts(), Facts())
    first.date = DateChange(.set(wallClock: 1000), offset: 60)
    first.place = .removed
    first.description.title = "first"
    first.description.keywords.add("sea")
    second.date = DateChange(.moved(clock: 60, instant: 60), offset: nil)
    second.description.keywords.remove("sea")
    second.description.rating = 3
    let both = second.after(first)
    #expect(both.date == second.date && both.place == .removed && both.description.title == "first")
    #expect(both.description.rating == 3 && both.description.keywords.applied(to: ["sea", "sun"]) == ["sun"])
    #expect(Facts.neutral.after(first) == first && first.after(.neutral) == first)
  }
}
