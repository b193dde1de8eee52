import Foundation
import TestSupport
import Testing

/// `liveedit pair` and `repair`, looked at with exiftool, ffmpeg and djpeg.
@Suite struct CommandPairTests {
  private func identifier(ofPhoto photo: URL) throws -> String? {
    let tags = try tags(of: photo)
    return tags["Apple:ContentIdentifier"] ?? tags["Apple:MediaGroupUUID"]
  }

  private func identifier(ofMovie movie: URL) throws -> String? {
    try tags(of: movie)["Keys:ContentIdentifier"]
  }

  /// What exiftool says without the file's own name, dates and size, and without what ties.
  private func description(of file: URL) throws -> [String: String] {
    try tags(of: file, "-ee").filter { name, _ in
      let group = name.prefix { $0 != ":" }
      return !["System", "File", "ExifTool", "Apple"].contains(String(group))
        && !name.hasSuffix(":ContentIdentifier") && !name.contains("MediaData")
        && !name.hasSuffix("ThumbnailOffset") && !name.hasSuffix("MovieDataOffset")
    }
  }

  /// A hash of every packet of every stream.
  private func packets(of movie: URL) throws -> [String] {
    try Tools.ffprobe(
      movie, "-show_entries", "packet=stream_index,pts,dts,duration,size,data_hash", "-show_data_hash", "md5")
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

  @Test func movieWithAnotherIdentifierGetsANewOneInBothHalves() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0001.MOV")
    let answer = try Command.run(
      "pair", "--json", "-o", "out", "IMG_0001.MOV", "IMG_0003.JPG", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let photo = out.appendingPathComponent("IMG_0003.JPG")
    let movie = out.appendingPathComponent("IMG_0003.MOV")
    let new = try #require(try identifier(ofPhoto: photo))
    #expect(try identifier(ofMovie: movie) == new)
    #expect(new != (try identifier(ofPhoto: folder.file("IMG_0003.JPG"))))
    #expect(new != (try identifier(ofMovie: folder.file("IMG_0001.MOV"))))
    #expect(try description(of: movie) == description(of: folder.file("IMG_0001.MOV")))
    #expect(try description(of: photo) == description(of: folder.file("IMG_0003.JPG")))
    #expect(try packets(of: movie) == packets(of: folder.file("IMG_0001.MOV")))
    #expect(answer.text.contains(new))
  }

  @Test func movieWithoutMetadataTakesThePhotos() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    // Without use_metadata_tags ffmpeg writes no keys, and its brand needs no metadata.
    try folder.run("ffmpeg", ["-v", "error", "-i", "IMG_0003.MOV", "-c", "copy", "plain.mov"])
    let answer = try Command.run("pair", "-o", "out", "IMG_0003.JPG", "plain.mov", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let movie = out.appendingPathComponent("IMG_0003.mov")
    #expect(try identifier(ofMovie: movie) == identifier(ofPhoto: folder.file("IMG_0003.JPG")))
    #expect(try packets(of: movie) == packets(of: folder.file("plain.mov")))
    #expect(
      try Data(contentsOf: out.appendingPathComponent("IMG_0003.JPG"))
        == Data(contentsOf: folder.file("IMG_0003.JPG")))
  }

