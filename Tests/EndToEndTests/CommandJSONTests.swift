import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests of `--json`: every line of every command, whether it succeeds, fails or is used wrongly, conforms to
/// Documentation/json-schema.json according to python3-jsonschema.
@Suite struct CommandJSONTests {
  /// A command and its output.
  struct Run {
    var words: [String]
    var output: ToolOutput
  }

  func everyLine(_ commands: [[String]], in folder: TemporaryFolder) throws -> [Run] {
    let home = folder.url.path
    let environment = [
      "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state",
      "XDG_CACHE_HOME": home + "/cache",
    ]
    return try commands.map { words in
      let line = [Command.path] + words + ["--json"]
      return Run(words: words, output: try Tools.run(line, in: folder.url, environment: environment))
    }
  }

  func prepared() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["IMG_0001", "IMG_0003"] {
      try folder.copy(TestFiles.fixture(name + ".JPG"), TestFiles.fixture(name + ".MOV"))
    }
    for name in ["out", "loose", "out2", "mended", "apart", "single"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    }
    // A photo whose movie has another name, and two photos that belong to one movie but are not duplicates.
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0001.JPG"), to: folder.file("loose/A.JPG"))
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0001.MOV"), to: folder.file("loose/B.MOV"))
    let photo = try Array(Data(contentsOf: TestFiles.fixture("IMG_0003.JPG")))
    for (name, end) in [("C.JPG", []), ("D.JPG", [UInt8(0)])] {
      try folder.write(photo + end, to: "loose/" + name)
    }
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0003.MOV"), to: folder.file("loose/E.MOV"))
    // A photo without an identifier.
    try FileManager.default.copyItem(at: TestFiles.fixture("gainmap.JPG"), to: folder.file("single/F.JPG"))
    // A Live Photo whose halves have different years.
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] {
      try FileManager.default.copyItem(at: TestFiles.fixture(name), to: folder.file("apart/" + name))
    }
    try folder.run(
      "exiftool",
      ["-q", "-overwrite_original", "-DateTimeOriginal=2018:01:01 10:00:00", "apart/IMG_0001.JPG"])
    return folder
  }

  /// Validates lines against the schema.
  ///
  /// - Returns: The number of lines of each kind.
  func validated(_ lines: [String]) throws -> [String: Int] {
    let check = TestFiles.project.appendingPathComponent("scripts/json-check").path
    let answer = try Tools.run(
      ["/usr/bin/python3", check], input: Data((lines.joined(separator: "\n") + "\n").utf8))
    #expect(answer.status == 0, "\(answer.text)\(answer.standardError)")
    var counts: [String: Int] = [:]
    for line in answer.lines {
      let parts = line.split(separator: " ")
      if parts.count == 2 { counts[String(parts[0])] = Int(parts[1]) }
    }
    return counts
  }

  /// A resumed batch also reports what it did before the interruption.
  @Test func whatWasDoneBeforeIsSaid() throws {
    let folder = try prepared()
    let first = try everyLine([["rotate", "--degrees", "90", "."]], in: folder)
    let line = try #require(first[0].output.lines.last)
    let summary = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let batch = try #require(summary["batch"] as? String)
    #expect(summary["undo"] as? String == "liveedit revert --batch \(batch)")
    #expect(summary["counts"] as? [String: Int] == ["rendered": 2])
    let again = try everyLine([["rotate", "--resume=\(batch)"]], in: folder)
    #expect(try validated(again[0].output.lines) == ["doneBefore": 2, "summary": 1])
  }

  /// The names of all commands with JSON output. For commands with subcommands, the list contains only the subcommands.
  static let commands: [[String]] = CommandTable.all
    .filter { $0.hasJSON && $0.subcommands.isEmpty }.map { $0.name.split(separator: " ").map(String.init) }
}
