import Foundation
import TestSupport
import Testing

/// Tests of every rotation and flip of the available Live Photos, inspected with exiftool, ffprobe and ffmpeg, and with
/// the checker that `LIVEEDIT_CHECKER` names, if any.
@Suite struct TurnTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var stem: URL
    var arguments: [String]
    var checker: [String]
    /// The checker's options for comparing pixels.
    var pixels = ["--pixels", "37.5"]

    var photoExtension = "JPG"

    var photo: URL { stem.appendingPathExtension(photoExtension) }
    var movie: URL { stem.appendingPathExtension("MOV") }
    var isLossless: Bool { arguments.contains("--lossless") }
    var testDescription: String { "\(stem.lastPathComponent) \(arguments.joined(separator: " "))" }
  }

  static let cases: [Case] = {
    let fixtures = ["IMG_0001", "IMG_0002", "IMG_0003"].map { TestFiles.fixture($0) }
    let samples = ["iphone-6s-jpeg/IMG_0728", "iphone-7plus-jpeg/IMG_2016"].compactMap {
      TestFiles.sample($0 + ".JPG")?.deletingPathExtension()
    }
    let edits: [(arguments: [String], checker: [String])] = [
      (["rotate", "--degrees", "90"], ["--turn", "90"]),
      (["rotate", "--degrees", "180"], ["--turn", "180"]),
      (["rotate", "--degrees", "-90"], ["--turn", "270"]), (["flip", "--horizontal"], ["--flip", "h"]),
      (["flip", "--vertical"], ["--flip", "v"]),
    ]
    // If each test takes long, one edit that swaps the axes and one that mirrors are enough.
    let few = [edits[0], edits[3]]
    func lossless(_ edit: (arguments: [String], checker: [String]), _ stem: URL, _ photo: String) -> Case {
      Case(
        stem: stem, arguments: edit.arguments + ["--lossless"], checker: edit.checker,
        pixels: ["--pixels", "60", "--exact-photo"], photoExtension: photo)
    }
    func encoded(_ edit: (arguments: [String], checker: [String]), _ stem: URL) -> Case {
      Case(stem: stem, arguments: edit.arguments, checker: edit.checker)
    }
    // A quick run mirrors the first fixture, rotates the second by 180° and the third losslessly by 90°.
    let quick = [3, 1, nil]
    let cases =
      fixtures.enumerated().flatMap { index, stem in
        Cases.chosen(edits) { number, _ in number == quick[index] }.map { encoded($0, stem) }
          + Cases.chosen(few) { number, _ in index == 2 && number == 0 }.map { lossless($0, stem, "JPG") }
      }
      + samples.enumerated().flatMap { index, stem in
        Cases.chosen([encoded(few[index % 2], stem), lossless(few[1 - index % 2], stem, "JPG")]) {
          number, _ in
          index == 0 && number == 0
        }
      }
    // HEIC photos are rotated by their properties, however the movie is rotated.
    let heics =
      [TestFiles.fixture("IMG_0004.HEIC")]
      + ["iphone-15pro-heic/IMG_3582.HEIC", "iphone-15plus-heic/IMG_3853.HEIC"].compactMap(TestFiles.sample)
    let turned = Cases.chosen(heics) { index, _ in index < 2 }.enumerated().flatMap { index, photo in
      (index == 0 ? Cases.chosen(edits) { number, _ in number == 2 } : [few[index % 2]]).map {
        lossless($0, photo.deletingPathExtension(), "HEIC")
      }
    }
    return cases + turned
      + [
        Case(
          stem: heics[0].deletingPathExtension(), arguments: edits[0].0, checker: edits[0].1,
          pixels: ["--pixels", "37"], photoExtension: "HEIC")
      ]
  }()

  @Test(arguments: cases)
  func keepsAllThatIsTrue(_ edit: Case) throws {
    let folder = try TemporaryFolder()
    let originals = try folder.copy(edit.photo, edit.movie)
    let before = try originals.map { try Data(contentsOf: $0) }
    let answer = try Tools.run([Command.path] + edit.arguments + [originals[0].path])
    #expect(answer.status == 0, "\(answer.standardError)")
    #expect(try originals.map { try Data(contentsOf: $0) } == before)
    _ = try expectAllKept(edit, answer, in: folder)
  }

  /// Two 90° rotations in a row equal the 180° rotation that the checker expects of one render. Four equal no edit.
  @Test(arguments: cases.filter { $0.arguments == ["rotate", "--degrees", "180"] })
  func turnsOneAfterTheOtherAreOneRender(_ half: Case) throws {
    let folder = try TemporaryFolder()
    let originals = try folder.copy(half.photo, half.movie)
    let before = try content(of: folder.url)
    func turn() throws -> ToolOutput {
      try Tools.output(Command.path, "rotate", "--degrees", "90", originals[1].path)
    }
    _ = try turn()
    let answer = try turn()
    let renders = try expectAllKept(half, answer, in: folder)
    // The quality is that of a single render: the bytes equal those of one 180° rotation.
    let direct = try TemporaryFolder()
    try direct.copy(half.photo, half.movie)
    try Tools.output(
      Command.path, "rotate", "--degrees", "180", direct.file(half.photo.lastPathComponent).path)
    for render in renders {
      #expect(try Data(contentsOf: direct.file(render.lastPathComponent)) == Data(contentsOf: render))
    }
    for _ in 1...2 { _ = try turn() }
    // The folder also contains the checker's own report.
    #expect(try content(of: folder.url).filter { $0.key != "report.txt" } == before)
  }

  /// Compares a rendered Live Photo with its original.
  ///
  /// - Returns: The rendered photo and movie.
  func expectAllKept(_ edit: Case, _ answer: ToolOutput, in folder: TemporaryFolder) throws -> [URL] {
    let name = edit.stem.lastPathComponent.replacingOccurrences(of: "IMG_", with: "IMG_E")
    let (photo, movie) = (folder.file(name + "." + edit.photoExtension), folder.file(name + ".MOV"))

    try expectSameTags(edit.photo, photo, report: answer.text)
    try expectSameTags(edit.movie, movie, report: answer.text)
    #expect(try frameTimes(of: movie) == frameTimes(of: edit.movie))
    #expect(try sound(movie) == sound(edit.movie))
    #expect(try stillTimes(movie) == stillTimes(edit.movie))
    let matrix = try tags(of: movie).filter { $0.key.hasSuffix(":MatrixStructure") }.map(\.value)
    #expect(edit.isLossless || matrix.allSatisfy { $0 == "1 0 0 0 1 0 0 0 1" })
    if edit.isLossless {
      #expect(try pictures(movie) == pictures(edit.movie))
      #expect(!answer.text.contains("removed from the movie"))
    }
    try check(edit, photo, movie, report: answer.standardOutput, folder)
    return [photo, movie]
  }

  /// Tags that an edit changes, or that describe the file instead of the picture.
  static let changing = [
    "System:", "ExifTool:", "File:", "SourceFile", "IFD0:Orientation", "IFD1:", "ExifIFD:ExifImage",
    "ExifIFD:SubjectArea", "Apple:MediaGroupUUID", "Apple:ContentIdentifier", "Keys:ContentIdentifier",
    "XMP-mwg-rs:", "QuickTime:Rotation",
    "QuickTime:MediaData", "QuickTime:Unknown_free", "IFD0:XResolution", "IFD0:YResolution", "Composite:",
  ]
  static let changingInTracks = [
    "MatrixStructure", "ImageWidth", "ImageHeight", "ApertureDimensions", "PixelsDimensions",
    "VideoOrientation",
    "CompressorName", "PixelAspectRatio", "CleanAperture",
    // Tables of the compressed frames, which differ.
    "SyncSampleTable", "IdependentAndDisposableSamples", "SampleSizes", "ChunkOffset", "CompositionTime",
    "Unknown_s",
  ]

  func expectSameTags(_ original: URL, _ edited: URL, report: String) throws {
    let after = try tags(of: edited)
    let gone = report.split(separator: "\n").filter { $0.contains("removed from") }.count
    for (tag, value) in try tags(of: original) {
      if Self.changing.contains(where: tag.hasPrefix) || Self.changingInTracks.contains(where: tag.contains) {
        continue
      }
      // If a track is removed, the numbers of later tracks shift. The checker identifies tracks by their kind.
      if gone > 0 && tag.hasPrefix("Track") { continue }
      #expect(after[tag] == value, "\(tag)")
    }
  }

  func sound(_ movie: URL) throws -> [String] { try packets("a", movie) }

  func pictures(_ movie: URL) throws -> [String] { try packets("v", movie) }

  func packets(_ kind: String, _ movie: URL) throws -> [String] {
    try Tools.ffprobe(
      movie, "-select_streams", kind, "-show_entries", "packet=pts,duration,size,data_hash",
      "-show_data_hash", "md5")
  }

  /// Returns the start of the shortest metadata track, which marks the photo's time.
  func stillTimes(_ movie: URL) throws -> [String] {
    try Tools.ffprobe(movie, "-show_entries", "stream=codec_tag_string,start_time,duration").filter {
      $0.hasPrefix("mebx") && $0.hasSuffix("0.001667")
    }
  }

  func check(_ edit: Case, _ photo: URL, _ movie: URL, report: Data, _ folder: TemporaryFolder) throws {
    guard Checker.isThere else { return }
    let file = folder.file("report.txt")
    try report.write(to: file)
    let answer = try #require(
      try Checker.ask(
        [edit.photo.path, edit.movie.path, photo.path, movie.path] + edit.checker + edit.pixels
          + ["--report", file.path]))
    var failures = answer.lines.filter { $0.hasPrefix("FAIL") }
    // The checker rotates the Exif thumbnail of a HEIC photo by its orientation tag, but never mirrors it.
    if edit.photoExtension == "HEIC", edit.arguments[0] == "flip" {
      failures.removeAll { $0.hasPrefix("FAIL  embedded thumbnail shows the picture") }
    }
    #expect(failures.isEmpty, "\(answer.text)")
    #expect(answer.lines.last?.contains(" passed, ") == true)
  }
}
