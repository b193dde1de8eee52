import Foundation
import TestSupport
import Testing

/// Edits that are planned, rendered by any number of workers, and committed.
@Suite struct CommandSpreadTests {
  /// A tree of Live Photos and of a photo alone, in two folders, and a plan beside it.
  private struct Tree {
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

    /// Plans a turn of all.
    func plan() throws { try run("plan", "rotate", "--degrees", "90", "-r", "photos", "--plan", "turn.plan") }

    /// Makes a task of each job of the plan.
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

    /// The pictures and movies of the tree, renders too, with their hashes.
    func pictures() throws -> [String] {
      try Tools.output(
        "find", "photos", "-path", "*/.liveedit", "-prune", "-o", "-type", "f", "!", "-name", "*.AAE",
        "-exec",
        "sha256sum", "{}", "+", in: #require(folder).url
      ).lines.sorted()
    }

    /// The results, by their places below the folder of the results.
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
    // Planning and working leave no trace among the originals.
    #expect(try many.pictures() == originals)
    try many.run("work", "turn.plan")
    #expect(try many.results().count == 4)
    let names = try Tools.output("find", "photos", in: #require(many.folder).url).lines
    #expect(!names.contains { $0.contains(".liveedit") || $0.contains("_E") })
    let said = try many.run("commit", "--recheck", "100%", "turn.plan")
    #expect(said.standardError.contains("4 rendered again and compared"))
    #expect(said.standardError.contains("4 committed of 4"))
    #expect(try many.pictures() == one.pictures())
    #expect(try many.pictures().count > originals.count)
    try many.run("check", "-r", "photos")
    // Nothing is done twice, and all of it is undone at once.
    try many.run("work", "turn.plan", status: 2)
    #expect(try many.run("commit", "turn.plan", status: 2).standardError.contains("4 committed before of 4"))
    let undo = try #require(said.standardError.split(separator: "\n").last { $0.contains("revert --batch") })
    let batch = try #require(undo.split(separator: " ").last)
    try many.run("revert", "--batch", String(batch))
    #expect(try many.pictures() == originals)
  }

