import EditLibrary
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LiveEdit

/// What other programs leave beside the originals.
@Suite struct TakingInTests {
  let versions: VersionFolder
  let originals: [String: Data]

  init() throws {
    versions = try VersionFolder("IMG_0001")
    originals = try versions.content()
  }

  /// A later edit starts from the foreign render; revert brings the foreign files back.
  private func expectBase(_ foreign: [String: Data], number: Int = 1) throws {
    try versions.turn()
    let job = try #require(versions.renderer.jobs.last)
    #expect(job.edit == Edit(orientation: .right))
    // The renderer was given the foreign photo, wherever it is by now.
    let record = try versions.history().record
    #expect(record.currentVersion?.base == number)
    #expect(job.photo?.source.contains("IMG_E0001") == true)
    let edited = try versions.content()
    for (name, bytes) in originals { #expect(edited[name] == bytes) }
    #expect(try versions.findings().isEmpty)
    #expect(try versions.go(to: .previous)?.to == number)
    #expect(try versions.content() == foreign)
    #expect(try versions.go(to: .next)?.to == number + 1)
    #expect(try versions.content() == edited)
    // Turned back, the foreign version stands for the edit.
    try versions.turn(by: .left)
    #expect(try versions.content() == foreign)
    try versions.go(to: .original)
    #expect(try versions.content() == originals)
    #expect(try versions.findings().isEmpty)
  }

  @Test func aForeignEditWithItsRender() throws {
    try versions.putForeignRender()
    try versions.putForeignAdjustments()
    try expectBase(versions.content())
    let first = try #require(try versions.history().record.version(1))
    #expect(first.origin == .foreign && first.adjustment?.formatIdentifier == "com.apple.photo")
  }

  @Test func aForeignRenderAlone() throws {
    try versions.putForeignRender()
    try expectBase(versions.content())
  }

  @Test func aForeignRenderUnderAnotherExtension() throws {
    try versions.putForeignRender(photo: "IMG_E0001.jpeg", movie: "IMG_E0001.mov")
    try expectBase(versions.content())
  }

  @Test func aForeignRenderOfAnotherSceneIsRefused() throws {
    for ending in [".JPG", ".MOV"] {
      let other = try Data(contentsOf: TestFiles.fixture("IMG_0002" + ending))
      try versions.put("IMG_E0001" + ending, other)
    }
    let before = try versions.content()
    let error = #expect(throws: EditError.self) { try versions.turn() }
    #expect(error?.code == .inTheWay)
    #expect(error?.file?.contains("IMG_E0001") == true)
    #expect(try versions.content() == before)
  }

  @Test func twoForeignRendersAreRefused() throws {
    try versions.putForeignRender()
    try versions.put("IMG_E0001.jpeg", versions.content()["IMG_E0001.JPG"] ?? Data())
    let error = #expect(throws: EditError.self) { try versions.turn() }
    #expect(error?.description.contains("IMG_E0001.JPG") == true)
    #expect(error?.description.contains("IMG_E0001.jpeg") == true)
  }

  @Test(arguments: ["com.apple.photo", AdjustmentData.ownFormatIdentifier])
  func foreignAdjustmentsWithoutTheirRender(_ format: String) throws {
    try versions.putForeignAdjustments(format)
    let before = try versions.content()
    let outcome = try versions.turn()
    #expect(versions.renderer.jobs.last?.photo?.source == versions.folder.file("IMG_0001.JPG").path)
    #expect(outcome.first?.asset.notes.isEmpty == (format != "com.apple.photo"))
    #expect(try versions.content().count == 5)
    try versions.go(to: .previous)
    #expect(try versions.content() == before)
    try versions.go(to: .original)
    #expect(try versions.content() == originals)
  }

  @Test(arguments: ["IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_0001.AAE"])
  func whatAnotherProgramChangedIsAVersion(_ name: String) throws {
    try versions.turn()
    let first = try versions.content()
    if name == "IMG_0001.AAE" {
      try versions.putForeignAdjustments()
    } else {
      // Bytes that each reader ignores: behind the photo's end, in a free atom.
      let tail = name.hasSuffix("MOV") ? Data([0, 0, 0, 8]) + Data("free".utf8) : Data([0])
      try versions.put(name, (first[name] ?? Data()) + tail)
    }
    let changed = try versions.content()
    #expect(try versions.history().record.current == 2)
    try versions.turn()
    let record = try versions.history().record
    #expect(record.current == 3 && record.currentVersion?.base == 2)
    #expect(try versions.go(to: .previous)?.to == 2)
    #expect(try versions.content() == changed)
    // Our version lost its files to the change, and is rendered again.
    #expect(try versions.go(to: .previous)?.isRendered == true)
    #expect(try versions.content() == first)
    #expect(try versions.findings().isEmpty)
  }

  /// A version that cannot be rendered again stays when an edit replaces the redo branch.
  @Test func nothingForeignIsPruned() throws {
    try versions.turn()
    try versions.put("IMG_E0001.JPG", (versions.content()["IMG_E0001.JPG"] ?? Data()) + [0])
    let changed = try versions.content()
    try versions.turn()
    try versions.go(to: .original)
    try versions.turn(by: .down)
    let record = try versions.history().record
    #expect(record.versions.map(\.number) == [2, 4])
    #expect(record.version(2)?.isAside == true)
    for _ in 1...5 { try versions.turn() }
    try versions.go(to: .number(2))
    #expect(try versions.content() == changed)
    #expect(try versions.findings().isEmpty)
  }

  @Test func aFileBesideOursIsKept() throws {
    try versions.turn()
    try versions.put("IMG_E0001.HEIC", Data("foreign".utf8))
    let outcome = try versions.turn()
    #expect(outcome.first?.asset.notes.count == 1)
    #expect(versions.renderer.jobs.last?.edit == Edit(orientation: .down))
    #expect(try versions.content()["IMG_E0001.HEIC"] == nil)
    let kept = versions.folder.file(".liveedit/versions/IMG_0001/2/IMG_E0001.HEIC")
    #expect(try Data(contentsOf: kept) == Data("foreign".utf8))
    #expect(try versions.findings().isEmpty)
    #expect(try versions.go(to: .previous)?.to == 1)
  }

  @Test func aRenderThatWasTakenAwayIsStillInTheHistory() throws {
    try versions.turn()
    let first = try versions.content()
    for name in ["IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_0001.AAE"] {
      try FileManager.default.removeItem(at: versions.folder.file(name))
    }
    try versions.turn(by: .down)
    #expect(versions.renderer.jobs.last?.edit == Edit(orientation: .down))
    try versions.go(to: .number(1))
    #expect(try versions.content() == first)
    #expect(try versions.findings().isEmpty)
  }

  @Test func aVersionOfWhichSomethingIsMissingCanBeLeft() throws {
    try versions.turn()
    let first = try versions.content()
    try FileManager.default.removeItem(at: versions.folder.file("IMG_E0001.MOV"))
    #expect(throws: EditError.self) { try versions.turn() }
    try versions.go(to: .previous)
    #expect(try versions.content() == originals)
    #expect(try versions.go(to: .next)?.isRendered == true)
    #expect(try versions.content() == first)
    #expect(try versions.findings().isEmpty)
  }

  /// A pair that was rendered before there was a catalogue.
  @Test func aRenderFromBeforeTheCatalogue() throws {
    try versions.turn()
    let first = try versions.content()
    try FileManager.default.removeItem(at: versions.folder.file(".liveedit"))
    try versions.turn()
    #expect(versions.renderer.jobs.last?.edit == Edit(orientation: .down))
    #expect(versions.renderer.jobs.last?.photo?.source == versions.folder.file("IMG_0001.JPG").path)
    try versions.go(to: .previous)
    #expect(try versions.content() == first)
    try versions.go(to: .previous)
    #expect(try versions.content() == originals)
    #expect(try versions.findings().isEmpty)
  }

  @Test func forgettingWhatCannotBeRenderedAgainNeedsAPlaceForIt() throws {
    try versions.putForeignRender()
    let foreign = try versions.content()
    try versions.turn()
    let place = try TemporaryFolder()
    let library = try Library.forWriting(versions.path)
    let error = #expect(throws: EditError.self) { try library.forget("IMG_0001.JPG", keepingIn: nil) }
    #expect(error?.remedy?.contains("--to") == true)
    let kept = try library.forget("IMG_0001.JPG", keepingIn: place.url.path).kept
    #expect(kept.count == 2)
    for file in kept {
      let url = URL(fileURLWithPath: file)
      #expect(try Data(contentsOf: url) == foreign[url.lastPathComponent])
    }
  }
}
