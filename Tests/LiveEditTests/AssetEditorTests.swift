import Basics
import EditLibrary
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

@Suite struct AssetEditorTests {
  let folder: TemporaryFolder
  let renderer = CopyingRenderer()

  init() throws {
    folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
  }

  @discardableResult
  func turn(
    _ name: String = "IMG_0001.JPG", by degrees: Int = 90, settings: SettingsChange = SettingsChange(),
    into output: String? = nil, with renderer: (any Renderer)? = nil
  ) throws(EditError) -> EditOutcome {
    var locator = AssetLocator()
    let asset = try locator.locate(folder.file(name).path)
    let editor = AssetEditor(renderer: renderer ?? self.renderer)
    let change = ChangeOfEdit.turn(Orientation(quarterTurns: degrees / 90), settings: settings)
    if let output { return try editor.edit(asset, into: output, change) }
    guard let outcome = try editor.edit(asset, change) else {
      throw EditError(.notFound, file: name, "was left as it was")
    }
    return outcome
  }

  func error(_ name: String = "IMG_0001.JPG") -> EditError? {
    #expect(throws: EditError.self) { try turn(name) }
  }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.file(name)) }

  /// Returns the names of the files beside the originals, without the library.
  func names() throws -> [String] { try folder.names().filter { $0 != ".liveedit" } }

  func content() throws -> [String: Data] {
    var content: [String: Data] = [:]
    for name in try names() { content[name] = try bytes(name) }
    return content
  }

  let version = ["IMG_0001.AAE", "IMG_0001.JPG", "IMG_0001.MOV", "IMG_E0001.JPG", "IMG_E0001.MOV"]

  func expectOriginalsUntouched() throws {
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] {
      #expect(try bytes(name) == Data(contentsOf: TestFiles.fixture(name)))
    }
  }

  @Test func turnsComposeAndFourAreNone() throws {
    for step in 1...3 {
      // The asset is named by a different file each time.
      let outcome = try turn(["IMG_0001.JPG", "IMG_E0001.MOV", "IMG_0001.AAE"][step - 1])
      #expect(outcome.action == .rendered)
      #expect(renderer.jobs.last?.edit == Edit(orientation: Orientation(quarterTurns: step)))
      #expect(renderer.jobs.last?.photo?.source == folder.file("IMG_0001.JPG").path)
      #expect(try names() == version)
    }
    let outcome = try turn("IMG_E0001.JPG")
    #expect(outcome.action == .removed)
    #expect(
      outcome.removed.map { URL(fileURLWithPath: $0).lastPathComponent } == [
        "IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_0001.AAE",
      ])
    #expect(try names() == ["IMG_0001.JPG", "IMG_0001.MOV"])
    #expect(renderer.jobs.count == 3)
    try expectOriginalsUntouched()
  }

  @Test func theSameEditGivesTheSameBytes() throws {
    /// Leaves out adjustment data, because it contains the time when a version was recorded.
    func renders() throws -> [String: Data] { try content().filter { !$0.key.hasSuffix(".AAE") } }
    try turn()
    let first = try renders()
    try turn(by: 180)
    #expect(try renders() != first)
    try turn(by: -180)
    #expect(try renders() == first)
  }

  @Test func settingsStayUntilOthersAreAskedFor() throws {
    try turn(settings: SettingsChange(videoCodec: .hevc, quality: .high))
    try turn(settings: SettingsChange(quality: .small))
    #expect(renderer.jobs.last?.settings == RenderSettings(videoCodec: .hevc, quality: .small))
    try turn(settings: SettingsChange(speed: .slow))
    #expect(renderer.jobs.last?.settings == RenderSettings(videoCodec: .hevc, quality: .small, speed: .slow))
  }

  @Test func losslessStaysUntilAnEncoderIsAskedFor() throws {
    try turn(settings: SettingsChange(isLossless: true))
    try turn()
    #expect(renderer.jobs.last?.settings.isLossless == true)
    try turn(settings: SettingsChange(quality: .standard))
    #expect(renderer.jobs.last?.settings == .standard)
  }

  @Test func rendersHaveTheirOriginalsPermissions() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o400], ofItemAtPath: folder.file("IMG_0001.JPG").path)
    try turn()
    let answer = try Tools.run(["stat", "-c", "%a", folder.file("IMG_E0001.JPG").path])
    #expect(answer.text == "400\n")
  }

  @Test func elsewhereNothingIsRecordedOrOverwritten() throws {
    let other = try TemporaryFolder()
    try turn()
    let before = try content()
    let outcome = try turn(into: other.url.path)
    #expect(renderer.jobs.last?.edit == Edit(orientation: .down))
    #expect(try other.names() == ["IMG_E0001.JPG", "IMG_E0001.MOV"])
    #expect(outcome.written == ["IMG_E0001.JPG", "IMG_E0001.MOV"].map { other.file($0).path })
    #expect(try content() == before)

    let refused = #expect(throws: EditError.self) { try turn(by: 180, into: other.url.path) }
    #expect(refused?.code == .inTheWay)
    #expect(try turn(by: 270, into: other.url.path).action == .unchanged)
    #expect(try other.names() == ["IMG_E0001.JPG", "IMG_E0001.MOV"])
    #expect(throws: EditError.self) { try turn(into: other.file("none").path) }
    #expect(throws: EditError.self) { try turn(into: other.file("IMG_E0001.JPG").path) }
    #expect(throws: EditError.self) { try turn(into: folder.url.path) }
    #expect(try content() == before)
  }

  @Test(arguments: [
    "IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_E0001.HEIC", "IMG_E0001.jpg", "IMG_E0001.mp4", "IMG_0001.AAE",
    "IMG_0001.aae",
  ])
  func somethingForeignInANameOfOursIsRefused(_ name: String) throws {
    try Data("foreign".utf8).write(to: folder.file(name))
    let before = try content()
    let refused = error()
    #expect(refused?.code == .inTheWay)
    #expect(refused?.file == folder.file(name).path)
    #expect(refused?.remedy != nil)
    #expect(try content() == before)
  }

  @Test func theCamerasRecipeIsNeverTouched() throws {
    try Data("recipe".utf8).write(to: folder.file("IMG_O0001.AAE"))
    for _ in 1...4 { try turn() }
    #expect(try names() == ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_O0001.AAE"])
    #expect(try bytes("IMG_O0001.AAE") == Data("recipe".utf8))
  }

  @Test func aMissingRenderOrHalfIsNamed() throws {
    try turn()
    try FileManager.default.removeItem(at: folder.file("IMG_E0001.MOV"))
    #expect(error()?.file == folder.file("IMG_E0001.MOV").path)
    try FileManager.default.removeItem(at: folder.file("IMG_0001.MOV"))
    #expect(error()?.code == .changedOriginal)
  }

  @Test func aHalfAloneIsEditedAlone() throws {
    try FileManager.default.removeItem(at: folder.file("IMG_0001.MOV"))
    let outcome = try turn()
    #expect(outcome.asset.notes.count == 1)
    #expect(try names() == ["IMG_0001.AAE", "IMG_0001.JPG", "IMG_E0001.JPG"])
    for _ in 1...3 { try turn() }
    #expect(try names() == ["IMG_0001.JPG"])
  }

  @Test func aFailedRenderLeavesNothing() throws {
    try turn()
    let before = try content()
    let failing = CopyingRenderer(failure: EditError(.renderer, "broke"))
    #expect(throws: EditError(.renderer, "broke")) { try turn(with: failing) }
    #expect(try content() == before)
  }

  @Test func anErrorAboutAFileInTheMakingNamesTheFileToBe() throws {
    struct Full: Renderer {
      func render(
        _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
        isCancelled: @escaping @Sendable () -> Bool
      ) throws(EditError) -> RenderResult {
        throw EditError(.fileSystem, file: job.movie?.output, "the disk is full")
      }
    }
    let failing = Full()
    let failed = #expect(throws: EditError.self) { try turn(with: failing) }
    #expect(failed?.file == folder.file("IMG_E0001.MOV").path)
  }

  @Test func aStoppedRenderLeavesTheOldVersion() throws {
    try turn()
    let before = try content()
    var locator = AssetLocator()
    let asset = try locator.locate(folder.file("IMG_0001.JPG").path)
    let editor = AssetEditor(renderer: renderer, isCancelled: { true })
    let stopped = #expect(throws: EditError.self) { try editor.edit(asset, .turn(.right)) }
    #expect(stopped?.code == .cancelled)
    #expect(try content() == before)
  }

  @Test func theWrongIdentifierIsNoticed() throws {
    struct Plain: Renderer {
      func render(
        _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
        isCancelled: @escaping @Sendable () -> Bool
      ) throws(EditError) -> RenderResult {
        for half in [job.photo, job.movie].compactMap({ $0 }) {
          try? FileManager.default.copyItem(atPath: half.source, toPath: half.output)
        }
        return RenderResult()
      }
    }
    let wrong = #expect(throws: EditError.self) { try turn(with: Plain()) }
    #expect(wrong?.code == .renderer)
    #expect(try folder.names() == ["IMG_0001.JPG", "IMG_0001.MOV"])
  }
}
