import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests of complete renders with colour edits. ffmpeg and exiftool read the results.
@Suite struct ColorRenderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func rendered(
    _ edit: Edit, photo: URL = TestFiles.fixture("IMG_0001.JPG"),
    movie: URL = TestFiles.fixture("IMG_0001.MOV")
  ) throws -> (result: RenderResult, photo: URL, movie: URL) {
    let (newPhoto, newMovie) = (folder.file("out.jpg"), folder.file("out.mov"))
    let job = RenderJob(
      photo: .init(source: photo.path, output: newPhoto.path),
      movie: .init(source: movie.path, output: newMovie.path),
      edit: edit, settings: .standard, identifier: "00000000-0000-4000-8000-000000000000")
    let result = try render(job, progress: { _ in }, isCancelled: { false })
    return (result, newPhoto, newMovie)
  }

  /// Returns the first picture's planes as ffmpeg decodes them, in full range and with one chroma sample per luma
  /// sample.
  private func planes(_ file: URL) throws -> [[UInt8]] {
    let bytes = try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-noautorotate", "-i", file.path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
        "yuvj444p",
        "-",
      ])
    let count = bytes.count / 3
    return (0..<3).map { Array(bytes[$0 * count..<($0 + 1) * count]) }
  }

  private static func mean(_ samples: [UInt8]) -> Double {
    samples.reduce(0) { $0 + Double($1) } / Double(samples.count)
  }

  @Test func withoutSaturationBothHalvesAreGrey() throws {
    var edit = Edit.identity
    edit[.saturation] = -1
    let (result, photo, movie) = try rendered(edit)
    #expect(result.photo == .encoded && result.movie == .encoded)
    for (file, original) in [(photo, "IMG_0001.JPG"), (movie, "IMG_0001.MOV")] {
      let new = try planes(file)
      let old = try planes(TestFiles.fixture(original))
      for plane in new[1...] { #expect(plane.allSatisfy { 126...130 ~= $0 }) }
      #expect(old[1].contains { !(110...146 ~= $0) })
      #expect(abs(Self.mean(new[0]) - Self.mean(old[0])) < 12)
    }
    let before = try Tools.exiftool(TestFiles.fixture("IMG_0001.JPG"))
    let after = try Tools.exiftool(photo)
    for tag in ["ICC-header:ProfileDateTime", "ICC_Profile:ProfileDescription", "IFD0:Model"] {
      #expect(after[tag] == before[tag])
    }
    // The thumbnail gets the same edit.
    let data = try folder.run("exiftool", ["-b", "-ThumbnailImage", photo.path])
    try folder.write(data, to: "thumbnail.jpg")
    let thumbnail = try planes(folder.file("thumbnail.jpg"))
    #expect(thumbnail[1].allSatisfy { 124...132 ~= $0 })
  }

  @Test func turnsAndColoursGoTogether() throws {
    var edit = Edit(orientation: .right)
    edit[.levelsOutputBlack] = 0.45
    edit.look = Look(.builtIn(.sepia), intensity: 0.5)
    let (_, photo, movie) = try rendered(edit)
    for (file, original) in [(photo, "IMG_0001.JPG"), (movie, "IMG_0001.MOV")] {
      let dark = try planes(TestFiles.fixture(original))[0].count { $0 < 80 }
      #expect(dark > 0)
      #expect(try planes(file)[0].count { $0 < 80 } * 100 < dark)
    }
    #expect(try Tools.exiftool(photo)["IFD0:Orientation"] ?? "1" == "1")
  }

  /// The tone of a black and white without effect. The pictures are processed, but their colours do not change.
  @Test func editsThatDoNotShowChangeNoColour() throws {
    var edit = Edit.identity
    edit[.monochromeTone] = 0.5
    let (_, photo, _) = try rendered(edit)
    let (old, new) = (try planes(TestFiles.fixture("IMG_0001.JPG")), try planes(photo))
    // The fixture is stored sideways, and the result is upright.
    #expect(abs(Self.mean(old[0]) - Self.mean(new[0])) < 0.5)
    #expect(abs(Self.mean(old[1]) - Self.mean(new[1])) < 0.5)
  }

  @Test func whatDescribesColoursIsRemovedAndNamed() throws {
    var bytes = try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV"))
    let key = "com.apple.quicktime.smartstyle.shade"
    let range = try #require(bytes.range(of: Data("com.apple.quicktime.location.ISO6709".utf8)))
    bytes.replaceSubrange(range, with: Data(key.utf8))
    let movie = folder.file("IMG_0001.MOV")
    try bytes.write(to: movie)
    var edit = Edit.identity
    edit[.warmth] = 0.5
    let result = try rendered(edit, movie: movie)
    #expect(result.result.removals.contains { $0.half == .movie && $0.name == key })
    let after = try Data(contentsOf: result.movie)
    #expect(after.range(of: Data("smartstyle".utf8)) == nil)
    // The keys after it keep their values.
    let (old, new) = (try Tools.exiftool(movie), try Tools.exiftool(result.movie))
    for tag in ["Keys:Model", "Keys:Software", "Keys:CreationDate", "Keys:Make"] {
      #expect(old[tag] != nil && new[tag] == old[tag])
    }
    // A rotation alone does not change it.
    let turned = try turnedAlone(movie)
    #expect(try Data(contentsOf: turned).range(of: Data("smartstyle".utf8)) != nil)
  }

  private func turnedAlone(_ movie: URL) throws -> URL {
    let output = folder.file("turned.mov")
    let job = RenderJob(
      photo: nil, movie: .init(source: movie.path, output: output.path), edit: Edit(orientation: .right),
      settings: .standard, identifier: nil)
    _ = try render(job, progress: { _ in }, isCancelled: { false })
    return output
  }

  @Test func brokenProfilesCountAsSRGB() throws {
    var bytes = try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG"))
    let start = try #require(bytes.range(of: Data("ICC_PROFILE\0\u{1}\u{1}".utf8))).upperBound
    for index in start + 100..<start + 300 { bytes[index] = 0xFF }
    let photo = folder.file("IMG_0001.JPG")
    try bytes.write(to: photo)
    var edit = Edit.identity
    edit[.exposure] = 0.5
    let result = try rendered(edit, photo: photo)
    #expect(result.result.notes.contains { $0.contains("profile") })
  }

  @Test func losslessRendersRefuseColours() {
    var edit = Edit.identity
    edit[.exposure] = 0.5
    let job = RenderJob(
      photo: .init(source: TestFiles.fixture("IMG_0001.JPG").path, output: folder.file("out.jpg").path),
      movie: nil,
      edit: edit, settings: RenderSettings(isLossless: true), identifier: nil)
    #expect(throws: EditError.self) {
      try render(job, progress: { _ in }, isCancelled: { false })
    }
    #expect((try? folder.names()) == [])
  }
}
