import Foundation
import TestSupport
import Testing

/// Screenshots as assets: listed, edited, taken back; beside a photo of their name they are none.
@Suite struct CommandPNGTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/make-png").path
    try folder.run("python3", [script, "IMG_0005.PNG", "rgb8", "64", "48"])
  }

  private func run(_ words: String...) throws -> ToolOutput {
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
    // The next edit begins with the original.
    #expect(try run("adjust", "--exposure", "0.5", "IMG_E0005.PNG").status == 0)
    #expect(try Tools.exiftool(folder.file("IMG_E0005.PNG"))["PNG:ImageWidth"] == "48")
    // It is whole, and no Live Photo.
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

  /// A PNG by the name of a HEIC, tied to its movie: a pair gets a JPEG of the same picture and the same identifier.
  @Test func aPNGOfALivePhotoBecomesAJPEGInAPair() throws {
    try folder.copy(TestFiles.fixture("IMG_0004.HEIC"), TestFiles.fixture("IMG_0004.MOV"))
    try FileManager.default.moveItem(at: folder.file("IMG_0004.HEIC"), to: folder.file("old.HEIC"))
    _ = try folder.run(
      "exiftool", ["-q", "-overwrite_original", "-tagsFromFile", "old.HEIC", "-makernotes", "IMG_0005.PNG"])
    try FileManager.default.removeItem(at: folder.file("old.HEIC"))
    let picture = try folder.run("convert", ["IMG_0005.PNG", "rgb:-"])
    try FileManager.default.moveItem(at: folder.file("IMG_0005.PNG"), to: folder.file("IMG_0004.HEIC"))
    for form in ["pair", "pvt"] {
      let made = try run("export", "--as", form, "-o", "out-" + form, "IMG_0004.HEIC")
      #expect(made.status == 0, "\(made.standardError)")
      #expect(made.text.contains("encoded as JPEG"))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("out-pair").path).sorted()
    #expect(names == ["IMG_0004.JPG", "IMG_0004.MOV"])
    let photo = folder.file("out-pair/IMG_0004.JPG")
    let tags = try Tools.exiftool(photo)
    let movie = try Tools.exiftool(folder.file("IMG_0004.MOV"))
    let identifier = tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"]
    #expect(identifier != nil && identifier == movie["Keys:ContentIdentifier"])
    #expect(try run("verify", "out-pair/IMG_0004.JPG").status == 0)
    let copy = try folder.run("convert", [photo.path, "rgb:-"])
    let difference = zip(picture, copy).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(copy.count == picture.count && difference < 4 * picture.count)
  }

  @Test func besideAPhotoOfItsNameItIsNone() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    try FileManager.default.copyItem(at: folder.file("IMG_0005.PNG"), to: folder.file("IMG_0001.PNG"))
    let list = try run("list")
    #expect(list.standardError.contains("left out: 1 PNG (IMG_0001.PNG)"), "\(list.standardError)")
    #expect(list.lines.count == 3, "\(list.text)")
    let refused = try run("rotate", "--degrees", "90", "IMG_0001.PNG")
    #expect(refused.status == 1 && refused.standardError.contains("give it another name"), "\(refused)")
    let turned = try run("rotate", "--degrees", "90", "IMG_0001.JPG")
    #expect(turned.status == 0, "\(turned.standardError)")
    #expect(FileManager.default.fileExists(atPath: folder.file("IMG_E0001.MOV").path))
  }

  @Test func aSentenceForEachRefusal() throws {
    let heic = try run("rotate", "--degrees", "90", "--photo-format", "heic", "IMG_0005.PNG")
    #expect(heic.status == 1 && heic.standardError.contains("which is not made a HEIC photo"))
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/make-png").path
    try folder.run(
      "python3", [script, "IMG_0006.PNG", "rgb8", "8", "8", "--before", "acTL", "0000000200000000"])
    let animated = try run("rotate", "--degrees", "90", "IMG_0006.PNG")
    #expect(animated.status == 1 && animated.standardError.contains("animated PNG"))
    let bytes = try folder.read("IMG_0005.PNG")
    try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "IMG_0007.PNG")
    let cut = try run("rotate", "--degrees", "90", "IMG_0007.PNG")
    #expect(cut.status == 1 && cut.standardError.contains("ends before its picture does"))
    #expect(try run("verify", "IMG_0007.PNG").status == 1)
  }

  /// A PNG is no photo of a Live Photo; a JPEG that is made of it is.
  @Test func aLivePhotoOfItIsMadeOfAJPEG() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.MOV"))
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
    let tied = try run("pair", "-o", "out", "IMG_0005.PNG", "IMG_0001.MOV")
    #expect(
      tied.status == 1 && tied.standardError.contains("no photo of a Live Photo"), "\(tied.standardError)")
    let made = try run("create", "--photo", "IMG_0005.PNG", "--movie", "IMG_0001.MOV", "-o", "out")
    #expect(made.status == 0, "\(made.standardError)")
    #expect(try Tools.exiftool(folder.file("out/IMG_0005.JPG"))["File:FileType"] == "JPEG")
  }

  /// A JPEG that becomes HEIC stays half of its Live Photo, and comes back.
  @Test func aJPEGBecomesHEICAndComesBack() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    let turned = try run("rotate", "--degrees", "90", "--photo-format", "heic", "IMG_0001.JPG")
    #expect(turned.status == 0, "\(turned.standardError)")
    let names = { try folder.names().filter { $0.hasPrefix("IMG_") && $0.contains("0001") } }
    #expect(
      try names() == ["IMG_0001.AAE", "IMG_0001.JPG", "IMG_0001.MOV", "IMG_E0001.HEIC", "IMG_E0001.MOV"])
    #expect(try run("verify", "IMG_E0001.HEIC", "IMG_E0001.MOV").status == 0)
    // The next edit keeps the format, and begins with the original.
    #expect(try run("adjust", "--exposure", "0.3", "IMG_0001.JPG").status == 0)
    #expect(try Tools.exiftool(folder.file("IMG_E0001.HEIC"))["File:FileType"] == "HEIC")
    let back = try run("flip", "--horizontal", "--photo-format", "jpeg", "IMG_0001.JPG")
    #expect(back.status == 0, "\(back.standardError)")
    #expect(try names().contains("IMG_E0001.JPG"))
    #expect(try run("revert", "--to", "1", "IMG_0001.JPG").status == 0)
    #expect(try names().contains("IMG_E0001.HEIC"))
    #expect(try run("verify", "IMG_E0001.HEIC", "IMG_E0001.MOV").status == 0)
    #expect(try run("revert", "--to", "original", "IMG_0001.JPG").status == 0)
    #expect(try names() == ["IMG_0001.JPG", "IMG_0001.MOV"])
  }
}
