import Foundation
import TestSupport
import Testing

/// Tests of the effects and the output of `list`, `mark` and `album`.
@Suite struct CommandListTests {
  @discardableResult
  func run(_ arguments: String..., in folder: URL) throws -> ToolOutput {
    let result = try Tools.run([Command.path] + arguments, in: folder)
    guard result.status == 0 else { throw ToolFailure("\(arguments): \(result.standardError)") }
    return result
  }

  func objects(_ output: ToolOutput) throws -> [[String: Any]] {
    try output.answers.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func jsonSaysWhatExiftoolSays() throws {
    try withTemporaryFolder { folder in
      for fixture in Fixture.allCases { _ = try fixture.copy(to: folder) }
      try Tools.output(
        "exiftool", "-q", "-overwrite_original", "-n", "-GPSLatitude=48.137", "-GPSLatitudeRef=N",
        "-GPSLongitude=11.575", "-GPSLongitudeRef=E", folder.appendingPathComponent("IMG_0002.JPG").path)
      let before = try content(of: folder)
      let listed = try objects(run("list", "--json", in: folder))
      #expect(listed.map { $0["file"] as? String } == ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.JPG"])
      for one in listed {
        let originals = try #require(one["originals"] as? [String: String])
        let photo = try tags(of: folder.appendingPathComponent(try #require(originals["photo"])))
        #expect(one["kind"] as? String == "live")
        #expect(one["model"] as? String == photo["IFD0:Model"])
        let isSideways = ["5", "6", "7", "8"].contains(photo["IFD0:Orientation"])
        let width = photo[isSideways ? "File:ImageHeight" : "File:ImageWidth"]
        #expect((one["width"] as? Int).map { "\($0)" } == width)
        let day = photo["ExifIFD:DateTimeOriginal"]?.prefix(10).replacingOccurrences(of: ":", with: "-")
        #expect((one["date"] as? String)?.prefix(10) == day.map { $0[...] })
        let movie = try Tools.ffprobe(
          folder.appendingPathComponent(try #require(originals["movie"])), "-show_entries", "format=duration")
        #expect(abs((one["duration"] as? Double ?? 0) - (movie.first.flatMap { Double($0) } ?? -1)) < 0.002)
      }
      let place = try #require(listed[1]["location"] as? [String: Double])
      #expect(abs((place["latitude"] ?? 0) - 48.137) < 1e-6 && abs((place["longitude"] ?? 0) - 11.575) < 1e-6)
      let near = try run("list", "--paths", "--filter", "near 48.1,11.6 within 5km", in: folder)
      #expect(near.lines == ["IMG_0002.JPG"])
      // Listing a folder does not create any file.
      #expect(try content(of: folder) == before)
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent(".liveedit").path))
    }
  }

  @Test func theFormsOfAList() throws {
    try withTemporaryFolder { folder in
      for fixture in Fixture.allCases { _ = try fixture.copy(to: folder) }
      let table = try run("list", in: folder).lines
      #expect(table.count == 4 && table[0].hasPrefix("NAME          KIND"))
      #expect(table[1].contains("live  2019-12-29 19:01  768x1024"))
      #expect(!table.contains { $0.hasSuffix(" ") })
      #expect(try run("list", "--print0", in: folder).text == "IMG_0001.JPG\0IMG_0002.JPG\0IMG_0003.JPG\0")
      #expect(
        try run("list", "-0", "--limit", "1", folder.path, in: folder).text == folder.path + "/IMG_0001.JPG\0"
      )
      let newest = try run("list", "--paths", "--sort", "-date", "--limit", "2", in: folder)
      #expect(newest.lines == ["IMG_0002.JPG", "IMG_0003.JPG"])
      #expect(try run("list", "--paths", "--filter", "date = 1970", in: folder).text.isEmpty)
      // Printed paths can be passed directly to another command.
      let edited = try Tools.output(
        "sh", "-c",
        "'\(Command.path)' list -0 --filter 'camera contains 6s' | xargs -0 '\(Command.path)' rotate --lossless --degrees 90",
        in: folder)
      #expect(edited.text.contains("IMG_E0001.JPG"))
      #expect(
        try run("list", "--paths", "--filter", "edited and format = org.liveedit.edit", in: folder).lines == [
          "IMG_0001.JPG"
        ])
      let turned = try objects(run("list", "--json", "--filter", "edited", in: folder))
      #expect(turned.first?["width"] as? Int == 1024)
    }
  }

  @Test func severalFolders() throws {
    try withTemporaryFolder { folder in
      let places = ["2019/12", "2025", "2025/05", "2025/.hidden"]
      for place in places {
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent(place), withIntermediateDirectories: true)
      }
      _ = try Fixture.portrait.copy(to: folder.appendingPathComponent("2019/12"))
      _ = try Fixture.mirrored.copy(to: folder.appendingPathComponent("2025/05"))
      _ = try Fixture.mirrored.copy(to: folder.appendingPathComponent("2025/.hidden"))
      _ = try Fixture.landscape.copy(to: folder.appendingPathComponent("2025"))
      let all = ["2019/12/IMG_0001.JPG", "2025/IMG_0003.JPG", "2025/05/IMG_0002.JPG"]
      #expect(try run("list", "--paths", "-r", in: folder).lines == all)
      #expect(try run("list", "--paths", "-r", "--limit", "2", in: folder).lines == Array(all.prefix(2)))
      #expect(try run("list", "--paths", "2025", "2019/12", in: folder).lines == [all[1], all[0]])
      let byDate = try run("list", "--paths", "-r", "--sort", "-date", "--limit", "2", in: folder)
      #expect(byDate.lines == [all[2], all[1]])
      let failed = try Command.run("list", "--paths", "2025", "2031", in: folder)
      #expect(failed.status == 1)
      #expect(failed.lines == [all[1]])
      #expect(failed.standardError.contains("2031: no such folder"))
    }
  }

