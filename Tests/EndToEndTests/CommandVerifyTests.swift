import Foundation
import TestSupport
import Testing

/// Tests of `verify` with intact and damaged files.
@Suite struct CommandVerifyTests {
  struct Answer: Decodable {
    struct Finding: Decodable {
      var rule: String
      var severity: String
      var message: String
    }
    struct Originals: Decodable {
      var photo: String?
      var movie: String?
    }
    var originals: Originals
    var verdict: String
    var findings: [Finding]
  }

  /// Runs `verify` on the given files in a folder.
  func verify(_ files: String..., in folder: URL) throws -> (answers: [Answer], status: Int32) {
    let output = try Tools.run([Command.path, "verify", "--json"] + files, in: folder)
    let answers = try output.answers.map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
    return (answers, output.status)
  }

  /// Returns the rules that one Live Photo violates, as errors and warnings.
  func rules(_ files: String..., in folder: URL) throws -> [String] {
    let output = try Tools.run([Command.path, "verify", "--json"] + files, in: folder)
    let answer = try JSONDecoder().decode(Answer.self, from: Data((output.answers.first ?? "").utf8))
    #expect(output.status == (answer.verdict == "valid" ? 0 : 1))
    return answer.findings.map(\.rule)
  }

  @Test(arguments: Fixture.allCases)
  func originalsAndRendersAreValid(_ fixture: Fixture) throws {
    try withTemporaryFolder { folder in
      let pair = try fixture.copy(to: folder)
      let rotate = try Command.run("rotate", "--degrees", "90", pair.photo.lastPathComponent, in: folder)
      try #require(rotate.status == 0, "\(rotate.standardError)")
      let render = fixture.rawValue.replacingOccurrences(of: "IMG_", with: "IMG_E")
      let (answers, status) = try verify(
        pair.photo.lastPathComponent, render + ".MOV", pair.movie.lastPathComponent, in: folder)
      #expect(status == 0)
      #expect(answers.map(\.originals.photo) == [pair.photo.lastPathComponent, render + ".JPG"])
      #expect(answers.map(\.originals.movie) == [pair.movie.lastPathComponent, render + ".MOV"])
      for answer in answers {
        #expect(answer.verdict == "valid")
        #expect(answer.findings.map(\.rule) == [])
      }
    }
  }

