import Basics
import EditLibrary
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of adopting photos that another program edited together with a given edit: the resulting versions, and the
/// files in the folder.
@Suite struct AdoptionTests {
  /// A renderer and matcher that reports a given edit as the one found.
  struct Finder: Renderer, EditMatcher {
    let edit: Edit

    func render(
      _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
      isCancelled: @escaping @Sendable () -> Bool
    ) throws(EditError) -> RenderResult {
      try InProcessRenderer().render(job, progress: progress, isCancelled: isCancelled)
    }

    func match(
      _ job: MatchJob, isCancelled: @escaping @Sendable () -> Bool
    ) throws(EditError) -> FoundEdit {
      FoundEdit(edit, placeError: 0.1)
    }
  }

  /// Creates a folder with a Live Photo and a photo that ImageMagick rotated.
  func prepared(_ name: String = "edited.jpg", _ options: [String] = []) throws -> VersionFolder {
    let folder = try VersionFolder("IMG_0001")
    let made = try Tools.run(
      ["convert", folder.folder.file("IMG_0001.JPG").path, "-auto-orient", "-rotate", "90"] + options
        + [folder.folder.file(name).path])
    #expect(made.status == 0, "\(made.standardError)")
    return folder
  }

  func adopt(
    _ folder: VersionFolder, _ edited: String?, _ edit: Edit = Edit(orientation: .right)
  ) throws -> Adoption.Outcome {
    try Adoption(renderer: Finder(edit: edit)).adopt(
      folder.folder.file("IMG_0001.JPG").path, from: edited.map { folder.folder.file($0).path })
  }

  /// Returns the bytes of a JPEG's coded picture with its tables, after exiftool has removed everything else.
  private func picture(_ folder: VersionFolder, _ name: String) throws -> Data {
    let bare = folder.folder.file("bare-" + name)
    try? FileManager.default.removeItem(at: bare)
    let made = try Tools.run([
      "exiftool", "-q", "-all=", "-o", bare.path, folder.folder.file(name).path,
    ])
    #expect(made.status == 0, "\(made.standardError)")
    return try Data(contentsOf: bare)
  }

  @Test func thePhotoStaysAndTheMovieFollows() throws {
    let folder = try prepared("edited.jpg", ["-strip"])
    let outcome = try adopt(folder, "edited.jpg")
    #expect(outcome.edited.version == 1 && outcome.edited.result?.photo == .copied)
    #expect(try picture(folder, "IMG_E0001.JPG") == picture(folder, "edited.jpg"))
    let original = try Tools.exiftool(folder.folder.file("IMG_0001.JPG"))
    let adopted = try Tools.exiftool(folder.folder.file("IMG_E0001.JPG"))
    for tag in ["IFD0:Make", "IFD0:Model", "ExifIFD:DateTimeOriginal", "ExifIFD:FNumber"] {
      #expect(adopted[tag] == original[tag], "\(tag)")
    }
    #expect((adopted["IFD0:Orientation"] ?? "1") == "1")
    let movie = try Tools.exiftool(folder.folder.file("IMG_E0001.MOV"))
    #expect(movie["Keys:ContentIdentifier"] == outcome.edited.identifier)
    let files = LivePhotoVerifier.Files(
      photo: folder.folder.file("IMG_E0001.JPG").path, movie: folder.folder.file("IMG_E0001.MOV").path)
    #expect(try LivePhotoVerifier(renderer: InProcessRenderer()).verify(files).verdict == .valid)
    #expect(try folder.findings().isEmpty)
  }

  @Test func laterEditsApplyToItAndRevertGoesBack() throws {
    let folder = try prepared()
    let before = try folder.content()
    _ = try adopt(folder, "edited.jpg")
    let adopted = try folder.content()
    try folder.turn(with: Finder(edit: .identity))
    let record = try folder.history().record
    #expect(record.currentVersion?.base == 1 && record.version(1)?.origin == .adopted)
    #expect(try folder.history().editToCopy().orientation == .down)
    // Both halves are rotated: the adopted photo by 90°, the original movie by 180°.
    let photo = try Tools.exiftool(folder.folder.file("IMG_E0001.JPG"))
    let movie = try Tools.exiftool(folder.folder.file("IMG_E0001.MOV"))
    let original = try Tools.exiftool(folder.folder.file("IMG_0001.MOV"))
    #expect(photo["File:ImageWidth"].flatMap(Int.init) ?? 0 > 0)
    let turned = [movie["Track1:ImageWidth"], movie["Track1:ImageHeight"]]
    #expect(
      turned == [original["Track1:ImageWidth"], original["Track1:ImageHeight"]]
        || turned == [original["Track1:ImageHeight"], original["Track1:ImageWidth"]])
    try folder.go(to: .previous, with: Finder(edit: .identity))
    #expect(try folder.content() == adopted)
    try folder.go(to: .original, with: Finder(edit: .identity))
    #expect(try folder.content() == before)
    try folder.go(to: .next, with: Finder(edit: .identity))
    #expect(try folder.content() == adopted)
    #expect(try folder.findings().isEmpty)
  }

  /// Without the library, the files and the adjustment data show what the version contained.
  @Test func itIsKnownAgainWithoutTheLibrary() throws {
    let folder = try prepared()
    _ = try adopt(folder, "edited.jpg")
    try FileManager.default.removeItem(at: folder.folder.file(".liveedit"))
    let record = try folder.history().record
    #expect(record.currentVersion?.origin == .adopted)
    #expect(record.currentVersion?.adoptedEdit == Edit(orientation: .right))
  }

  /// The edited photo beside the original is found without being named.
  @Test func thePhotoBesideTheOriginalIsTaken() throws {
    let folder = try prepared("IMG_E0001.JPG")
    let before = try folder.content()
    let outcome = try adopt(folder, nil)
    #expect(outcome.edited.version == 2)
    #expect(try folder.history().record.version(1)?.origin == .foreign)
    try folder.go(to: .previous, with: Finder(edit: .identity))
    #expect(try folder.content() == before)
  }

  @Test func withoutAnEditedPhotoThereIsNothingToDo() throws {
    let folder = try VersionFolder("IMG_0001")
    let before = try folder.content()
    let outcome = try adopt(folder, nil)
    #expect(outcome.edited.action == .unchanged && outcome.photo == nil)
    #expect(try folder.content() == before)
  }
}
