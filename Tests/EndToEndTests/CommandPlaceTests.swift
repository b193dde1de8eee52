import Foundation
import TestSupport
import Testing

/// `place` and `describe` from the command line, as exiftool reads what comes of them.
@Suite struct CommandPlaceTests {
  private func degrees(_ tags: [String: String], _ name: String) -> Double? {
    tags[name].flatMap { Double($0) }
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"]) func aPlaceIsSetInBothHalves(_ name: String) throws {
    try checkPlace(CommandTrimTests.Pair(name))
  }

  /// The same with real photos, where they are there: a quick run takes a JPEG and a HEIC whose dates it does not move.
  @Test(
    .enabled(if: !CommandDateTests.samples.isEmpty),
    arguments: Cases.chosen(CommandDateTests.samples) { index, _ in index % 3 == 0 })
  func aPlaceIsSetInSamples(_ photo: URL) throws { try checkPlace(CommandTrimTests.Pair(photo)) }

  private func checkPlace(_ pair: CommandTrimTests.Pair) throws {
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
    // No altitude any more, and then no place.
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

  @Test func namesOfPlacesGoWithAFarPlace() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    let made = try Tools.run([
      "exiftool", "-q", "-overwrite_original", "-GPSLatitude=48.137", "-GPSLatitudeRef=N",
      "-GPSLongitude=11.575",
      "-GPSLongitudeRef=E", "-XMP-exif:GPSLatitude=48.137", "-XMP-exif:GPSLongitude=11.575",
      "-XMP-photoshop:City=Munich", "-IPTC:City=Munich", "-IPTC:ObjectName=Square",
      folder.file("IMG_0001.JPG").path,
    ])
    #expect(made.status == 0, "\(made.standardError)")
    #expect(try Command.run("place", "--set", "48.138,11.576", "IMG_0001.JPG", in: folder.url).status == 0)
    let near = try tags(of: folder.file("IMG_E0001.JPG"))
    #expect(near["XMP-photoshop:City"] == "Munich" && near["IPTC:City"] == "Munich")
    #expect(abs((degrees(near, "XMP-exif:GPSLatitude") ?? 0) - 48.138) < 1e-6)
    let far = try Command.run("place", "--set", "41.9,12.5", "--verbose", "IMG_0001.JPG", in: folder.url)
    #expect(far.status == 0 && far.text.contains("photoshop:City"), "\(far.text)")
    let said = try tags(of: folder.file("IMG_E0001.JPG"))
    #expect(
      said["XMP-photoshop:City"] == nil && said["IPTC:City"] == nil && said["IPTC:ObjectName"] == "Square")
    #expect(abs((degrees(said, "XMP-exif:GPSLongitude") ?? 0) - 12.5) < 1e-6)
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
    try pair.expectRefusal(of: ["place", "--gpx", "day.gpx"], "no point")
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"]) func wordsStandInBothHalves(_ name: String) throws {
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
    // Nothing is wrong with it that was not before; a wrapper around a packet is asked for by nobody.
    func warnings(_ file: URL) throws -> Set<String> {
      let said = try Tools.run(["exiftool", "-validate", "-warning", "-a", "-s3", file.path]).lines
      return Set(
        said.filter { !$0.hasSuffix("minor)") && !$0.contains("xpacket wrapper") && $0.contains(" ") }
      )
      .filter { !$0.contains("Warning") }
    }
    #expect(try warnings(pair.editedPhoto).isSubset(of: warnings(pair.folder.file(pair.photo))))
  }

  @Test func iptcAndWindowsFieldsAgree() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    let made = try Tools.run([
      "exiftool", "-q", "-overwrite_original", "-IPTC:Caption-Abstract=old", "-IPTC:Keywords=beach",
      "-IPTC:Keywords=Strand", "-IPTC:ObjectName=old", "-EXIF:ImageDescription=old", "-EXIF:XPTitle=old",
      "-EXIF:XPKeywords=beach;Strand", "-EXIF:Rating=1", folder.file("IMG_0001.JPG").path,
    ])
    #expect(made.status == 0, "\(made.standardError)")
    let run = try Command.run(
      "describe", "--title", "Übung", "--caption", "neu", "--keyword", "+See,-beach", "--rating", "5",
      "IMG_0001.JPG",
      in: folder.url)
    #expect(run.status == 0, "\(run.standardError)")
    let said = try Tools.exiftool(folder.file("IMG_E0001.JPG"))
    #expect(said["IPTC:Caption-Abstract"] == "neu" && said["IPTC:ObjectName"] == "Übung")
    #expect(said["IFD0:ImageDescription"] == "neu" && said["IFD0:XPTitle"] == "Übung")
    #expect(said["IFD0:XPKeywords"] == "Strand;See" && said["IFD0:Rating"] == "5")
    let lists = try Tools.run([
      "exiftool", "-s3", "-sep", ",", "-IPTC:Keywords", "-XMP-dc:Subject", folder.file("IMG_E0001.JPG").path,
    ])
    #expect(lists.lines == ["Strand,See", "Strand,See"])
  }

  /// Copies of a caption follow it where they are, and none is made.
  @Test func copiesOfACaptionFollow() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    try folder.run(
      "exiftool",
      ["-q", "-overwrite_original", "-XMP-tiff:ImageDescription=old", folder.file("IMG_0001.JPG").path])
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=0.5", "-c:v", "libx264", "-metadata",
        "description=old", "-metadata", "synopsis=old", "waves.mp4",
      ])
    try folder.run(
      "ffmpeg", ["-v", "error", "-i", "waves.mp4", "-c", "copy", "-map_metadata", "-1", "sand.mov"])
    try folder.run("exiftool", ["-q", "-overwrite_original", "-XMP-dc:Description=old", "sand.mov"])
    func describe(_ words: String...) throws -> [[String: String]] {
      let run = try Tools.run(
        [Command.path, "describe"] + words + ["IMG_0001.JPG", "waves.mp4", "sand.mov"], in: folder.url)
      #expect(run.status == 0, "\(run.standardError)")
      return try ["IMG_E0001.JPG", "waves_edited.mp4", "sand_edited.mov"].map {
        try Tools.exiftool(folder.file($0))
      }
    }
    let titled = try describe("--title", "Title")
    #expect(titled[0]["XMP-tiff:ImageDescription"] == "old" && titled[1]["ItemList:Description"] == "old")
    #expect(titled[2]["XMP-dc:Description"] == "old" && titled[2]["XMP-dc:Title"] == nil)
    let new = try describe("--caption", "Wörds & <more>")
    #expect(new[0]["XMP-tiff:ImageDescription"] == "Wörds & <more>")
    #expect(new[0]["XMP-dc:Description"] == "Wörds & <more>")
    #expect(new[1]["ItemList:Description"] == "Wörds & <more>")
    #expect(new[1]["ItemList:LongDescription"] == "Wörds & <more>" && new[1]["ItemList:Comment"] == nil)
    #expect(new[2]["XMP-dc:Description"] == "Wörds & <more>")
    let none = try describe("--remove", "caption")
    for name in ["XMP-tiff:ImageDescription", "XMP-dc:Description"] { #expect(none[0][name] == nil) }
    #expect(none[2]["XMP-dc:Description"] == nil)
    for name in ["ItemList:Description", "ItemList:LongDescription"] { #expect(none[1][name] == nil) }
  }
}
