import Basics
import EditModel
import Foundation
import LivePhotoFormat
import TestSupport
import Testing

/// Tests of reading XMP sidecars, compared with exiftool.
@Suite struct SidecarFactsTests {
  private func facts(_ text: String) throws -> SidecarFacts {
    try SidecarFacts(MemoryByteSource(Array(text.utf8)))
  }

  /// Returns a sidecar with these attributes.
  private func sidecar(_ attributes: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(attributes)/></rdf:RDF></x:xmpmeta>
    """
  }

  @Test(arguments: [Sidecars.digiKam, Sidecars.darktable, Sidecars.immich])
  func datesAndPlacesAreThoseThatExiftoolReads(_ text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(text.utf8), to: "IMG_0001.JPG.xmp")
    let said = try Tools.exiftool(folder.file("IMG_0001.JPG.xmp"))
    let facts = try facts(text)
    let date = try #require(said["XMP-exif:DateTimeOriginal"])
    // exiftool writes dates with colons.
    #expect(facts.created?.text.replacing("-", with: ":").replacing("T", with: " ") == date)
    let place = try #require(facts.location)
    #expect(abs(place.latitude - (Double(said["XMP-exif:GPSLatitude"] ?? "") ?? 0)) < 1e-9)
    #expect(abs(place.longitude - (Double(said["XMP-exif:GPSLongitude"] ?? "") ?? 0)) < 1e-9)
    #expect(place.altitude == said["XMP-exif:GPSAltitude"].flatMap { Double($0) })
    #expect(facts.description.title == said["XMP-dc:Title"])
    #expect(facts.description.caption == said["XMP-dc:Description"])
  }

  @Test func wordsOfEachProgramAreRead() throws {
    let digiKam = try facts(Sidecars.digiKam).description
    #expect(digiKam.title == "On the square" && digiKam.caption == "Bread & butter" && digiKam.rating == 4)
    #expect(digiKam.keywords.added == ["Munich", "snow"] && digiKam.persons.added == ["Zoë"])
    let darktable = try facts(Sidecars.darktable)
    #expect(darktable.description.keywords.added == ["harbour"])
    // A rejected picture has no rating.
    #expect(darktable.description.rating == nil)
    #expect((darktable.location?.latitude ?? 0) < 0 && (darktable.location?.longitude ?? 0) < 0)
    let immich = try facts(Sidecars.immich).description
    #expect(immich.keywords.added == ["Lake"] && immich.rating == 3 && immich.caption == "By the lake")
  }

  @Test func theFirstDateThatIsOneCounts() throws {
    let all =
      #"exif:DateTimeOriginal="2023-06-07T08:09:10Z" photoshop:DateCreated="2022-01-01T00:00:00" xmp:CreateDate="2021-01-01T00:00:00""#
    #expect(try facts(sidecar(all)).created?.text == "2023-06-07T08:09:10Z")
    let zeros = all.replacing("2023-06-07T08:09:10Z", with: "0000:00:00 00:00:00")
    #expect(try facts(sidecar(zeros)).created?.text == "2022-01-01T00:00:00")
    let days = zeros.replacing("2022-01-01T00:00:00", with: "2022-01-01")
    #expect(try facts(sidecar(days)).created?.text == "2021-01-01T00:00:00")
    let minutes = sidecar(#"exif:DateTimeOriginal="2023-06-07T08:09+05:30""#)
    #expect(try facts(minutes).created?.text == "2023-06-07T08:09:00+05:30")
    #expect(try facts(minutes).created?.source == .sidecar)
  }

  @Test(arguments: [
    ("48,8,13.2N", "11,34,30W", 48.137, -11.575), ("48.137", "-11.575", 48.137, -11.575),
    ("0,0N", "11,34.5E", 0, 11.575),
  ])
  func placesAreReadInEveryForm(_ latitude: String, _ longitude: String, _ north: Double, _ east: Double)
    throws
  {
    let said = try facts(
      sidecar(
        #"exif:GPSLatitude="\#(latitude)" exif:GPSLongitude="\#(longitude)" exif:GPSAltitude="12.5" exif:GPSAltitudeRef="1""#
      ))
    let place = try #require(said.location)
    #expect(abs(place.latitude - north) < 1e-12 && abs(place.longitude - east) < 1e-12)
    #expect(place.altitude == -12.5)
  }

  @Test(arguments: [
    ("91,0N", "11,0E"), ("48,60N", "11,0E"), ("48,-1N", "11,0E"), ("nanN", "11,0E"), ("48,1,2,3N", "11,0E"),
    ("", "11,0E"), ("0,0N", "0,0E"), ("48,N", "11,0E"), ("1e309", "11,0E"),
  ])
  func whatIsNoPlaceIsLeftOut(_ latitude: String, _ longitude: String) throws {
    let said = try facts(sidecar(#"exif:GPSLatitude="\#(latitude)" exif:GPSLongitude="\#(longitude)""#))
    #expect(said.location == nil)
  }

  @Test(arguments: [
    "", "no XML", "<x/>", "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF>", "\u{0}\u{1}",
    "<!DOCTYPE x [<!ENTITY a \"b\">]><x/>",
  ])
  func whatIsNoXMPIsRefused(_ text: String) { #expect(throws: MediaError.self) { try facts(text) } }

  @Test func tooMuchIsNotTakenIn() throws {
    struct Endless: ByteSource {
      let count = SidecarFacts.largestFile + 1
      func read(at offset: Int, count: Int) throws -> [UInt8] { throw MediaError("it was read") }
    }
    let error = #expect(throws: MediaError.self) { try SidecarFacts(Endless()) }
    #expect(error?.problem.contains("16 MB") == true, "\(String(describing: error))")
    let words = (0..<5000).map { "<rdf:li>\($0)</rdf:li>" }.joined()
    let text = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <rdf:Description><dc:subject><rdf:Bag><rdf:li>\(String(repeating: "a", count: 1001))</rdf:li>\(words)</rdf:Bag></dc:subject>
      <dc:title>\(String(repeating: "b", count: 20_001))</dc:title></rdf:Description></rdf:RDF>
      """
    let change = try facts(text).description
    #expect(change.keywords.added.count == 1000 && change.keywords.added.first == "0" && change.title == nil)
  }

