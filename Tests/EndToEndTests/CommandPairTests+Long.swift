import Foundation
import TestSupport
import Testing

extension CommandPairTests {
  /// Returns a hash and the times of every packet of every stream.
  private func packets(of movie: URL) throws -> [String] {
    try Tools.ffprobe(
      movie, "-show_entries", "packet=stream_index,pts,dts,duration,size,data_hash", "-show_data_hash", "md5")
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
    // Without use_metadata_tags, ffmpeg writes no keys, and the movie's brand does not require metadata.
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

  /// Metadata keys in user data, as ffmpeg writes them, are read. The identifier is stored again in the atom that
  /// Photos reads.
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
    // The identifier is in the file's only metadata atom.
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
    // In a plain metadata atom, the handler box follows immediately.
    let plain = try #require(tied.range(of: Data("meta\0\0\0\u{22}hdlr".utf8)))
    #expect(tied[plain.lowerBound...].range(of: Data(known.utf8)) != nil)
    // Every edit moves the identifier to the atom that Photos reads and leaves no other identifier.
    let moved = try Command.run("date", "--shift", "+1h", "IMG_0001.JPG", in: folder.url)
    #expect(moved.status == 0, "\(moved.standardError)")
    let tags = try Tools.exiftool(folder.file("IMG_E0001.MOV"))
    #expect(tags["Keys:CreationDate"] == "2019:12:29 20:01:14+00:00")
    let rendered = try Data(contentsOf: folder.file("IMG_E0001.MOV"))
    #expect(rendered.range(of: Data(known.utf8)) == nil)
    #expect(rendered.range(of: Data("meta\0\0\0\u{22}hdlr".utf8)) != nil)
    #expect(try Command.run("verify", "IMG_E0001.JPG", in: folder.url).status == 0)
    // The location is stripped from these keys as from others.
    let stripped = try Command.run(
      "export", "--as", "movie", "--strip", "location", "-o", "alone", "IMG_0001.JPG", in: folder.url)
    #expect(stripped.status == 0, "\(stripped.standardError)")
    let left = try Tools.exiftool(folder.file("alone/IMG_E0001.MOV"))
    #expect(left.keys.filter { $0.contains("GPS") || $0.contains("Location") }.isEmpty, "\(left)")
    #expect(left["Keys:Model"] == "iPhone 6s")
  }

  /// `repair -r` pairs files within each folder and, by identifier, across folders. The copies keep their relative
  /// paths.
  @Test func repairLooksIntoFoldersBelow() throws {
    let (folder, out) = try prepared()
    let files = FileManager.default
    for name in ["one/deep", "two", "movies"] {
      try files.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    for (name, place) in [
      // Files paired by identifier in one folder, a complete pair, and files paired by identifier in two folders.
      ("IMG_0001.JPG", "one/deep/IMG_0001.JPG"), ("IMG_0001.MOV", "one/deep/clip.MOV"),
      ("IMG_0002.JPG", "IMG_0002.JPG"),
      ("IMG_0002.MOV", "IMG_0002.MOV"), ("IMG_0003.JPG", "two/IMG_0003.JPG"),
      ("IMG_0003.MOV", "movies/IMG_0003.MOV"),
      // An equal name in another folder does not count.
      ("IMG_0004.MOV", "movies/IMG_0001.MOV"),
    ] { try files.copyItem(at: TestFiles.fixture(name), to: folder.file(place)) }
    // The locations of the fixture's halves are far apart, which this test does not cover.
    let silent = try Tools.run(
      ["exiftool", "-q", "-overwrite_original", "-gps:all=", "IMG_0002.JPG"], in: folder.url)
    #expect(silent.status == 0, "\(silent.standardError)")
    let flat = try Command.run("repair", "--dry-run", in: folder.url)
    #expect(flat.lines == ["0 Live Photos to pair, 1 complete"] && flat.status == 2)
    let plan = try Command.run("repair", "-r", "--dry-run", in: folder.url)
    #expect(
      plan.lines == [
        "one/deep/IMG_0001.JPG + one/deep/clip.MOV: they share an identifier",
        "two/IMG_0003.JPG + movies/IMG_0003.MOV: they share an identifier",
        "2 Live Photos to pair, 1 complete",
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
    // Missing output folders are created.
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
}