  @Test(arguments: [
    (["list", "--filter", "widht > 3"], "did you mean width?"),
    (["list", "--filter", "kind = life"], "did you mean live?"),
    (["list", "--filter", "width > 3 adn edited"], "at character 11: expected “and”"),
    (["list", "--sort", "dat"], "did you mean date?"),
    (["list", "--sort", "subtype"], "choose from name, camera"),
    (["list", "--limit", "0"], "at least 1"), (["list", "--json", "--paths"], "cannot be combined"),
    (["mark", "IMG_0001.JPG"], "at least one of"), (["mark", "--hidden"], "no file is named"),
    (["mark", "--hidden", "--no-hidden", "IMG_0001.JPG"], "cannot be used together"),
    (["album"], "album needs a subcommand: list"), (["album", "crate", "A"], "did you mean album create?"),
    (["album", "add", "A"], "needs files after"), (["album", "create"], "needs an album name"),
  ])
  func wrongUsageIsExplained(_ arguments: [String], _ word: String) throws {
    try withTemporaryFolder { folder in
      let result = try Tools.run([Command.path] + arguments, in: folder)
      #expect(result.status == 64)
      #expect(result.standardError.contains(word), "\(result.standardError)")
    }
  }

  @Test func marksAndAlbumsLast() throws {
    try withTemporaryFolder { folder in
      for fixture in Fixture.allCases { _ = try fixture.copy(to: folder) }
      let originals = try content(of: folder)
      #expect(
        try run("mark", "--favourite", "IMG_0001.MOV", "IMG_0002.JPG", in: folder).lines == [
          "IMG_0001.JPG: favourite", "IMG_0002.JPG: favourite",
        ])
      #expect(try Command.run("mark", "--favourite", "IMG_0001.JPG", in: folder).status == 2)
      let missing = try Command.run("mark", "--favourite", "IMG_0003.JPG", "IMG_0009.JPG", in: folder)
      #expect(missing.status == 1 && missing.standardError.contains("IMG_0009.JPG"))
      #expect(
        try run("list", "--paths", "--filter", "favourite", in: folder).lines == [
          "IMG_0001.JPG", "IMG_0002.JPG",
        ])
      try run("album", "create", "Two words", in: folder)
      try run("album", "add", "Two words", "IMG_0003.MOV", "IMG_0002.JPG", in: folder)
      let hidden = try objects(
        run("mark", "--hidden", "--no-favourite", "--json", "IMG_0002.MOV", in: folder))
      #expect(hidden.first?["status"] as? String == "marked" && hidden.first?["hidden"] as? Bool == true)
      func state() throws -> [String] {
        let lines = try objects(run("list", "--json", "--hidden", in: folder)).map { one in
          "\(one["file"] ?? "") \(one["favourite"] ?? "") \(one["hidden"] ?? "")"
        }
        return try lines + run("album", "list", in: folder).lines
          + run("list", "--paths", "--hidden", "--filter", "album = 'two words'", in: folder).lines
      }
      let before = try state()
      #expect(
        before == [
          "IMG_0001.JPG 1 0", "IMG_0002.JPG 0 1", "IMG_0003.JPG 0 0",
          "Two words (2 assets)", "IMG_0002.JPG",
          "IMG_0003.JPG",
        ])
      #expect(try run("list", "--paths", in: folder).lines == ["IMG_0001.JPG", "IMG_0003.JPG"])
      // Editing, forgetting edits and losing the catalogue do not affect marks and albums.
      try run("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG", "IMG_0002.JPG", in: folder)
      try run("revert", "IMG_0001.JPG", "IMG_0002.JPG", in: folder)
      try run("forget", "IMG_0001.JPG", in: folder)
      #expect(try state() == before)
      try FileManager.default.removeItem(at: folder.appendingPathComponent(".liveedit/library.sqlite"))
      #expect(try Command.run("album", "list", in: folder).status == 1)
      try run("check", "--repair", in: folder)
      #expect(try state() == before)
      try run("check", in: folder)
      try run("album", "remove", "Two words", "IMG_0003.JPG", in: folder)
      #expect(try run("album", "list", in: folder).lines == ["Two words (1 asset)"])
      try run("album", "delete", "Two words", in: folder)
      #expect(try run("album", "list", in: folder).text.isEmpty)
      #expect(try Command.run("album", "delete", "Two words", in: folder).status == 1)
      #expect(try content(of: folder) == originals)
    }
  }
}
