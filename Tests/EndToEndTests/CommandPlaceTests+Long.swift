import Foundation
import TestSupport
import Testing

extension CommandPlaceTests {
  /// A location and texts are set in both halves for each photo format; the independent checker also verifies the
  /// result.
  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"]) func placeAndWordsStandInBothHalvesOfEachKind(
    _ name: String
  ) throws {
    try aPlaceIsSetInBothHalves(name)
    try wordsStandInBothHalves(name)
  }

  /// Sets the location of real photos, if samples are available. A quick run uses a JPEG and a HEIC whose dates it does
  /// not shift.
  @Test(
    .enabled(if: !CommandDateTests.samples.isEmpty),
    arguments: Cases.chosen(CommandDateTests.samples) { index, _ in index % 3 == 0 })
  func aPlaceIsSetInSamples(_ photo: URL) throws { try checkPlace(CommandTrimTests.Pair(photo)) }

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

  /// Existing copies of a caption are updated, and no new copies are created.
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
