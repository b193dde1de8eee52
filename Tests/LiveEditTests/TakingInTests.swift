import Basics
import EditLibrary
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of files that other programs leave beside the originals.
@Suite struct TakingInTests {
  let versions: VersionFolder
  let originals: [String: Data]

  init() throws {
    versions = try VersionFolder("IMG_0001")
    originals = try versions.content()
  }

  /// Checks that a later edit starts from the foreign render, and that revert restores the foreign files.
  private func expectBase(_ foreign: [String: Data], number: Int = 1) throws {
    try versions.turn()
    let job = try #require(versions.renderer.jobs.last)
    #expect(job.edit == Edit(orientation: .right))
    // The renderer received the foreign photo, wherever that file is now.
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
    // After the rotation is undone, the foreign version replaces the edit.
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

  /// The foreign render is found even if it is added after the asset was recorded, and although `revert` does not list
  /// the folder.
  @Test func aForeignRenderUnderAnExtensionInMixedCase() throws {
    try versions.turn()
    try versions.go(to: .original)
    try versions.put("IMG_E0001.Jpg", originals["IMG_0001.JPG"] ?? Data())
    try versions.put("IMG_E0001.mOv", originals["IMG_0001.MOV"] ?? Data())
    let foreign = try versions.content()
    #expect(try versions.findings().count == 2)
    try versions.go(to: .number(1))
    #expect(
      try versions.content().keys.sorted() == [
        "IMG_0001.AAE", "IMG_0001.JPG", "IMG_0001.MOV", "IMG_E0001.JPG", "IMG_E0001.MOV",
      ])
    #expect(try versions.findings().isEmpty)
    try versions.go(to: .number(2))
    #expect(try versions.content() == foreign)
    #expect(try versions.findings().isEmpty)
  }

  /// Photos creates such a version if Live is switched off: the current version is a photo without a movie, and so is
  /// its edit.
  @Test(arguments: [false, true])
  func aForeignPhotoWithoutAMovie(_ hasAdjustments: Bool) throws {
    try versions.putForeignRender()
    try FileManager.default.removeItem(at: versions.folder.file("IMG_E0001.MOV"))
    if hasAdjustments { try versions.putForeignAdjustments() }
    let foreign = try versions.content()
    let outcome = try versions.turn().first
    #expect(outcome?.asset.notes.last?.contains("is a photo without a movie") == true)
    let job = try #require(versions.renderer.jobs.last)
    #expect(job.movie == nil && job.photo?.source.contains("IMG_E0001.JPG") == true)
    let edited = try versions.content()
    #expect(edited.keys.sorted() == ["IMG_0001.AAE", "IMG_0001.JPG", "IMG_0001.MOV", "IMG_E0001.JPG"])
    let other = try TemporaryFolder()
    var locator = AssetLocator()
    let asset = try locator.locate(versions.folder.file("IMG_0001.MOV").path)
    let editor = AssetEditor(renderer: versions.renderer)
    let elsewhere = try editor.edit(asset, into: other.url.path, .turn(.right))
    #expect(elsewhere.action == .rendered)
    #expect(try other.names() == ["IMG_E0001.JPG"])
    #expect(try versions.go(to: .previous)?.to == 1)
    #expect(try versions.content() == foreign)
    // After its files are discarded and rendered again, the version is still a photo without a movie.
    try versions.go(to: .next)
    for _ in 1...2 { try versions.turn() }
    #expect(try versions.go(to: .number(2))?.isRendered == true)
    #expect(try versions.content() == edited)
    #expect(try versions.findings().isEmpty)
    // The Live Photo is edited, starting from its original.
    try versions.go(to: .original)
    try versions.turn()
    #expect(try versions.content().count == 5)
  }

