import Foundation
import TestSupport
import Testing

/// Tests of `move`, and of `check --repair` after another program moved the originals.
@Suite struct CommandMoveTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0003.JPG", "IMG_0003.MOV"] {
      try folder.copy(TestFiles.fixture(name))
    }
    try FileManager.default.createDirectory(at: folder.file("b"), withIntermediateDirectories: false)
  }

  @discardableResult
  func run(_ arguments: String..., status: Int32 = 0) throws -> ToolOutput {
    let output = try Tools.run([Command.path] + arguments, in: folder.url)
    guard output.status == status else {
      throw ToolFailure("\(arguments): \(output.status) \(output.standardError)\(output.text)")
    }
    return output
  }

  /// Creates three versions (the first without its files), a mark, and an album entry between two others.
  func edit() throws {
    for _ in 1...3 { try run("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG") }
    try run("mark", "--favourite", "IMG_0001.JPG")
    try run("album", "create", "Summer", ".")
    try run("album", "add", "Summer", "IMG_0001.JPG", "IMG_0003.JPG")
  }

  /// Returns the SHA-256 of each file in a folder, computed by another program.
  func sums(_ place: String = ".") throws -> [String: String] {
    let lines = try Tools.output(
      "find", place, "-maxdepth", "1", "-type", "f", "-exec", "sha256sum", "{}", "+", in: folder.url)
    let pairs = lines.lines.map { line in
      (URL(fileURLWithPath: String(line.dropFirst(66))).lastPathComponent, String(line.prefix(64)))
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  func json(_ output: ToolOutput) throws -> [[String: Any]] {
    try output.answers.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// Each Live Photo moves once, even if several of its files or renders are named. The plan shows the same.
  @Test func eachMovesOnce() throws {
    try edit()
    let files = ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_E0001.JPG", "IMG_0003.MOV"]
    let plan = try Tools.run([Command.path, "move", "--dry-run"] + files + ["b"], in: folder.url)
    let moved = try Tools.run([Command.path, "move"] + files + ["b"], in: folder.url)
    #expect(plan.status == 0 && moved.status == 0 && moved.standardError.isEmpty, "\(moved.standardError)")
    #expect(plan.text == moved.text && moved.lines.count == 2)
  }

  /// An original cannot get a name that would make it look like another original's render.
  @Test(arguments: ["IMG_E0009", "Beach_edited"])
  func namesOfRendersAreRefused(_ name: String) throws {
    let before = try sums()
    let refused = try run("move", "IMG_0001.JPG", name, status: 1)
    #expect(refused.standardError.contains("would be mistaken for an edited version"))
    #expect(try sums() == before)
  }

  /// With a new name, a new folder or both, the bytes, history, marks and albums move along. Versions without files are
  /// rendered as before.
  @Test func theWholeAssetMoves() throws {
    try edit()
    let before = try sums()
    try Data("recipe".utf8).write(to: folder.file("IMG_O0001.AAE"))
    let planned = try run("move", "--dry-run", "IMG_E0001.MOV", "Beach.mov")
    #expect(try sums().filter { $0.key != "IMG_O0001.AAE" } == before)
    let renamed = try run("move", "IMG_E0001.MOV", "Beach.mov")
    #expect(planned.text == renamed.text)
    #expect(renamed.text.contains("IMG_0001.JPG + IMG_0001.MOV → Beach.JPG + Beach.MOV"))
    #expect(renamed.text.contains("note: IMG_O0001.AAE was not moved"))
    try FileManager.default.removeItem(at: folder.file("IMG_O0001.AAE"))
    var now = try sums()
    for (old, new) in [
      ("IMG_0001.JPG", "Beach.JPG"), ("IMG_0001.MOV", "Beach.MOV"), ("IMG_E0001.JPG", "Beach_edited.JPG"),
      ("IMG_E0001.MOV", "Beach_edited.MOV"), ("IMG_0001.AAE", "Beach.AAE"), ("IMG_0003.JPG", "IMG_0003.JPG"),
    ] { #expect(now[new] == before[old]) }
    #expect(now.count == before.count)
    try run("check")
    let album = try json(run("album", "list", "--json"))
    #expect(album.first?["assets"] as? [String] == ["Beach", "IMG_0003"])
    try run("verify", "Beach_edited.JPG")

    let moved = try json(run("move", "--json", "Beach.JPG", "IMG_0003.MOV", "b"))
    #expect(
      moved.map { $0["to"] as? [String] } == [
        ["b/Beach.JPG", "b/Beach.MOV"], ["b/IMG_0003.JPG", "b/IMG_0003.MOV"],
      ])
    try run("move", "b/Beach.JPG", "IMG_0001")
    now = try sums()
    #expect(now == before.filter { !$0.key.hasPrefix("IMG_0003") })
    try run("check", ".", "b")
    #expect(try json(run("list", "--json", "--filter", "favourite")).count == 1)
    let lists = try json(run("album", "list", "--json")) + json(run("album", "list", "--json", "b"))
    #expect(lists.map { $0["assets"] as? [String] } == [["IMG_0001"], ["IMG_0003"]])
    // Version 1 is rendered again with the same bytes, so no note reports a difference.
    let back = try run("revert", "--to", "1", "IMG_0001.JPG")
    #expect(!back.text.contains("note"))
    try run("check")
  }

  /// Moving a folder with its subfolders, or with a filter, moves each asset once.
  @Test func manyMoveAtOnce() throws {
    try edit()
    try run("move", "IMG_0003.JPG", "b")
    try FileManager.default.createDirectory(at: folder.file("all"), withIntermediateDirectories: false)
    let favourite = try run("move", "--filter", "favourite", ".", "b")
    #expect(favourite.lines == ["IMG_0001.JPG + IMG_0001.MOV → b/IMG_0001.JPG + b/IMG_0001.MOV"])
    #expect(try run("move", "-r", ".", "all").lines.count == 2)
    #expect(try sums("all").count == 7)
    try run("check", ".", "b", "all")
    #expect(try run("move", "all", "Beach", status: 1).standardError.contains("is not an existing folder"))
  }

  /// No file is overwritten or mixed with another asset. Each refusal is one message that names the obstacle.
  @Test func whatIsTakenIsRefused() throws {
    try edit()
    let before = try sums()
    func expectRefusal(_ file: String, _ target: String, _ words: String...) throws {
      let refused = try run("move", file, target, status: 1)
      #expect(refused.sentences.count == 1)
      #expect(try run("move", "--dry-run", file, target, status: 1).standardError == refused.standardError)
      for word in words { #expect(refused.standardError.contains(word), "\(refused.standardError)") }
      #expect(try sums() == before)
      try run("check")
    }
    try expectRefusal("IMG_0001.JPG", "IMG_0003", "IMG_0003.JPG", "already exists")
    try expectRefusal("IMG_0003.JPG", "IMG_0001.JPG", "has a history in that folder")
    try expectRefusal("IMG_0001.JPG", "IMG_0001", "already exists")
    try expectRefusal("IMG_0001.JPG", ".", "already exists")
    try expectRefusal("IMG_0001.JPG", "b/Beach.HEIC", "a different extension")
    try expectRefusal("IMG_0001.JPG", "nowhere/Beach", "nowhere: no such folder")
    try expectRefusal("IMG_0001.JPG", "nowhere/", "nowhere")
    try expectRefusal("IMG_0001.JPG", ".hidden", "dot")
    try expectRefusal("IMG_0001.JPG", "IMG_E0003", "mistaken for an edited version of IMG_0003")
    try expectRefusal("IMG_0001.JPG", String(repeating: "x", count: 248), "259 bytes")
    try expectRefusal("none.JPG", "b", "no such file")
    // A movie at the target would become the photo's movie, and a photo would become its render.
    try folder.run("cp", ["IMG_0003.MOV", "b/Beach.MOV"])
    try expectRefusal("IMG_0001.JPG", "b/Beach", "b/Beach.MOV")
    try folder.run("mv", ["b/Beach.MOV", "b/Sea_edited.HEIC"])
    try expectRefusal("IMG_0001.JPG", "b/Sea", "b/Sea_edited.HEIC", "mistaken for a part of Sea")
    try FileManager.default.removeItem(at: folder.file("b/Sea_edited.HEIC"))
    // Two items that are named together move independently.
    let half = try run("move", "none.JPG", "IMG_0003.JPG", "b", status: 1)
    #expect(half.sentences.count == 1 && half.text.contains("b/IMG_0003.JPG"))
    #expect(try run("move", "IMG_0001.JPG", status: 64).standardError.contains("new name or a folder"))
    #expect(
      try run("move", "IMG_0001.JPG", "b/IMG_0003.JPG", "Beach", status: 1).standardError.contains(
        "Beach: is not an existing folder"))
    // A symbolic link might point elsewhere from the new folder.
    try folder.run("ln", ["-s", "b/IMG_0003.JPG", "link.JPG"])
    #expect(try run("move", "link.JPG", "b", status: 1).standardError.contains("symbolic link"))
  }
}
