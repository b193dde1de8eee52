import Foundation
import TestSupport
import Testing

/// Tests of `config` and of the settings that it shows.
@Suite struct CommandConfigTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.file("liveedit"), withIntermediateDirectories: false)
    try folder.copy(TestFiles.fixture("IMG_0003.JPG"))
  }

  func run(_ words: [String], _ environment: [String: String] = [:]) throws -> ToolOutput {
    try Tools.run(
      [Command.path] + words, in: folder.url,
      environment: ["XDG_CONFIG_HOME": folder.url.path].merging(environment) { $1 })
  }

  func settings(_ environment: [String: String] = [:]) throws -> [String: [String: String]] {
    let output = try run(["config", "--json"], environment)
    guard output.status == 0 else { throw ToolFailure(output.standardError) }
    var found: [String: [String: String]] = [:]
    for line in output.answers {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      if let name = object["name"] as? String { found[name] = object.compactMapValues { $0 as? String } }
    }
    return found
  }

  func configure(_ text: String) throws { try folder.write(Array(text.utf8), to: "liveedit/config") }

  @Test func theEnvironmentCountsBeforeTheFile() throws {
    let own = try settings()
    #expect(
      own.mapValues { $0["source"] } == [
        "quality": "builtIn", "speed": "builtIn", "jobs": "builtIn", "cache": "builtIn",
        "previews": "builtIn", "limits": "builtIn", "sandbox": "builtIn",
      ])
    #expect(own["quality"]?["value"] == "standard" && own["speed"]?["value"] == "fast")
    try configure("# mine\n\n  quality = high\njobs=3\r\n")
    let file = try settings(["LIVEEDIT_JOBS": "5", "LIVEEDIT_SPEED": ""])
    #expect(file["quality"]?["value"] == "high" && file["quality"]?["source"] == "file")
    #expect(file["jobs"]?["value"] == "5" && file["jobs"]?["variable"] == "LIVEEDIT_JOBS")
    #expect(file["speed"]?["source"] == "builtIn")
    let shown = try run(["config"])
    #expect(
      shown.lines.contains { $0.hasPrefix("quality   high") && $0.hasSuffix("liveedit/config, line 3") })
    #expect(shown.lines.contains { $0.hasPrefix("jobs      3") && $0.hasSuffix("line 4") })
  }

  @Test(
    arguments: [
      (
        "quality = best", [:],
        "config: line 1: quality does not accept “best”; set it to small, standard or high"
      ),
      ("\nqualty = high", [:], "line 2: “qualty = high” is not a setting; did you mean quality?"),
      ("jobs = 2\njobs = 3", [:], "line 2: jobs is set twice"),
      ("quality", [:], "line 1: “quality” is not a setting"),
      ("", ["LIVEEDIT_JOBS": "none"], "the environment variable LIVEEDIT_JOBS does not accept “none”"),
      ("cache = -1", [:], "line 1: cache does not accept “-1”; set it to a whole number"),
      (
        "limits = tracks=0", [:],
        "line 1: limits does not accept “tracks=0”; set it to “standard”, or NAME=NUMBER"
      ),
      (
        "", ["LIVEEDIT_LIMITS": "trucks=9"], "environment variable LIVEEDIT_LIMITS does not accept “trucks=9”"
      ),
    ] as [(String, [String: String], String)])
  func whatCannotBeSetIsNamed(_ text: String, _ environment: [String: String], _ sentence: String) throws {
    try configure(text)
    for words in [["config"], ["rotate", "--degrees", "90", "IMG_0003.JPG"], ["list"]] {
      let output = try run(words, environment)
      #expect(output.status == 1 && output.sentences.count == 1)
      #expect(output.standardError.contains(sentence), "\(output.standardError)")
    }
    #expect(try folder.names() == ["IMG_0003.JPG", "liveedit"])
  }

  /// Settings apply to renders unless the user chooses otherwise: an option takes precedence, and a value chosen once
  /// for a render is kept.
  @Test func rendersAreMadeAsConfigured() throws {
    func edit(_ words: String..., with environment: [String: String] = [:]) throws -> [String: String] {
      let output = try run(["adjust"] + words + ["--json", "IMG_0003.JPG"], environment)
      let object = try JSONSerialization.jsonObject(with: Data(output.lines.first.map { $0.utf8 } ?? "".utf8))
      return ((object as? [String: Any])?["settings"] as? [String: Any])?.compactMapValues { $0 as? String }
        ?? [:]
    }
    try configure("quality = high\nspeed = slow")
    #expect(try edit("--exposure", "0.1") == ["quality": "high", "speed": "slow"])
    let large = try #require(try? folder.read("IMG_E0003.JPG").count)
    try configure("quality = small")
    #expect(try edit("--exposure", "0.2") == ["quality": "high", "speed": "slow"])
    _ = try run(["forget", "IMG_0003.JPG"])
    for name in ["IMG_E0003.JPG", "IMG_0003.AAE"] {
      try? FileManager.default.removeItem(at: folder.file(name))
    }
    #expect(try edit("--exposure", "0.1") == ["quality": "small"])
    #expect(try folder.read("IMG_E0003.JPG").count < large)
    _ = try run(["forget", "IMG_0003.JPG"])
    for name in ["IMG_E0003.JPG", "IMG_0003.AAE"] {
      try? FileManager.default.removeItem(at: folder.file(name))
    }
    #expect(
      try edit("--exposure", "0.1", "--quality", "standard", with: ["LIVEEDIT_QUALITY": "high"]).isEmpty)
  }

  /// Limits on input files apply in this process and in the helper, and can be lowered or raised.
  @Test func limitsAreSet() throws {
    _ = try Tools.output("convert", "-size", "1200x900", "xc:gray", folder.file("large.jpg").path)
    try folder.copy(TestFiles.fixture("IMG_0001.MOV"))
    let atom: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)
    let many = try folder.read("IMG_0001.MOV") + repeatElement(atom, count: 4200).joined()
    try folder.write(Array(many), to: "many.mov")
    let turn = ["rotate", "--degrees", "90"]
    func refusal(_ words: [String], _ limits: String) throws -> String {
      let output = try run(words, ["LIVEEDIT_LIMITS": limits])
      #expect(output.status == (output.standardError.isEmpty ? 0 : 1))
      return output.standardError
    }
    #expect(try refusal(turn + ["large.jpg"], "pixels=1").contains("the picture is too large; at most 1 "))
    #expect(try refusal(turn + ["IMG_0001.MOV"], "tracks=2").contains("tracks"))
    #expect(try refusal(turn + ["many.mov"], "").contains("more than 4096 atoms at the same level"))
    try configure("limits = boxes=5000,tracks=600")
    for name in ["many.mov", "IMG_0001.MOV", "large.jpg"] { #expect(try refusal(turn + [name], "") == "") }
  }

  /// The index of a folder without a library is stored in the cache and found there again. Nothing is written beside
  /// the photos, and nothing anywhere if the cache is off.
  @Test func theCacheKeepsTheIndexOfFoldersWithoutALibrary() throws {
    let place = folder.file("cache")
    let environment = ["XDG_CACHE_HOME": place.path]
    let before = try folder.names()
    let off = try run(["list", "--json"], environment.merging(["LIVEEDIT_CACHE": "0"]) { $1 })
    #expect(try folder.names() == before)
    let first = try run(["list", "--json"], environment)
    let index = place.appendingPathComponent("liveedit/index")
    let files = try FileManager.default.contentsOfDirectory(atPath: index.path)
    #expect(files.count == 1)
    let again = try run(["list", "--json"], environment)
    #expect(first.answers == off.answers && again.answers == off.answers)
    #expect(try folder.names() == (before + ["cache"]).sorted())
    let mode = try Tools.output("stat", "-c", "%a", place.appendingPathComponent("liveedit").path)
    #expect(mode.text == "700\n")
    // The cache contains the items that `list` shows, as sqlite3 independently confirms.
    let rows = try Tools.output(
      "python3", "-c",
      "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM item').fetchone()[0])",
      index.appendingPathComponent(files[0]).path)
    #expect(rows.text == "1\n")
    #expect(try run(["config"], environment).text.contains(" in use"))
    // `list` notices changes, and replaces a corrupt index.
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    #expect(try run(["list", "--json"], environment).text.contains("IMG_0001.JPG"))
    try Data("garbage".utf8).write(to: index.appendingPathComponent(files[0]))
    #expect(try run(["list", "--json"], environment).text.contains("IMG_0001.JPG"))
  }
}
