import Foundation
import TestSupport
import Testing

extension CommandNamesTests {
  /// Renders that earlier builds named after such a movie are still read.
  @Test func aRenderThatHasTheMoviesNameIsStillRead() throws {
    try add("IMG_0004.HEIC", as: "IMG_7943.HEIC")
    try add("IMG_0004.MOV", as: "IMG_7943_HEVC.MOV")
    #expect(try run("rotate", "--degrees", "90", "IMG_7943.HEIC").status == 0)
    // Without its catalogue, the file looks like a render from an earlier liveedit.
    try FileManager.default.removeItem(at: folder.file(".liveedit"))
    let old = "IMG_7943_HEVC_edited.MOV"
    try FileManager.default.moveItem(at: folder.file("IMG_E7943.MOV"), to: folder.file(old))
    #expect(try run("list", "--paths").lines == ["IMG_7943.HEIC"])
    #expect(try run("verify", old).text.hasPrefix("IMG_E7943.HEIC + \(old)"))
    let history = try run("history", old)
    #expect(history.text.contains("rotated by 90°") && history.text.contains(old), "\(history.text)")
    let edited = try run("adjust", "--exposure", "0.2", old)
    #expect(edited.status == 0, "\(edited.standardError)")
    #expect(try names().contains("IMG_E7943.MOV") && !names().contains(old))
    #expect(try run("revert", "IMG_7943.HEIC").status == 0)
    #expect(try names().contains(old) && !names().contains("IMG_E7943.MOV"))
    #expect(try run("check").status == 0)
  }

