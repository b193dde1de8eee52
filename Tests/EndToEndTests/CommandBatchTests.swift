import Foundation
import TestSupport
import Testing

/// Many Live Photos at a time: folders, lists and filters, plans, interruptions and what goes on after them.
@Suite struct CommandBatchTests {
  /// A tree of small photos, and a folder for the lists of batches.
  struct Tree {
    let folder: TemporaryFolder
    let state: URL

    init(_ photos: String...) throws {
      folder = try TemporaryFolder()
      state = folder.file("state")
      for photo in photos {
        let file = root.appendingPathComponent(photo)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: TestFiles.fixture("gainmap.JPG"), to: file)
      }
    }

    var root: URL { folder.file("tree") }

    var environment: [String: String] { ["XDG_STATE_HOME": state.path] }

    func run(_ words: String..., input: Data? = nil) throws -> ToolOutput {
      try Tools.run([Command.path] + words, in: root, input: input, environment: environment)
    }

    /// All files of the tree, hidden ones too, with their content; the libraries' own files are left out.
    func files() throws -> [String: Data] {
      var found: [String: Data] = [:]
      for case let path as String in try #require(FileManager.default.enumerator(atPath: root.path))
      where !path.contains(".liveedit/") {
        let file = root.appendingPathComponent(path)
        if (try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true {
          let data = try Data(contentsOf: file)
          found[path] = path.hasSuffix(".AAE") ? withoutEditTime(data) : data
        }
      }
      return found
    }

    /// The orientation of each photo's edit, by exiftool's reading of the picture: wider than high or not.
    func isUpright(_ photo: String) throws -> Bool {
      let tags = try Tools.output(
        "exiftool", "-s3", "-ImageWidth", "-ImageHeight", root.appendingPathComponent(photo).path
      ).lines.compactMap { Int($0) }
      return try #require(tags.first) < tags[1]
    }

    /// Turns the photos of `a` as a batch, which is killed once so many are edited.
    func killTurning(after count: Int, naming folders: [String] = ["a"]) throws {
      let process = try start(["rotate", "--degrees", "90", "--jobs", "1"] + folders)
      try wait(for: count)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    /// The identifiers of the batches, the oldest first.
    func batches() throws -> [String] {
      let lists = state.appendingPathComponent("liveedit/batches").path
      return ((try? FileManager.default.contentsOfDirectory(atPath: lists)) ?? []).sorted().map {
        String($0.dropLast(6))
      }
    }

    /// Starts the program, to be stopped half way.
    func start(_ words: [String]) throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Command.path)
      process.arguments = words
      process.currentDirectoryURL = root
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }

