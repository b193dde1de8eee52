import Foundation
import TestSupport
import Testing

extension CommandBatchTests {
  /// Files that are named together are changed together or not at all, even if one of them cannot be read.
  @Test(
    .enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace),
    arguments: ["IMG_0002.JPG", "IMG_0003.JPG"])
  func noneChangesWhereOneCannotBeLookedAt(_ failing: String) throws {
    let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
    for name in ["IMG_0002.JPG", "IMG_0002.MOV", "IMG_0003.JPG", "IMG_0003.MOV"] {
      try folder.copy(TestFiles.fixture(name))
    }
    let before = try content(of: folder.url)
    let strace = [
      "strace", "-f", "-b", "execve", "-o", "/dev/null", "-P", failing, "-e", "trace=newfstatat", "-e",
      "inject=newfstatat:error=EIO",
    ]
    let done = try Tools.run(
      strace + [Command.path, "rotate", "--degrees", "90", "IMG_0003.JPG", "IMG_0002.JPG"], in: folder.url,
      environment: ["XDG_STATE_HOME": state.url.path])
    #expect(done.status == 1, "\(done.text)")
    #expect(done.standardError.contains("liveedit: \(failing): cannot be read (input/output error)"))
    #expect(done.standardError.contains("change together"), "\(done.standardError)")
    #expect(try content(of: folder.url) == before)
  }

  /// A relative edit that is interrupted by a signal and resumed rotates every photo once. The results are
  /// byte-identical to those of an uninterrupted run.
  @Test(arguments: Cases.chosen([SIGINT, SIGTERM, SIGKILL]) { _, signal in signal == SIGKILL })
  func whatIsInterruptedGoesOnAndDoesNothingTwice(_ signal: Int32) throws {
    let reference = try tree()
    #expect(try reference.run("rotate", "--degrees", "90", "a").status == 0)
    let tree = try tree()
    let process = try tree.start(["rotate", "--degrees", "90", "a", "--jobs", "2"])
    try tree.wait(for: 2)
    process.signal(signal)
    #expect(process.wait() == .signalled(signal))
    let batch = try #require(try tree.batches().only)
    // Repeating the command by hand would rotate the photos that are already rotated again.
    let repeated = try tree.run("rotate", "--degrees", "90", "a", "--dry-run")
    #expect(repeated.status == 1)
    #expect(
      repeated.standardError.contains(
        "was edited by the batch \(batch), which was interrupted; resume the batch with liveedit rotate --resume=\(batch)"
      ))
    #expect(try tree.run("rotate", "--to", "90", "a", "--dry-run").status == 0)
    try expectNoInterruption(of: batch, in: tree)
    let resumed = try tree.run("rotate", "--resume")
    #expect(resumed.status == 0, "\(resumed.standardError)")
    #expect(resumed.standardError.contains("already edited"))
    #expect(try tree.files() == reference.files())
    let again = try tree.run("rotate", "--resume=\(batch)")
    #expect(again.status == 2 && again.standardError.contains("12 already edited, 12 in total"))
    #expect(try tree.files() == reference.files())
    // The batch no longer counts as interrupted.
    #expect(try tree.run("rotate", "--resume").status == 1)
    #expect(try tree.run("rotate", "--degrees", "90", "a", "--dry-run").status == 0)
    // Undoing the batch keeps edits that were made after it.
    _ = try tree.run("rotate", "--degrees", "90", "a/IMG_0011.JPG")
    let undone = try tree.run("revert", "--batch", batch)
    #expect(undone.status == 1 && undone.lines.count == 11)
    #expect(undone.sentences.count == 1 && undone.standardError.contains("has been changed since the batch"))
    #expect(try edited(tree.files()) == ["a/IMG_E0011.JPG"])
    let checked = try tree.run("check", "a")
    #expect(checked.status == 0, "\(checked.text)")
  }

  /// A batch whose list is locked by a process is still running: it does not count as interrupted and cannot be
  /// resumed.
  private func expectNoInterruption(of batch: String, in tree: Tree) throws {
    let list = tree.state.appendingPathComponent("liveedit/batches/\(batch).jsonl").path
    // `--no-fork` keeps everything in one process, so that ending that process releases the lock.
    let holder = try Child(["flock", "--no-fork", list, "sleep", "60"])
    defer {
      holder.signal(SIGKILL)
      holder.wait()
    }
    try Event.wait(for: "the lock") { try Tools.run(["flock", "-n", list, "true"]).status != 0 }
    #expect(try tree.run("rotate", "--degrees", "90", "a", "--dry-run").status == 0)
    #expect(try tree.run("rotate", "--resume").status == 1)
    let refused = try tree.run("rotate", "--resume=\(batch)")
    #expect(
      refused.status == 1 && refused.standardError.contains("\(batch).jsonl: is being written by another"))
    #expect(refused.sentences.count == 1)
  }

  /// If an all-or-nothing batch is interrupted, nothing is recorded and the finished renders are kept for the resumed
  /// run.
  @Test func finishedRendersWaitForTheRest() throws {
    let tree = try tree()
    let process = try Child(
      ["sh", "-c", "exec \"$0\" rotate --degrees 90 --jobs 1 a/*.JPG", Command.path], in: tree.root,
      environment: tree.environment)
    let work = tree.root.appendingPathComponent("a/.liveedit/work").path
    try Event.wait(for: "three renders") {
      // A photo's adjustment data is written once the photo is rendered.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []
      return names.count { $0.hasPrefix("adjustments") } > 2
    }
    process.signal(SIGINT)
    process.wait()
    #expect(try edited(tree.files()).isEmpty)
    let batch = try #require(try tree.batches().only)
    let kept = tree.root.appendingPathComponent("a/.liveedit/kept/\(batch)").path
    let waiting = try FileManager.default.contentsOfDirectory(atPath: kept).sorted()
    #expect(waiting.count > 2)
    let checked = try tree.run("check", "a")
    #expect(checked.status == 1 && checked.text.contains("--resume=\(batch)"))
    // In the meantime one kept render is damaged, and a different photo takes the name of another one.
    try Data("?".utf8).write(to: URL(fileURLWithPath: "\(kept)/\(waiting[0])/photo"))
    let changed = tree.root.appendingPathComponent("a/\(waiting[1]).JPG")
    let away = tree.state.appendingPathComponent("away.JPG")
    try FileManager.default.moveItem(at: changed, to: away)
    try FileManager.default.copyItem(at: TestFiles.fixture("gainmap.JPG"), to: changed)
    let refused = try tree.run("rotate", "--resume")
    #expect(refused.status == 1, "\(refused.text)")
    #expect(
      refused.standardError.contains(
        "a/\(waiting[1]).JPG: is not the file that the batch was started with"))
    #expect(try edited(tree.files()).isEmpty)
    try FileManager.default.removeItem(at: changed)
    try FileManager.default.moveItem(at: away, to: changed)
    let resumed = try tree.run("rotate", "--resume=\(batch)", "--json")
    #expect(resumed.status == 0, "\(resumed.standardError)")
    #expect(resumed.answers.count == Self.names.count)
    #expect(!FileManager.default.fileExists(atPath: kept))
    #expect(try tree.run("check", "a").status == 0)
    let reference = try self.tree()
    _ = try reference.run("rotate", "--degrees", "90", "a")
    #expect(try tree.files() == reference.files())
  }

  /// Undoing a batch finds photos that `move` has renamed or moved since the batch edited them. Resuming names and
  /// refuses a photo that was moved before the batch edited it.
  @Test func whatWasMovedMeanwhileIsFoundAgain() throws {
    let tree = try Tree("a/IMG_0001.JPG", "a/IMG_0002.JPG", "b/IMG_0003.JPG", "b/IMG_0004.JPG")
    let before = try tree.files()
    #expect(try tree.run("rotate", "--degrees", "90", "-r", ".").status == 0)
    let batch = try #require(try tree.batches().only)
    #expect(try tree.run("move", "a/IMG_0001.JPG", "b").status == 0)
    #expect(try tree.run("move", "b/IMG_0004.JPG", "b/Beach").status == 0)
    let moved = try tree.files()
    let again = try tree.run("rotate", "--resume=\(batch)")
    #expect(
      again.status == 2 && again.standardError.contains("4 already edited, 4 in total"),
      "\(again.standardError)")
    #expect(try tree.files() == moved)
    let undone = try tree.run("revert", "--batch", batch)
    #expect(undone.status == 0 && undone.lines.count == 4, "\(undone.standardError)")
    #expect(try edited(tree.files()).isEmpty)
    #expect(try tree.files()["b/Beach.JPG"] == before["b/IMG_0004.JPG"])

    let stopped = try self.tree()
    try stopped.killTurning(after: 1)
    #expect(try stopped.run("move", "a/IMG_0022.JPG", "a/Beach").status == 0)
    let resumed = try stopped.run("rotate", "--resume")
    #expect(resumed.status == 1 && resumed.sentences.count == 1)
    #expect(resumed.standardError.contains("a/IMG_0022.JPG"))
    #expect(try edited(stopped.files()).count == Self.names.count - 1)
  }

  /// Resumes a batch in which one photo has been replaced by a different one.
  private func resumeAllButOne(_ tree: Tree) throws {
    let resumed = try tree.run("rotate", "--resume")
    #expect(
      resumed.status == 1 && resumed.standardError.contains("1 failed, 12 in total"),
      "\(resumed.standardError)")
    #expect(
      resumed.standardError.contains(
        "a/IMG_0022.JPG: is not the file that the batch was started with; edit it separately"))
    #expect(try edited(tree.files()).count == Self.names.count - 1)
  }

  /// If a photo is moved away before the batch reaches it, a new photo with the old name does not belong to the batch.
  @Test func anotherPhotoOfTheNameIsLeftAlone() throws {
    let tree = try tree()
    try tree.killTurning(after: 1)
    let batch = try #require(try tree.batches().only)
    let list = tree.state.appendingPathComponent("liveedit/batches/\(batch).jsonl")
    let (photo, away) = (
      tree.root.appendingPathComponent("a/IMG_0022.JPG"), tree.root.appendingPathComponent("b.JPG")
    )
    try FileManager.default.moveItem(at: photo, to: away)
    try FileManager.default.copyItem(at: TestFiles.fixture("gainmap.JPG"), to: photo)
    try resumeAllButOne(tree)
    // The list of an earlier liveedit does not record the originals' identities.
    let lines = try String(contentsOf: list, encoding: .utf8)
    let old = lines.replacing(/,"original":\{[^}]*\}/, with: "").replacing(/"original":\{[^}]*\},/, with: "")
    try #require(lines.contains("\"original\":") && !old.contains("\"original\":"))
    try Data(old.utf8).write(to: list)
    let again = try tree.run("rotate", "--resume=\(batch)")
    #expect(again.status == 0, "\(again.standardError)")
    #expect(try edited(tree.files()).count == Self.names.count)
  }

  /// A new photo that reuses the inode number of a deleted photo does not belong to the batch either. A photo that was
  /// only touched still does.
  @Test func anotherPhotoOfTheNumberIsLeftAlone() throws {
    let tree = try tree()
    try tree.killTurning(after: 1)
    let touched = tree.root.appendingPathComponent("a/IMG_0021.JPG")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: touched.path)
    let photo = tree.root.appendingPathComponent("a/IMG_0022.JPG")
    func number(_ file: URL) throws -> String { try Tools.output("stat", "-c", "%i", file.path).text }
    let deleted = try number(photo)
    try FileManager.default.removeItem(at: photo)
    // The file system may reuse the number for one of the next files, or never.
    let others = (1...20).map { tree.root.appendingPathComponent("a/\($0).other") }
    for other in others {
      try FileManager.default.copyItem(at: TestFiles.fixture("gainmap.JPG"), to: other)
    }
    let heir = try others.first { try number($0) == deleted } ?? others[0]
    try FileManager.default.moveItem(at: heir, to: photo)
    for other in others where other != heir { try FileManager.default.removeItem(at: other) }
    try resumeAllButOne(tree)
  }

  /// An interrupted batch is found again, however many arguments its command has.
  @Test func aBatchOfManyWordsIsAnInterruptedOne() throws {
    let tree = try tree()
    let words = Array(repeating: String(repeating: "./", count: 1000) + "a", count: 80)
    try tree.killTurning(after: 2, naming: words)
    let batch = try #require(try tree.batches().only)
    let again = try tree.run("rotate", "--degrees", "90", "a", "--dry-run")
    #expect(
      again.status == 1 && again.standardError.contains("was edited by the batch \(batch)"), "\(again.text)")
    let resumed = try tree.run("rotate", "--resume")
    #expect(resumed.status == 0, "\(resumed.standardError)")
    #expect(try edited(tree.files()).count == Self.names.count)
    for name in Self.names {
      #expect(try tree.run("history", name).text.contains("rotated by 90°"))
    }
  }

  /// `revert` is relative too. The versions do not show that an interrupted batch reverted a photo, but the batch's
  /// list does.
  @Test func goingBackIsNotDoneTwice() throws {
    let tree = try tree()
    for _ in 1...2 { #expect(try tree.run("rotate", "--degrees", "90", "a").status == 0) }
    let once = try tree.run("history", "a/IMG_0011.JPG").lines.count
    let lists = tree.state.appendingPathComponent("liveedit/batches")
    #expect(try tree.run("revert", "a").status == 0)
    // Leaves the list as a kill before the end would.
    let list = lists.appendingPathComponent(try #require(try tree.batches().last) + ".jsonl")
    let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").dropLast()
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: list)
    let states = try tree.files()
    let again = try tree.run("revert", "a")
    #expect(again.status == 1 && again.sentences.count == Self.names.count)
    #expect(again.standardError.contains("was switched to this version by the batch"))
    #expect(try tree.files() == states)
    let resumed = try tree.run("revert", "--resume")
    #expect(resumed.status == 2 && resumed.standardError.contains("12 already changed, 12 in total"))
    #expect(try tree.run("revert", "a").status == 0)
    #expect(try edited(tree.files()).isEmpty)
    #expect(try tree.run("history", "a/IMG_0011.JPG").lines.count == once)
  }

  @Test func withoutAFolderForListsItIsSaidAndDone() throws {
    let tree = try Tree("a/IMG_0001.JPG", "a/IMG_0002.JPG")
    let answer = try Tools.run(
      [Command.path, "rotate", "--degrees", "90", "a"], in: tree.root,
      environment: ["XDG_STATE_HOME": "/dev/null/none"])
    #expect(answer.status == 0)
    #expect(
      answer.sentences.count == 1 && answer.standardError.contains("cannot be resumed if it is interrupted"))
    #expect(try edited(tree.files()).count == 2)
  }
}
