import Foundation
import TestSupport
import Testing

/// Tests of XMP sidecars as `list`, `date`, `place` and `describe` read them; exiftool reads the results.
@Suite struct CommandSidecarTests {
  func put(_ text: String, _ name: String, beside pair: CommandTrimTests.Pair) throws {
    try pair.folder.write(Array(text.utf8), to: name)
  }

  /// Returns the JSON objects that `list` prints.
  func list(_ folder: URL, _ options: String...) throws -> [[String: Any]] {
    let answer = try Tools.run([Command.path, "list", "--json"] + options, in: folder)
    #expect(answer.status == 0, "\(answer.standardError)")
    return try answer.lines.compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }.filter { $0["kind"] != nil }
  }

  /// Returns the date that `list` shows for a pair.
  private func listed(_ pair: CommandTrimTests.Pair) throws -> String? {
    try list(pair.folder.url, "--rescan").first?["date"] as? String
  }

  func text(_ file: URL, _ tags: String...) throws -> [String] {
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

  @Test func aDamagedSidecarIsANote() throws {
    let pair = try CommandTrimTests.Pair()
    let before = try #require(try listed(pair))
    try put("<x:xmpmeta", "IMG_0001.JPG.xmp", beside: pair)
    let asset = try #require(list(pair.folder.url, "--rescan").first)
    #expect(asset["date"] as? String == before)
    #expect((asset["notes"] as? [String])?.contains { $0.contains("IMG_0001.JPG.xmp") } == true, "\(asset)")
    let run = try pair.run("date", "--shift", "1h")
    let note = "note: IMG_0001.JPG.xmp was ignored: the sidecar is not XMP"
    #expect(run.text.contains(note), "\(run.text)")
    // The note also appears once if several photos are edited together, and in a plan.
    try pair.folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    let plan = pair.folder.file("date.plan").path
    let planned = try pair.run("plan", "date", "--shift", "2h", "IMG_0003.JPG", "--plan", plan)
    #expect(planned.text.components(separatedBy: note).count == 2, "\(planned.text)")
    let several = try pair.run("date", "--shift", "1h", "IMG_0003.JPG")
    #expect(several.text.components(separatedBy: note).count == 2, "\(several.text)")
  }

  @Test(arguments: ["IMG_0004.HEIC"]) func aDateBeginsWithWhatTheSidecarSays(_ name: String)
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
    // The list shows the render's date.
    #expect(try listed(pair)?.hasPrefix("2023-06-07T09:09:10") == true)
    // Another edit ignores the sidecar and keeps the metadata that was imported.
    try pair.run("rotate", "--degrees", "90")
    #expect(try Tools.exiftool(pair.editedPhoto)["XMP-dc:Title"] == "On the square")
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
  }

  @Test func sidecarsCanBeIgnored() throws {
    let pair = try CommandTrimTests.Pair()
    try put(Sidecars.digiKam, "IMG_0001.JPG.xmp", beside: pair)
    let old = try Tools.exiftool(pair.folder.file(pair.photo))["GPS:GPSLatitude"]
    try pair.run("describe", "--rating", "2", "--sidecars", "ignore")
    let photo = try Tools.exiftool(pair.editedPhoto)
    #expect(photo["XMP-dc:Title"] == nil && photo["XMP-xmp:Rating"] == "2")
    #expect(photo["GPS:GPSLatitude"] == old)
    // The sidecar still supplies everything that the edit did not change.
    #expect(try listed(pair)?.hasPrefix("2023-06-07T08:09:10") == true)
  }

  @Test(arguments: ["IMG_0001.JPG"]) func aRenderGetsASidecarOfItsOwn(_ name: String) throws {
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
    // The sidecar disappears and returns with its version, and later edits also have one.
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
}
