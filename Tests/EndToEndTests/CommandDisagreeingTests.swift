import Foundation
import TestSupport
import Testing

/// Tests that `list` reads the metadata of current versions and finds halves that disagree.
@Suite struct CommandDisagreeingTests {
  func names(_ filter: String, in folder: URL) throws -> [String] {
    let answer = try Command.run("list", "--rescan", "--paths", "--filter", filter, in: folder)
    #expect(answer.status == 0, "\(answer.standardError)")
    return answer.lines.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
  }

  @Test func halvesThatDisagreeAreFoundAndMadeToAgree() throws {
    let pair = try CommandTrimTests.Pair("IMG_0001.JPG")
    let folder = pair.folder.url
    #expect(try names("dates disagree", in: folder).isEmpty)
    let changed = try Tools.run([
      "exiftool", "-q", "-overwrite_original", "-DateTimeOriginal=2018:01:01 10:00:00",
      pair.folder.file(pair.photo).path,
    ])
    #expect(changed.status == 0, "\(changed.standardError)")
    #expect(try names("dates disagree and kind = live", in: folder) == ["IMG_0001.JPG"])
    #expect(try names("not disagreeing", in: folder).isEmpty)
    try pair.run("date", "--set", "2018-01-01T10:00")
    #expect(try names("dates disagree", in: folder).isEmpty)
    let wrong = try Command.run("list", "--filter", "dates agree", in: folder)
    #expect(wrong.status == 64 || wrong.status == 1)
    #expect(wrong.standardError.contains("expected “disagree”"), "\(wrong.standardError)")
  }
}
