import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests of missing or unreadable files, folders and presets: every command reports one error and exits with status 1.
/// If JSON is requested, it prints one JSON object.
@Suite struct CommandMissingTests {
  /// Commands that operate on files.
  static let fileCommands = [
    ["rotate", "--degrees", "90"], ["flip", "--horizontal"], ["crop", "--aspect", "1:1"],
    ["straighten", "--degrees", "2"], ["perspective", "--vertical", "0.2"], ["adjust", "--exposure", "0.5"],
    ["auto"], ["apply", "--preset", "vivid"], ["rotate", "--degrees", "90", "--each"],
    ["rotate", "--degrees", "90", "-o", "out"], ["revert"], ["redo"], ["history"], ["forget"], ["inspect"],
    ["verify"], ["mark", "--hidden"], ["album", "add", "A"], ["album", "remove", "A"],
    ["export", "--as", "still", "-o", "out"],
  ]
  /// Commands that operate on folders.
  static let folderCommands = [
    ["check"], ["check", "--repair"], ["list"], ["list", "-r"], ["album", "list"], ["album", "create", "A"],
    ["album", "delete", "A"], ["repair", "--dry-run"], ["repair", "-o", "out"],
    ["repair", "-r", "--dry-run"], ["duplicates"], ["duplicates", "-r"],
  ]
  /// Commands that name a missing preset or another missing item.
  static let others: [(arguments: [String], word: String)] = [
    (["apply", "--preset", "nope", "IMG_0001.JPG"], "“nope”"),
    (["apply", "--preset", "nope.json", "IMG_0001.JPG"], "nope.json"),
    (["apply", "--preset", "nope.cube", "IMG_0001.JPG"], "nope.cube"),
    (["adjust", "--look", "nope.cube", "IMG_0001.JPG"], "nope.cube"),
    (["apply", "--from", "none.JPG", "IMG_0001.JPG"], "none.JPG"),
    (["preset", "show", "nope"], "“nope”"), (["preset", "delete", "nope"], "“nope”"),
    (["preset", "save", "new", "--from", "none.JPG"], "none.JPG"),
    (["create", "--photo", "none.JPG", "--movie", "IMG_0001.MOV", "-o", "out"], "none.JPG"),
    (["create", "--photo", "IMG_0001.JPG", "--movie", "none.MOV", "-o", "out"], "none.MOV"),
    (["create", "--movie", "none.MOV", "-o", "out"], "none.MOV"),
    (["create", "--from", "none.JPG", "-o", "out"], "none.JPG"),
    (["pair", "-o", "out", "none.JPG", "IMG_0001.MOV"], "none.JPG"),
    (["rotate", "--degrees", "90", "-o", "nowhere", "IMG_0001.JPG"], "nowhere: no such folder"),
    (["export", "--as", "pair", "-o", "IMG_0002.MOV/x", "IMG_0001.JPG"], "IMG_0002.MOV: is not a folder"),
    (["pair", "-o", "IMG_0001.JPG", "IMG_0001.JPG", "IMG_0002.MOV"], "is not a folder"),
    (["create", "--movie", "IMG_0001.MOV", "-o", "IMG_0001.JPG"], "is not a folder"),
    (["rotate", "--degrees", "90", "-o", "IMG_0002.MOV", "IMG_0001.JPG"], "IMG_0002.MOV: is not a folder"),
    (["forget", "--to", "nowhere", "IMG_0001.JPG"], "nowhere: no such folder"),
    (["check", "--accept", "none.JPG"], "none.JPG: "),
    (["check", "--accept", "nowhere/a.JPG"], "nowhere: no such folder"),
    (["move", "none.JPG", "out"], "none.JPG: "),
    (["move", "IMG_0001.JPG", "nowhere/a"], "nowhere: no such folder"),
  ]

