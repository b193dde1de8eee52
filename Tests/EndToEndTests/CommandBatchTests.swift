import Foundation
import TestSupport
import Testing

/// Tests of batches: folders, lists, filters, plans, interruptions and resumed runs.
@Suite struct CommandBatchTests {
  /// A tree of small photos, with a folder for the batch lists.
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

    /// Returns the contents of all files in the tree, including hidden files but not the files in `.liveedit` folders.
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

    /// Whether an edited photo is taller than it is wide, according to exiftool.
    func isUpright(_ photo: String) throws -> Bool {
      let tags = try Tools.output(
        "exiftool", "-s3", "-ImageWidth", "-ImageHeight", root.appendingPathComponent(photo).path
      ).lines.compactMap { Int($0) }
      return try #require(tags.first) < tags[1]
    }

    /// Starts a batch that rotates the photos in `a`, and kills it after `count` of them are edited.
    func killTurning(after count: Int, naming folders: [String] = ["a"]) throws {
      let process = try start(["rotate", "--degrees", "90", "--jobs", "1"] + folders)
      try wait(for: count)
      process.signal(SIGKILL)
      process.wait()
    }

    /// Returns the identifiers of the batches, oldest first.
    func batches() throws -> [String] {
      let lists = state.appendingPathComponent("liveedit/batches").path
      return ((try? FileManager.default.contentsOfDirectory(atPath: lists)) ?? []).sorted().map {
        String($0.dropLast(6))
      }
    }

    /// Starts the program without waiting, so that the test can stop it midway.
    func start(_ words: [String]) throws -> Child {
      try Child([Command.path] + words, in: root, environment: environment)
    }

    /// Waits until the tree contains `count` edited photos.
    func wait(for count: Int, of pattern: String = "IMG_E") throws {
      try Event.wait(for: "\(count) files \(pattern)") {
        try files().keys.count { $0.contains(pattern) } >= count
      }
    }
  }

  func edited(_ files: [String: Data]) -> [String] {
    files.keys.filter { $0.contains("IMG_E") }.sorted()
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
    // Hidden photos are edited too, because they were selected explicitly.
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
      plan.lines.map { $0.replacingOccurrences(of: " (rotated by 90°)", with: "") }.sorted()
        == done.lines.sorted())
    #expect(plan.sentences == done.sentences && plan.sentences.count == 1)
    #expect(plan.standardError.contains("2 to be edited, 1 unchanged, 1 failed, 4 in total"))
    #expect(done.standardError.contains("2 edited, 1 unchanged, 1 failed, 4 in total"))
    #expect(try edited(tree.files()) == ["a/IMG_E0001.JPG", "a/IMG_E0002.JPG", "b/IMG_E0001.JPG"])
    // A second plan finds nothing to do. Every other command also changes nothing with `--dry-run`.
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
    // The header is intact, but the picture data is cut off.
    let cut = tree.root.appendingPathComponent("a/IMG_0002.JPG")
    let whole = try Data(contentsOf: cut)
    try whole.prefix(whole.count / 3).write(to: cut)
    let named = try tree.run(
      "rotate", "--degrees", "90", "a/IMG_0001.JPG", "a/IMG_0002.JPG", "b/IMG_0003.JPG")
    #expect(named.status == 1)
    #expect(
      named.standardError.contains(
        "nothing was changed in a, because files that you name change together or not at all"))
    #expect(try edited(tree.files()) == ["b/IMG_E0003.JPG"])
    let folder = try tree.run("rotate", "--to", "90", "a")
    #expect(folder.status == 1)
    #expect(try edited(tree.files()) == ["a/IMG_E0001.JPG", "b/IMG_E0003.JPG"])
    // The failed photo can be tried again after its file is restored.
    try whole.write(to: cut)
    let batch = try #require(try tree.batches().last)
    #expect(folder.standardError.contains("resume with: liveedit rotate --resume=\(batch)"))
    let resumed = try tree.run("rotate", "--resume=\(batch)")
    #expect(resumed.status == 0 && resumed.lines.count == 1)
    #expect(resumed.standardError.contains("1 edited, 1 already edited, 2 in total"))
    #expect(try edited(tree.files()).count == 3)
  }

  static let names = (1...12).map { "a/IMG_00\($0 + 10).JPG" }

  func tree() throws -> Tree {
    let tree = try Tree()
    try FileManager.default.createDirectory(
      at: tree.root.appendingPathComponent("a"), withIntermediateDirectories: true)
    for name in Self.names {
      try FileManager.default.copyItem(
        at: TestFiles.fixture("IMG_0003.JPG"), to: tree.root.appendingPathComponent(name))
    }
    return tree
  }

  @Test func goingOnRefusesWhatWasChangedAndTakesNothingElse() throws {
    let tree = try tree()
    try tree.killTurning(after: 1)
    let batch = try #require(try tree.batches().only)
    _ = try tree.run("adjust", "--exposure", "1", "a/IMG_0022.JPG")
    #expect(try tree.run("rotate", "--resume", "a").status == 64)
    #expect(try tree.run("rotate", "--resume", "--degrees", "90").status == 64)
    let other = try tree.run("flip", "--resume=\(batch)")
    #expect(
      other.status == 1
        && other.standardError.contains("resume it with liveedit rotate --resume=\(batch)"))
    let missing = try tree.run("rotate", "--resume=20200101-000000-aaaa")
    #expect(missing.status == 1 && missing.sentences.count == 1)
    let resumed = try tree.run("rotate", "--resume")
    #expect(resumed.status == 1 && resumed.sentences.count == 1)
    #expect(resumed.standardError.contains("a/IMG_0022.JPG: has been changed since the batch was started"))
    #expect(try edited(tree.files()).count == Self.names.count)
    let list = tree.state.appendingPathComponent("liveedit/batches/\(batch).jsonl")
    try Data("nonsense".utf8).write(to: list)
    let damaged = try tree.run("rotate", "--resume=\(batch)")
    #expect(damaged.status == 1 && damaged.sentences.count == 1)
  }

  /// An edit in between does not hide an interrupted batch. A batch that is undone no longer counts as interrupted.
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
    #expect(resumed.status == 1 && resumed.standardError.contains("no interrupted batch"))
  }

  @Test func whatAFolderSharesIsToldOnce() throws {
    let tree = try Tree("a/IMG_0001.JPG", "a/IMG_0002.JPG", "a/IMG_0003.JPG")
    _ = try tree.run("rotate", "--degrees", "90", "a")
    try Data("garbage".utf8).write(to: tree.root.appendingPathComponent("a/.liveedit/library.sqlite"))
    let answer = try tree.run("rotate", "--to", "180", "a", "--json")
    #expect(answer.status == 1 && answer.answers.count == 3)
    #expect(answer.sentences.count == 1, "\(answer.standardError)")
    #expect(answer.standardError.contains("(3 times)"))
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
    #expect(
      first.standardError.contains(
        "removed from 3 movies: com.apple.quicktime.live-photo-info (contains coordinates"))
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
  /// The only element, or nil if the collection does not have exactly one.
  var only: Element? { count == 1 ? first : nil }
}
