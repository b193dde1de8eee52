import Foundation
import TestSupport
import Testing

extension CommandAgreeTests {
  /// Another program's adjustment data without a render does not block the repair, because the originals are still what
  /// is displayed.
  @Test func adjustmentDataAloneIsNotInTheWay() throws {
    let pair = try disagreeing()
    let script = """
      import plistlib
      plistlib.dump({'adjustmentFormatIdentifier': 'com.apple.photo', 'adjustmentFormatVersion': '1.5',
        'adjustmentData': b'x', 'adjustmentEditorBundleID': 'com.apple.Photos'}, open('IMG_0001.AAE', 'wb'))
      """
    try pair.folder.run("/usr/bin/python3", ["-c", script])
    let plan = try repair("--dry-run", in: pair.folder.url)
    #expect(plan.text.contains("the halves disagree"), "\(plan.text)\(plan.standardError)")
    _ = try repair("--agree", in: pair.folder.url)
    for file in [pair.editedPhoto, pair.editedMovie] {
      let tags = try Tools.exiftool(file)
      let date = tags["ExifIFD:DateTimeOriginal"] ?? tags["Keys:CreationDate"]
      #expect(date?.hasPrefix("2018:01:01 10:00:00") == true, "\(file.lastPathComponent): \(date ?? "none")")
    }
  }

  /// A date that the user sets explicitly also resolves the disagreement, and the repair keeps it.
  @Test func aDateThatWasSetStays() throws {
    let pair = try disagreeing()
    try pair.run("date", "--set", "2001-02-03T04:05+01:00")
    #expect(try repair("--agree", in: pair.folder.url, status: 2).lines == ["1 complete"])
    // A date shift leaves the halves in disagreement; the repair keeps the photo's shifted date.
    try pair.run("revert", "--to", "original")
    try pair.run("date", "--shift", "+1d")
    _ = try repair("--agree", in: pair.folder.url)
    let photo = try Tools.exiftool(pair.editedPhoto)
    let movie = try Tools.exiftool(pair.editedMovie)
    #expect(photo["ExifIFD:DateTimeOriginal"] == "2018:01:02 10:00:00")
    #expect(movie["Keys:CreationDate"]?.hasPrefix("2018:01:02 10:00:00") == true)
  }

  /// Halves whose locations are in two cities count as disagreeing; halves that are not paired do not.
  @Test func placesCountAndLooseHalvesDoNot() throws {
    let pair = try CommandTrimTests.Pair("IMG_0004.HEIC")
    try pair.run("place", "--set", "48.137,11.575")
    for file in [pair.editedPhoto, pair.editedMovie] {
      let name = file.lastPathComponent.replacingOccurrences(of: "IMG_E", with: "IMG_9")
      try FileManager.default.createDirectory(
        at: pair.folder.file("new"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: file, to: pair.folder.file("new/" + name))
    }
    let folder = pair.folder.file("new")
    let photo = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix("HEIC") })
    try pair.folder.run(
      "exiftool",
      [
        "-q", "-overwrite_original", "-GPSLatitude=52.52", "-GPSLatitudeRef=N", "-GPSLongitude=13.405",
        "-GPSLongitudeRef=E", "new/" + photo,
      ])
    let plan = try repair("--dry-run", in: folder)
    // Munich and Berlin are 504 km apart.
    #expect(plan.text.contains("their locations are 504"), "\(plan.text)")
    _ = try repair("--agree", in: folder)
    #expect(try repair("--agree", in: folder, status: 2).lines == ["1 complete"])

    let loose = try disagreeing()
    try loose.folder.run("exiftool", ["-q", "-m", "-overwrite_original", "-MakerNotes=", loose.photo])
    let rest = try repair("--agree", in: loose.folder.url, status: 2)
    #expect(rest.lines == ["0 complete"], "\(rest.text)")
  }
}
