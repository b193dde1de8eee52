import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of a spatial photo made by scripts/fixtures/heif.py, with a picture for each eye.
@Suite(.enabled(if: Tools.hasPillowHEIF)) struct SpatialPhotoTests {
  let folder: TemporaryFolder

  static let fixture = TestFiles.fixture("spatial.HEIC")

  init() throws {
    folder = try TemporaryFolder()
  }

  func rendered(
    _ edit: Edit, _ settings: RenderSettings = .standard, to name: String = "out.heic"
  ) throws -> (result: RenderResult, photo: URL) {
    let output = folder.file(name)
    let job = RenderJob(
      photo: .init(source: Self.fixture.path, output: output.path), movie: nil, edit: edit,
      settings: settings, identifier: nil)
    return (try render(job, progress: { _ in }, isCancelled: { false }), output)
  }

  /// A pixel edit would leave the other eye's picture unedited.
  @Test func editsOfPixelsAreRefused() throws {
    var colors = Edit.identity
    colors[.exposure] = 0.5
    var crop = Edit(orientation: .down)
    crop.geometry.crop = .rectangle(
      try Crop.Rectangle(left: 0, top: 0, width: 500_000, height: 1_000_000))
    for edit in [colors, crop] {
      let error = #expect(throws: EditError.self) { try rendered(edit) }
      #expect(error?.code == .unsupported)
      #expect("\(String(describing: error))".contains("spatial photo"))
      #expect(!FileManager.default.fileExists(atPath: folder.file("out.heic").path))
    }
  }

  @Test func aJPEGHasOnePicture() throws {
    var edit = Edit.identity
    edit[.saturation] = -1
    let (result, photo) = try rendered(edit, RenderSettings(photoFormat: .jpeg), to: "out.jpg")
    #expect(result.removals.map(\.name) == ["ster"])
    #expect(try Tools.exiftool(photo)["File:ImageWidth"] == "160")
  }
}