    /// Waits until so many edited photos stand in the tree.
    func wait(for count: Int, of pattern: String = "IMG_E") throws {
      for _ in 0..<600 {
        if try files().keys.count(where: { $0.contains(pattern) }) >= count { return }
        usleep(20_000)
      }
    }
  }

  private func edited(_ files: [String: Data]) -> [String] {
    files.keys.filter { $0.contains("IMG_E") }.sorted()
  }

  /// Files that are named together change together, or none: also where one of them cannot even be looked at.
  @Test(
    .enabled("strace cannot trace here; scripts/crash-test --can-trace says why", Kernel.canTrace),
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

  @Test func foldersListsAndFiltersNameEachPhotoOnce() throws {
    let tree = try Tree("a/IMG_0001.JPG", "a/IMG_0002.JPG", "a/b/IMG_0003.JPG", "c/IMG_0004.JPG")
    func turned(_ words: [String], input: String? = nil) throws -> [String] {
      let plan = try Tools.run(
        [Command.path, "rotate", "--degrees", "90", "--dry-run"] + words, in: tree.root,
        input: input.map { Data($0.utf8) }, environment: tree.environment)
      return plan.lines.map { String($0.prefix { $0 != " " }) }
    }
    #expect(try turned(["a"]) == ["a/IMG_0001.JPG", "a/IMG_0002.JPG"])
    #expect(
      try turned(["-r", "."]) == ["a/IMG_0001.JPG", "a/IMG_0002.JPG", "a/b/IMG_0003.JPG", "c/IMG_0004.JPG"])
    #expect(
      try turned(["a/IMG_0002.JPG", "a", "./a/IMG_0001.JPG"]).sorted() == [
        "a/IMG_0001.JPG", "a/IMG_0002.JPG",
      ])
    #expect(try turned(["--files-from", "-"], input: "c/IMG_0004.JPG\n\na\n").count == 3)
    #expect(try turned(["--files-from", "-", "-0"], input: "c/IMG_0004.JPG\0a/IMG_0001.JPG\0").count == 2)
    #expect(try turned(["-r", ".", "--filter", "name = IMG_0003.JPG"]) == ["a/b/IMG_0003.JPG"])
    #expect(
      try turned(["a/IMG_0001.JPG", "a/IMG_0002.JPG", "--filter", "name like *2*"]) == ["a/IMG_0002.JPG"])
    #expect(try tree.run("rotate", "--degrees", "90", "-0", "a").status == 64)
    let none = try tree.run("rotate", "--degrees", "90", "-r", "a", "--filter", "kind = movie")
    #expect(none.status == 2 && none.sentences.count == 1)
    let marked = try tree.run("mark", "--hidden", "-r", ".")
    #expect(marked.lines.count == 4)
    // What is hidden is edited too: it was asked for.
    #expect(try turned(["a"]).count == 2)
  }

  @Test func thePlanIsWhatIsDoneAndDoesNothing() throws {
    let tree = try Tree("a/IMG_0001.JPG", "a/IMG_0002.JPG", "b/IMG_0001.JPG", "b/IMG_0009.JPG")
    try Data("no photo".utf8).write(to: tree.root.appendingPathComponent("b/IMG_0009.JPG"))
    _ = try tree.run("rotate", "--to", "90", "a/IMG_0002.JPG")
    let before = try tree.files()
    let hidden = try FileManager.default.subpathsOfDirectory(atPath: tree.root.path).count
    let plan = try tree.run("rotate", "--to", "90", "-r", ".", "--dry-run")
    #expect(try tree.files() == before)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: tree.root.path).count == hidden)
    #expect(try tree.batches().isEmpty)
    let done = try tree.run("rotate", "--to", "90", "-r", ".", "--jobs", "2")
    #expect(plan.status == 1 && done.status == 1)
    #expect(
      plan.lines.map { $0.replacingOccurrences(of: " (turned by 90°)", with: "") }.sorted()
        == done.lines.sorted())
    #expect(plan.sentences == done.sentences && plan.sentences.count == 1)
    #expect(plan.standardError.contains("2 to be edited, 1 unchanged, 1 failed of 4"))
    #expect(done.standardError.contains("2 edited, 1 unchanged, 1 failed of 4"))
    #expect(try edited(tree.files()) == ["a/IMG_E0001.JPG", "a/IMG_E0002.JPG", "b/IMG_E0001.JPG"])
    // Planned again there is nothing to do, and every other command plans without doing, too.
    #expect(try tree.run("rotate", "--to", "90", "a", "b/IMG_0001.JPG", "--dry-run").status == 2)
    let after = try tree.files()
    for words in [
      ["revert", "-r", "a"], ["mark", "--favourite", "-r", "."], ["album", "create", "A", "a"],
      ["forget", "-r", "."], ["export", "--as", "still", "-o", ".", "a/IMG_0001.JPG"],
      ["adjust", "--exposure", "1", "a"], ["rotate", "--degrees", "90", "-o", ".", "a/IMG_0001.JPG"],
    ] {
      let answer = try Tools.run(
        [Command.path] + words + ["--dry-run"], in: tree.root, environment: tree.environment)
      #expect(answer.status == 0 && !answer.lines.isEmpty, "\(words) \(answer.standardError)")
    }
    #expect(try tree.files() == after)
  }

  @Test func filesThatAreNamedChangeTogetherAndFoldersDoNot() throws {
    let tree = try Tree("a/IMG_0001.JPG", "a/IMG_0002.JPG", "b/IMG_0003.JPG")
    // Sound to its header, and cut in the picture.
    let cut = tree.root.appendingPathComponent("a/IMG_0002.JPG")
    let whole = try Data(contentsOf: cut)
    try whole.prefix(whole.count / 3).write(to: cut)
    let named = try tree.run(
      "rotate", "--degrees", "90", "a/IMG_0001.JPG", "a/IMG_0002.JPG", "b/IMG_0003.JPG")
    #expect(named.status == 1)
    #expect(
      named.standardError.contains("nothing was changed in a: files of one folder that are named together"))
    #expect(try edited(tree.files()) == ["b/IMG_E0003.JPG"])
    let folder = try tree.run("rotate", "--to", "90", "a")
    #expect(folder.status == 1)
    #expect(try edited(tree.files()) == ["a/IMG_E0001.JPG", "b/IMG_E0003.JPG"])
    // What failed can be tried again, once it is whole.
    try whole.write(to: cut)
    let batch = try #require(try tree.batches().last)
    #expect(folder.standardError.contains("go on with: liveedit rotate --resume=\(batch)"))
    let resumed = try tree.run("rotate", "--resume=\(batch)")
    #expect(resumed.status == 0 && resumed.lines.count == 1)
    #expect(resumed.standardError.contains("1 edited, 1 edited before of 2"))
    #expect(try edited(tree.files()).count == 3)
  }

  private static let names = (1...12).map { "a/IMG_00\($0 + 10).JPG" }

  private func tree() throws -> Tree {
    let tree = try Tree()
    try FileManager.default.createDirectory(
      at: tree.root.appendingPathComponent("a"), withIntermediateDirectories: true)
    for name in Self.names {
      try FileManager.default.copyItem(
        at: TestFiles.fixture("IMG_0003.JPG"), to: tree.root.appendingPathComponent(name))
    }
    return tree
  }

  /// A relative edit, stopped in different ways and gone on with: every photo is turned once, and the bytes are those
  /// of a run without a stop.
  @Test(arguments: Cases.chosen([SIGINT, SIGTERM, SIGKILL]) { _, signal in signal == SIGKILL })
  func whatIsInterruptedGoesOnAndDoesNothingTwice(_ signal: Int32) throws {
    let reference = try tree()
    #expect(try reference.run("rotate", "--degrees", "90", "a").status == 0)
    let tree = try tree()
    let process = try tree.start(["rotate", "--degrees", "90", "a", "--jobs", "2"])
    try tree.wait(for: 2)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
    let batch = try #require(try tree.batches().only)
    // By hand it would turn twice what is turned already.
    let repeated = try tree.run("rotate", "--degrees", "90", "a", "--dry-run")
    #expect(repeated.status == 1)
    #expect(
      repeated.standardError.contains(
        "was edited by the batch \(batch), which was interrupted; go on with liveedit rotate --resume=\(batch)"
      ))
    #expect(try tree.run("rotate", "--to", "90", "a", "--dry-run").status == 0)
    try expectNoInterruption(of: batch, in: tree)
    let resumed = try tree.run("rotate", "--resume")
    #expect(resumed.status == 0, "\(resumed.standardError)")
    #expect(resumed.standardError.contains("edited before"))
    #expect(try tree.files() == reference.files())
    let again = try tree.run("rotate", "--resume=\(batch)")
    #expect(again.status == 2 && again.standardError.contains("12 edited before of 12"))
    #expect(try tree.files() == reference.files())
    // It is no interrupted one any more.
    #expect(try tree.run("rotate", "--resume").status == 1)
    #expect(try tree.run("rotate", "--degrees", "90", "a", "--dry-run").status == 0)
    // What was edited since stays when the batch is undone.
    _ = try tree.run("rotate", "--degrees", "90", "a/IMG_0011.JPG")
    let undone = try tree.run("revert", "--batch", batch)
    #expect(undone.status == 1 && undone.lines.count == 11)
    #expect(undone.sentences.count == 1 && undone.standardError.contains("was changed since the batch"))
    #expect(try edited(tree.files()) == ["a/IMG_E0011.JPG"])
    let checked = try tree.run("check", "a")
    #expect(checked.status == 0, "\(checked.text)")
  }

  /// While somebody has the lock of its list a batch is running: it is not interrupted, and cannot be gone on with.
  private func expectNoInterruption(of batch: String, in tree: Tree) throws {
    let list = tree.state.appendingPathComponent("liveedit/batches/\(batch).jsonl").path
    let holder = Process()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Without a fork, so that the end of the one process is the end of all.
    holder.arguments = ["flock", "--no-fork", list, "sleep", "60"]
    try holder.run()
    defer {
      // The threads of tests block other signals, and so does what they start.
      kill(holder.processIdentifier, SIGKILL)
      holder.waitUntilExit()
    }
    for _ in 0..<500 where try Tools.run(["flock", "-n", list, "true"]).status == 0 { usleep(20_000) }
    #expect(try tree.run("rotate", "--degrees", "90", "a", "--dry-run").status == 0)
    #expect(try tree.run("rotate", "--resume").status == 1)
    let refused = try tree.run("rotate", "--resume=\(batch)")
    #expect(refused.status == 1 && refused.standardError.contains("\(batch).jsonl: is being made by another"))
    #expect(refused.sentences.count == 1)
  }

  /// In a change of all or none nothing is recorded, and what was rendered waits.
  @Test func finishedRendersWaitForTheRest() throws {
    let tree = try tree()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exec \"$0\" rotate --degrees 90 --jobs 1 a/*.JPG", Command.path]
    process.currentDirectoryURL = tree.root
    process.environment = ProcessInfo.processInfo.environment.merging(tree.environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let work = tree.root.appendingPathComponent("a/.liveedit/work").path
    for _ in 0..<600 {
      // A photo's adjustment data is written when it is rendered.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []
      if names.count(where: { $0.hasPrefix("adjustments") }) > 2 { break }
      usleep(10_000)
    }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(try edited(tree.files()).isEmpty)
    let batch = try #require(try tree.batches().only)
    let kept = tree.root.appendingPathComponent("a/.liveedit/kept/\(batch)").path
    let waiting = try FileManager.default.contentsOfDirectory(atPath: kept).sorted()
    #expect(waiting.count > 2)
    let checked = try tree.run("check", "a")
    #expect(checked.status == 1 && checked.text.contains("--resume=\(batch)"))
    // One of them is damaged meanwhile, and another photo has got another's name.
    try Data("?".utf8).write(to: URL(fileURLWithPath: "\(kept)/\(waiting[0])/photo"))
    let changed = tree.root.appendingPathComponent("a/\(waiting[1]).JPG")
    let away = tree.state.appendingPathComponent("away.JPG")
    try FileManager.default.moveItem(at: changed, to: away)
    try FileManager.default.copyItem(at: TestFiles.fixture("gainmap.JPG"), to: changed)
    let refused = try tree.run("rotate", "--resume")
    #expect(refused.status == 1, "\(refused.text)")
    #expect(
      refused.standardError.contains(
        "a/\(waiting[1]).JPG: is another file than the one that the batch was begun with"))
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

  @Test func goingOnRefusesWhatWasChangedAndTakesNothingElse() throws {
    let tree = try tree()
    try tree.killTurning(after: 1)
    let batch = try #require(try tree.batches().only)
    _ = try tree.run("adjust", "--exposure", "1", "a/IMG_0022.JPG")
    #expect(try tree.run("rotate", "--resume", "a").status == 64)
    #expect(try tree.run("rotate", "--resume", "--degrees", "90").status == 64)
    let other = try tree.run("flip", "--resume=\(batch)")
    #expect(other.status == 1 && other.standardError.contains("go on with liveedit rotate --resume=\(batch)"))
    let missing = try tree.run("rotate", "--resume=20200101-000000-aaaa")
    #expect(missing.status == 1 && missing.sentences.count == 1)
    let resumed = try tree.run("rotate", "--resume")
    #expect(resumed.status == 1 && resumed.sentences.count == 1)
    #expect(resumed.standardError.contains("a/IMG_0022.JPG: was changed since the batch was begun"))
    #expect(try edited(tree.files()).count == Self.names.count)
    let list = tree.state.appendingPathComponent("liveedit/batches/\(batch).jsonl")
    try Data("nonsense".utf8).write(to: list)
    let damaged = try tree.run("rotate", "--resume=\(batch)")
    #expect(damaged.status == 1 && damaged.sentences.count == 1)
  }

  /// What `move` gave another name or folder meanwhile is found again, where the batch has edited it; a photo that it has
  /// not edited yet is refused by name.
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
      again.status == 2 && again.standardError.contains("4 edited before of 4"), "\(again.standardError)")
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

  /// Goes on with a batch of which one photo is another one.
  private func resumeAllButOne(_ tree: Tree) throws {
    let resumed = try tree.run("rotate", "--resume")
    #expect(
      resumed.status == 1 && resumed.standardError.contains("1 failed of 12"), "\(resumed.standardError)")
    #expect(
      resumed.standardError.contains(
        "a/IMG_0022.JPG: is another file than the one that the batch was begun with; edit it by itself"))
    #expect(try edited(tree.files()).count == Self.names.count - 1)
  }

  /// A photo that got the name of one which was moved away before its turn is none of the batch.
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
    // The list of an earlier liveedit does not know.
    let lines = try String(contentsOf: list, encoding: .utf8)
    let old = lines.replacing(/,"original":\{[^}]*\}/, with: "").replacing(/"original":\{[^}]*\},/, with: "")
    try #require(lines.contains("\"original\":") && !old.contains("\"original\":"))
    try Data(old.utf8).write(to: list)
    let again = try tree.run("rotate", "--resume=\(batch)")
    #expect(again.status == 0, "\(again.standardError)")
    #expect(try edited(tree.files()).count == Self.names.count)
  }

  /// Nor is one whose number in the file system is that of a photo which was deleted; one that was merely touched is the same.
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
    // The file system gives the number to one of the next files, or to none for ever.
    let others = (1...20).map { tree.root.appendingPathComponent("a/\($0).other") }
    for other in others {
      try FileManager.default.copyItem(at: TestFiles.fixture("gainmap.JPG"), to: other)
    }
    let heir = try others.first { try number($0) == deleted } ?? others[0]
    try FileManager.default.moveItem(at: heir, to: photo)
    for other in others where other != heir { try FileManager.default.removeItem(at: other) }
    try resumeAllButOne(tree)
  }

  /// An edit in between does not hide that an interrupted batch was there; and what is undone is interrupted no more.
  @Test func anInterruptedBatchIsNotForgotten() throws {
    let tree = try tree()
    try tree.killTurning(after: 2)
    let batch = try #require(try tree.batches().only)
    let name = String(
      try #require(edited(tree.files()).first).replacing("IMG_E", with: "IMG_"))
    #expect(try tree.run("adjust", "--exposure", "0.2", name).status == 0)
    let again = try tree.run("rotate", "--degrees", "90", name)
    #expect(again.status == 1 && again.standardError.contains("was edited by the batch \(batch)"))
    #expect(try tree.run("revert", "--to", "original", name).status == 0)
    #expect(try tree.run("revert", "--batch", batch).status == 0)
    #expect(try edited(tree.files()).isEmpty)
    let resumed = try tree.run("rotate", "--resume")
    #expect(resumed.status == 1 && resumed.standardError.contains("there is no batch"))
  }

  /// However many words its command has, a list is found again.
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
      #expect(try tree.run("history", name).text.contains("turned by 90°"))
    }
  }

  /// Going back is relative, too, and no version tells that a batch went there: the list does.
  @Test func goingBackIsNotDoneTwice() throws {
    let tree = try tree()
    for _ in 1...2 { #expect(try tree.run("rotate", "--degrees", "90", "a").status == 0) }
    let once = try tree.run("history", "a/IMG_0011.JPG").lines.count
    let lists = tree.state.appendingPathComponent("liveedit/batches")
    #expect(try tree.run("revert", "a").status == 0)
    // As a kill before the end leaves it.
    let list = lists.appendingPathComponent(try #require(try tree.batches().last) + ".jsonl")
    let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").dropLast()
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: list)
    let states = try tree.files()
    let again = try tree.run("revert", "a")
    #expect(again.status == 1 && again.sentences.count == Self.names.count)
    #expect(again.standardError.contains("was brought to this version by the batch"))
    #expect(try tree.files() == states)
    let resumed = try tree.run("revert", "--resume")
    #expect(resumed.status == 2 && resumed.standardError.contains("12 changed before of 12"))
    #expect(try tree.run("revert", "a").status == 0)
    #expect(try edited(tree.files()).isEmpty)
    #expect(try tree.run("history", "a/IMG_0011.JPG").lines.count == once)
  }

  @Test func whatAFolderSharesIsToldOnce() throws {
    let tree = try Tree("a/IMG_0001.JPG", "a/IMG_0002.JPG", "a/IMG_0003.JPG")
    _ = try tree.run("rotate", "--degrees", "90", "a")
    try Data("garbage".utf8).write(to: tree.root.appendingPathComponent("a/.liveedit/library.sqlite"))
    let answer = try tree.run("rotate", "--to", "180", "a", "--json")
    #expect(answer.status == 1 && answer.answers.count == 3)
    #expect(answer.sentences.count == 1, "\(answer.standardError)")
    #expect(answer.standardError.contains("(3 of them)"))
  }

  @Test func withoutAFolderForListsItIsSaidAndDone() throws {
    let tree = try Tree("a/IMG_0001.JPG", "a/IMG_0002.JPG")
    let answer = try Tools.run(
      [Command.path, "rotate", "--degrees", "90", "a"], in: tree.root,
      environment: ["XDG_STATE_HOME": "/dev/null/none"])
    #expect(answer.status == 0)
    #expect(
      answer.sentences.count == 1 && answer.standardError.contains("could not go on if it were interrupted"))
    #expect(try edited(tree.files()).count == 2)
  }

  @Test func theSummaryAndTheProgressSayWhatHappened() throws {
    let tree = try Tree()
    for name in ["a/IMG_0001", "a/IMG_0002", "b/IMG_0003"] {
      for (kind, source) in [("JPG", "IMG_0001.JPG"), ("MOV", "IMG_0001.MOV")] {
        let file = tree.root.appendingPathComponent("\(name).\(kind)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: TestFiles.fixture(source), to: file)
      }
    }
    let first = try tree.run("rotate", "--degrees", "90", "-r", ".")
    #expect(first.lines.count == 3)
    #expect(first.standardError.contains("live-photo-info from 3 movies (describes places"))
    let verbose = try tree.run("rotate", "--to", "180", "-r", ".", "--verbose", "--quiet")
    #expect(verbose.lines.count == 6 && verbose.standardError.isEmpty)
    let json = try tree.run("rotate", "--to", "270", "-r", ".", "--json", "--progress", "json")
    let objects = try json.standardError.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let last = try #require(objects.last)
    #expect(last["done"] as? Int == 3 && last["total"] as? Int == 3 && last["failed"] as? Int == 0)
    #expect(last["fraction"] as? Double == 1 && (last["working"] as? [String])?.isEmpty == true)
    #expect(json.lines.allSatisfy { $0.hasPrefix("{") } && json.answers.count == 3)
    #expect(try tree.run("rotate", "--degrees", "90", "--jobs", "0", "a").status == 64)
  }
}

extension Collection {
  /// The element of a collection with one.
  fileprivate var only: Element? { count == 1 ? first : nil }
}