  @Test func whatFilesSayMoreExactlyStays() throws {
    func date(_ text: String, _ source: CaptureDate.Source = .exif) throws -> CaptureDate {
      try #require(CaptureDate(text, source: source))
    }
    let sidecar = try facts(Sidecars.dated("2023-06-07T08:09:10"))
    let same = try date("2023-06-07T08:09:10.345+02:00")
    #expect(sidecar.created(over: same) == same && sidecar.facts(over: same, nil).isNeutral)
    // A different local time, with the offset in the file.
    let other = try date("2023-06-07T09:09:10.345+02:00")
    #expect(sidecar.created(over: other)?.text == "2023-06-07T08:09:10+02:00")
    #expect(sidecar.created(over: nil)?.text == "2023-06-07T08:09:10")
    // A movie's header contains no local time.
    #expect(
      sidecar.created(over: try date("2023-06-07T08:09:10Z", .movieHeader))?.text == "2023-06-07T08:09:10")
    let place = try #require(GeoLocation(latitude: 47.5650001, longitude: 9.375, altitude: 400))
    let immich = try facts(Sidecars.immich)
    #expect(immich.location(over: place) == place)
    let far = try #require(GeoLocation(latitude: 47.566, longitude: 9.375, altitude: 400))
    #expect(immich.location(over: far) == immich.location && immich.location != nil)
    #expect(immich.facts(over: nil, far).place == immich.location.map { PlaceChange($0) })
  }

  /// The sidecar of a render contains the values that were read, according to exiftool.
  @Test(arguments: [Sidecars.digiKam, Sidecars.darktable, Sidecars.immich])
  func whatIsWrittenIsWhatWasRead(_ text: String) throws {
    let facts = try facts(text)
    let folder = try TemporaryFolder()
    try folder.write(facts.bytes, to: "IMG_E0001.JPG.xmp")
    let said = try Tools.exiftool(folder.file("IMG_E0001.JPG.xmp"))
    let date = facts.created?.text.replacing("-", with: ":").replacing("T", with: " ")
    #expect(said["XMP-exif:DateTimeOriginal"] == date && said["XMP-photoshop:DateCreated"] == date)
    for (tag, value) in [
      ("GPSLatitude", facts.location?.latitude), ("GPSLongitude", facts.location?.longitude),
    ] {
      #expect(abs((said["XMP-exif:" + tag].flatMap { Double($0) } ?? 999) - (value ?? 0)) < 1e-7)
    }
    #expect(said["XMP-dc:Title"] == facts.description.title)
    #expect(said["XMP-dc:Description"] == facts.description.caption)
    #expect(said["XMP-xmp:Rating"] == facts.description.rating.map { "\($0)" })
    let lists = try Tools.run([
      "exiftool", "-s3", "-sep", ",", "-XMP-dc:Subject", "-XMP-iptcExt:PersonInImage",
      folder.file("IMG_E0001.JPG.xmp").path,
    ])
    #expect(
      lists.lines
        == [facts.description.keywords.added, facts.description.persons.added].filter { !$0.isEmpty }.map {
          $0.joined(separator: ",")
        })
    // Reading the sidecar again gives the same values.
    let again = try SidecarFacts(MemoryByteSource(facts.bytes))
    #expect(again.created == facts.created && again.description == facts.description)
  }
}