  /// Keys in user data, as ffmpeg writes them: they are read, and the identifier is stored once more where Photos looks for it.
  @Test func keysInUserDataAreReadAndStoredForPhotos() throws {
    let (folder, out) = try prepared("IMG_0001.JPG")
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-i", TestFiles.fixture("IMG_0001.MOV").path, "-map", "0:v", "-map", "0:a", "-c",
        "copy",
        "-movflags", "use_metadata_tags", "IMG_0001.MOV",
      ])
    let movie = folder.file("IMG_0001.MOV")
    let known = try #require(try identifier(ofPhoto: folder.file("IMG_0001.JPG")))
    // In the file's only metadata atom.
    #expect(try Tools.exiftool(movie)["Keys:ContentIdentifier"] == known)
    #expect(try Command.run("list", "--json", ".", in: folder.url).text.contains(#""kind":"live""#))
    let alone = try TemporaryFolder()
    try alone.copy(movie)
    let listed = try Command.run("list", "--json", ".", in: alone.url).text
    for part in [
      #""date":"2019-12-29T19:01:14Z""#, #""model":"iPhone 6s""#, #""latitude":34.0083"#,
    ] { #expect(listed.contains(part), "\(listed)") }
    let report = try Command.run("verify", "IMG_0001.JPG", in: folder.url)
    #expect(report.status == 1 && report.text.contains("metadata-plain"), "\(report.text)")
    let answer = try Command.run("pair", "-o", "out", "IMG_0001.JPG", "IMG_0001.MOV", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let tied = try Data(contentsOf: out.appendingPathComponent("IMG_0001.MOV"))
    #expect(tied.range(of: Data("udta".utf8)) != nil)
    // Behind the size of the handler a plain atom has the handler's name.
    let plain = try #require(tied.range(of: Data("meta\0\0\0\u{22}hdlr".utf8)))
    #expect(tied[plain.lowerBound...].range(of: Data(known.utf8)) != nil)
    // Every edit takes the identifier to where Photos looks for it, and leaves no other one.
    let moved = try Command.run("date", "--shift", "+1h", "IMG_0001.JPG", in: folder.url)
    #expect(moved.status == 0, "\(moved.standardError)")
    let tags = try Tools.exiftool(folder.file("IMG_E0001.MOV"))
    #expect(tags["Keys:CreationDate"] == "2019:12:29 20:01:14+00:00")
    let rendered = try Data(contentsOf: folder.file("IMG_E0001.MOV"))
    #expect(rendered.range(of: Data(known.utf8)) == nil)
    #expect(rendered.range(of: Data("meta\0\0\0\u{22}hdlr".utf8)) != nil)
    #expect(try Command.run("verify", "IMG_E0001.JPG", in: folder.url).status == 0)
    // The place goes as from other keys.
    let stripped = try Command.run(
      "export", "--as", "movie", "--strip", "location", "-o", "alone", "IMG_0001.JPG", in: folder.url)
    #expect(stripped.status == 0, "\(stripped.standardError)")
    let left = try Tools.exiftool(folder.file("alone/IMG_E0001.MOV"))
    #expect(left.keys.filter { $0.contains("GPS") || $0.contains("Location") }.isEmpty, "\(left)")
    #expect(left["Keys:Model"] == "iPhone 6s")
  }

  @Test func nonsenseIsRefusedAndNothingIsWritten() throws {
    let (folder, out) = try prepared("IMG_0001.JPG", "IMG_0003.JPG", "IMG_0003.MOV")
    try folder.write([UInt8](repeating: 0, count: 64), to: "IMG_0001.MOV")
    for (arguments, word) in [
      (["IMG_0001.JPG", "IMG_0003.JPG"], "both photos"),
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

  /// Each folder for itself, and halves of one identifier across folders; the copies keep their places in the tree.
  @Test func repairLooksIntoFoldersBelow() throws {
    let (folder, out) = try prepared()
    let files = FileManager.default
    for name in ["one/deep", "two", "movies"] {
      try files.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    for (name, place) in [
      // In one folder by identifier; whole; and in two folders by identifier.
      ("IMG_0001.JPG", "one/deep/IMG_0001.JPG"), ("IMG_0001.MOV", "one/deep/clip.MOV"),
      ("IMG_0002.JPG", "IMG_0002.JPG"),
      ("IMG_0002.MOV", "IMG_0002.MOV"), ("IMG_0003.JPG", "two/IMG_0003.JPG"),
      ("IMG_0003.MOV", "movies/IMG_0003.MOV"),
      // The same name in another folder says nothing.
      ("IMG_0004.MOV", "movies/IMG_0001.MOV"),
    ] { try files.copyItem(at: TestFiles.fixture(name), to: folder.file(place)) }
    // The fixture's halves say places that are far apart; that is another subject.
    let silent = try Tools.run(
      ["exiftool", "-q", "-overwrite_original", "-gps:all=", "IMG_0002.JPG"], in: folder.url)
    #expect(silent.status == 0, "\(silent.standardError)")
    let flat = try Command.run("repair", "--dry-run", in: folder.url)
    #expect(flat.lines == ["0 Live Photos to tie, 1 whole"] && flat.status == 2)
    let plan = try Command.run("repair", "-r", "--dry-run", in: folder.url)
    #expect(
      plan.lines == [
        "one/deep/IMG_0001.JPG + one/deep/clip.MOV: they carry one identifier",
        "two/IMG_0003.JPG + movies/IMG_0003.MOV: they carry one identifier", "2 Live Photos to tie, 1 whole",
      ], "\(plan.text)")
    for root in [".", folder.url.path] {
      let answer = try Command.run("repair", "-r", "-o", "out", root, in: folder.url)
      #expect(answer.status == (root == "." ? 0 : 1), "\(answer.standardError)\(answer.text)")
      #expect(answer.sentences.count == (root == "." ? 0 : 2))
    }
    let made = try Tools.output("find", ".", "-type", "f", in: out).lines.sorted()
    #expect(
      made == [
        "./one/deep/IMG_0001.JPG", "./one/deep/IMG_0001.MOV", "./two/IMG_0003.JPG", "./two/IMG_0003.MOV",
      ])
    // The folders are made on the way.
    #expect(try Command.run("repair", "-r", "-o", "new/deep", in: folder.url).status == 0)
    #expect(
      try Tools.output("find", ".", "-type", "f", in: folder.file("new/deep")).lines.sorted() == made)
    for photo in ["one/deep/IMG_0001", "two/IMG_0003"] {
      let (photo, movie) = (
        out.appendingPathComponent(photo + ".JPG"), out.appendingPathComponent(photo + ".MOV")
      )
      #expect(try identifier(ofPhoto: photo) == identifier(ofMovie: movie))
    }
  }

  @Test func repairTiesByIdentifierThenByNameAndTime() throws {
    let (folder, out) = try prepared("IMG_0001.JPG", "IMG_0003.JPG", "IMG_0003.MOV")
    let files = FileManager.default
    // By identifier, under different names.
    try folder.copy(TestFiles.fixture("IMG_0001.MOV"))
    try files.moveItem(at: folder.file("IMG_0001.MOV"), to: folder.file("clip.MOV"))
    // By name and time: 2 s apart, no identifier in the photo.
    try lose(in: folder, "IMG_0002", seconds: 2)
    // By name, a minute apart.
    try lose(in: folder, "IMG_0005", seconds: 60)
    // By name and picture.
    try lose(in: folder, "IMG_0006", seconds: nil)

    let plan = try Command.run("repair", "--dry-run", in: folder.url)
    #expect(plan.status == 0, "\(plan.standardError)")
    #expect(plan.text.contains("IMG_0001.JPG + clip.MOV: they carry one identifier"))
    #expect(
      plan.text.contains(
        "IMG_0002.JPG + IMG_0002.MOV: they have one name and were taken 2 s apart by one camera"))
    #expect(
      plan.text.contains("IMG_0005.JPG + IMG_0005.MOV: left as they are: have one name, but were taken"))
    #expect(
      plan.text.contains("IMG_0006.JPG + IMG_0006.MOV: their pictures show one scene, they have one name"))
    #expect(plan.text.contains("3 Live Photos to tie, 1 whole"))
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

  /// Files of one name whose identifiers differ, taken so many seconds apart.
  private func lose(in folder: TemporaryFolder, _ stem: String, seconds: Int?) throws {
    let files = FileManager.default
    let photo = folder.file(stem + ".JPG")
    try files.copyItem(at: TestFiles.fixture("IMG_0002.JPG"), to: photo)
    try files.copyItem(at: TestFiles.fixture("IMG_0002.MOV"), to: folder.file(stem + ".MOV"))
    // The halves of this fixture name different places.
    var changes = ["-MakerNotes=", "-SubSecTimeOriginal=", "-GPS:all="]
    if let seconds {
      let date = try #require(try tags(of: folder.file(stem + ".MOV"))["Keys:CreationDate"])
      changes.append("-DateTimeOriginal=" + (try #require(Self.date(date, plus: seconds))))
    } else {
      changes.append("-AllDates=")
    }
    try folder.run("exiftool", ["-q", "-overwrite_original"] + changes + [photo.lastPathComponent])
  }

  private static func date(_ text: String, plus seconds: Int) -> String? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "yyyy:MM:dd HH:mm:ss"
    return format.date(from: String(text.prefix(19))).map { format.string(from: $0 + Double(seconds)) }
  }
}
