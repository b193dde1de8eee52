import Foundation
import TestSupport
import Testing

/// Tests of what `list` reports besides the assets: other files, subfolders, and photos with a movie inside.
@Suite struct UnlistedFilesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try Fixture.landscape.copy(to: folder.url)
  }

  func list(_ arguments: String...) throws -> ToolOutput {
    let output = try Tools.run([Command.path, "list"] + arguments, in: folder.url)
    #expect(output.status == 0, "\(output.standardError)")
    return output
  }

  @Test func picturesThatAreNoAssetsAreCountedByKind() throws {
    #expect(try list().standardError == "")
    for name in [
      "IMG_0003.png", "IMG_0003.PNG", "IMG_0003.Png", "IMG_0008.DNG", "clip.mpeg", "x.tif", "y.TIFF",
    ] {
      try folder.write([1], to: name)
    }
    // Sidecars, hidden files, files that are not pictures, and folders are not reported.
    for name in ["IMG_0003.AAE", "IMG_0003.xmp", "IMG_0003.json", ".hidden.png", "notes.txt", "png"] {
      try folder.write([1], to: name)
    }
    try FileManager.default.createDirectory(
      at: folder.file("folder.gif"), withIntermediateDirectories: false)
    let table = try list()
    let below = "liveedit: 1 subfolder not listed; use -r to include it\n"
    #expect(
      table.standardError
        == "liveedit: not listed: 3 PNG, 2 TIFF, 1 DNG, 1 MPEG (IMG_0003.PNG, IMG_0003.Png, IMG_0003.png, …)\n"
        + below)
    #expect(table.lines.count == 2 && table.lines[1].hasPrefix("IMG_0003.JPG"))
    // Output for other programs has no such notes.
    for form in ["--json", "--paths", "--print0"] { #expect(try list(form).standardError == "") }
    // A name that is not UTF-8, and a name that contains terminal control characters.
    try Tools.output(
      "sh", "-c", #"rm *.png *.PNG *.Png *.tif *.TIFF *.DNG 2>/dev/null; : > "$(printf 'caf\351.gif')""#,
      in: folder.url)
    try folder.write([1], to: "a\u{1B}[2J.gif")
    let odd = try list()
    #expect(odd.standardError.hasPrefix("liveedit: not listed: 2 GIF, 1 MPEG ("), "\(odd.standardError)")
    #expect(odd.standardError.contains(#"caf\xe9.gif"#) && !odd.standardError.contains("\u{1B}"))
  }

  @Test func linksToNothingAreNamed() throws {
    for name in ["IMG_0009.JPG", "IMG_0009.MOV"] {
      try FileManager.default.createSymbolicLink(
        at: folder.file(name), withDestinationURL: folder.file("none"))
    }
    try FileManager.default.createSymbolicLink(
      at: folder.file("IMG_0010.JPG"), withDestinationURL: folder.file("IMG_0003.JPG"))
    #expect(
      try list("-r").standardError == "liveedit: not listed: 2 broken links (IMG_0009.JPG, IMG_0009.MOV)\n")
    try folder.write([1], to: "a.gif")
    #expect(try list().standardError.hasPrefix("liveedit: not listed: 2 broken links, 1 GIF ("))
  }

  @Test func foldersBelowAreCounted() throws {
    for place in ["2024/01", "2025", ".hidden"] {
      try FileManager.default.createDirectory(at: folder.file(place), withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: folder.file("2025"))
    try folder.write([1], to: "2024/01/a.gif")
    #expect(try list().standardError == "liveedit: 2 subfolders not listed; use -r to include them\n")
    #expect(try list("2024").standardError == "liveedit: 1 subfolder not listed; use -r to include it\n")
    #expect(
      try list("2024", ".").standardError == "liveedit: 3 subfolders not listed; use -r to include them\n")
    #expect(try list("2025").standardError == "")
    #expect(try list("-r").standardError == "liveedit: not listed: 1 GIF (2024/01/a.gif)\n")
    #expect(try list("--paths").standardError == "")
  }

  /// Motion Photos are recognised by their XMP, as exiftool writes and reads it, even from an index of an older build.
  @Test func motionPhotosAreShownAsSuch() throws {
    let names = ["motion.JPG", "micro.JPG", "plain.JPG"]
    for name in names {
      try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0002.JPG"), to: folder.file(name))
    }
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1"/>
      </rdf:RDF></x:xmpmeta>
      """
    let xmp = try folder.write(Array(packet.utf8), to: "motion.xmp")
    try Tools.output(
      "exiftool", "-q", "-overwrite_original", "-XMP<=\(xmp.path)", folder.file(names[0]).path)
    try Tools.output(
      "exiftool", "-q", "-overwrite_original", "-XMP-GCamera:MicroVideo=1", folder.file(names[1]).path)
    for name in names { try folder.write(folder.read(name) + TestFiles.shortestMovie, to: name) }
    #expect(try Command.run("mark", "--favourite", "IMG_0003.JPG", in: folder.url).status == 0)
    for isOld in [false, true] {
      if isOld {
        try Tools.output(
          "python3", "-c",
          """
          import sqlite3
          index = sqlite3.connect(".liveedit/index.sqlite")
          assert index.execute("SELECT count(*) FROM item WHERE subtypes > 0").fetchone()[0] == 2
          index.execute("UPDATE item SET subtypes = 0")
          index.execute("PRAGMA user_version = 2")
          index.commit()
          """, in: folder.url)
      }
      let found = try list("--paths", "--filter", "subtype = motion-photo").lines
      #expect(found == ["micro.JPG", "motion.JPG"])
      for name in names {
        let tags = try Tools.exiftool(folder.file(name))
        let isMotion = ["MotionPhoto", "MicroVideo"].contains { tags["XMP-GCamera:" + $0] == "1" }
        #expect(found.contains(name) == isMotion)
      }
      let table = try list().lines.filter { $0.hasSuffix("motionPhoto") }
      #expect(table.count == 2)
      let json = try list("--json", "--filter", "subtype = motionphoto").answers
      #expect(json.count == 2 && json.allSatisfy { $0.contains("\"subtypes\":[\"motionPhoto\"]") })
    }
  }
}
