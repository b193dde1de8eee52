import Foundation
import TestSupport
import Testing

/// Tests of the output of `inspect`.
@Suite struct CommandInspectTests {
  @Test func aPairAndItsEditAreDescribed() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.portrait.copy(to: folder)
      _ = try Command.run("rotate", "--degrees", "90", "IMG_0001.JPG", in: folder)
      let before = try content(of: folder)
      let output = try Command.run("inspect", "IMG_0001.JPG", "IMG_E0001.MOV", "IMG_0001.AAE", in: folder)
      #expect(output.status == 0, "\(output.standardError)")
      #expect(try content(of: folder) == before)
      let identifier = try #require(try tags(of: pair.photo)["Apple:MediaGroupUUID"])
      for text in [
        "IMG_0001.JPG: photo, JPEG", "orientation 6, rotated 90° clockwise", "Display P3", identifier,
        "pair          IMG_0001.MOV, same identifier", "edit          IMG_0001.AAE", "org.liveedit.edit 1.4",
        "IMG_E0001.MOV: movie", "pair          IMG_E0001.JPG, same identifier", "orientation 1, upright",
        "com.apple.quicktime.live-photo.vitality-score", "IMG_0001.AAE: adjustment data",
      ] {
        #expect(output.text.contains(text), "\(text) is missing in\n\(output.text)")
      }
      #expect(!output.lines.contains { $0.hasSuffix(" ") })
    }
  }

  @Test func jsonHasEverything() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let output = try Command.run(
        "inspect", "--json", "IMG_0001.JPG", "none.MOV", "IMG_0001.MOV", in: folder)
      #expect(output.status == 1)
      let objects = try output.answers.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(objects.map { $0["kind"] as? String } == ["photo", nil, "movie"])
      #expect(objects[1]["status"] as? String == "failed")
      let photo = try #require(objects[0]["photo"] as? [String: Any])
      #expect(photo["width"] as? Int == 1024)
      let pair = try #require(objects[0]["pair"] as? [[String: Any]])
      #expect(pair.first?["isSame"] as? Bool == true)
      let movie = try #require(objects[2]["movie"] as? [String: Any])
      #expect((movie["tracks"] as? [[String: Any]])?.count == 4)
      let keys = try #require(movie["keys"] as? [[String: Any]])
      let score = keys.first { $0["name"] as? String == "com.apple.quicktime.live-photo.vitality-score" }
      #expect(score?["value"] as? Double == 0.9375)
    }
  }

  @Test func halvesThatDifferOrAreMissingAreTold() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.portrait.copy(to: folder)
      let other = Fixture.mirrored.files()
      try FileManager.default.removeItem(at: pair.movie)
      #expect(
        try Command.run("inspect", "IMG_0001.JPG", in: folder).text.contains("no movie of the same name"))
      try FileManager.default.copyItem(at: other.movie, to: pair.movie)
      let text = try Command.run("inspect", "IMG_0001.JPG", in: folder).text
      #expect(text.contains("IMG_0001.MOV, different identifier"))
    }
  }

  /// Control characters in a name or a text cannot control the terminal.
  @Test func controlCharactersAreMadeVisible() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.landscape.copy(to: folder)
      _ = try Tools.output("exiftool", "-overwrite_original", "-Comment=\u{1B}[2Jgone", pair.photo.path)
      let result = try Command.run("inspect", "IMG_0003.JPG", in: folder)
      #expect(result.text.contains("\\u{1b}[2Jgone"))
      #expect(!result.text.contains("\u{1B}"))
    }
  }

  @Test func otherFilesAreRefused() throws {
    try withTemporaryFolder { folder in
      try Data("Dear diary".utf8).write(to: folder.appendingPathComponent("diary.txt"))
      try Data("Dear diary".utf8).write(to: folder.appendingPathComponent("diary.AAE"))
      try Data().write(to: folder.appendingPathComponent("empty.JPG"))
      for file in ["diary.txt", "diary.AAE", "empty.JPG", ".", "none.JPG"] {
        let output = try Command.run("inspect", file, in: folder)
        #expect(output.status == 1)
        #expect(output.text == "")
        #expect(output.sentences.count == 1, "\(output.standardError)")
      }
    }
  }
}
