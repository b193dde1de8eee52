import Foundation
import TestSupport
import Testing

/// Tests of halves whose names differ, are swapped, or belong to unrelated files. exiftool reads the identifiers.
@Suite struct CommandNamesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func add(_ fixture: String, as name: String) throws {
    try FileManager.default.copyItem(at: TestFiles.fixture(fixture), to: folder.file(name))
  }

  func run(_ arguments: String...) throws -> ToolOutput {
    try Tools.run([Command.path] + arguments, in: folder.url)
  }

  /// Returns the identifier of a photo or movie.
  func identifier(_ name: String) throws -> String? {
    let tags = try Tools.exiftool(folder.file(name))
    return tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"] ?? tags["Keys:ContentIdentifier"]
      ?? tags["QuickTime:ContentIdentifier"]
  }

  /// Returns the names in the folder, without `.liveedit`.
  func names() throws -> [String] { try folder.names().filter { $0 != ".liveedit" }.sorted() }

  /// icloudpd names the movie of a HEIC photo like this.
  @Test func aMovieOfAnotherNameIsRenderedUnderThePhotosName() throws {
    try add("IMG_0004.HEIC", as: "IMG_7943.HEIC")
    try add("IMG_0004.MOV", as: "IMG_7943_HEVC.MOV")
    #expect(try run("rotate", "--degrees", "90", "IMG_7943_HEVC.MOV").status == 0)
    let all = ["IMG_7943.AAE", "IMG_7943.HEIC", "IMG_7943_HEVC.MOV", "IMG_E7943.HEIC", "IMG_E7943.MOV"]
    #expect(try names() == all)
    let rendered = try identifier("IMG_E7943.HEIC")
    #expect(try rendered != nil && identifier("IMG_E7943.MOV") == rendered)
    let list = try run("list", "--paths")
    #expect(list.lines == ["IMG_7943.HEIC"], "\(list.text)")
    for name in ["IMG_7943.HEIC", "IMG_7943_HEVC.MOV"] {
      let verified = try run("verify", name)
      #expect(verified.status == 0, "\(verified.text)")
      #expect(verified.text.hasPrefix("IMG_7943.HEIC + IMG_7943_HEVC.MOV"))
      let other = name.hasSuffix("MOV") ? "IMG_7943.HEIC" : "IMG_7943_HEVC.MOV"
      #expect(try run("inspect", name).text.contains("\(other), same identifier"))
    }
    for name in ["IMG_E7943.HEIC", "IMG_E7943.MOV"] {
      let verified = try run("verify", name)
      #expect(verified.status == 0 && verified.text.hasPrefix("IMG_E7943.HEIC + IMG_E7943.MOV"))
      #expect(try run("history", name).text.hasPrefix("IMG_7943.HEIC + IMG_7943_HEVC.MOV"))
    }
    #expect(try run("check").status == 0)
    let moved = try run("move", "IMG_E7943.MOV", "IMG_0001")
    #expect(moved.status == 0, "\(moved.standardError)")
    #expect(
      try names() == ["IMG_0001.AAE", "IMG_0001.HEIC", "IMG_0001.MOV", "IMG_E0001.HEIC", "IMG_E0001.MOV"])
    #expect(try run("revert", "IMG_0001.HEIC").status == 0)
    #expect(try names() == ["IMG_0001.HEIC", "IMG_0001.MOV"])
  }

  /// Google Takeout numbers photos and movies independently, so that names are swapped.
  @Test func crossedNamesArePairedByIdentifier() throws {
    try add("IMG_0001.JPG", as: "A.JPG")
    try add("IMG_0001.MOV", as: "A(1).MOV")
    try add("IMG_0002.JPG", as: "A(1).JPG")
    try add("IMG_0002.MOV", as: "A.MOV")
    let before = try content(of: folder.url)
    for (photo, movie, degrees) in [("A.JPG", "A(1).MOV", "90"), ("A(1).JPG", "A.MOV", "180")] {
      let edited = try run("rotate", "--degrees", degrees, photo)
      #expect(edited.status == 0, "\(edited.standardError)")
      #expect(edited.text.hasPrefix("\(photo) + \(movie) → "), "\(edited.text)")
      #expect(try run("verify", movie).text.hasPrefix("\(photo) + \(movie)\n"))
      let stem = photo.dropLast(4)
      #expect(try identifier("\(stem)_edited.JPG") == identifier("\(stem)_edited.MOV"))
    }
    #expect(try run("list", "--paths").lines == ["A(1).JPG", "A.JPG"])
    #expect(try run("list", "--paths", "--filter", "kind = live and edited").lines.count == 2)
    #expect(try run("revert", "A.MOV").text.hasPrefix("A(1).JPG + A.MOV"))
    #expect(try !names().contains("A(1)_edited.MOV") && names().contains("A_edited.MOV"))
    #expect(try run("check").status == 0)
    for (name, bytes) in before { #expect(try Data(contentsOf: folder.file(name)) == bytes) }
    // Pairing unrelated files would separate each from its own other half.
    let tied = try run("pair", "-o", "out", "A.JPG", "A.MOV")
    #expect(
      tied.status == 1 && tied.standardError.contains("A.JPG: belongs to A(1).MOV"), "\(tied.standardError)")
    #expect(try !names().contains("out"))
  }

  /// Messengers and some phones save files like these. Each half is a separate asset until the two are paired.
  @Test func aPhotoAndAMovieWithoutIdentifiersAreTwoAssets() throws {
    try add("gainmap.JPG", as: "one.jpg")
    _ = try Tools.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=0.5:s=320x240:r=10", "-pix_fmt", "yuv420p",
      folder.file("one.mp4").path,
    ])
    #expect(try run("history", "one.jpg").status == 0)
    #expect(try run("history", "one.mp4").text.hasPrefix("one.mp4\n"))
    let all = try run("export", "--as", "video", "-o", "both", ".")
    #expect(all.text.contains("one.mp4 → both/"), "\(all.text) \(all.standardError)")
    let image = try run("export", "--as", "image", "--format", "jpeg", "-o", "out", "one.jpg")
    #expect(image.status == 0, "\(image.standardError)")
    #expect(try run("export", "--as", "movie", "-o", "out", "one.mp4").status == 0)
    try FileManager.default.createDirectory(
      at: folder.file("turned"), withIntermediateDirectories: false)
    let turned = try run("rotate", "--degrees", "90", "-o", "turned", "one.mp4")
    #expect(turned.status == 0, "\(turned.standardError)")
    let edited = try run("rotate", "--degrees", "90", "one.jpg")
    #expect(edited.status == 0 && edited.text.contains("one.mp4 has the same name"), "\(edited.text)")
    #expect(
      try names() == ["both", "one.AAE", "one.jpg", "one.mp4", "one_edited.jpg", "out", "turned"].sorted())
    #expect(
      try run("history", "one.mp4").lines == [
        "one.mp4", "  original      (current) one.mp4 (\(size("one.mp4")))",
      ])
    #expect(try run("list", "--paths", "--filter", "edited").lines == ["one.jpg"])
    // The movie is a separate asset and not another program's file that belongs to the photo.
    let trial = try run("move", "--dry-run", "one.jpg", "three.jpg").text
    #expect(trial.contains("one.mp4 has the same name") && !trial.contains("another program"), "\(trial)")
    // The movie's versions are named after its full file name, because the photo already uses the stem.
    let both = try run("rotate", "--degrees", "90", "one.mp4")
    #expect(both.status == 0, "\(both.standardError)")
    #expect(
      try Set(names()).subtracting(["both", "out", "turned"]) == [
        "one.AAE", "one.jpg", "one.mp4", "one.mp4.AAE", "one.mp4_edited.mp4", "one_edited.jpg",
      ])
    #expect(try run("list", "--paths").lines == ["one.jpg", "one.mp4"])
    #expect(try run("list", "--paths", "--filter", "edited").lines == ["one.jpg", "one.mp4"])
    #expect(try run("check").status == 0)
    // Naming a render or adjustment data selects its original.
    for name in ["one.mp4_edited.mp4", "one.mp4.AAE"] {
      #expect(try run("history", name).text.hasPrefix("one.mp4\n"), "\(name)")
    }
    for name in ["one_edited.jpg", "one.AAE"] {
      #expect(try run("history", name).text.hasPrefix("one.jpg\n"), "\(name)")
    }
    #expect(try run("mark", "--favourite", "one.mp4").status == 0)
    #expect(try run("list", "--paths", "--filter", "favourite").lines == ["one.mp4"])
    // The two assets stay independent, also after one moves or the catalogue is lost.
    #expect(try run("revert", "one.jpg").status == 0)
    #expect(try names().contains("one.mp4_edited.mp4") && !names().contains("one_edited.jpg"))
    try FileManager.default.removeItem(at: folder.file(".liveedit/library.sqlite"))
    #expect(try run("check", "--repair").status == 0)
    #expect(try run("redo", "one.jpg").status == 0)
    #expect(try run("history", "one.mp4").text.contains("version 1     (current) rotated by 90°"))
    #expect(try run("list", "--paths", "--filter", "favourite").lines == ["one.mp4"])
    let moved = try run("move", "one.mp4", "two.mp4")
    #expect(
      moved.status == 0 && !moved.text.contains("another program"), "\(moved.text)\(moved.standardError)")
    #expect(
      try Set(names()).subtracting(["both", "out", "turned"]) == [
        "one.AAE", "one.jpg", "one_edited.jpg", "two.AAE", "two.mp4", "two_edited.mp4",
      ])
    #expect(try run("list", "--paths", "--filter", "edited").lines == ["one.jpg", "two.mp4"])
    #expect(try run("list", "--paths", "--filter", "favourite").lines == ["two.mp4"])
    #expect(try run("revert", "two.mp4").status == 0)
    #expect(try run("check").status == 0)
  }

  /// Returns the size of a file of less than 1 MB in kB, to one decimal.
  func size(_ name: String) throws -> String {
    let tenths = try (Data(contentsOf: folder.file(name)).count + 50) / 100
    return "\(tenths / 10).\(tenths % 10) kB"
  }

  /// The error for a file with the other half's extension states what the file really is.
  @Test func aMovieThatIsNamedLikeAPhotoIsNamed() throws {
    try add("IMG_0004.HEIC", as: "IMG_0004.HEIC")
    try add("IMG_0004.MOV", as: "IMG_0004 (1).HEIC")
    try add("IMG_0004.HEIC", as: "X.MOV")
    let repair = try run("repair", "--dry-run", ".")
    #expect(repair.text.contains("IMG_0004 (1).HEIC") && repair.text.contains("is a QuickTime or MP4 movie"))
    let movie = try run("rotate", "--degrees", "90", "IMG_0004 (1).HEIC")
    #expect(movie.status == 1 && movie.sentences.count == 1)
    #expect(movie.standardError.contains("is a QuickTime or MP4 movie with the name of a photo"))
    let photo = try run("rotate", "--degrees", "90", "X.MOV")
    #expect(
      photo.status == 1 && photo.standardError.contains("is a HEIC photo with the name of a movie"))
    let tied = try run("pair", "-o", "out", "IMG_0004.HEIC", "IMG_0004 (1).HEIC")
    #expect(tied.text.contains("already paired"), "\(tied.text) \(tied.standardError)")
  }
}
