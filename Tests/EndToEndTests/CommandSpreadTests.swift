import Foundation
import TestSupport
import Testing

/// Tests of edits that are planned, rendered by several workers, and committed.
@Suite struct CommandSpreadTests {
  /// A tree with two folders of Live Photos and a single photo, and a plan beside it.
  struct Tree {
    let folder = try? TemporaryFolder()

    init() throws {
      let root = try #require(folder).url
      for (place, fixture) in [("a", Fixture.portrait), ("b", .mirrored), ("b", .landscape)] {
        let target = root.appendingPathComponent("photos/\(place)")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        _ = try fixture.copy(to: target)
      }
      try FileManager.default.copyItem(
        at: TestFiles.fixture("gainmap.JPG"), to: root.appendingPathComponent("photos/b/gainmap.JPG"))
    }

    func file(_ place: String) throws -> URL { try #require(folder).file(place) }

    @discardableResult
    func run(_ words: String..., status: Int32 = 0) throws -> ToolOutput {
      let output = try Tools.run(
        [Command.path] + words, in: #require(folder).url,
        environment: ["XDG_STATE_HOME": file("state").path])
      #expect(output.status == status, "\(words): \(output.standardError)")
      return output
    }

    /// Plans a rotation of all photos.
    func plan() throws { try run("plan", "rotate", "--degrees", "90", "-r", "photos", "--plan", "turn.plan") }

    /// Turns each job of the plan into a task.
    func divide() throws {
      var number = 0
      let lines = try String(contentsOf: file("turn.plan"), encoding: .utf8).split(separator: "\n").map {
        line in
        guard line.hasPrefix(#"{"job""#) else { return String(line) }
        number += 1
        return line.replacingOccurrences(of: #""task":1}"#, with: #""task":\#(number)}"#)
      }
      try (lines.joined(separator: "\n") + "\n").write(
        to: file("turn.plan"), atomically: true, encoding: .utf8)
    }

    /// Returns the photos and movies in the tree, including renders, with their hashes.
    func pictures() throws -> [String] {
      try Tools.output(
        "find", "photos", "-path", "*/.liveedit", "-prune", "-o", "-type", "f", "!", "-name", "*.AAE",
        "-exec",
        "sha256sum", "{}", "+", in: #require(folder).url
      ).lines.sorted()
    }

    /// Returns the results by their paths in the results folder.
    func results() throws -> [String] {
      try Tools.output("find", "turn.plan.results/renders", "-name", "result.json", in: #require(folder).url)
        .lines.sorted()
    }
  }

  @Test func itIsAsIfOneComputerHadDoneIt() throws {
    let (one, many) = (try Tree(), try Tree())
    try one.run("rotate", "--degrees", "90", "-r", "photos")
    let originals = try many.pictures()
    try many.plan()
    // Planning and rendering leave the originals' folders unchanged.
    #expect(try many.pictures() == originals)
    try many.run("work", "turn.plan")
    #expect(try many.results().count == 4)
    let names = try Tools.output("find", "photos", in: #require(many.folder).url).lines
    #expect(!names.contains { $0.contains(".liveedit") || $0.contains("_E") })
    let said = try many.run("commit", "--recheck", "100%", "turn.plan")
    #expect(said.standardError.contains("4 rendered again and compared"))
    #expect(said.standardError.contains("4 committed; 4 in the plan"))
    #expect(try many.pictures() == one.pictures())
    #expect(try many.pictures().count > originals.count)
    try many.run("check", "-r", "photos")
    // No job is done twice, and one command undoes the whole batch.
    try many.run("work", "turn.plan", status: 2)
    #expect(
      try many.run("commit", "turn.plan", status: 2).standardError.contains(
        "4 committed before; 4 in the plan"))
    let undo = try #require(said.standardError.split(separator: "\n").last { $0.contains("revert --batch") })
    let batch = try #require(undo.split(separator: " ").last)
    try many.run("revert", "--batch", String(batch))
    #expect(try many.pictures() == originals)
  }

  @Test func tasksAreDoneOneByOne() throws {
    let tree = try Tree()
    try tree.plan()
    try tree.divide()
    try tree.run("work", "turn.plan", "--task", "3")
    #expect(try tree.results().count == 1)
    try tree.run("work", "turn.plan", "--task", "3", status: 2)
    try tree.run("work", "turn.plan", "--next")
    #expect(try tree.results().count == 2)
    #expect(
      try tree.run("work", "turn.plan", "--task", "5", status: 1).standardError.contains("has no task 5"))
    // Finished results are committed, and the rest can follow later.
    let said = try tree.run("commit", "turn.plan", status: 1)
    #expect(said.standardError.contains("2 committed, 2 failed; 4 in the plan"))
    #expect(said.standardError.contains("has no result yet"))
    try tree.run("work", "turn.plan")
    #expect(
      try tree.run("commit", "turn.plan").standardError.contains(
        "2 committed, 2 committed before; 4 in the plan"))
  }

  @Test func changedOriginalsAreRefused() throws {
    let tree = try Tree()
    try tree.plan()
    try FileManager.default.removeItem(at: tree.file("photos/b/gainmap.JPG"))
    try FileManager.default.copyItem(
      at: TestFiles.fixture("IMG_0001.JPG"), to: tree.file("photos/b/gainmap.JPG"))
    let said = try tree.run("work", "turn.plan", status: 1)
    #expect(said.standardError.contains("photos/b/gainmap.JPG: has changed since its edit was planned"))
    #expect(try tree.results().count == 3)
    #expect(
      try tree.run("commit", "turn.plan", status: 1).standardError.contains(
        "3 committed, 1 failed; 4 in the plan"))
  }

  @Test(arguments: [
    (["plan", "rotate", "--degrees", "90", "photos"], "plan needs --plan FILE"),
    (["plan", "list", "photos", "--plan", "x"], "plan needs an editing command"),
    (["plan", "--plan", "x"], "plan needs an editing command"),
    (["plan", "rotate", "--degrees", "90", "photos", "--dry-run", "--plan", "x"], "--dry-run or -o"),
    (["work"], "name exactly one plan"), (["work", "x", "--task", "0"], "--task"),
    (["work", "x", "--task", "1", "--next"], "--task"), (["commit", "x", "--recheck", "many"], "--recheck"),
  ]) func nonsenseIsRefused(_ words: [String], _ sentence: String) throws {
    try withTemporaryFolder { folder in
      let said = try Tools.run([Command.path] + words, in: folder)
      #expect(said.status == 64)
      #expect(said.standardError.contains(sentence), "\(said.standardError)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
}
