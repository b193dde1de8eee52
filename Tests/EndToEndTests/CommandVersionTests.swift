import Foundation
import TestSupport
import Testing

/// Tests of the commands for versions, with the built program.
@Suite struct CommandVersionTests {
  /// Runs the program and expects it to succeed.
  @discardableResult
  func run(_ arguments: String..., in folder: URL) throws -> ToolOutput {
    let output = try Tools.run([Command.path] + arguments, in: folder)
    guard output.status == 0 else {
      throw ToolFailure("\(arguments): \(output.status) \(output.standardError)\(output.text)")
    }
    return output
  }

  func history(_ file: String, in folder: URL) throws -> [String: Any] {
    let data = Data((try run("history", "--json", file, in: folder).answers.first ?? "").utf8)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  func hasLibrary(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(".liveedit").path)
  }

  /// Two 90° rotations produce the same bytes as one 180° rotation, because each render starts from the original.
  @Test func twoQuarterTurnsAreOneHalfTurn() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      try withTemporaryFolder { other in
        try run("rotate", "--degrees", "180", "-o", other.path, "IMG_0001.JPG", in: folder)
        #expect(!hasLibrary(folder))
        for _ in 1...2 { try run("rotate", "--degrees", "90", "IMG_0001.JPG", in: folder) }
        let (stepwise, direct) = (try content(of: folder), try content(of: other))
        #expect(direct.count == 2)
        for (name, bytes) in direct { #expect(stepwise[name] == bytes, "\(name)") }
      }
    }
  }

  /// Changes rows of the catalogue without the program's knowledge.
  func forge(_ folder: URL, _ statement: String) throws {
    try Tools.output(
      "python3", "-c",
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as catalogue:
        catalogue.execute(sys.argv[2])
        catalogue.execute("UPDATE asset SET digest = NULL")
      """,
      folder.appendingPathComponent(".liveedit/library.sqlite").path, statement)
  }

  @Test func commandsThatReadMakeNothing() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      #expect(try run("history", "IMG_0001.MOV", in: folder).text.contains("(current)"))
      try run("check", in: folder)
      try run("inspect", "IMG_0001.JPG", in: folder)
      #expect(!hasLibrary(folder))
      #expect(try Command.run("revert", "IMG_0001.JPG", in: folder).status == 2)
      #expect(try Command.run("redo", "IMG_0001.JPG", in: folder).status == 2)
      #expect(try Command.run("forget", "IMG_0001.JPG", in: folder).status == 1)
      #expect(!hasLibrary(folder))
      #expect(try Command.run("revert", "--to", "yesterday", "IMG_0001.JPG", in: folder).status == 64)
    }
  }

  @Test func filesNamedTogetherChangeTogether() throws {
    try withTemporaryFolder { folder in
      let other = folder.appendingPathComponent("other")
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
      _ = try Fixture.portrait.copy(to: folder)
      let broken = try Fixture.mirrored.copy(to: folder)
      _ = try Fixture.landscape.copy(to: other)
      let sound = try Data(contentsOf: broken.photo)
      try (sound.prefix(sound.count / 3)).write(to: broken.photo)
      let before = try content(of: folder)
      let names = ["IMG_0001.JPG", "IMG_0002.JPG", "other/IMG_0003.JPG"]
      let failed = try Tools.run([Command.path] + ["rotate", "--degrees", "90"] + names, in: folder)
      #expect(failed.status == 1)
      #expect(failed.standardError.contains("the files of each folder change together or not at all"))
      #expect(failed.standardError.contains("nothing was changed in this folder"))
      #expect(try content(of: folder) == before)
      #expect(try content(of: other).count == 5)
      let each = try Tools.run(
        [Command.path, "rotate", "--each", "--degrees", "90"] + names.prefix(2), in: folder)
      #expect(each.status == 1)
      #expect(try content(of: folder).count == before.count + 3)
      try sound.write(to: broken.photo)
      try run("rotate", "--degrees", "90", names[1], in: folder)
      let back = try run("revert", names[0], names[1], in: folder)
      #expect(back.lines.filter { $0.contains("the original") }.count == 2)
    }
  }

  /// Tests a damaged, a missing and a newer catalogue.
  @Test func aCatalogueThatCannotBeUsed() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      for _ in 1...2 { try run("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG", in: folder) }
      let catalogue = folder.appendingPathComponent(".liveedit/library.sqlite")
      let sound = try Data(contentsOf: catalogue)
      let before = try run("history", "IMG_0001.JPG", in: folder).text
      func expectRefusal(_ word: String) throws {
        for arguments in [["history", "IMG_0001.JPG"], ["revert", "IMG_0001.JPG"], ["check"]] {
          let refused = try Tools.run([Command.path] + arguments, in: folder)
          #expect(refused.status == 1)
          #expect(refused.standardError.contains(word), "\(refused.standardError)")
          #expect(refused.sentences.count == 1)
        }
      }
      try forge(folder, "PRAGMA user_version = 99")
      try expectRefusal("newer liveedit")
      try Data("no database".utf8).write(to: catalogue)
      try expectRefusal("check --repair")
      try run("check", "--repair", in: folder)
      #expect(try run("history", "IMG_0001.JPG", in: folder).text == before)
      var torn = sound
      for at in torn.indices.dropFirst(4096) { torn[at] = 0xA5 }
      try torn.write(to: catalogue)
      try run("check", "--repair", in: folder)
      #expect(try run("history", "IMG_0001.JPG", in: folder).text == before)
      try FileManager.default.removeItem(at: catalogue)
      try expectRefusal("is missing, although the folder has")
      try run("check", "--repair", in: folder)
      try run("revert", "IMG_0001.JPG", in: folder)
      try run("check", in: folder)
    }
  }

  @Test func checkNamesWhatIsWrong() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      for _ in 1...2 { try run("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG", in: folder) }
      let kept = ".liveedit/versions/IMG_0001/1/IMG_E0001.MOV"
      let file = folder.appendingPathComponent(kept)
      var bytes = try Data(contentsOf: file)
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: file)
      let found = try Command.run("check", in: folder)
      #expect(found.status == 1)
      #expect(found.text.contains(kept))
      #expect(try Command.run("revert", "IMG_0001.JPG", in: folder).status == 1)
      try FileManager.default.removeItem(at: file)
      // After the repair, the version can be rendered again.
      _ = try Command.run("check", "--repair", in: folder)
      try run("revert", "IMG_0001.JPG", in: folder)
      try run("check", in: folder)
    }
  }

  /// An edit trusts a file whose size and times are unchanged. A check reads every byte.
  @Test func checkHashesWhatLooksUnchanged() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.landscape.copy(to: folder)
      for _ in 1...2 { try run("rotate", "--degrees", "90", "--lossless", "IMG_0003.JPG", in: folder) }
      try forge(folder, "UPDATE file SET sha256 = replace(sha256, '0', '1') WHERE role = 'movie'")
      try run("revert", "IMG_0003.JPG", in: folder)
      let found = try Command.run("check", "--json", in: folder)
      #expect(found.status == 1)
      for name in ["IMG_0003.MOV", "IMG_E0003.MOV", ".liveedit/versions/IMG_0003/2/IMG_E0003.MOV"] {
        #expect(found.text.contains("\"./\(name)\""), "\(found.text)")
      }
    }
  }

  /// Reads a library written by the first build with this schema.
  @Test func theLibraryOfAnEarlierVersion() throws {
    try withTemporaryFolder { place in
      let folder = place.appendingPathComponent("library")
      try FileManager.default.copyItem(at: TestFiles.fixture("library-1"), to: folder)
      #expect(try run("check", in: folder).text.contains("3 assets, 7 versions"))
      let turned = try history("IMG_0100.JPG", in: folder)
      #expect(turned["current"] as? Int == 2)
      #expect((turned["versions"] as? [[String: Any]])?.count == 3)
      let foreign = try history("IMG_E0101.JPG", in: folder)["versions"] as? [[String: Any]]
      #expect(foreign?.first?["format"] as? String == "com.example.format")
      try run("revert", "--to", "1", "IMG_0100.JPG", in: folder)
      try run("revert", "IMG_0101.JPG", in: folder)
      let kept = TestFiles.fixture("library-1/.liveedit/versions/IMG_0101/1/IMG_E0101.JPG")
      #expect(try content(of: folder)["IMG_E0101.JPG"] == Data(contentsOf: kept))
      try run("revert", "IMG_0102.MOV", in: folder)
      try run("rotate", "--degrees", "90", "IMG_0100.JPG", "IMG_0101.JPG", "IMG_0102.MOV", in: folder)
      try run("check", in: folder)
    }
  }
}