  @Test func halvesOfDifferentNamesAreFoundByTheirIdentifier() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.portrait.copy(to: folder)
      let movie = folder.appendingPathComponent("another name.MOV")
      try FileManager.default.moveItem(at: pair.movie, to: movie)
      #expect(try rules("IMG_0001.JPG", "another name.MOV", in: folder) == [])
      #expect(try rules("another name.MOV", "IMG_0001.JPG", in: folder) == [])
      #expect(try rules("IMG_0001.JPG", in: folder) == [])
      #expect(try rules("another name.MOV", in: folder) == [])
      _ = try Fixture.mirrored.copy(to: folder)
      #expect(try rules("IMG_0001.JPG", "IMG_0002.MOV", in: folder) == ["identifiers-equal"])
    }
  }

  @Test func twoPhotosOfOneNameAreOneTooMany() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.portrait.copy(to: folder)
      try FileManager.default.copyItem(
        at: pair.photo, to: folder.appendingPathComponent("IMG_0001.jpeg"))
      #expect(try rules("IMG_0001.JPG", in: folder) == ["one-photo"])
      #expect(try rules("IMG_0001.MOV", in: folder) == ["one-photo"])
    }
  }

  @Test func aPhotoThatCannotBeDecodedIsNamed() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.landscape.copy(to: folder)
      var bytes = try Data(contentsOf: pair.photo)
      // Misplaced restart markers end the scan early.
      let middle = bytes.count - 20_000
      for at in stride(from: middle, to: middle + 4000, by: 40) {
        bytes.replaceSubrange(at..<at + 2, with: [0xFF, 0xD5])
      }
      try bytes.write(to: pair.photo)
      #expect(try Tools.run(["djpeg", "-outfile", "/dev/null", pair.photo.path]).standardError != "")
      let found = try rules("IMG_0003.JPG", in: folder)
      #expect(found == ["photo-decodes"])
    }
  }

  @Test(arguments: [Fixture.portrait, .landscape])
  func framesThatCannotBeDecodedAreNamed(_ fixture: Fixture) throws {
    try withTemporaryFolder { folder in
      let pair = try fixture.copy(to: folder)
      var bytes = try Data(contentsOf: pair.movie)
      let packets = try Tools.output(
        "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pos,size", "-of",
        "csv=p=0", pair.movie.path
      ).lines.map { $0.split(separator: ",").compactMap { Int($0) } }
      // Overwrites the NAL unit lengths and the slice data of one frame.
      let (size, position) = (packets[5][0], packets[5][1])
      bytes.replaceSubrange(position..<position + size, with: Data(repeating: 0x55, count: size))
      try bytes.write(to: pair.movie)
      let ffmpeg = try Tools.run(
        ["ffmpeg", "-v", "error", "-i", pair.movie.path, "-map", "0:v:0", "-f", "null", "-"])
      #expect(ffmpeg.standardError != "")
      #expect(try rules(pair.movie.lastPathComponent, in: folder) == ["movie-decodes"])
      // The error counts frames in display order, which ffprobe's list of times shows.
      let times = try Tools.output(
        "ffprobe", "-v", "error", "-ignore_editlist", "1", "-select_streams", "v:0", "-show_entries",
        "packet=pts", "-of", "csv=p=0", pair.movie.path
      ).lines.compactMap { Int($0.filter(\.isNumber)) }
      let number = try #require(times.sorted().firstIndex(of: times[5])) + 1
      let message = try #require(
        verify(pair.movie.lastPathComponent, in: folder).answers.first?.findings.first
      )
      .message
      #expect(message.contains("frame \(number) at") || message.contains("frames \(number) to"), "\(message)")
    }
  }

  /// `verify *` names sidecars as well: they are skipped in one line, and named alone each gets its sentence.
  @Test func sidecarsAreNoFailures() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let sidecars = ["IMG_0001.AAE", "IMG_0001.xmp", "IMG_0001.JPG.json", ".liveedit-note"]
      for name in sidecars { try Data("{}".utf8).write(to: folder.appendingPathComponent(name)) }
      let output = try Tools.run(
        [Command.path, "verify", "IMG_0001.MOV", "IMG_0001.JPG"] + sidecars, in: folder)
      #expect(output.status == 0, "\(output.standardError)")
      #expect(output.sentences == ["liveedit: skipped 4 sidecars, which are not verified"])
      #expect(output.lines.count { $0.contains("a valid Live Photo") } == 1)
      for name in sidecars {
        let alone = try Command.run("verify", name, in: folder)
        #expect(alone.status == 1, "\(name): \(alone.standardError)")
        #expect(!alone.standardError.contains("skipped"))
      }
      let both = try Command.run("verify", "IMG_0001.AAE", "IMG_0001.xmp", in: folder)
      #expect(
        both.status == 1 && both.sentences.first?.contains("is a sidecar, not a photo or a movie") == true)
    }
  }

  /// Pictures and movies in other formats are skipped too. A photo with an unusual extension is still verified.
  @Test func otherKindsAreNoFailures() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      for (name, copy) in [("rotate.png", "rotate.png"), ("gainmap.JPG", "b.gif")] {
        try FileManager.default.copyItem(
          at: TestFiles.fixture(name), to: folder.appendingPathComponent(copy))
      }
      try Data("GIF89a".utf8).write(to: folder.appendingPathComponent("a.gif"))
      let output = try Command.run("verify", "IMG_0001.JPG", "IMG_0001.MOV", "a.gif", in: folder)
      #expect(output.status == 0, "\(output.standardError)")
      #expect(output.sentences == ["liveedit: skipped 1 GIF, which is not verified"])
      let alone = try Command.run("verify", "a.gif", in: folder)
      #expect(alone.status == 1 && alone.sentences.count == 1)
      #expect(alone.standardError.contains("a.gif: is a picture in GIF format"))
      // A PNG is a single photo.
      let png = try Command.run("verify", "rotate.png", in: folder)
      #expect(!png.standardError.contains("is a picture in PNG format"), "\(png.standardError) \(png.text)")
      let photo = try Command.run("verify", "b.gif", "IMG_0001.JPG", in: folder)
      #expect(!photo.standardError.contains("skipped"), "\(photo.standardError)")
    }
  }

  @Test func filesThatCannotBeReadAreErrors() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let output = try Command.run("verify", "none.JPG", "IMG_0001.JPG", in: folder)
      #expect(output.status == 1)
      #expect(output.standardError.contains("no such file"), "\(output.standardError)")
      #expect(output.sentences.count == 1)
      #expect(output.text.contains("a valid Live Photo"))
      let usage = try Command.run("verify", in: folder)
      #expect(usage.status == 64)
    }
  }
}
