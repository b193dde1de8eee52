import Basics
import EditLibrary
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of the sequence of versions and the current position in it.
@Suite struct VersionTests {
  let versions: VersionFolder
  let originals: [String: Data]

  init() throws {
    versions = try VersionFolder("IMG_0001")
    originals = try versions.content()
  }

  @Test func revertGoesBackStepByStepAndRedoForward() throws {
    var states = [originals]
    for _ in 1...3 {
      try versions.turn()
      states.append(try versions.content())
    }
    for number in [2, 1, 0] {
      #expect(try versions.go(to: .previous)?.to == number)
      #expect(try versions.content() == states[number])
      #expect(try versions.findings().isEmpty)
    }
    #expect(try versions.go(to: .previous)?.to == 0)
    for number in [1, 2, 3] {
      #expect(try versions.go(to: .next)?.to == number)
      #expect(try versions.content() == states[number])
    }
    let still = try versions.go(to: .next)
    #expect(still?.from == 3 && still?.to == 3)
    try versions.go(to: .original)
    #expect(try versions.content() == originals)
    try versions.go(to: .number(2), "IMG_0001.MOV")
    #expect(try versions.content() == states[2])
    #expect(throws: EditError.self) { try versions.go(to: .number(9)) }
    #expect(try versions.findings().isEmpty)
  }

  /// Only the current and the previous version keep their files. The others are rendered again with the same bytes.
  @Test func anOldVersionIsRenderedAgain() throws {
    try versions.turn()
    let first = try versions.content()
    for _ in 1...2 { try versions.turn() }
    #expect(try versions.history().record.versions.map(\.hasFiles) == [false, true, true])
    let back = try versions.go(to: .number(1))
    #expect(back?.isRendered == true && back?.notes == [])
    #expect(try versions.content() == first)
    #expect(try versions.findings().isEmpty)
  }

  @Test func anEditAfterARevertReplacesTheRedoBranch() throws {
    for _ in 1...3 { try versions.turn() }
    try versions.go(to: .number(1))
    try versions.turn(by: .flippedHorizontally)
    #expect(versions.renderer.jobs.last?.edit == Edit(orientation: .right).turned(.flippedHorizontally))
    let record = try versions.history().record
    #expect(record.versions.map(\.number) == [1, 4])
    #expect(record.current == 4 && record.previous == 1 && record.next == nil)
    #expect(try versions.findings().isEmpty)
  }

  @Test func fourTurnsAreAVersionWithoutFiles() throws {
    for _ in 1...4 { try versions.turn() }
    #expect(try versions.content() == originals)
    #expect(try versions.history().record.current == 4)
    #expect(try versions.go(to: .previous)?.to == 3)
    #expect(try versions.content().count == 5)
    #expect(try versions.go(to: .next)?.to == 4)
    #expect(try versions.content() == originals)
    try versions.turn()
    #expect(versions.renderer.jobs.last?.edit == Edit(orientation: .right))
    #expect(try versions.findings().isEmpty)
  }

  @Test func originalsAreNeverTouched() throws {
    for _ in 1...3 { try versions.turn() }
    try versions.go(to: .original)
    try versions.go(to: .next)
    for (name, bytes) in originals { #expect(try versions.content()[name] == bytes) }
  }

  @Test func aChangedOriginalIsRefused() throws {
    try versions.turn()
    let original = versions.folder.file("IMG_0001.JPG")
    try (Data(contentsOf: original) + [0]).write(to: original)
    let before = try versions.content()
    let error = #expect(throws: EditError.self) { try versions.turn() }
    #expect(error?.code == .changedOriginal && error?.remedy?.contains("forget") == true)
    #expect(throws: EditError.self) { try versions.go(to: .original) }
    #expect(try versions.content() == before)
    #expect(try versions.findings().count == 1)
    #expect(try versions.history().notes.count == 1)
  }

  @Test func anOriginalWithNewTimesOnlyIsTheSame() throws {
    try versions.turn()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)],
      ofItemAtPath: versions.folder.file("IMG_0001.JPG").path)
    #expect(try versions.turn().first?.action == .rendered)
  }

  @Test func filesNamedTogetherChangeTogether() throws {
    let versions = try VersionFolder("IMG_0001", "IMG_0002")
    let before = try versions.content()
    struct Second: Renderer {
      let first = CopyingRenderer()
      func render(
        _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
        isCancelled: @escaping @Sendable () -> Bool
      ) throws(EditError) -> RenderResult {
        guard first.jobs.isEmpty else { throw EditError(.renderer, "broke") }
        return try first.render(job, progress: progress, isCancelled: isCancelled)
      }
    }
    let broken = Second()
    #expect(throws: EditError.self) { try versions.turn("IMG_0001.JPG", "IMG_0002.JPG", with: broken) }
    #expect(broken.first.jobs.count == 1)
    #expect(try versions.content() == before)
    #expect(try !versions.folder.names().contains(".liveedit"))
    try versions.turn("IMG_0001.JPG", "IMG_0002.JPG")
    #expect(try versions.content().count == 10)
    #expect(try versions.findings().isEmpty)
  }

  @Test func forgettingLeavesTheFolderAsItIs() throws {
    for _ in 1...3 { try versions.turn() }
    let before = try versions.content()
    let library = try Library.forWriting(versions.path)
    #expect(try library.forget("IMG_E0001.JPG", keepingIn: nil).kept == [])
    library.close()
    #expect(try versions.content() == before)
    let files = FileManager.default.enumerator(atPath: versions.folder.file(".liveedit/versions").path)
    #expect(files?.allObjects.isEmpty == true)
    #expect(try versions.findings().isEmpty)
    // The existing files are recorded as the edit that they contain.
    try versions.turn()
    #expect(try versions.content() == originals)
  }

  @Test func readingMakesNothing() throws {
    let before = try versions.folder.names()
    #expect(try versions.history().record.versions.isEmpty)
    #expect(try versions.findings().isEmpty)
    #expect(try versions.folder.names() == before)
  }
}
