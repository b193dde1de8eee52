import Foundation
import TestSupport
import Testing

/// Tests of the editing commands' effects on a folder and of their output.
@Suite struct CommandEditTests {
  func names(_ folder: URL) throws -> [String] { try content(of: folder).keys.sorted() }

  @Test func theSameEditAgainIsNothingToDo() throws {
    let (folder, _) = try prepared("IMG_0003.JPG")
    func adjust(_ options: String...) throws -> ToolOutput {
      try Tools.run([Command.path, "adjust"] + options + ["IMG_0003.JPG"], in: folder.url)
    }
    #expect(try adjust("--exposure", "0.3").status == 0)
    let before = try content(of: folder.url)
    let again = try adjust("--exposure", "0.3")
    #expect(again.status == 2 && again.text.contains("already edited that way"), "\(again.text)")
    #expect(try content(of: folder.url) == before)
    // Other settings produce a different render.
    #expect(try adjust("--exposure", "0.3", "--quality", "high").status == 0)
    #expect(try content(of: folder.url)["IMG_E0003.JPG"] != before["IMG_E0003.JPG"])
  }

  @Test func fourTurnsComeBackToTheOriginals() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.portrait.copy(to: folder)
      let before = try content(of: folder)
      let original = try tags(of: pair.photo)
      var identifiers: Set<String> = []
      for _ in 1...3 {
        let output = try Command.run("rotate", "--degrees", "90", "IMG_0001.MOV", in: folder)
        #expect(output.status == 0, "\(output.standardError)")
        #expect(
          output.lines.first == "IMG_0001.JPG + IMG_0001.MOV → IMG_E0001.JPG, IMG_E0001.MOV, IMG_0001.AAE")
        #expect(
          try names(folder) == [
            "IMG_0001.AAE", "IMG_0001.JPG", "IMG_0001.MOV", "IMG_E0001.JPG", "IMG_E0001.MOV",
          ])
        let photo = try tags(of: folder.appendingPathComponent("IMG_E0001.JPG"))
        let movie = try tags(of: folder.appendingPathComponent("IMG_E0001.MOV"))
        let identifier = try #require(photo["Apple:MediaGroupUUID"] ?? photo["Apple:ContentIdentifier"])
        #expect(movie["Keys:ContentIdentifier"] == identifier)
        identifiers.insert(identifier)
      }
      identifiers.insert(
        try #require(original["Apple:MediaGroupUUID"] ?? original["Apple:ContentIdentifier"]))
      #expect(identifiers.count == 4)
      let output = try Command.run("rotate", "--degrees", "90", "IMG_E0001.JPG", in: folder)
      #expect(output.status == 0)
      #expect(output.text.contains("removed IMG_E0001.JPG, IMG_E0001.MOV, IMG_0001.AAE"))
      #expect(try content(of: folder) == before)
    }
  }

  @Test func halvesNamedTogetherAreOneAsset() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      _ = try Fixture.mirrored.copy(to: folder)
      let output = try Command.run(
        "flip", "--horizontal", "--each", "IMG_0001.JPG", "IMG_0001.MOV", "none.JPG", "./IMG_0001.JPG",
        "IMG_0002.MOV",
        in: folder)
      #expect(output.status == 1)
      #expect(output.lines.filter { $0.contains("→") }.count == 2)
      #expect(output.sentences == ["liveedit: none.JPG: no such file; check the file name"])
      let again = try Command.run(
        "flip", "--horizontal", "IMG_0001.JPG", "IMG_E0001.JPG", "IMG_0001.AAE", in: folder)
      #expect(again.status == 0, "\(again.standardError)")
      #expect(try !names(folder).contains("IMG_E0001.JPG"))
    }
  }

  @Test func jsonIsOneObjectALine() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let output = try Command.run(
        "rotate", "--degrees=90", "--json", "--each", "--quality", "small", "IMG_0001.JPG", "none.MOV",
        in: folder)
      #expect(output.status == 1)
      let objects = try output.answers.map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      try #require(objects.count == 2)
      #expect(objects[1]["status"] as? String == "rendered")
      #expect(
        objects[1]["originals"] as? [String: String] == ["photo": "IMG_0001.JPG", "movie": "IMG_0001.MOV"])
      #expect(objects[1]["written"] as? [String] == ["IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_0001.AAE"])
      #expect(objects[1]["edit"] as? [String: Int] == ["orientation": 6])
      #expect(objects[1]["settings"] as? [String: String] == ["quality": "small"])
      let photo = try tags(of: folder.appendingPathComponent("IMG_E0001.JPG"))
      #expect(
        objects[1]["identifier"] as? String == photo["Apple:MediaGroupUUID"]
          ?? photo["Apple:ContentIdentifier"])
      #expect(objects[0]["status"] as? String == "failed")
      #expect(objects[0]["file"] as? String == "none.MOV")
      #expect((objects[0]["error"] as? [String: String])?["code"] == "notFound")
    }
  }

  @Test func elsewhereAndNothingToDo() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let before = try content(of: folder)
      try withTemporaryFolder { output in
        let done = try Command.run("rotate", "--degrees", "90", "-o", output.path, "IMG_0001.JPG", in: folder)
        #expect(done.status == 0, "\(done.standardError)")
        #expect(try names(output) == ["IMG_E0001.JPG", "IMG_E0001.MOV"])
        let again = try Command.run(
          "rotate", "--degrees", "180", "-o", output.path, "IMG_0001.JPG", in: folder)
        #expect(again.status == 1)
        #expect(again.standardError.contains("already exists and is not overwritten"))
        #expect(try content(of: folder) == before)
        #expect(try Command.run("rotate", "--degrees", "90", "IMG_0001.JPG", in: folder).status == 0)
        let none = try Command.run(
          "rotate", "--degrees", "-90", "-o", output.path, "IMG_0001.JPG", in: folder)
        #expect(none.status == 2)
        #expect(none.text.contains("nothing to do"))
      }
    }
  }

  @Test func usageHelpAndVersion() throws {
    try withTemporaryFolder { folder in
      #expect(try Command.run(in: folder).status == 64)
      #expect(try Command.run("rotate", in: folder).status == 64)
      let wrong = try Command.run("rotate", "--degress", "90", "x", in: folder)
      #expect(wrong.status == 64)
      #expect(wrong.standardError.contains("did you mean --degrees?"))
      let help = try Command.run("--help", in: folder)
      #expect(help.status == 0 && help.text.contains("rotate") && help.standardError == "")
      #expect(try Command.run("flip", "--help", in: folder).text.contains("--vertical"))
      #expect(try Command.run("--version", in: folder).text.hasPrefix("liveedit "))
    }
  }

  /// Quick commands do not load any codec, so hostile files cannot attack one in this process.
  @Test func theCommandLinksNoCodec() throws {
    let libraries = try Tools.output("ldd", Command.path).text
    #expect(libraries.contains("libc.so"))
    for name in ["libav", "libsw", "jpeg", "x264", "x265"] where name != "libsw" {
      #expect(!libraries.contains(name))
    }
    #expect(!libraries.contains("libswscale"))
  }
}