  @Test func workersShareTheTasksAndMayDie() throws {
    let tree = try Tree()
    try tree.plan()
    try tree.divide()
    func start() throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Command.path)
      process.arguments = ["work", "turn.plan", "--jobs", "1", "--quiet"]
      process.environment = Tools.environment
      process.currentDirectoryURL = try #require(tree.folder).url
      (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
      try process.run()
      return process
    }
    let workers = try (0..<3).map { _ in try start() }
    // In the midst of its first job.
    usleep(300_000)
    kill(workers[0].processIdentifier, SIGKILL)
    for worker in workers { worker.waitUntilExit() }
    // Whoever died gave its claim back.
    try tree.run("work", "turn.plan", status: tree.results().count == 4 ? 2 : 0)
    #expect(try tree.results().count == 4)
    #expect(try tree.run("commit", "turn.plan").standardError.contains("4 committed of 4"))
    try tree.run("check", "-r", "photos")
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
    // What is there is committed, and the rest can follow.
    let said = try tree.run("commit", "turn.plan", status: 1)
    #expect(said.standardError.contains("2 committed, 2 failed of 4"))
    #expect(said.standardError.contains("has no result yet"))
    try tree.run("work", "turn.plan")
    #expect(
      try tree.run("commit", "turn.plan").standardError.contains("2 committed, 2 committed before of 4"))
  }

  @Test func whatWasEditedMeanwhileStaysAndIsPlannedAgain() throws {
    let tree = try Tree()
    try tree.plan()
    try tree.run("work", "turn.plan")
    try tree.run("flip", "--horizontal", "photos/a/IMG_0001.JPG")
    let before = try Data(contentsOf: tree.file("photos/a/IMG_E0001.JPG"))
    let said = try tree.run("commit", "--again", "rest.plan", "turn.plan", status: 1)
    #expect(said.standardError.contains("3 committed, 1 failed of 4"))
    #expect(said.standardError.contains("photos/a/IMG_0001.JPG: was changed since its edit was planned"))
    #expect(try Data(contentsOf: tree.file("photos/a/IMG_E0001.JPG")) == before)
    try tree.run("work", "rest.plan")
    try tree.run("commit", "rest.plan")
    let other = try Tree()
    try other.run("flip", "--horizontal", "photos/a/IMG_0001.JPG")
    try other.run("rotate", "--degrees", "90", "photos/a/IMG_0001.JPG")
    #expect(
      try Data(contentsOf: tree.file("photos/a/IMG_E0001.JPG"))
        == Data(contentsOf: other.file("photos/a/IMG_E0001.JPG")))
  }

  @Test func changedOriginalsAreRefused() throws {
    let tree = try Tree()
    try tree.plan()
    try FileManager.default.removeItem(at: tree.file("photos/b/gainmap.JPG"))
    try FileManager.default.copyItem(
      at: TestFiles.fixture("IMG_0001.JPG"), to: tree.file("photos/b/gainmap.JPG"))
    let said = try tree.run("work", "turn.plan", status: 1)
    #expect(said.standardError.contains("photos/b/gainmap.JPG: is not what it was when it was planned"))
    #expect(try tree.results().count == 3)
    #expect(
      try tree.run("commit", "turn.plan", status: 1).standardError.contains("3 committed, 1 failed of 4"))
  }

  @Test func noLinkLeadsOutOfTheRoot() throws {
    let tree = try Tree()
    try tree.plan()
    try FileManager.default.moveItem(at: tree.file("photos/b"), to: tree.file("elsewhere"))
    try FileManager.default.createSymbolicLink(
      at: tree.file("photos/b"), withDestinationURL: tree.file("elsewhere"))
    let said = try tree.run("work", "turn.plan", status: 1)
    #expect(said.standardError.contains("photos/b: is a symbolic link"), "\(said.standardError)")
    #expect(try tree.results().count == 1)
    for place in ["../elsewhere/gainmap.JPG", "/etc/passwd", "b/../../x"] {
      let text = try String(contentsOf: tree.file("turn.plan"), encoding: .utf8)
      try text.replacingOccurrences(of: "b/gainmap.JPG", with: place)
        .write(to: tree.file("bad.plan"), atomically: true, encoding: .utf8)
      #expect(try tree.run("work", "bad.plan", status: 1).standardError.contains("is not a plan"))
    }
  }

  @Test(.enabled("strace cannot trace here; scripts/crash-test --can-trace says why", Kernel.canTrace))
  func aPlanIsThereWholeOrNotAtAll() throws {
    let tree = try Tree()
    let folder = try #require(tree.folder)
    // The first thing that it writes is the plan.
    let killed = try Tools.run(
      [
        "strace", "-f", "-b", "execve", "-o", folder.file("log").path, "-e", "trace=write", "-e",
        "inject=write:signal=KILL:when=1", Command.path, "plan", "rotate", "--degrees", "90", "-r", "photos",
        "--plan", "turn.plan",
      ], in: folder.url)
    #expect(killed.status != 0 && killed.text.isEmpty)
    #expect(try folder.names().contains { $0.hasPrefix(".liveedit-plan") })
    #expect(try tree.run("work", "turn.plan", status: 1).standardError.contains("no such file"))
    #expect(try !folder.names().contains { $0.hasPrefix(".liveedit-plan") || $0 == "turn.plan" })
    try tree.plan()
    try tree.run("work", "turn.plan")
  }

  @Test func damagedResultsAreRefusedAndMadeAgain() throws {
    let tree = try Tree()
    try tree.plan()
    try tree.run("work", "turn.plan")
    let photo = try #require(tree.results().first).replacingOccurrences(of: "result.json", with: "photo")
    var bytes = try Data(contentsOf: tree.file(photo))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: tree.file(photo))
    let said = try tree.run("commit", "turn.plan", status: 1)
    #expect(said.standardError.contains("has a result that is not what was rendered"))
    #expect(said.standardError.contains("3 committed, 1 failed of 4"))
    try tree.run("work", "turn.plan")
    #expect(
      try tree.run("commit", "turn.plan").standardError.contains("1 committed, 3 committed before of 4"))
    try tree.run("check", "-r", "photos")
  }

  @Test func otherLibrariesAndPlacesAreTold() throws {
    let tree = try Tree()
    try tree.plan()
    // The originals lie elsewhere here, and the results go elsewhere.
    try FileManager.default.moveItem(at: tree.file("photos"), to: tree.file("mounted"))
    #expect(try tree.run("work", "turn.plan", status: 1).standardError.contains("photos: is not there"))
    try tree.run("work", "turn.plan", "--root", "mounted", "--results", "there")
    try tree.run("commit", "turn.plan", "--root", "mounted", "--results", "there")
    try tree.run("check", "-r", "mounted")
    let text = try String(contentsOf: tree.file("turn.plan"), encoding: .utf8)
    try text.replacingOccurrences(of: "FFmpeg 5", with: "FFmpeg 4")
      .write(to: tree.file("old.plan"), atomically: true, encoding: .utf8)
    let said = try tree.run("work", "old.plan", "--root", "mounted", status: 1)
    #expect(
      said.standardError.contains("the plan is for liveedit") && said.standardError.contains("FFmpeg 4"))
  }

  @Test func aLibraryElsewhereGetsWhatOneComputerPutsThere() throws {
    let (one, many) = (try Tree(), try Tree())
    for tree in [one, many] {
      try FileManager.default.createDirectory(at: tree.file("lib"), withIntermediateDirectories: false)
    }
    try one.run("rotate", "--degrees", "90", "-r", "photos", "--library", "lib")
    try many.run(
      "plan", "rotate", "--degrees", "90", "-r", "photos", "--library", "lib", "--plan", "turn.plan")
    try many.run("work", "turn.plan")
    try many.run("commit", "turn.plan")
    func renders(_ tree: Tree) throws -> [String] {
      try Tools.output(
        "find", "lib", "-path", "*/.liveedit", "-prune", "-o", "-type", "f", "-name", "*[GV]", "-exec",
        "sha256sum",
        "{}", "+", in: #require(tree.folder).url
      ).lines.sorted()
    }
    #expect(try renders(many) == renders(one))
    #expect(try renders(one).count == 7)
  }

  @Test(arguments: [
    (["plan", "rotate", "--degrees", "90", "photos"], "plan needs --plan FILE"),
    (["plan", "list", "photos", "--plan", "x"], "plan takes a command that edits"),
    (["plan", "--plan", "x"], "plan takes a command that edits"),
    (["plan", "rotate", "--degrees", "90", "photos", "--dry-run", "--plan", "x"], "--dry-run and -o"),
    (["work"], "name one plan"), (["work", "x", "--task", "0"], "--task"),
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
