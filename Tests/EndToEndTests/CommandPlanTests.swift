import Foundation
import TestSupport
import Testing

/// Tests that `--dry-run` prints what the run will print and refuses what the run will refuse, in the same words.
@Suite struct CommandPlanTests {
  static let commands = [
    ["rotate", "--degrees", "90"], ["rotate", "--degrees", "90", "--lossless"],
    ["rotate", "--degrees", "90", "--photo-format", "heic"], ["rotate", "--degrees", "90", "-o", "."],
    ["adjust", "--exposure", "0.5"], ["adjust", "--exposure", "0.5", "--lossless"],
    ["crop", "--aspect", "1:1"], ["crop", "--rect", "0,0,1,1"], ["trim", "--from", "0.2"],
    ["sound", "--volume", "0.5"], ["live", "off"],
    ["date", "--shift", "1h"], ["place", "--set", "48.137,11.575"], ["describe", "--title", "Sea"],
  ]

  /// Resuming can also be planned. Repeating the command by hand ends the interrupted batch.
  @Test func goingOnIsPlanned() throws {
    let tree = try CommandBatchTests.Tree("a/IMG_0021.JPG", "a/IMG_0022.JPG", "a/IMG_0023.JPG")
    let words = ["rotate", "--to", "90", "a"]
    #expect(
      try Tools.run([Command.path] + words, in: tree.root, environment: tree.environment).status == 0)
    // Leaves the list as a kill before the end would.
    let list = tree.state.appendingPathComponent("liveedit/batches/\(try tree.batches()[0]).jsonl")
    let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").dropLast()
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: list)
    #expect(try tree.run("revert", "--to", "original", "a/IMG_0022.JPG").status == 0)
    #expect(try tree.run("forget", "a/IMG_0022.JPG", "a/IMG_0023.JPG").status == 0)
    for name in ["IMG_E0023.JPG", "IMG_0023.AAE"] {
      try FileManager.default.removeItem(at: tree.root.appendingPathComponent("a/" + name))
    }
    let before = try tree.files()
    let plan = try tree.run("rotate", "--resume", "--dry-run")
    #expect(try tree.files() == before)
    #expect(
      plan.standardError.contains("2 to be edited, 1 already edited, 3 in total"), "\(plan.standardError)")
    #expect(plan.lines.count == 2 && plan.lines[0].contains("a/IMG_0022.JPG → "), "\(plan.lines)")
    // Repeats the same command by hand.
    let kept = tree.root.appendingPathComponent("a/.liveedit/kept/\(try tree.batches()[0])/IMG_0022")
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: kept.appendingPathComponent("photo"))
    #expect(
      try Tools.run([Command.path] + words, in: tree.root, environment: tree.environment).status == 0)
    #expect(!FileManager.default.fileExists(atPath: kept.path))
    let resumed = try tree.run("rotate", "--resume")
    #expect(resumed.status == 1 && resumed.standardError.contains("no interrupted batch"))
  }

  /// Resuming is not suggested if it would fail in the same way.
  @Test func goingOnIsOfferedWhereItMends() throws {
    let tree = try CommandBatchTests.Tree("a/IMG_0001.JPG", "a/IMG_0002.JPG")
    let refused = try tree.run("adjust", "--exposure", "0.5", "--lossless", "a")
    #expect(refused.status == 1 && !refused.standardError.contains("resume with"))
  }

  /// A command does not search the folder that it writes to.
  @Test func outputsAreNotTakenForOriginals() throws {
    let tree = try CommandBatchTests.Tree("a/IMG_0001.JPG", "b/IMG_0002.JPG")
    for _ in 1...2 {
      let answer = try tree.run("export", "--as", "still", "-r", ".", "-o", "out", "--number")
      #expect(answer.status == 0 && answer.lines.count { $0.contains("→") } == 2, "\(answer.text)")
    }
    let rotated = try tree.run("rotate", "--degrees", "90", "-r", ".", "-o", "out")
    #expect(rotated.status == 0 && rotated.lines.count == 2, "\(rotated.text)")
    // The output folder is searched if it is named explicitly.
    let itself = try tree.run("export", "--as", "still", "-r", "out", "-o", "out", "--number")
    #expect(itself.lines.contains { $0.contains("→") }, "\(itself.text)")
  }
}
