import Foundation
import TestSupport
import Testing

/// Tests of `check --repair --dry-run` and of checks of folder trees.
@Suite struct CommandCheckTests {
  /// If somebody deletes one half of a render, the repair restores it as the finding says.
  @Test func aRemovedHalfOfARenderComesBack() throws {
    let folder = try CommandAcceptTests.edited(
      [TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV")], turns: 1)
    let render = try folder.read("IMG_E0001.JPG")
    try FileManager.default.removeItem(at: folder.file("IMG_E0001.JPG"))
    let found = try CommandAcceptTests.run(folder, "check", status: 1)
    #expect(
      found.text.contains("no such file); run liveedit revert and then liveedit redo to restore the version"),
      "\(found.text)")
    try CommandAcceptTests.run(folder, "revert", "IMG_0001.JPG")
    try CommandAcceptTests.run(folder, "redo", "IMG_0001.JPG")
    try CommandAcceptTests.run(folder, "check")
    #expect(try folder.read("IMG_E0001.JPG") == render)
  }

  @Test func treesAreCheckedAndFoldersTakenIn() throws {
    let folder = try CommandAcceptTests.edited([TestFiles.fixture("IMG_0001.JPG")], turns: 1)
    let below = folder.file("a/b")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    for name in ["IMG_0002.JPG", "IMG_0003.JPG"] {
      try FileManager.default.copyItem(at: TestFiles.fixture(name), to: below.appendingPathComponent(name))
    }
    try CommandAcceptTests.run(folder, "rotate", "--degrees", "90", "--lossless", "a/b/IMG_0002.JPG")
    let clean = try CommandAcceptTests.run(folder, "check", "-r", ".")
    #expect(clean.lines.count == 3 && clean.lines.filter { $0.contains("1 asset, 1 version") }.count == 2)
    for photo in [folder.file("IMG_0001.JPG"), below.appendingPathComponent("IMG_0002.JPG")] {
      try CommandAcceptTests.write(["-Artist=Somebody"], into: photo)
    }
    let found = try CommandAcceptTests.run(folder, "check", "-r", ".", status: 1)
    #expect(found.lines.filter { $0.contains("accept it with liveedit check --accept") }.count == 2)
    let plan = try CommandAcceptTests.run(folder, "check", "--accept", "-r", ".", "--dry-run")
    #expect(plan.lines.filter { $0.contains("would be accepted") }.count == 2)
    try CommandAcceptTests.run(folder, "check", "-r", ".", status: 1)
    // Items without versions are skipped.
    let accepted = try CommandAcceptTests.run(folder, "check", "--accept", "-r", ".")
    #expect(plan.text == accepted.text.replacingOccurrences(of: ": accepted", with: ": would be accepted"))
    try CommandAcceptTests.run(folder, "check", "-r", ".")
    try CommandAcceptTests.run(folder, "check", "--accept", "-r", ".", status: 2)
  }

  /// Folders that are checked in parallel are reported in order, each with the damage that was planted in it.
  @Test func foldersCheckedSideBySideAreToldInTheirOrder() throws {
    let folder = try CommandAcceptTests.edited([TestFiles.fixture("IMG_0003.JPG")], turns: 1)
    let names = ["a", "b", "c", "d", "e", "f"]
    for name in names {
      try Tools.output(
        "sh", "-c", "mkdir \(name) && cp -r IMG_0003.JPG .liveedit IMG_E* *.AAE \(name)", in: folder.url)
    }
    for name in ["b", "e"] {
      try Tools.output("sh", "-c", "printf x >> \(name)/IMG_E0003.JPG", in: folder.url)
    }
    let alone = try CommandAcceptTests.run(folder, "check", "-r", ".", "--jobs", "1", status: 1)
    #expect(
      alone.lines.map { String($0.prefix { $0 != ":" }) } == [
        ".", "a", "b/IMG_E0003.JPG", "b", "c", "d", "e/IMG_E0003.JPG", "e", "f",
      ])
    for _ in 0..<3 {
      let together = try CommandAcceptTests.run(folder, "check", "-r", ".", "--jobs", "4", status: 1)
      #expect(together.text == alone.text)
    }
  }

  @Test(arguments: [
    ["--dry-run"], ["--filter", "edited", "."], ["--files-from", "-"], ["--accept", "--repair", "."],
  ])
  func misuseIsExplained(_ words: [String]) throws {
    let folder = try TemporaryFolder()
    let output = try Tools.run([Command.path, "check"] + words, in: folder.url)
    #expect(output.status == 64 && output.sentences.count >= 1)
  }
}
