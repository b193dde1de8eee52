import Foundation
import TestSupport
import Testing

/// Tests of `place` and `describe`; exiftool reads the results.
@Suite struct CommandPlaceTests {
  func degrees(_ tags: [String: String], _ name: String) -> Double? {
    tags[name].flatMap { Double($0) }
  }

  @Test(arguments: ["IMG_0001.JPG"]) func aPlaceIsSetInBothHalves(_ name: String) throws {
    try checkPlace(CommandTrimTests.Pair(name))
  }

  func checkPlace(_ pair: CommandTrimTests.Pair) throws {
    let before = try content(of: pair.folder.url)
    try pair.run("place", "--set", "-33.8567844,151.2152967,-2.5")
    let photo = try tags(of: pair.editedPhoto)
    #expect(abs((degrees(photo, "GPS:GPSLatitude") ?? 0) - 33.8567844) < 1e-7)
    #expect(photo["GPS:GPSLatitudeRef"] == "S" && photo["GPS:GPSLongitudeRef"] == "E")
    #expect(abs((degrees(photo, "GPS:GPSLongitude") ?? 0) - 151.2152967) < 1e-7)
    #expect(photo["GPS:GPSAltitude"] == "2.5" && photo["GPS:GPSAltitudeRef"] == "1")
    #expect(photo["GPS:GPSHPositioningError"] == nil)
    let movie = try tags(of: pair.editedMovie)
    let parts = (movie["Keys:GPSCoordinates"] ?? "").split(separator: " ").compactMap { Double($0) }
    #expect(parts.count == 3, "\(movie["Keys:GPSCoordinates"] ?? "none")")
    for (said, meant) in zip(parts, [-33.8567844, 151.2152967, -2.5]) { #expect(abs(said - meant) < 1e-5) }
    #expect(movie["Keys:LocationAccuracyHorizontal"] == nil)
    for (original, render) in [
      (pair.folder.file(pair.photo), pair.editedPhoto), (pair.originalMovie, pair.editedMovie),
    ] {
      #expect(try CodedPictures.digest(original) == CodedPictures.digest(render))
    }
    try pair.checkPair()
    // First the altitude is removed, then the location.
    try pair.run("place", "--set", "48.137,11.575")
    #expect(try tags(of: pair.editedPhoto)["GPS:GPSAltitude"] == nil)
    try pair.run("place", "--remove")
    for file in [pair.editedPhoto, pair.editedMovie] where FileManager.default.fileExists(atPath: file.path) {
      let said = try tags(of: file).keys.filter { $0.contains("GPS") || $0.contains("Location") }
      #expect(said.isEmpty, "\(said)")
    }
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
  }

  @Test func aTrackSaysWhereItWas() throws {
    let pair = try CommandTrimTests.Pair()
    let points = (0..<10).map {
      "<trkpt lat=\"\(48 + Double($0) / 10)\" lon=\"11\"><ele>500</ele><time>2024-05-01T08:0\($0):00Z</time></trkpt>"
    }.joined()
    try pair.folder.write(
      Array("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>".utf8), to: "day.gpx")
    try pair.run("date", "--set", "2024-05-01T10:02:30+02:00")
    try pair.run("place", "--gpx", "day.gpx")
    #expect(abs((degrees(try tags(of: pair.editedPhoto), "GPS:GPSLatitude") ?? 0) - 48.25) < 1e-7)
    try pair.run("date", "--shift", "1h")
    try pair.expectRefusal(of: ["place", "--gpx", "day.gpx"], "does not cover")
  }

  @Test(arguments: ["IMG_0004.HEIC"]) func wordsStandInBothHalves(_ name: String) throws {
    let pair = try CommandTrimTests.Pair(name)
    try pair.run(
      "describe", "--title", "Fish & <Chips>", "--caption", "At “the” sea", "--keyword", "+sea,+sün",
      "--rating", "4",
      "--person", "Zoë,Ann")
    let photo = try Tools.exiftool(pair.editedPhoto)
    #expect(photo["XMP-dc:Title"] == "Fish & <Chips>" && photo["XMP-dc:Description"] == "At “the” sea")
    #expect(photo["XMP-xmp:Rating"] == "4")
    let lists = try Tools.run([
      "exiftool", "-s3", "-sep", ",", "-XMP-dc:Subject", "-XMP-iptcExt:PersonInImage", pair.editedPhoto.path,
    ])
    #expect(lists.lines == ["sea,sün", "Zoë,Ann"])
    let movie = try Tools.exiftool(pair.editedMovie)
    #expect(movie["Keys:Title"] == "Fish & <Chips>" && movie["Keys:Description"] == "At “the” sea")
    #expect(movie["Keys:Keywords"] == "sea,sün")
    try pair.checkPair()
    try pair.run("describe", "--keyword=-sea", "--remove", "title")
    let after = try Tools.exiftool(pair.editedPhoto)
    #expect(after["XMP-dc:Subject"] == "sün" || after["XMP-dc:Subject"]?.contains("sea") == false)
    #expect(after["XMP-dc:Title"] == nil && after["XMP-dc:Description"] == "At “the” sea")
    #expect(try Tools.exiftool(pair.editedMovie)["Keys:Title"] == nil)
    // The render has no new exiftool warnings. The warning about a missing xpacket wrapper is ignored, because no
    // program requires one.
    func warnings(_ file: URL) throws -> Set<String> {
      let said = try Tools.run(["exiftool", "-validate", "-warning", "-a", "-s3", file.path]).lines
      return Set(
        said.filter { !$0.hasSuffix("minor)") && !$0.contains("xpacket wrapper") && $0.contains(" ") }
      )
      .filter { !$0.contains("Warning") }
    }
    #expect(try warnings(pair.editedPhoto).isSubset(of: warnings(pair.folder.file(pair.photo))))
  }
}
