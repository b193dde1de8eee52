import Basics
import EditLibrary
import EditModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of a half that was edited alone, and whose other half is added later.
@Suite struct JoinedHalfTests {
  /// A renderer that works like another one but looks at a folder first.
  final class LookingRenderer: Renderer {
    private let copying = CopyingRenderer()
    private let look: @Sendable () throws -> [String: Data]
    private let found = Mutex<[String: Data]?>(nil)

    init(_ look: @escaping @Sendable () throws -> [String: Data]) { self.look = look }

    /// The content that was found.
    var seen: [String: Data]? { found.withLock { $0 } }

    func render(
      _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
      isCancelled: @escaping @Sendable () -> Bool
    ) throws(EditError) -> RenderResult {
      found.withLock { $0 = try? look() }
      return try copying.render(job, progress: progress, isCancelled: isCancelled)
    }
  }

  let one: VersionFolder
  let photo = "IMG_0001.JPG"
  let movie = "IMG_0001.MOV"

  /// Creates a photo that was rotated alone, and a movie that was added afterwards.
  init() throws {
    one = try VersionFolder("IMG_0001")
    let away = one.folder.file("away")
    try FileManager.default.moveItem(at: one.folder.file(movie), to: away)
    try one.turn()
    try FileManager.default.moveItem(at: away, to: one.folder.file(movie))
  }

  /// Runs code as if the movie had not been added yet.
  func beforeTheMovie(_ body: () throws -> Void) throws {
    let away = one.folder.file("away")
    try FileManager.default.moveItem(at: one.folder.file(movie), to: away)
    try body()
    try FileManager.default.moveItem(at: away, to: one.folder.file(movie))
  }

  @discardableResult
  func join(_ change: ChangeOfEdit, with renderer: (any Renderer)? = nil) throws -> EditOutcome {
    var locator = AssetLocator()
    let asset = try locator.locate(one.folder.file(photo).path)
    let editor = AssetEditor(renderer: renderer ?? one.renderer)
    return try #require(try editor.edit(asset, change, joiningWithDataEnds: [:]))
  }

