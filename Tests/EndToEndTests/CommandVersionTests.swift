import Foundation
import TestSupport
import Testing

/// The commands that deal with versions, through the built program.
@Suite struct CommandVersionTests {
  /// Runs the program, which must succeed.
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

  /// A half turn in two steps has the bytes of a half turn in one: one generation, from the original.
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

  /// A HEIC render that Photos made, with its recipe and the camera's own, is a version like any other.
  @Test func aHEICRenderByPhotosIsTakenIn() throws {
    let names = [
      "IMG_3582.HEIC", "IMG_3582.MOV", "IMG_3582.AAE", "IMG_E3582.HEIC", "IMG_E3582.MOV", "IMG_O3582.AAE",
    ]
    let samples = names.compactMap { TestFiles.sample("iphone-15pro-heic/" + $0) }
    guard samples.count == names.count else { return }
    let folder = try TemporaryFolder()
    for sample in samples { try folder.copy(sample) }
    let before = try content(of: folder.url)
    try run("rotate", "--degrees", "90", "--lossless", "IMG_3582.HEIC", in: folder.url)
    let turned = try content(of: folder.url)
    for name in ["IMG_3582.HEIC", "IMG_3582.MOV", "IMG_O3582.AAE"] { #expect(turned[name] == before[name]) }
    #expect(try tags(of: folder.file("IMG_E3582.HEIC"))["IFD0:Orientation"] == "6")
    try run("revert", "IMG_E3582.HEIC", in: folder.url)
    #expect(try content(of: folder.url) == before)
    try run("revert", "IMG_3582.HEIC", in: folder.url)
    #expect(Set(try content(of: folder.url).keys) == ["IMG_3582.HEIC", "IMG_3582.MOV", "IMG_O3582.AAE"])
    try run("redo", "IMG_3582.MOV", in: folder.url)
    #expect(try content(of: folder.url) == before)
    try run("check", in: folder.url)
  }

  /// A version that gave up its files comes back as the same bytes, on one core as on all.
  @Test(arguments: ["h264", "hevc"], [false, true])
  func aVersionIsRenderedAgain(_ codec: String, _ onOneCore: Bool) throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      try run("rotate", "--degrees", "90", "--video-codec", codec, "IMG_0001.JPG", in: folder)
      let first = try content(of: folder)
      for _ in 1...2 { try run("flip", "--vertical", "IMG_0001.JPG", in: folder) }
      try run("rotate", "--degrees", "90", "IMG_0001.JPG", in: folder)
      let back =
        onOneCore
        ? try Tools.output(
          "taskset", "-c", "0", Command.path, "revert", "--to", "1", "--json", folder.path + "/IMG_0001.JPG")
        : try run("revert", "--to", "1", "--json", "IMG_0001.JPG", in: folder)
      #expect(back.text.contains("\"rendered\":true"))
      #expect(try content(of: folder) == first)
      try run("check", in: folder)
    }
  }

  /// A catalogue in which an older build rendered other bytes, as after an update of liveedit or a codec.
  @Test func aVersionOfAnOlderBuildIsRenderedAgain() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      for _ in 1...3 { try run("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG", in: folder) }
      let build = try #require(
        (try history("IMG_0001.JPG", in: folder)["versions"] as? [[String: Any]])?.first?["build"] as? String)
      #expect(
        build.hasPrefix("liveedit ") && build.contains("libx264.so") && build.contains("libturbojpeg.so"))
      try forge(folder, "UPDATE version SET build = 'liveedit 0.0.9'")
      try forge(folder, "UPDATE file SET sha256 = replace(sha256, '0', '1') WHERE version = 1")
      try run("check", in: folder)
      let back = try run("revert", "--to", "1", "IMG_0001.JPG", in: folder)
      let notes = back.lines.filter { $0.contains("note:") }
      #expect(notes.count == 1 && notes.first?.contains("another build") == true)
      let versions = try history("IMG_0001.JPG", in: folder)["versions"] as? [[String: Any]]
      #expect(versions?.compactMap { $0["build"] as? String } == [build, "liveedit 0.0.9", "liveedit 0.0.9"])
      for file in versions?.first?["files"] as? [[String: Any]] ?? [] {
        let name = try #require(file["name"] as? String)
        let sum = try Tools.output("sha256sum", name, in: folder).text.prefix(64)
        #expect(file["sha256"] as? String == String(sum))
      }
      try run("check", in: folder)
      // What this build would not render to the byte keeps its files from now on.
      try run("revert", "--to", "3", "IMG_0001.JPG", in: folder)
      for _ in 1...3 { try run("flip", "--vertical", "--lossless", "IMG_0001.JPG", in: folder) }
      let later = try history("IMG_0001.JPG", in: folder)["versions"] as? [[String: Any]]
      #expect(later?.compactMap { $0["hasFiles"] as? Bool } == [false, true, true, false, true, true])
    }
  }

  /// Changes the rows of a catalogue behind the program's back.
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
      #expect(failed.standardError.contains("each folder changes as a whole"))
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

  /// A damaged, a lost and a newer catalogue.
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
      try expectRefusal("is lost")
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
      // Repaired, the version is one that can be rendered again.
      _ = try Command.run("check", "--repair", in: folder)
      try run("revert", "IMG_0001.JPG", in: folder)
      try run("check", in: folder)
    }
  }

  /// An equal status is enough for an edit; a check reads every byte.
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

  /// A file system without locks, as far as the program can tell.
  @Test(.enabled("strace cannot trace here; scripts/crash-test --can-trace says why", Kernel.canTrace))
  func withoutLocksNothingIsWritten() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let before = try content(of: folder)
      func attempt(_ arguments: String...) throws -> ToolOutput {
        let options = ["-f", "-o", "/dev/null", "-e", "trace=flock", "-e", "inject=flock:error=EOPNOTSUPP"]
        return try Tools.run(["strace"] + options + [Command.path] + arguments, in: folder)
      }
      let refused = try attempt("rotate", "--degrees", "90", "IMG_0001.JPG")
      #expect(refused.status == 1)
      #expect(refused.standardError.contains("without locks"), "\(refused.standardError)")
      #expect(refused.sentences.count == 1)
      #expect(try content(of: folder) == before)
      #expect(try attempt("history", "IMG_0001.JPG").status == 0)
      try withTemporaryFolder { other in
        let elsewhere = try attempt("rotate", "--degrees", "90", "-o", other.path, "IMG_0001.JPG")
        #expect(elsewhere.status == 0)
      }
    }
  }

  /// Where files can be locked but no parts of them, SQLite would take it for somebody else's lock.
  @Test(.enabled("strace cannot trace here; scripts/crash-test --can-trace says why", Kernel.canTrace))
  func withoutLocksOfPartsALibrarySaysSo() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      try run("rotate", "--degrees", "90", "IMG_0001.JPG", in: folder)
      let before = try content(of: folder)
      for error in ["ENOLCK", "EOPNOTSUPP"] {
        let options = ["-f", "-o", "/dev/null", "-e", "trace=fcntl", "-e", "inject=fcntl:error=\(error)"]
        let refused = try Tools.run(
          ["strace"] + options + [Command.path, "history", "IMG_0001.JPG"], in: folder)
        #expect(refused.status == 1)
        #expect(refused.standardError.contains("without locks"), "\(refused.standardError)")
        #expect(refused.sentences.count == 1)
      }
      #expect(try content(of: folder) == before)
    }
  }

  /// What the first build with this schema wrote.
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

  /// Apple's edit of a real Live Photo.
  @Test(
    .enabled(if: TestFiles.sample("iphone-6s-jpeg/IMG_0728.AAE") != nil, "LIVEEDIT_SAMPLES names no samples"))
  func appleEdits() throws {
    let names = ["IMG_0728.JPG", "IMG_0728.MOV", "IMG_E0728.JPG", "IMG_E0728.MOV", "IMG_0728.AAE"]
    let folder = try TemporaryFolder()
    for name in names { try folder.copy(try #require(TestFiles.sample("iphone-6s-jpeg/" + name))) }
    let apple = try content(of: folder.url)
    // As displayed, a quarter turn swaps the sides of Apple's own render.
    let old = try tags(of: folder.file("IMG_E0728.JPG"))
    try run("rotate", "--degrees", "90", "IMG_0728.MOV", in: folder.url)
    let new = try tags(of: folder.file("IMG_E0728.JPG"))
    #expect(new["File:ImageWidth"] == old["File:ImageHeight"])
    let versions = try history("IMG_0728.JPG", in: folder.url)["versions"] as? [[String: Any]]
    #expect(versions?.count == 2)
    #expect(versions?[0]["format"] as? String == "com.apple.photo")
    let adjustments = versions?[0]["adjustments"] as? [[String: Any]]
    #expect(adjustments?.compactMap { $0["identifier"] as? String } == ["SmartTone", "SmartColor"])
    #expect(versions?[1]["base"] as? Int == 1)
    try run("revert", "IMG_0728.JPG", in: folder.url)
    #expect(try content(of: folder.url) == apple)
    try run("redo", "IMG_0728.JPG", in: folder.url)
    try run("revert", "--to", "original", "IMG_0728.JPG", in: folder.url)
    #expect(
      try content(of: folder.url) == apple.filter { ["IMG_0728.JPG", "IMG_0728.MOV"].contains($0.key) })
    try run("check", in: folder.url)
  }
}
