import Foundation
import TestSupport
import Testing

extension CommandSpreadTests {
  @Test func workersShareTheTasksAndMayDie() throws {
    let tree = try Tree()
    try tree.plan()
    try tree.divide()
    let folder = try #require(tree.folder).url
    let workers = try (0..<3).map { _ in
      try Command.start("work", "turn.plan", "--jobs", "1", "--quiet", in: folder)
    }
    // Waits until the worker is in the middle of its first job.
    try Event.wait(for: "a helper") {
      try RunningProcess.descendants(of: workers[0].identifier).contains { $0.name == "liveedit-render" }
    }
    workers[0].signal(SIGKILL)
    for worker in workers { worker.wait() }
    // The killed worker's claim is released.
    try tree.run("work", "turn.plan", status: tree.results().count == 4 ? 2 : 0)
    #expect(try tree.results().count == 4)
    #expect(try tree.run("commit", "turn.plan").standardError.contains("4 committed; 4 in the plan"))
    try tree.run("check", "-r", "photos")
  }

  @Test func whatWasEditedMeanwhileStaysAndIsPlannedAgain() throws {
    let tree = try Tree()
    try tree.plan()
    try tree.run("work", "turn.plan")
    try tree.run("flip", "--horizontal", "photos/a/IMG_0001.JPG")
    let before = try Data(contentsOf: tree.file("photos/a/IMG_E0001.JPG"))
    let said = try tree.run("commit", "--again", "rest.plan", "turn.plan", status: 1)
    #expect(said.standardError.contains("3 committed, 1 failed; 4 in the plan"))
    #expect(said.standardError.contains("photos/a/IMG_0001.JPG: has been changed since its edit was planned"))
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

  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func aPlanIsThereWholeOrNotAtAll() throws {
    let tree = try Tree()
    let folder = try #require(tree.folder)
    // The first data that the command writes is the plan.
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
    #expect(said.standardError.contains("has a result that differs from what was rendered"))
    #expect(said.standardError.contains("3 committed, 1 failed; 4 in the plan"))
    try tree.run("work", "turn.plan")
    #expect(
      try tree.run("commit", "turn.plan").standardError.contains(
        "1 committed, 3 committed before; 4 in the plan"))
    try tree.run("check", "-r", "photos")
  }

  @Test func otherLibrariesAndPlacesAreTold() throws {
    let tree = try Tree()
    try tree.plan()
    // On this computer, the originals are in another folder, and the results are written to another folder.
    try FileManager.default.moveItem(at: tree.file("photos"), to: tree.file("mounted"))
    #expect(try tree.run("work", "turn.plan", status: 1).standardError.contains("photos: does not exist"))
    try tree.run("work", "turn.plan", "--root", "mounted", "--results", "there")
    try tree.run("commit", "turn.plan", "--root", "mounted", "--results", "there")
    try tree.run("check", "-r", "mounted")
    let text = try String(contentsOf: tree.file("turn.plan"), encoding: .utf8)
    try text.replacingOccurrences(of: "FFmpeg 5", with: "FFmpeg 4")
      .write(to: tree.file("old.plan"), atomically: true, encoding: .utf8)
    let said = try tree.run("work", "old.plan", "--root", "mounted", status: 1)
    #expect(
      said.standardError.contains("the plan requires liveedit") && said.standardError.contains("FFmpeg 4"))
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
}
