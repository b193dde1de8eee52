import Foundation
import TestSupport
import Testing

extension CommandSidecarTests {
  /// Sidecars are read and written for each photo format; the independent checker also verifies the result.
  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"]) func sidecarsOfEachKindAreFollowedAndMade(
    _ name: String
  ) throws {
    try aDateBeginsWithWhatTheSidecarSays(name)
    try aRenderGetsASidecarOfItsOwn(name)
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
    // Overwrites the sidecar in place with the same length.
    let handle = try FileHandle(forWritingTo: pair.folder.file("IMG_0001.JPG.xmp"))
    handle.write(Data(Sidecars.dated("2024-01-01T10:00:00").utf8))
    try handle.close()
    #expect(
      try list(pair.folder.url).first.flatMap { $0["date"] as? String }?.hasPrefix("2024-01-01") == true)
  }

  @Test func whatTheEditSaysLiesOverTheSidecar() throws {
    let pair = try CommandTrimTests.Pair()
    try put(Sidecars.immich, "IMG_0001.JPG.xmp", beside: pair)
    try pair.run("describe", "--keyword=-Lake,+shore", "--rating", "1", "--title", "Mine")
    #expect(
      try text(pair.editedPhoto, "XMP-dc:Subject", "XMP-xmp:Rating", "XMP-dc:Title", "XMP-dc:Description")
        == ["shore", "1", "Mine", "By the lake"])
    // Repeating the same command changes nothing, although the sidecar is read again.
    let again = try Command.run(
      "describe", "--keyword=-Lake,+shore", "--rating", "1", "--title", "Mine", "IMG_0001.JPG",
      in: pair.folder.url)
    #expect(again.status == 2, "\(again.text) \(again.standardError)")
    try pair.run("place", "--remove")
    #expect(try text(pair.editedPhoto, "GPS:GPSLatitude") == ["-"])
    #expect(try list(pair.folder.url, "--rescan").first?["location"] == nil)
  }

  @Test func anotherProgramMayWriteToTheSidecar() throws {
    let pair = try CommandTrimTests.Pair()
    let sidecar = pair.folder.file("IMG_E0001.JPG.xmp")
    let foreign = Data(Sidecars.immich.utf8)
    try pair.run("describe", "--title", "Mine", "--sidecars", "write")
    try foreign.write(to: sidecar)
    // The sidecar now belongs to the other program, but the version is still liveedit's.
    try pair.run("rotate", "--degrees", "90")
    #expect(try Data(contentsOf: sidecar) == foreign)
    let history = try Command.run("history", "IMG_0001.JPG", "--json", in: pair.folder.url)
    #expect(!history.text.contains("changed"), "\(history.text)")
    // If requested again, liveedit replaces the sidecar and keeps the other program's copy.
    try pair.run("describe", "--title", "Ours", "--sidecars", "write")
    #expect(try text(sidecar, "XMP-dc:Title") == ["Ours"])
    let versions = pair.folder.file(".liveedit/versions")
    let kept =
      (FileManager.default.enumerator(at: versions, includingPropertiesForKeys: nil)?.allObjects ?? [])
      .compactMap { $0 as? URL }.filter { (try? Data(contentsOf: $0)) == foreign }
    #expect(kept.count == 1)
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

  /// Edits a folder as unpacked from Google Takeout, with sidecars that darktable and digiKam have added since.
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
