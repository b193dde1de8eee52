import Foundation
import TestSupport
import Testing

/// `liveedit repair` over whole Live Photos whose halves contradict each other, by exiftool's account of what they say.
@Suite struct CommandAgreeTests {
  /// A Live Photo whose photo says another year than its movie.
  private func disagreeing(_ name: String = "IMG_0001.JPG") throws -> CommandTrimTests.Pair {
    let pair = try CommandTrimTests.Pair(name)
    try pair.folder.run(
      "exiftool", ["-q", "-overwrite_original", "-DateTimeOriginal=2018:01:01 10:00:00", pair.photo])
    return pair
  }

  private func repair(_ arguments: String..., in folder: URL, status: Int32 = 0) throws -> ToolOutput {
    let answer = try Tools.run([Command.path, "repair"] + arguments, in: folder)
    #expect(answer.status == status, "\(arguments): \(answer.text)\(answer.standardError)")
    return answer
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"])
  func aContradictionIsListedEndedAndTakenBack(_ name: String) throws {
    let pair = try disagreeing(name)
    let folder = pair.folder.url
    let before = try content(of: folder)
    let tags = try Tools.exiftool(pair.originalMovie)
    let movieDate = try #require(tags["Keys:CreationDate"] ?? tags["QuickTime:CreateDate"])
    let plan = try repair("--dry-run", in: folder)
    #expect(try content(of: folder) == before)
    #expect(
      plan.lines.first?.hasPrefix(
        "\(pair.photo) + \(pair.movie): contradict each other: the photo was taken 2018-01-01T10:00:00")
        == true, "\(plan.text)")
    let day = movieDate.prefix(10).replacingOccurrences(of: ":", with: "-")
    #expect(plan.lines.first?.contains("the movie \(day)T") == true, "\(plan.text)")
    #expect(
      plan.lines.last == "0 Live Photos to tie, 1 whole, 1 of these with halves that contradict each other")
    // Tying alone changes nothing of it.
    let tied = try repair("-o", ".", in: folder, status: 2)
    #expect(tied.text.contains("liveedit repair --agree"), "\(tied.text)")
    #expect(try content(of: folder) == before)

    let done = try repair("--agree", in: folder)
    #expect(done.text.contains("IMG_E"), "\(done.text)")
    let after = try content(of: folder)
    for (file, bytes) in before { #expect(after[file] == bytes, "\(file) was changed") }
    for file in [pair.editedPhoto, pair.editedMovie] {
      let tags = try Tools.exiftool(file)
      let date = tags["ExifIFD:DateTimeOriginal"] ?? tags["Keys:CreationDate"]
      #expect(date?.hasPrefix("2018:01:01 10:00:00") == true, "\(file.lastPathComponent): \(date ?? "none")")
    }
    // What agrees now is not named again, and an ordinary revert takes it back.
    let again = try repair("--agree", in: folder, status: 2)
    #expect(again.lines == ["1 whole"], "\(again.text)")
    try pair.run("revert")
    #expect(try repair("--dry-run", in: folder).text.contains("contradict each other"))
  }

  /// Adjustment data of another program without its render: what is seen are the originals.
  @Test func adjustmentDataAloneIsNotInTheWay() throws {
    let pair = try disagreeing()
    let script = """
      import plistlib
      plistlib.dump({'adjustmentFormatIdentifier': 'com.apple.photo', 'adjustmentFormatVersion': '1.5',
        'adjustmentData': b'x', 'adjustmentEditorBundleID': 'com.apple.Photos'}, open('IMG_0001.AAE', 'wb'))
      """
    try pair.folder.run("/usr/bin/python3", ["-c", script])
    let plan = try repair("--dry-run", in: pair.folder.url)
    #expect(plan.text.contains("contradict each other"), "\(plan.text)\(plan.standardError)")
    _ = try repair("--agree", in: pair.folder.url)
    for file in [pair.editedPhoto, pair.editedMovie] {
      let tags = try Tools.exiftool(file)
      let date = tags["ExifIFD:DateTimeOriginal"] ?? tags["Keys:CreationDate"]
      #expect(date?.hasPrefix("2018:01:01 10:00:00") == true, "\(file.lastPathComponent): \(date ?? "none")")
    }
  }

  /// A date that somebody set on purpose ends it as well, and stays.
  @Test func aDateThatWasSetStays() throws {
    let pair = try disagreeing()
    try pair.run("date", "--set", "2001-02-03T04:05+01:00")
    #expect(try repair("--agree", in: pair.folder.url, status: 2).lines == ["1 whole"])
    // One that is moved leaves the halves apart; the photo's moved date is kept.
    try pair.run("revert", "--to", "original")
    try pair.run("date", "--shift", "+1d")
    _ = try repair("--agree", in: pair.folder.url)
    let photo = try Tools.exiftool(pair.editedPhoto)
    let movie = try Tools.exiftool(pair.editedMovie)
    #expect(photo["ExifIFD:DateTimeOriginal"] == "2018:01:02 10:00:00")
    #expect(movie["Keys:CreationDate"]?.hasPrefix("2018:01:02 10:00:00") == true)
  }

  /// Places that lie in two cities, and halves that are not tied.
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
    // 504 km between Munich and Berlin.
    #expect(plan.text.contains("their places are 504"), "\(plan.text)")
    _ = try repair("--agree", in: folder)
    #expect(try repair("--agree", in: folder, status: 2).lines == ["1 whole"])

    let loose = try disagreeing()
    try loose.folder.run("exiftool", ["-q", "-m", "-overwrite_original", "-MakerNotes=", loose.photo])
    let rest = try repair("--agree", in: loose.folder.url, status: 2)
    #expect(rest.lines == ["0 whole"], "\(rest.text)")
  }
}