  func record() throws -> AssetRecord {
    try #require(
      Library.reading(one.path) { library throws(EditError) in try library.record(of: "IMG_0001") })
  }

  /// Returns the content of the folder, its catalogue and its versions folder.
  static func content(_ folder: URL) throws -> [String: Data] {
    var content: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where !name.contains("/work") && !name.contains("lock") {
      let url = folder.appendingPathComponent(name)
      if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
        content[name] = try Data(contentsOf: url)
      }
    }
    return content
  }

  @Test func theEditOfAHalfGoesOverToBoth() throws {
    let outcome = try join(.turn(.right))
    #expect(outcome.action == .rendered && outcome.edit.orientation == .down)
    #expect(
      outcome.written.map { ($0 as NSString).lastPathComponent } == [
        "IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_0001.AAE",
      ])
    let record = try record()
    #expect(record.originals.map(\.name) == [photo, movie])
    #expect(record.versions.map(\.number) == [1, 2] && record.versions.map(\.hasFiles) == [false, true])
    #expect(record.currentVersion?.ownEdit?.edit.orientation == .down)
    #expect(one.renderer.jobs.last?.movie != nil)
    #expect(try one.findings().isEmpty)
    // The history still contains the half's own edit, which then applies to both halves.
    let back = try #require(try one.go(to: .previous))
    #expect(back.to == 1 && back.notes.count == 1)
    #expect(one.renderer.jobs.last?.edit.orientation == .right && one.renderer.jobs.last?.movie != nil)
    #expect(try one.findings().isEmpty)
    try one.go(to: .original)
    #expect(try one.folder.names().filter { $0.contains("E0001") || $0.contains("AAE") }.isEmpty)
    try one.go(to: .number(2))
    #expect(try one.folder.names().contains("IMG_E0001.MOV"))
    #expect(try one.findings().isEmpty)
  }

  /// If the process is killed while both halves are rendered, the half still has its edit.
  @Test func nothingChangesBeforeBothAreRendered() throws {
    let folder = one.folder.url
    let before = try Self.content(folder)
    #expect(before["IMG_E0001.JPG"] != nil && before.keys.contains { $0.hasSuffix("library.sqlite") })
    let looking = LookingRenderer { try Self.content(folder) }
    try join(.turn(.right), with: looking)
    #expect(looking.seen == before)
    #expect(try Self.content(folder) != before)
  }

  @Test func aFailedRenderLeavesTheHalfItsEdit() throws {
    let before = try Self.content(one.folder.url)
    let failing = CopyingRenderer(failure: EditError(.renderer, "broke"))
    #expect(throws: EditError(.renderer, "broke")) { try join(.turn(.right), with: failing) }
    #expect(try Self.content(one.folder.url) == before)
  }

  /// The first half already has this edit, but the other half does not.
  @Test func theSameEditIsRenderedForBoth() throws {
    let outcome = try join(.turn(.identity))
    #expect(outcome.action == .rendered && outcome.edit.orientation == .right)
    #expect(try one.folder.names().contains("IMG_E0001.MOV"))
  }

  @Test func anEditThatBecomesNoneLeavesBothAsTheyAre() throws {
    let outcome = try join(.turn(.left))
    #expect(outcome.action == .removed)
    #expect(try one.folder.names().filter { $0 != ".liveedit" } == [photo, movie])
    #expect(try record().originals.count == 2)
    #expect(try one.findings().isEmpty)
    try one.turn()
    #expect(try one.folder.names().contains("IMG_E0001.MOV"))
  }

  @Test func aHalfThatWasRevertedBringsNoEdit() throws {
    try beforeTheMovie { try one.go(to: .original) }
    let outcome = try join(.turn(.left))
    #expect(outcome.edit.orientation == .left)
    #expect(try record().versions.map(\.number) == [2])
    #expect(try one.findings().isEmpty)
  }

  /// The half has no edit to pass on, and keeps the versions that redo can reach.
  @Test func aHalfThatWasRevertedKeepsItsRedo() throws {
    try beforeTheMovie { try one.go(to: .original) }
    let outcome = try join(.turn(.identity))
    #expect(outcome.action == .unchanged)
    #expect(try record().originals.map(\.name) == [photo, movie])
    #expect(try one.findings().isEmpty)
    try one.go(to: .next)
    #expect(try one.folder.names().contains("IMG_E0001.MOV"))
    #expect(try one.findings().isEmpty)
  }

  @Test func everyEditOfTheHalfCanBeGoneBackTo() throws {
    try beforeTheMovie { try one.turn(by: .flippedHorizontally) }
    try join(.turn(.right))
    #expect(try record().versions.map(\.number) == [1, 2, 3])
    #expect(try one.findings().isEmpty)
    try one.go(to: .number(2))
    try one.go(to: .number(1))
    #expect(one.renderer.jobs.last?.edit.orientation == .right && one.renderer.jobs.last?.movie != nil)
    #expect(try one.findings().isEmpty)
  }

  /// A user who removes the render wants the original.
  @Test func aRenderThatWasTakenAwayBringsNoEdit() throws {
    for name in ["IMG_E0001.JPG", "IMG_0001.AAE"] {
      try FileManager.default.removeItem(at: one.folder.file(name))
    }
    let outcome = try join(.turn(.left))
    #expect(outcome.edit.orientation == .left)
    #expect(try one.folder.names().contains("IMG_E0001.MOV"))
    #expect(try one.findings().isEmpty)
  }

  /// Another program's sidecar, located where the sidecar of both halves belongs, does not count as the half's sidecar.
  @Test func anotherProgramsSidecarStays() throws {
    let other = try VersionFolder("IMG_0001")
    let (photo, away) = (other.folder.file(photo), other.folder.file("away"))
    let xmp = "IMG_E0001.JPG.xmp"
    try FileManager.default.moveItem(at: photo, to: away)
    let writing = ChangeOfEdit.by({ (edit, _) in edit }, settings: SettingsChange(), sidecars: .write)
    var locator = AssetLocator()
    let asset = try locator.locate(other.folder.file(movie).path)
    let change = ChangeOfEdit.by(
      { (edit, _) in
        var edit = edit
        edit.orientation = .right
        return edit
      }, settings: SettingsChange(), sidecars: .write)
    _ = try AssetEditor(renderer: other.renderer).edit(asset, change)
    #expect(try other.folder.names().contains("IMG_E0001.MOV.xmp"))
    try Data("theirs".utf8).write(to: other.folder.file(xmp))
    try FileManager.default.moveItem(at: away, to: photo)
    var again = AssetLocator()
    let both = try again.locate(photo.path)
    let outcome = try #require(
      try AssetEditor(renderer: other.renderer).edit(both, writing, joiningWithDataEnds: [:]))
    #expect(outcome.written.contains { $0.hasSuffix(xmp) })
    #expect(try other.findings().isEmpty)
    let kept = try FileManager.default.subpathsOfDirectory(atPath: other.path).filter { $0.hasSuffix(xmp) }
    #expect(try kept.contains { try other.folder.read($0) == Array("theirs".utf8) }, "\(kept)")
  }

  /// Another program's edit of one half cannot be applied to both halves by liveedit.
  @Test func anotherProgramsEditOfTheHalfStays() throws {
    let render = one.folder.file("IMG_E0001.JPG")
    try Data(contentsOf: TestFiles.fixture("IMG_0002.JPG")).write(to: render)
    let before = try Data(contentsOf: render)
    let refused = #expect(throws: EditError.self) { try join(.turn(.right)) }
    #expect(refused?.code == .changedOriginal && refused?.remedy != nil)
    #expect(try Data(contentsOf: render) == before)
  }
}
