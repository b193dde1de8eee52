import Foundation
import TestSupport
import Testing

extension CommandDateTests {
  /// A date is set in both halves for each photo format; the independent checker also verifies the result.
  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"]) func aDateIsSetInBothHalvesOfEachKind(_ name: String)
    throws
  {
    try aDateIsSetInBothHalves(name)
  }

  @Test(
    arguments: Cases.chosen(["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0004.HEIC"]) { index, _ in index != 1 })
  func everyDateMovesAlike(_ name: String)
    throws
  {
    try checkShift(CommandTrimTests.Pair(name))
  }

  /// Shifts every date in real photos, if samples are available. A quick run uses one sample.
  @Test(
    .enabled(if: !samples.isEmpty), arguments: Cases.chosen(samples) { index, _ in index == 1 })
  func everyDateOfSamplesMovesAlike(_ photo: URL) throws {
    try checkShift(CommandTrimTests.Pair(photo))
  }

  private func checkShift(_ pair: CommandTrimTests.Pair) throws {
    let before = try content(of: pair.folder.url)
    let halves = [(pair.folder.file(pair.photo), pair.editedPhoto), (pair.originalMovie, pair.editedMovie)]
    let answer = try pair.run("date", "--shift", "+2h30m", "--json")
    #expect(
      answer.text.contains(#""photo":"copied""#) && answer.text.contains(#""movie":"copied""#),
      "\(answer.text)")
    for (original, render) in halves {
      let (old, new) = (try Self.dates(original), try Self.dates(render))
      #expect(Set(old.keys) == Set(new.keys))
      var moved = 0
      for (name, date) in old where date.count >= 19 && !date.hasPrefix("0000") {
        #expect(
          try Self.seconds(from: date, to: new[name] ?? "") == 9000, "\(name) \(date) \(new[name] ?? "")")
        moved += 1
      }
      #expect(moved > 0 || old.isEmpty)
      #expect(try CodedPictures.digest(original) == CodedPictures.digest(render))
    }
    try pair.checkPair()
    // A shift and its opposite together leave no edit.
    try pair.run("date", "--shift=-2h30m")
    let (after, library) = (try content(of: pair.folder.url), pair.folder.file(".liveedit").path)
    #expect(after == before && FileManager.default.fileExists(atPath: library))
    try pair.run("date", "--shift", "1d")
    try pair.run("revert")
    #expect(try content(of: pair.folder.url) == before)
  }

  @Test func aZoneSaysWhatTheClockShowsOverTheChangeToSummerTime() throws {
    let pair = try CommandTrimTests.Pair()
    func said() throws -> [String?] {
      let photo = try tags(of: pair.editedPhoto)
      return [
        photo["ExifIFD:DateTimeOriginal"], photo["ExifIFD:OffsetTimeOriginal"],
        try tags(of: pair.editedMovie)["Keys:CreationDate"],
      ]
    }
    try pair.run("date", "--set", "2024-03-31T01:30", "--zone", "Europe/Rome")
    #expect(try said() == ["2024:03:31 01:30:00", "+01:00", "2024:03:31 01:30:00+01:00"])
    try pair.run("date", "--shift", "1h")
    #expect(try said() == ["2024:03:31 03:30:00", "+02:00", "2024:03:31 03:30:00+02:00"])
    // Without a time zone argument, the offset stays the same.
    try pair.run("date", "--set", "2024-03-31T01:30+01:00")
    try pair.run("date", "--shift", "1h")
    #expect(try said() == ["2024:03:31 02:30:00", "+01:00", "2024:03:31 02:30:00+01:00"])
    // First the moment is kept, then the clock time.
    try pair.run("date", "--zone", "America/New_York")
    #expect(try said() == ["2024:03:30 21:30:00", "-04:00", "2024:03:30 21:30:00-04:00"])
    try pair.run("date", "--zone", "Asia/Tokyo", "--keep-clock")
    #expect(try said() == ["2024:03:30 21:30:00", "+09:00", "2024:03:30 21:30:00+09:00"])
  }

  @Test func xmpAndIPTCMoveAlong() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    let photo = folder.file("IMG_0001.JPG")
    let made = try Tools.run([
      "exiftool", "-q", "-overwrite_original", "-DateTimeOriginal=2024:05:01 23:30:00",
      "-OffsetTimeOriginal=+02:00", "-XMP:CreateDate=2024:05:01 23:30:00.25+02:00",
      "-XMP-photoshop:DateCreated=2024:05:01 23:30:00", "-XMP-exif:DateTimeOriginal=2024:05:01 21:30:00Z",
      "-IPTC:DateCreated=2024:05:01", "-IPTC:TimeCreated=23:30:00+02:00", "-GPSDateStamp=2024:05:01",
      "-GPSTimeStamp=21:30:00.5", photo.path,
    ])
    #expect(made.status == 0, "\(made.standardError)")
    #expect(try Command.run("date", "--shift", "+1h", "IMG_0001.JPG", in: folder.url).status == 0)
    let said = try tags(of: folder.file("IMG_E0001.JPG"))
    #expect(said["XMP-xmp:CreateDate"] == "2024:05:02 00:30:00.25+02:00")
    #expect(said["XMP-photoshop:DateCreated"] == "2024:05:02 00:30:00")
    #expect(said["XMP-exif:DateTimeOriginal"] == "2024:05:01 22:30:00Z")
    #expect(said["IPTC:DateCreated"] == "2024:05:02" && said["IPTC:TimeCreated"] == "00:30:00+02:00")
    #expect(said["GPS:GPSTimeStamp"] == "22:30:00.5" && said["GPS:GPSDateStamp"] == "2024:05:01")
    #expect(try Command.run("date", "--zone", "Asia/Tokyo", "IMG_0001.JPG", in: folder.url).status == 0)
    let zoned = try tags(of: folder.file("IMG_E0001.JPG"))
    #expect(zoned["XMP-xmp:CreateDate"] == "2024:05:02 07:30:00.25+09:00")
    #expect(zoned["XMP-exif:DateTimeOriginal"] == "2024:05:01 22:30:00Z")
    #expect(zoned["IPTC:DateCreated"] == "2024:05:02" && zoned["IPTC:TimeCreated"] == "07:30:00+09:00")
    #expect(zoned["GPS:GPSTimeStamp"] == "22:30:00.5")
  }

  /// IPTC times must have an offset. A zero offset is not taken literally if the capture's clock is in another time
  /// zone or has none.
  @Test(arguments: [
    // The Exif offset, then the IPTC time before and after.
    ("", "23:30:00+00:00", "23:30:00+02:00"), ("+01:00", "23:30:00+00:00", "23:30:00+02:00"),
    ("+01:00", "22:30:00+00:00", "23:30:00+02:00"), ("+00:00", "23:30:00+00:00", "23:30:00+02:00"),
    ("+01:00", "23:30:00+01:00", "23:30:00+02:00"),
  ])
  func theClockOfIPTCIsKept(_ offset: String, _ before: String, _ after: String) throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    try folder.run(
      "exiftool",
      [
        "-q", "-overwrite_original", "-DateTimeOriginal=2024:05:01 23:30:00", "-OffsetTimeOriginal=" + offset,
        "-IPTC:DateCreated=2024:05:01", "-IPTC:TimeCreated=" + before, folder.file("IMG_0001.JPG").path,
      ])
    let run = try Command.run(
      "date", "--zone", "Europe/Rome", "--keep-clock", "IMG_0001.JPG", in: folder.url)
    #expect(run.status == 0, "\(run.standardError)")
    let said = try tags(of: folder.file("IMG_E0001.JPG"))
    #expect(said["ExifIFD:DateTimeOriginal"] == "2024:05:01 23:30:00")
    #expect(said["ExifIFD:OffsetTimeOriginal"] == "+02:00")
    #expect(said["IPTC:DateCreated"] == "2024:05:01" && said["IPTC:TimeCreated"] == after)
  }

  @Test func aZoneNeedsAMomentToBeToldIn() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    let photo = folder.file("IMG_0001.JPG")
    _ = try Tools.run([
      "exiftool", "-q", "-overwrite_original", "-OffsetTime*=", "-DateTimeOriginal=2024:05:01 10:00:00",
      photo.path,
    ])
    let refused = try Command.run("date", "--zone", "Europe/Rome", "IMG_0001.JPG", in: folder.url)
    #expect(
      refused.status == 1 && refused.sentences.count == 1 && refused.standardError.contains("--keep-clock"))
    #expect(
      try Command.run("date", "--zone", "Europe/Rome", "--keep-clock", "IMG_0001.JPG", in: folder.url).status
        == 0)
    let said = try tags(of: folder.file("IMG_E0001.JPG"))
    #expect(said["ExifIFD:DateTimeOriginal"] == "2024:05:01 10:00:00")
    #expect(said["ExifIFD:OffsetTimeOriginal"] == "+02:00")
  }
}