  @Test func aForeignMovieWithoutAPhotoIsRefused() throws {
    try versions.putForeignRender()
    try FileManager.default.removeItem(at: versions.folder.file("IMG_E0001.JPG"))
    let foreign = try versions.content()
    let error = #expect(throws: EditError.self) { try versions.turn() }
    #expect(error?.description.contains("has no photo in its current version 1") == true)
    #expect(error?.remedy?.contains("put IMG_E0001.JPG back") == true)
    #expect(try versions.content() == foreign)
    try versions.go(to: .previous)
    try versions.turn()
    #expect(try versions.content().count == 5)
    try versions.go(to: .number(1))
    #expect(try versions.content() == foreign)
    #expect(try versions.findings().isEmpty)
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

  /// Adjustment data written by liveedit that came with a different photo of the same name.
  @Test func aRenderOfAnotherOriginalIsRefused() throws {
    let other = try VersionFolder("IMG_0002")
    try other.turn("IMG_0002.JPG")
    for (name, bytes) in try other.content() where !originals.keys.contains(name) {
      if name.contains("_E") || name.hasSuffix(".AAE") {
        try versions.put(name.replacingOccurrences(of: "0002", with: "0001"), bytes)
      }
    }
    let before = try versions.content()
    #expect(before.count == 5)
    let error = #expect(throws: EditError.self) { try versions.turn() }
    #expect(error?.description.contains("was not made from the original IMG_0001.JPG") == true)
    #expect(try versions.content() == before)
  }

  /// Adjustment data written by a later version of liveedit, with keys that this version does not recognise.
  @Test(arguments: [("2.0", "{}"), ("1.0", #"{"edit":{"orientation":6,"warmth":3}}"#)])
  func anEditByANewerLiveeditIsKeptAsItIs(_ version: String, _ data: String) throws {
    try versions.putForeignRender()
    let renders = try versions.content()
    let adjustment = AdjustmentData(
      formatIdentifier: AdjustmentData.ownFormatIdentifier, formatVersion: version, data: Data(data.utf8))
    var hashes = AdjustmentFile.Rendered()
    hashes.photo = String(repeating: "0", count: 64)
    try versions.put("IMG_0001.AAE", Data(AdjustmentFile(adjustment: adjustment, rendered: hashes).bytes))
    let newer = try versions.content()
    #expect(newer.count == renders.count + 1)
    try expectBase(newer)
    #expect(try versions.history().record.version(1)?.ownEdit == nil)
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
      // Bytes that every reader ignores: after the end of a photo, or in a free atom of a movie.
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
    // The change destroyed the files of liveedit's version, which is rendered again.
    #expect(try versions.go(to: .previous)?.isRendered == true)
    #expect(try versions.content() == first)
    #expect(try versions.findings().isEmpty)
  }

  /// A version that cannot be rendered again is kept when an edit replaces the redo branch.
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

  /// A version that is recorded again gets the time in its adjustment data.
  @Test func aVersionKeepsItsTimeWithoutTheCatalogue() throws {
    try versions.turn()
    let data = versions.folder.file("IMG_0001.AAE")
    var file = try #require(AdjustmentFile(bytes: Array(Data(contentsOf: data))))
    #expect(try versions.history().record.version(1)?.time == file.time)
    file.time = 1_700_000_000
    try versions.put("IMG_0001.AAE", Data(file.bytes))
    try FileManager.default.removeItem(at: versions.folder.file(".liveedit"))
    let first = try versions.content()
    try versions.turn()
    #expect(try versions.history().record.version(1)?.time == 1_700_000_000)
    try versions.go(to: .number(1))
    #expect(try versions.content() == first)
    #expect(try versions.findings().isEmpty)
  }

  /// A Live Photo that was rendered before its catalogue existed.
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
    library.close()
    // A liveedit render whose base was forgotten remains the current picture, but its edit can no longer be changed.
    let before = try versions.content()
    #expect(try versions.history().record.versions.map(\.origin) == [.changed])
    try versions.turn()
    #expect(versions.renderer.jobs.last?.edit == Edit(orientation: .right))
    #expect(try versions.history().record.currentVersion?.base == 1)
    try versions.go(to: .previous)
    #expect(try versions.content() == before)
    #expect(try versions.findings().isEmpty)
  }
}
