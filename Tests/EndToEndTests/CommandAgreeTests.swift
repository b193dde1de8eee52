import Foundation
import TestSupport
import Testing

/// Tests of `liveedit repair` on complete Live Photos whose halves contradict each other. exiftool reads the metadata.
@Suite struct CommandAgreeTests {
  /// Returns a Live Photo whose photo has a different year from its movie.
  func disagreeing(_ name: String = "IMG_0001.JPG") throws -> CommandTrimTests.Pair {
    let pair = try CommandTrimTests.Pair(name)
    try pair.folder.run(
      "exiftool", ["-q", "-overwrite_original", "-DateTimeOriginal=2018:01:01 10:00:00", pair.photo])
    return pair
  }

  func repair(_ arguments: String..., in folder: URL, status: Int32 = 0) throws -> ToolOutput {
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
        "\(pair.photo) + \(pair.movie): the halves disagree: the photo's date is 2018-01-01T10:00:00")
        == true, "\(plan.text)")
    let day = movieDate.prefix(10).replacingOccurrences(of: ":", with: "-")
    #expect(plan.lines.first?.contains("the movie's is \(day)T") == true, "\(plan.text)")
    #expect(
      plan.lines.last == "0 Live Photos to pair, 1 complete, 1 of these with halves that disagree")
    // A repair that only pairs files does not change either half.
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
    // The repaired halves are not reported again, and an ordinary revert undoes the repair.
    let again = try repair("--agree", in: folder, status: 2)
    #expect(again.lines == ["1 complete"], "\(again.text)")
    try pair.run("revert")
    #expect(try repair("--dry-run", in: folder).text.contains("the halves disagree"))
  }
}