  /// Runs a command with `--json` and expects it to fail with one message and one object.
  func expectFailure(
    _ arguments: [String], _ word: String, status: Int32 = 1, lines: Int = 1, in folder: URL,
    prefix: [String] = []
  ) throws {
    let output = try Tools.run(
      prefix + [Command.path] + arguments + ["--json"], in: folder,
      environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(output.status == status, "\(arguments)")
    let errors = output.standardError.split(separator: "\n")
    #expect(errors.count == lines && errors.first?.hasPrefix("liveedit: ") == true, "\(errors)")
    #expect(output.standardError.contains(word), "\(arguments): \(output.standardError)")
    #expect(output.answers.count == 1 && output.lines.count == 2, "\(arguments): \(output.text)")
    guard let line = output.answers.first else { return }
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let error = try #require(object["error"] as? [String: Any])
    #expect(object["status"] as? String == "failed")
    #expect(error["code"] is String && error["problem"] is String, "\(line)")
    #expect((error["code"] as? String == "usage") == (status == 64))
  }

  @Test func whatIsNotThere() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      _ = try Fixture.mirrored.copy(to: folder)
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("out"), withIntermediateDirectories: false)
      let before = try content(of: folder)
      for command in Self.fileCommands {
        try expectFailure(command + ["none.JPG"], "none.JPG: ", in: folder)
        try expectFailure(command + ["nowhere/none.JPG"], "nowhere", in: folder)
        let empty = try Tools.run([Command.path] + command + ["out"], in: folder)
        #expect(
          empty.sentences.count == 1
            && empty.standardError.contains("no photos or movies found; add -r to include subfolders"),
          "\(command): \(empty.standardError)")
      }
      for command in Self.folderCommands {
        try expectFailure(command + ["nowhere"], "nowhere: no such folder", in: folder)
        try expectFailure(command + ["IMG_0001.JPG"], "IMG_0001.JPG: is not a folder", in: folder)
      }
      for (arguments, word) in Self.others { try expectFailure(arguments, word, in: folder) }
      #expect(try content(of: folder) == before)
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent(".liveedit").path))
    }
  }

  /// One message explains why the other file in the folder was not changed.
  @Test func aMissingFileIsExplainedOnce() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let output = try Command.run("rotate", "--degrees", "90", "none.JPG", "IMG_0001.JPG", in: folder)
      #expect(output.status == 1)
      #expect(output.sentences.count { $0.contains("nothing was changed in this folder") } == 1)
    }
  }

  @Test(arguments: [
    ["frobnicate"], ["rotate"], ["rotate", "--degrees", "45", "a.JPG"], ["rotate", "--degres", "90"],
    ["rotate", "--degrees", "90"], ["list", "--filter", "widht > 3"], ["adjust", "--exposure", "x", "a.JPG"],
    ["preset"], ["album", "crate"], ["repair"], ["create", "-o", "out"], ["pair", "a.JPG"],
    ["export", "a.JPG"], ["check", ""], ["rotate", "--degrees", "90", ""],
  ])
  func wrongUsage(_ arguments: [String]) throws {
    try withTemporaryFolder { folder in
      let command = CommandTable.command(Array(arguments.prefix(1)))?.name
      let help = command.map { "see liveedit \($0) --help." } ?? "see liveedit --help."
      try expectFailure(arguments, help, status: 64, lines: 2, in: folder)
    }
  }

  /// Without a home folder, the built-in presets are available and a message explains why others are not.
  @Test func presetsWithoutAHome() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      func run(_ arguments: String...) throws -> ToolOutput {
        try Tools.run(["env", "-i", Command.path] + arguments, in: folder)
      }
      let listed = try run("preset", "list", "--json")
      let files = try FileManager.default.contentsOfDirectory(
        atPath: TestFiles.project.appendingPathComponent("Presets").path)
      #expect(listed.status == 0 && listed.answers.count == files.count { $0.hasSuffix(".json") })
      #expect(try run("preset", "show", "vivid").text.hasPrefix("vivid: "))
      let applied = try run("apply", "--preset", "vivid", "--speed", "fast", "IMG_0001.JPG")
      #expect(applied.status == 0, "\(applied.standardError)")
      let saved = try run("preset", "save", "mine", "--from", "IMG_0001.JPG")
      #expect(saved.status == 1 && saved.standardError.contains("set XDG_CONFIG_HOME or HOME"))
    }
  }

  /// With files from several folders, a broken file stops only its own folder.
  @Test func aBrokenFileStopsItsFolderOnly() throws {
    try withTemporaryFolder { folder in
      let places = ["a", "b", "c"].map { folder.appendingPathComponent($0) }
      for place in places {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        _ = try Fixture.portrait.copy(to: place)
      }
      _ = try Fixture.mirrored.copy(to: places[0])
      let whole = try Data(contentsOf: Fixture.mirrored.files().photo)
      try whole.prefix(200).write(to: places[1].appendingPathComponent("IMG_0002.JPG"))
      let before = try content(of: places[1])
      let output = try Command.run(
        "rotate", "--degrees", "90", "--lossless", "--json", "a/IMG_0001.JPG", "b/IMG_0001.JPG",
        "a/IMG_0002.JPG", "b/../b/IMG_0002.JPG", "c/IMG_0001.JPG", "d/IMG_0001.JPG", in: folder)
      #expect(output.status == 1)
      let objects = try output.answers.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(
        objects.map { "\($0["status"] ?? "") \($0["file"] ?? "")" }.sorted() == [
          "failed b/../b/IMG_0002.JPG", "failed d/IMG_0001.JPG", "rendered a/IMG_0001.JPG",
          "rendered a/IMG_0002.JPG", "rendered c/IMG_0001.JPG", "untouched b/IMG_0001.JPG",
        ])
      #expect(output.standardError.contains("nothing was changed in b, because"))
      #expect(!output.standardError.contains("nothing was changed in d, because"))
      #expect(try content(of: places[1]) == before)
      for (place, count) in [(places[0], 10), (places[2], 5)] {
        #expect(try content(of: place).count == count)
      }
      // The same applies to marks and versions.
      let marked = try Command.run(
        "mark", "--hidden", "a/IMG_0001.JPG", "a/none.JPG", "c/IMG_0001.JPG", in: folder)
      #expect(marked.status == 1 && marked.lines == ["c/IMG_0001.JPG: hidden"])
      #expect(marked.standardError.contains("nothing was changed in a, because"))
      let reverted = try Command.run("revert", "a/IMG_0001.JPG", "a/none.JPG", "c/IMG_0001.JPG", in: folder)
      #expect(reverted.status == 1 && reverted.lines.count == 1)
      #expect(try content(of: places[0]).count == 10 && content(of: places[2]).count == 2)
    }
  }
}
