import Foundation
import TestSupport
import Testing

/// XMP sidecars as `list`, `date`, `place` and `describe` read them; exiftool says what comes of it.
@Suite struct CommandSidecarTests {
  private func put(_ text: String, _ name: String, beside pair: CommandTrimTests.Pair) throws {
    try pair.folder.write(Array(text.utf8), to: name)
  }

  /// The objects of a list.
  private func list(_ folder: URL, _ options: String...) throws -> [[String: Any]] {
    let answer = try Tools.run([Command.path, "list", "--json"] + options, in: folder)
    #expect(answer.status == 0, "\(answer.standardError)")
    return try answer.lines.compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }.filter { $0["kind"] != nil }
  }

  /// The date that a list shows for a pair.
  private func listed(_ pair: CommandTrimTests.Pair) throws -> String? {
    try list(pair.folder.url, "--rescan").first?["date"] as? String
  }

  private func text(_ file: URL, _ tags: String...) throws -> [String] {
    try Tools.run(["exiftool", "-s3", "-n", "-f", "-sep", ","] + tags.map { "-" + $0 } + [file.path]).lines
  }

  @Test(arguments: ["IMG_0001.JPG.xmp", "IMG_0001.xmp", "IMG_0001.MOV.xmp", "IMG_0001.JPG.XMP"])
  func aListShowsWhatASidecarSays(_ name: String) throws {
    let pair = try CommandTrimTests.Pair()
    let before = try #require(try listed(pair))
    try put(Sidecars.digiKam, name, beside: pair)
    let asset = try #require(list(pair.folder.url).first)
    #expect((asset["date"] as? String)?.hasPrefix("2023-06-07T08:09:10") == true, "\(asset)")
    #expect(asset["dateSource"] as? String == "sidecar")
    let place = try #require(asset["location"] as? [String: Any])
    #expect(abs((place["latitude"] as? Double ?? 0) - 48.137) < 1e-9)
    #expect(abs((place["altitude"] as? Double ?? 0) - 519.123) < 1e-9)
    let found = try Command.run(
      "list", "--paths", "--filter", "date = 2023-06-07 and near 48.137,11.575 within 5m",
      in: pair.folder.url)
    #expect(found.lines.count == 1)
    try FileManager.default.removeItem(at: pair.folder.file(name))
    #expect(try listed(pair) == before)
  }

  @Test func theNearestSidecarCountsAndAChangeIsSeen() throws {
    let pair = try CommandTrimTests.Pair()
    try pair.run("mark", "--favourite")
    for (name, date) in [
      ("IMG_0001.MOV.xmp", "2021-01-01T10:00:00"), ("IMG_0001.xmp", "2022-01-01T10:00:00"),
      ("IMG_0001.JPG.xmp", "2023-01-01T10:00:00"),
    ] {
      try put(Sidecars.dated(date), name, beside: pair)
      #expect(try list(pair.folder.url).first.flatMap { $0["date"] as? String }?.hasPrefix(date) == true)
    }
    // Written to in place, with the same length.
    let handle = try FileHandle(forWritingTo: pair.folder.file("IMG_0001.JPG.xmp"))
    handle.write(Data(Sidecars.dated("2024-01-01T10:00:00").utf8))
    try handle.close()
    #expect(
      try list(pair.folder.url).first.flatMap { $0["date"] as? String }?.hasPrefix("2024-01-01") == true)
  }

  @Test func aDamagedSidecarIsANote() throws {
    let pair = try CommandTrimTests.Pair()
    let before = try #require(try listed(pair))
    try put("<x:xmpmeta", "IMG_0001.JPG.xmp", beside: pair)
    let asset = try #require(list(pair.folder.url, "--rescan").first)
    #expect(asset["date"] as? String == before)
    #expect((asset["notes"] as? [String])?.contains { $0.contains("IMG_0001.JPG.xmp") } == true, "\(asset)")
    let run = try pair.run("date", "--shift", "1h")
    let note = "note: IMG_0001.JPG.xmp is left out: it is not XMP"
    #expect(run.text.contains(note), "\(run.text)")
    // As one of several, which are planned before they are edited, and in a plan.
    try pair.folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    let plan = pair.folder.file("date.plan").path
    let planned = try pair.run("plan", "date", "--shift", "2h", "IMG_0003.JPG", "--plan", plan)
    #expect(planned.text.components(separatedBy: note).count == 2, "\(planned.text)")
    let several = try pair.run("date", "--shift", "1h", "IMG_0003.JPG")
    #expect(several.text.components(separatedBy: note).count == 2, "\(several.text)")
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"]) func aDateBeginsWithWhatTheSidecarSays(_ name: String)
    throws
  {
    let pair = try CommandTrimTests.Pair(name)
    try put(Sidecars.digiKam, pair.photo + ".xmp", beside: pair)
    let before = try content(of: pair.folder.url)
    try pair.run("date", "--shift", "1h")
    let photo = try Tools.exiftool(pair.editedPhoto)
    #expect(photo["ExifIFD:DateTimeOriginal"] == "2023:06:07 09:09:10")
    #expect(abs((photo["GPS:GPSLatitude"].flatMap { Double($0) } ?? 0) - 48.137) < 1e-6)
    #expect(photo["XMP-dc:Title"] == "On the square" && photo["XMP-dc:Description"] == "Bread & butter")
    #expect(photo["XMP-xmp:Rating"] == "4")
    #expect(
      try text(pair.editedPhoto, "XMP-dc:Subject", "XMP-iptcExt:PersonInImage") == ["Munich,snow", "Zoë"])
    let movie = try Tools.exiftool(pair.editedMovie)
    #expect(movie["Keys:CreationDate"]?.hasPrefix("2023:06:07 09:09:10") == true)
    #expect(movie["Keys:Title"] == "On the square" && movie["Keys:Keywords"] == "Munich,snow")
    try pair.checkPair()
    for (original, render) in [
      (pair.folder.file(pair.photo), pair.editedPhoto), (pair.originalMovie, pair.editedMovie),
    ] {
      #expect(try CodedPictures.digest(original) == CodedPictures.digest(render))
    }
    // The render is what the list shows.
    #expect(try listed(pair)?.hasPrefix("2023-06-07T09:09:10") == true)
    // Another edit leaves the sidecar alone, and what was taken in stays.
    try pair.run("rotate", "--degrees", "90")
    #expect(try Tools.exiftool(pair.editedPhoto)["XMP-dc:Title"] == "On the square")
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
  }

  @Test func whatTheEditSaysLiesOverTheSidecar() throws {
    let pair = try CommandTrimTests.Pair()
    try put(Sidecars.immich, "IMG_0001.JPG.xmp", beside: pair)
    try pair.run("describe", "--keyword=-Lake,+shore", "--rating", "1", "--title", "Mine")
    #expect(
      try text(pair.editedPhoto, "XMP-dc:Subject", "XMP-xmp:Rating", "XMP-dc:Title", "XMP-dc:Description")
        == ["shore", "1", "Mine", "By the lake"])
    // The same once more is nothing to do, though the sidecar is read again.
    let again = try Command.run(
      "describe", "--keyword=-Lake,+shore", "--rating", "1", "--title", "Mine", "IMG_0001.JPG",
      in: pair.folder.url)
    #expect(again.status == 2, "\(again.text) \(again.standardError)")
    try pair.run("place", "--remove")
    #expect(try text(pair.editedPhoto, "GPS:GPSLatitude") == ["-"])
    #expect(try list(pair.folder.url, "--rescan").first?["location"] == nil)
  }

  @Test func sidecarsCanBeIgnored() throws {
    let pair = try CommandTrimTests.Pair()
    try put(Sidecars.digiKam, "IMG_0001.JPG.xmp", beside: pair)
    let old = try Tools.exiftool(pair.folder.file(pair.photo))["GPS:GPSLatitude"]
    try pair.run("describe", "--rating", "2", "--sidecars", "ignore")
    let photo = try Tools.exiftool(pair.editedPhoto)
    #expect(photo["XMP-dc:Title"] == nil && photo["XMP-xmp:Rating"] == "2")
    #expect(photo["GPS:GPSLatitude"] == old)
    // What the edit did not change is the sidecar's still.
    #expect(try listed(pair)?.hasPrefix("2023-06-07T08:09:10") == true)
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"]) func aRenderGetsASidecarOfItsOwn(_ name: String) throws
  {
    let pair = try CommandTrimTests.Pair(name)
    try put(Sidecars.digiKam, pair.photo + ".xmp", beside: pair)
    let before = try content(of: pair.folder.url)
    try pair.run("describe", "--title", "Mine", "--keyword", "+sea", "--sidecars", "write")
    let sidecar = pair.folder.file(pair.editedPhoto.lastPathComponent + ".xmp")
    func agree() throws {
      let said = try text(sidecar, "XMP-dc:Title", "XMP-dc:Description", "XMP-dc:Subject", "XMP-xmp:Rating")
      #expect(said == ["Mine", "Bread & butter", "Munich,snow,sea", "4"])
      let (own, render) = (try Tools.exiftool(sidecar), try Tools.exiftool(pair.editedPhoto))
      let date = try #require(render["ExifIFD:DateTimeOriginal"])
      #expect(own["XMP-exif:DateTimeOriginal"]?.hasPrefix(date) == true, "\(own)")
      for tag in ["GPSLatitude", "GPSLongitude", "GPSAltitude"] {
        let one = try #require(own["XMP-exif:" + tag].flatMap { Double($0) }, "\(tag)")
        let other = try #require(render["GPS:" + tag].flatMap { Double($0) }, "\(tag)")
        #expect(abs(one - other) < 1e-6, "\(tag)")
      }
    }
    try agree()
    let bytes = try Data(contentsOf: sidecar)
    // It goes and comes with its version, and later edits have it too.
    try pair.run("revert")
    #expect(try content(of: pair.folder.url) == before)
    try pair.run("redo")
    #expect(try Data(contentsOf: sidecar) == bytes)
    try pair.run("rotate", "--degrees", "90")
    try agree()
    let check = try Command.run("check", in: pair.folder.url)
    #expect(check.status == 0, "\(check.text) \(check.standardError)")
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
  }

  @Test func anotherProgramMayWriteToTheSidecar() throws {
    let pair = try CommandTrimTests.Pair()
    let sidecar = pair.folder.file("IMG_E0001.JPG.xmp")
    let foreign = Data(Sidecars.immich.utf8)
    try pair.run("describe", "--title", "Mine", "--sidecars", "write")
    try foreign.write(to: sidecar)
    // It is that program's now, and the version is still liveedit's.
    try pair.run("rotate", "--degrees", "90")
    #expect(try Data(contentsOf: sidecar) == foreign)
    let history = try Command.run("history", "IMG_0001.JPG", "--json", in: pair.folder.url)
    #expect(!history.text.contains("changed"), "\(history.text)")
    // Asked for again, liveedit's takes the place, and the other one is kept.
    try pair.run("describe", "--title", "Ours", "--sidecars", "write")
    #expect(try text(sidecar, "XMP-dc:Title") == ["Ours"])
    let versions = pair.folder.file(".liveedit/versions")
    let kept =
      (FileManager.default.enumerator(at: versions, includingPropertiesForKeys: nil)?.allObjects ?? [])
      .compactMap { $0 as? URL }.filter { (try? Data(contentsOf: $0)) == foreign }
    #expect(kept.count == 1)
  }

  @Test func aSidecarMovesWithItsAsset() throws {
    let pair = try CommandTrimTests.Pair()
    try pair.run("describe", "--title", "Mine", "--sidecars", "write")
    let bytes = try Data(contentsOf: pair.folder.file("IMG_E0001.JPG.xmp"))
    let moved = try Command.run("move", "IMG_0001.JPG", "IMG_0042", in: pair.folder.url)
    #expect(moved.status == 0, "\(moved.standardError)")
    #expect(try Data(contentsOf: pair.folder.file("IMG_E0042.JPG.xmp")) == bytes)
    #expect(try !pair.folder.names().contains("IMG_E0001.JPG.xmp"))
    #expect(try Command.run("check", in: pair.folder.url).status == 0)
  }

  @Test func aMovieGetsASidecarToo() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.MOV"))
    let run = try Command.run(
      "describe", "--title", "Mine", "--keyword", "+a,+b", "--rating", "3", "--sidecars", "write",
      "IMG_0001.MOV",
      in: folder.url)
    #expect(run.status == 0, "\(run.standardError)")
    #expect(
      try text(folder.file("IMG_E0001.MOV.xmp"), "XMP-dc:Title", "XMP-dc:Subject", "XMP-xmp:Rating")
        == ["Mine", "a,b", "3"])
  }

  @Test func aRenderElsewhereHasItsSidecarThere() throws {
    let pair = try CommandTrimTests.Pair()
    try FileManager.default.createDirectory(at: pair.folder.file("out"), withIntermediateDirectories: false)
    try pair.run("describe", "--title", "Mine", "--sidecars", "write", "-o", "out")
    #expect(try text(pair.folder.file("out/IMG_E0001.JPG.xmp"), "XMP-dc:Title") == ["Mine"])
  }

  /// A folder as Google Takeout unpacks it, into which darktable and digiKam have written since.
  @Test func aFolderOfManyProgramsIsEditedAndComesBack() throws {
    let folder = try TemporaryFolder()
    for name in ["IMG_0001", "IMG_0002"] {
      try folder.copy(TestFiles.fixture(name + ".JPG"), TestFiles.fixture(name + ".MOV"))
    }
    let takeout = #"{"title": "IMG_0001.JPG", "photoTakenTime": {"timestamp": "1500000000"}}"#
    try folder.write(Array(takeout.utf8), to: "IMG_0001.JPG.supplemental-metadata.json")
    try folder.write(Array(Sidecars.darktable.utf8), to: "IMG_0001.JPG.xmp")
    try folder.write(Array(Sidecars.immich.utf8), to: "IMG_0002.xmp")
    let before = try content(of: folder.url)
    let assets = try list(folder.url)
    #expect(assets.count == 2)
    #expect(assets.allSatisfy { ($0["date"] as? String)?.hasPrefix("2023-06-07T08:09:10") == true })
    #expect(try Command.run("date", "--shift", "1h", ".", in: folder.url).status == 0)
    let first = try Tools.exiftool(folder.file("IMG_E0001.JPG"))
    #expect(first["ExifIFD:DateTimeOriginal"] == "2023:06:07 09:09:10")
    #expect(first["ExifIFD:SubSecTimeOriginal"].flatMap { Int($0) } == 500)
    #expect(first["XMP-dc:Subject"] == "harbour")
    let second = try Tools.exiftool(folder.file("IMG_E0002.JPG"))
    #expect(second["ExifIFD:OffsetTimeOriginal"] == "+02:00" && second["XMP-dc:Subject"] == "Lake")
    let after = try content(of: folder.url)
    for (name, bytes) in before { #expect(after[name] == bytes, "\(name)") }
    #expect(try Command.run("revert", "--to", "original", ".", in: folder.url).status == 0)
    #expect(try content(of: folder.url) == before)
  }
}
