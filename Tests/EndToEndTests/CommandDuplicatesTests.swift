import Foundation
import TestSupport
import Testing

/// Tests of `liveedit duplicates` with copies made by cp and exiftool.
@Suite struct CommandDuplicatesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b", "c"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    }
  }

  private func copy(_ fixture: String, to place: String) throws {
    try FileManager.default.copyItem(at: TestFiles.fixture(fixture), to: folder.file(place))
  }

  private func tag(_ place: String, _ changes: String...) throws {
    try folder.run("exiftool", ["-q", "-m", "-overwrite_original"] + changes + [place])
  }

  @Test func pairsAreEqualByContentOrByTheirPictures() throws {
    // Byte-identical copies; a photo with other metadata, another orientation and another name; and a movie with other
    // metadata under another name.
    for (stem, photo) in [("IMG_0001", ".JPG"), ("IMG_0004", ".HEIC")] {
      for name in [stem + photo, stem + ".MOV"] {
        try copy(name, to: "a/" + name)
        try copy(name, to: "b/" + name)
      }
      try copy(stem + photo, to: "c/x\(stem)\(photo)")
      try tag("c/x\(stem)\(photo)", "-Artist=Somebody", "-Orientation#=3", "-GPS:all=")
      try copy(stem + ".MOV", to: "c/y\(stem).MOV")
      try tag("c/y\(stem).MOV", "-CreateDate=2001:01:01 00:00:00", "-Keys:Artist=Somebody")
    }
    // Different scenes, one of them with a name that already exists.
    try copy("IMG_0003.JPG", to: "c/IMG_0001.JPG")
    try copy("IMG_0003.MOV", to: "c/IMG_0003.MOV")
    let before = try content(of: folder.url)
    let answer = try Command.run("duplicates", "-r", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    #expect(try content(of: folder.url) == before)
    let copies = [("IMG_0001", ".JPG"), ("IMG_0004", ".HEIC")].flatMap { stem, photo in
      [
        "a/\(stem)\(photo) + a/\(stem).MOV: a complete Live Photo",
        "  b/\(stem)\(photo) + b/\(stem).MOV: the same photo, the same movie",
        "  c/x\(stem)\(photo) + c/y\(stem).MOV: the same picture with different metadata, "
          + "the same movie with different metadata",
      ]
    }
    #expect(answer.lines.dropLast() == copies[...], "\(answer.text)")
    #expect(answer.lines.last?.hasPrefix("2 groups, 4 redundant copies, ") == true)
    // A single folder contains no duplicates.
    let one = try Command.run("duplicates", "a", in: folder.url)
    #expect(one.lines == ["0 groups, 0 redundant copies, 0 bytes"] && one.status == 0)
  }

  @Test func theWholeCopyIsTheBest() throws {
    // In name order, the first copy is an edited photo without a movie, the second has lost its identifier, and the
    // third is a complete Live Photo.
    try copy("IMG_0003.JPG", to: "a/IMG_0003-edited.JPG")
    try copy("IMG_0003.JPG", to: "b/IMG_0003.JPG")
    try copy("IMG_0003.MOV", to: "b/IMG_0003.MOV")
    try tag("b/IMG_0003.JPG", "-MakerNotes=")
    try copy("IMG_0003.JPG", to: "c/IMG_0003 (1).JPG")
    try copy("IMG_0003.MOV", to: "c/IMG_0003 (1).MOV")
    let answer = try Command.run("duplicates", "-r", "--json", in: folder.url)
    #expect(answer.lines.count == 2)
    let group = try #require(
      try JSONSerialization.jsonObject(with: Data(answer.lines[0].utf8)) as? [String: Any])
    let best = try #require(group["best"] as? [String: Any])
    #expect(best["photo"] as? String == "c/IMG_0003 (1).JPG" && best["isWhole"] as? Bool == true)
    let copies = try #require(group["copies"] as? [[String: Any]])
    #expect(copies.map { $0["photo"] as? String } == ["a/IMG_0003-edited.JPG", "b/IMG_0003.JPG"])
    #expect(copies.map { $0["samePhoto"] as? String } == ["content", "picture"])
    #expect(copies.map { $0["sameMovie"] as? String } == [nil, "content"])
    #expect(copies.allSatisfy { $0["isWhole"] as? Bool == false })
  }

  /// If only properties changed, a render contains the original's coded tiles. It must not count as a duplicate.
  @Test func rendersBesideTheirOriginalsAreNoCopies() throws {
    try copy("IMG_0004.HEIC", to: "a/IMG_0004.HEIC")
    try copy("IMG_0004.MOV", to: "a/IMG_0004.MOV")
    let edit = try Command.run("rotate", "--degrees", "90", "--lossless", "a/IMG_0004.HEIC", in: folder.url)
    #expect(edit.status == 0, "\(edit.standardError)")
    #expect(FileManager.default.fileExists(atPath: folder.file("a/IMG_E0004.HEIC").path))
    let answer = try Command.run("duplicates", "-r", in: folder.url)
    #expect(answer.lines == ["0 groups, 0 redundant copies, 0 bytes"], "\(answer.text)")
  }

  @Test func brokenFilesAreNamedAndTheRestIsCompared() throws {
    try copy("IMG_0003.JPG", to: "a/IMG_0003.JPG")
    try copy("IMG_0003.JPG", to: "b/IMG_0003.JPG")
    try folder.write(Array("no photo".utf8), to: "a/broken.JPG")
    let answer = try Command.run("duplicates", "a", "b", in: folder.url)
    #expect(answer.status == 1)
    #expect(answer.sentences.count == 1 && answer.sentences[0].contains("a/broken.JPG"))
    #expect(answer.lines.first == "a/IMG_0003.JPG: a photo")
    #expect(answer.lines[1] == "  b/IMG_0003.JPG: the same photo")
  }
}
