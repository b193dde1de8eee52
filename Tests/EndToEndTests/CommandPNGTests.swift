import Foundation
import TestSupport
import Testing

/// Tests of screenshots as assets: they can be listed, edited and reverted. Beside a photo of the same name, a PNG is
/// not a separate asset.
@Suite struct CommandPNGTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/make-png").path
    try folder.run("python3", [script, "IMG_0005.PNG", "rgb8", "64", "48"])
  }

  func run(_ words: String...) throws -> ToolOutput {
    try Tools.run([Command.path] + words, in: folder.url)
  }

  @Test func anEditAndItsReturn() throws {
    let before = try folder.read("IMG_0005.PNG")
    let list = try run("list")
    #expect(list.status == 0 && list.text.contains("IMG_0005.PNG") && list.standardError == "", "\(list)")
    let turned = try run("rotate", "--degrees", "90", "IMG_0005.PNG")
    #expect(turned.status == 0, "\(turned.standardError)")
    #expect(
      try folder.names().filter { !$0.hasPrefix(".") } == ["IMG_0005.AAE", "IMG_0005.PNG", "IMG_E0005.PNG"])
    #expect(try folder.read("IMG_0005.PNG") == before)
    let oracle = try folder.run("convert", ["IMG_0005.PNG", "-rotate", "90", "rgb:-"])
    #expect(try folder.run("convert", ["IMG_E0005.PNG", "rgb:-"]) == oracle)
    // The next edit starts from the original.
    #expect(try run("adjust", "--exposure", "0.5", "IMG_E0005.PNG").status == 0)
    #expect(try Tools.exiftool(folder.file("IMG_E0005.PNG"))["PNG:ImageWidth"] == "48")
    // The PNG is intact but not a Live Photo.
    let verdict = try run("verify", "IMG_E0005.PNG")
    #expect(
      verdict.status == 1 && verdict.text.contains("movie-missing") && !verdict.text.contains("readable"))
    #expect(try run("check").status == 0)
    #expect(try run("revert", "--to", "original", "IMG_0005.PNG").status == 0)
    #expect(try folder.names().filter { !$0.hasPrefix(".") } == ["IMG_0005.PNG"])
  }

  @Test func factsAndInspection() throws {
    let dated = try run("date", "--set", "2024-05-01T10:00:00+02:00", "IMG_0005.PNG")
    #expect(dated.status == 0, "\(dated.standardError)")
    let placed = try run("place", "--set", "48.137,11.575", "IMG_0005.PNG")
    #expect(placed.status == 0, "\(placed.standardError)")
    let tags = try Tools.exiftool(folder.file("IMG_E0005.PNG"))
    #expect(tags["ExifIFD:DateTimeOriginal"] == "2024:05:01 10:00:00" && tags["GPS:GPSLatitudeRef"] == "N")
    let inspection = try run("inspect", "IMG_E0005.PNG")
    #expect(inspection.status == 0 && inspection.text.contains("truecolour, 8 bit"), "\(inspection.text)")
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
    let bare = try run("export", "--as", "still", "--strip", "all", "-o", "out", "IMG_0005.PNG")
    #expect(bare.status == 0, "\(bare.standardError)")
    #expect(try !Tools.exiftool(folder.file("out/IMG_E0005.PNG")).keys.contains { $0.hasPrefix("GPS") })
  }

  @Test func aSentenceForEachRefusal() throws {
    let heic = try run("rotate", "--degrees", "90", "--photo-format", "heic", "IMG_0005.PNG")
    #expect(heic.status == 1 && heic.standardError.contains("which cannot be saved as HEIC"))
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/make-png").path
    try folder.run(
      "python3", [script, "IMG_0006.PNG", "rgb8", "8", "8", "--before", "acTL", "0000000200000000"])
    let animated = try run("rotate", "--degrees", "90", "IMG_0006.PNG")
    #expect(animated.status == 1 && animated.standardError.contains("animated PNG"))
    let bytes = try folder.read("IMG_0005.PNG")
    try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "IMG_0007.PNG")
    let cut = try run("rotate", "--degrees", "90", "IMG_0007.PNG")
    #expect(cut.status == 1 && cut.standardError.contains("ends before its picture is complete"))
    #expect(try run("verify", "IMG_0007.PNG").status == 1)
  }

  /// A PNG is cannot be the photo of a Live Photo; a JPEG that is made of it is.
  @Test func aLivePhotoOfItIsMadeOfAJPEG() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.MOV"))
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
    let tied = try run("pair", "-o", "out", "IMG_0005.PNG", "IMG_0001.MOV")
    #expect(
      tied.status == 1 && tied.standardError.contains("cannot be the photo of a Live Photo"),
      "\(tied.standardError)")
    let made = try run("create", "--photo", "IMG_0005.PNG", "--movie", "IMG_0001.MOV", "-o", "out")
    #expect(made.status == 0, "\(made.standardError)")
    #expect(try Tools.exiftool(folder.file("out/IMG_0005.JPG"))["File:FileType"] == "JPEG")
  }
}
