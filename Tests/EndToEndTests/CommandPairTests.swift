import Foundation
import TestSupport
import Testing

/// Tests of `liveedit pair` and `repair`; exiftool, ffmpeg and djpeg inspect the results.
@Suite struct CommandPairTests {
  func identifier(ofPhoto photo: URL) throws -> String? {
    let tags = try tags(of: photo)
    return tags["Apple:ContentIdentifier"] ?? tags["Apple:MediaGroupUUID"]
  }

  func identifier(ofMovie movie: URL) throws -> String? {
    try tags(of: movie)["Keys:ContentIdentifier"]
  }

  /// Returns exiftool's tags without the file's name, dates and size and without the pairing identifiers.
  func description(of file: URL) throws -> [String: String] {
    try tags(of: file, "-ee").filter { name, _ in
      let group = name.prefix { $0 != ":" }
      return !["System", "File", "ExifTool", "Apple"].contains(String(group))
        && !name.hasSuffix(":ContentIdentifier") && !name.contains("MediaData")
        && !name.hasSuffix("ThumbnailOffset") && !name.hasSuffix("MovieDataOffset")
    }
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0003.JPG", "IMG_0004.HEIC"])
  func photoWithoutIdentifierTakesTheMovies(name: String) throws {
    let stem = String(name.prefix(8))
    let (folder, out) = try prepared(name, stem + ".MOV")
    let photo = folder.file(name)
    let movie = folder.file(stem + ".MOV")
    let expected = try #require(try identifier(ofMovie: movie))
    try Tools.output("exiftool", "-q", "-overwrite_original", "-MakerNotes=", photo.path)
    #expect(try identifier(ofPhoto: photo) == nil)
    let before = try content(of: folder.url)

    let answer = try Command.run("pair", "-o", "out", name, stem + ".MOV", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    #expect(try identifier(ofPhoto: out.appendingPathComponent(name)) == expected)
    #expect(try Data(contentsOf: out.appendingPathComponent(stem + ".MOV")) == Data(contentsOf: movie))
    #expect(try description(of: out.appendingPathComponent(name)) == description(of: photo))
    if name.hasSuffix("JPG") {
      let pixels = try [photo, out.appendingPathComponent(name)].map {
        try Tools.output("djpeg", $0.path).standardOutput
      }
      #expect(pixels[0] == pixels[1])
    }
    let after = try content(of: folder.url)
    #expect(before.filter { $0.key != "out" } == after.filter { $0.key != "out" })
    #expect(try Command.run("verify", "out/" + name, in: folder.url).status == 0)
  }

  @Test func nonsenseIsRefusedAndNothingIsWritten() throws {
    let (folder, out) = try prepared("IMG_0001.JPG", "IMG_0003.JPG", "IMG_0003.MOV")
    try folder.write([UInt8](repeating: 0, count: 64), to: "IMG_0001.MOV")
    for (arguments, word) in [
      (["IMG_0001.JPG", "IMG_0003.JPG"], "is a photo, and so is IMG_0003.JPG"),
      (["IMG_0001.JPG", "IMG_0001.MOV"], "not a QuickTime"),
      (["IMG_0001.JPG", "missing.MOV"], "no such file"),
    ] {
      let answer = try Tools.run([Command.path, "pair", "-o", "out"] + arguments, in: folder.url)
      #expect(answer.status == 1)
      #expect(answer.standardError.contains(word), "\(answer.standardError)")
      #expect(answer.sentences.count == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).isEmpty)
    }
    #expect(try Command.run("pair", "IMG_0003.JPG", "IMG_0003.MOV", in: folder.url).status == 64)
    #expect(try Command.run("pair", "-o", "out", "IMG_0003.JPG", "IMG_0003.MOV", in: folder.url).status == 2)
  }

  @Test func nothingIsOverwritten() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0001.MOV")
    try Data("mine".utf8).write(to: out.appendingPathComponent("IMG_0003.MOV"))
    let answer = try Command.run("pair", "-o", "out", "IMG_0003.JPG", "IMG_0001.MOV", in: folder.url)
    #expect(answer.status == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == ["IMG_0003.MOV"])
    #expect(try Data(contentsOf: out.appendingPathComponent("IMG_0003.MOV")) == Data("mine".utf8))
  }

  @Test func aRefusedEditPointsToPair() throws {
    let (folder, _) = try prepared("IMG_0003.JPG", "IMG_0001.MOV")
    try FileManager.default.moveItem(at: folder.file("IMG_0001.MOV"), to: folder.file("IMG_0003.MOV"))
    let answer = try Command.run("rotate", "--degrees", "90", "IMG_0003.JPG", in: folder.url)
    #expect(answer.status == 1)
    #expect(answer.standardError.contains("liveedit pair"))
  }

  @Test func repairTiesByIdentifierThenByNameAndTime() throws {
    let (folder, out) = try prepared("IMG_0001.JPG", "IMG_0003.JPG", "IMG_0003.MOV")
    let files = FileManager.default
    // Paired by identifier, with different names.
    try folder.copy(TestFiles.fixture("IMG_0001.MOV"))
    try files.moveItem(at: folder.file("IMG_0001.MOV"), to: folder.file("clip.MOV"))
    // Paired by name and time: 2 s apart, with no identifier in the photo.
    try lose(in: folder, "IMG_0002", seconds: 2)
    // Paired by name, one minute apart.
    try lose(in: folder, "IMG_0005", seconds: 60)
    // Paired by name and picture.
    try lose(in: folder, "IMG_0006", seconds: nil)

    let plan = try Command.run("repair", "--dry-run", in: folder.url)
    #expect(plan.status == 0, "\(plan.standardError)")
    #expect(plan.text.contains("IMG_0001.JPG + clip.MOV: they share an identifier"))
    #expect(
      plan.text.contains(
        "IMG_0002.JPG + IMG_0002.MOV: they share a name and were taken 2 s apart by the same camera"))
    #expect(
      plan.text.contains("IMG_0005.JPG + IMG_0005.MOV: left unchanged: have the same name, but were taken"))
    #expect(
      plan.text.contains("IMG_0006.JPG + IMG_0006.MOV: their pictures show the same scene, they share a name")
    )
    #expect(plan.text.contains("3 Live Photos to pair, 1 complete"))
    #expect(try files.contentsOfDirectory(atPath: out.path).isEmpty)

    let answer = try Command.run("repair", "-o", "out", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    #expect(
      try files.contentsOfDirectory(atPath: out.path).sorted()
        == ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG", "IMG_0002.MOV", "IMG_0006.JPG", "IMG_0006.MOV"])
    for stem in ["IMG_0001", "IMG_0002", "IMG_0006"] {
      let photo = try identifier(ofPhoto: out.appendingPathComponent(stem + ".JPG"))
      #expect(try photo == identifier(ofMovie: out.appendingPathComponent(stem + ".MOV")))
      #expect(photo != nil)
    }
  }

  /// Creates files with the same name but different identifiers, taken the given number of seconds apart.
  private func lose(in folder: TemporaryFolder, _ stem: String, seconds: Int?) throws {
    let files = FileManager.default
    let photo = folder.file(stem + ".JPG")
    try files.copyItem(at: TestFiles.fixture("IMG_0002.JPG"), to: photo)
    try files.copyItem(at: TestFiles.fixture("IMG_0002.MOV"), to: folder.file(stem + ".MOV"))
    // The two halves of this fixture have different locations.
    var changes = ["-MakerNotes=", "-SubSecTimeOriginal=", "-GPS:all="]
    if let seconds {
      let date = try #require(try tags(of: folder.file(stem + ".MOV"))["Keys:CreationDate"])
      changes.append("-DateTimeOriginal=" + (try #require(Self.date(date, plus: seconds))))
    } else {
      changes.append("-AllDates=")
    }
    try folder.run("exiftool", ["-q", "-overwrite_original"] + changes + [photo.lastPathComponent])
  }

  static func date(_ text: String, plus seconds: Int) -> String? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "yyyy:MM:dd HH:mm:ss"
    return format.date(from: String(text.prefix(19))).map { format.string(from: $0 + Double(seconds)) }
  }
}