  /// A JPEG that a server or a phone left beside a pair is a separate asset, and the pair can still be edited.
  @Test func aThirdFileOfTheNameLeavesThePairToBeEdited() throws {
    try add("IMG_0004.HEIC", as: "IMG_0004.HEIC")
    try add("IMG_0004.MOV", as: "IMG_0004.MOV")
    try add("gainmap.JPG", as: "IMG_0004.jpg")
    let edited = try run("rotate", "--degrees", "90", "IMG_0004.HEIC")
    #expect(
      edited.status == 0 && edited.text.hasPrefix("IMG_0004.HEIC + IMG_0004.MOV → "),
      "\(edited.standardError)")
    let other = try run("rotate", "--degrees", "90", "IMG_0004.jpg")
    #expect(other.status == 0, "\(other.standardError)")
    #expect(
      try names() == [
        "IMG_0004.AAE", "IMG_0004.HEIC", "IMG_0004.MOV", "IMG_0004.jpg", "IMG_0004.jpg.AAE",
        "IMG_0004.jpg_edited.jpg", "IMG_E0004.HEIC", "IMG_E0004.MOV",
      ])
    let before = try Data(contentsOf: folder.file("IMG_0004.jpg"))
    let moved = try run("move", "IMG_0004.jpg", "copy.jpg")
    #expect(moved.status == 0, "\(moved.standardError)")
    #expect(try Data(contentsOf: folder.file("copy.jpg")) == before)
    #expect(
      try names() == [
        "IMG_0004.AAE", "IMG_0004.HEIC", "IMG_0004.MOV", "IMG_E0004.HEIC", "IMG_E0004.MOV", "copy.AAE",
        "copy.jpg", "copy_edited.jpg",
      ])
    #expect(try run("history", "copy.jpg").text.contains("version 1     (current) rotated by 90°"))
    #expect(try run("history", "IMG_0004.MOV").text.contains("version 1     (current) rotated by 90°"))
    #expect(try run("check").status == 0)
  }

  /// The same applies to renders in a separate library and to planned edits.
  @Test func bothAreEditedInALibraryElsewhereAndByAPlan() throws {
    let (home, names) = (try TemporaryFolder(), ["one.JPG", "one.MOV"])
    try add("gainmap.JPG", as: "one.JPG")
    try add("IMG_0001.MOV", as: "one.MOV")
    _ = try Tools.run(["exiftool", "-q", "-overwrite_original", "-Keys:all=", folder.file("one.MOV").path])
    for name in names.reversed() {
      let edited = try run("rotate", "--degrees", "90", "--library", home.url.path, name)
      #expect(edited.status == 0, "\(edited.standardError)")
    }
    #expect(try self.names() == names)
    #expect(
      try run("list", "--paths", "--filter", "edited", "--library", home.url.path, ".").lines == names)
    #expect(try run("check", "--library", home.url.path, ".").status == 0)
    let planned = folder.file("planned")
    try FileManager.default.createDirectory(at: planned, withIntermediateDirectories: false)
    for name in names {
      try FileManager.default.copyItem(at: folder.file(name), to: planned.appendingPathComponent(name))
    }
    for words in [
      ["plan", "--plan", "p.json", "flip", "--vertical", "planned"], ["work", "p.json"],
      ["commit", "p.json"],
    ] {
      let answer = try Tools.run([Command.path] + words, in: folder.url)
      #expect(answer.status == 0, "\(answer.standardError)")
    }
    #expect(
      try run("list", "--paths", "--filter", "edited", "planned").lines == names.map { "planned/" + $0 })
    #expect(
      try content(of: planned).keys.sorted() == [
        "one.AAE", "one.JPG", "one.MOV", "one.MOV.AAE", "one.MOV_edited.MOV", "one_edited.JPG",
      ])
  }

  /// If a photo with the same name arrives after a movie was edited, the movie keeps its versions. The photo's versions
  /// are named after the photo's full file name.
  @Test func versionsStayWithTheOriginalThatHadThemFirst() throws {
    try add("IMG_0001.MOV", as: "clip.MOV")
    _ = try Tools.run(["exiftool", "-q", "-overwrite_original", "-Keys:all=", folder.file("clip.MOV").path])
    #expect(try run("rotate", "--degrees", "90", "clip.MOV").status == 0)
    try add("gainmap.JPG", as: "clip.jpg")
    let photo = try run("adjust", "--exposure", "0.5", "clip.jpg")
    #expect(photo.status == 0, "\(photo.standardError)")
    #expect(
      try names() == [
        "clip.AAE", "clip.MOV", "clip.jpg", "clip.jpg.AAE", "clip.jpg_edited.jpg", "clip_edited.MOV",
      ])
    #expect(try run("history", "clip.MOV").text.contains("version 1     (current) rotated by 90°"))
    #expect(try run("history", "clip.AAE").text.hasPrefix("clip.MOV\n"))
    #expect(try run("list", "--paths", "--filter", "edited").lines == ["clip.MOV", "clip.jpg"].sorted())
    // A movie that moves to a folder of its own keeps the names of its versions.
    let away = folder.file("away")
    try FileManager.default.createDirectory(at: away, withIntermediateDirectories: false)
    #expect(try run("move", "clip.MOV", "away").status == 0)
    #expect(try run("rotate", "--degrees", "90", "clip.jpg").status == 0)
    #expect(try run("history", "clip.jpg").text.contains("version 2"))
    #expect(try run("list", "--paths", "--filter", "edited").lines == ["clip.jpg"])
    #expect(try run("history", "away/clip.MOV").text.contains("version 1     (current) rotated by 90°"))
    #expect(try run("check").status == 0)
    #expect(try run("check", "away").status == 0)
  }

  /// The full file name cannot be used if another photo has that name as its stem.
  @Test func aNameThatTwoOthersNeedIsRefused() throws {
    try add("gainmap.JPG", as: "one.JPG")
    try add("gainmap.JPG", as: "one.MOV.jpg")
    try add("IMG_0001.MOV", as: "one.MOV")
    _ = try Tools.run(["exiftool", "-q", "-overwrite_original", "-Keys:all=", folder.file("one.MOV").path])
    let refused = try run("rotate", "--degrees", "90", "one.MOV")
    #expect(refused.status == 1 && refused.standardError.contains("has the same name as one.JPG"))
    #expect(try names() == ["one.JPG", "one.MOV", "one.MOV.jpg"])
    for name in ["one.JPG", "one.MOV.jpg"] { #expect(try run("rotate", "--degrees", "90", name).status == 0) }
    #expect(try run("check").status == 0)
  }
}
