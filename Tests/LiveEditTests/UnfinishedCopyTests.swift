import Basics
import EditLibrary
import Foundation
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of a photo that was edited while it was still being copied, and of the finished copy.
@Suite struct UnfinishedCopyTests {
  let one: VersionFolder
  let photo = "IMG_0001.JPG"
  let whole: [UInt8]
  /// The end of the data that had been copied when the photo was edited.
  let end: Int

  init() throws {
    one = try VersionFolder("IMG_0001")
    whole = try one.folder.read(photo)
    end = whole.count - 5000
  }

  private func edit(dataEnds: [String: Int]) throws -> EditOutcome {
    var locator = AssetLocator()
    let asset = try locator.locate(one.folder.file(photo).path)
    return try #require(
      try AssetEditor(renderer: one.renderer).edit(asset, .turn(.identity), joiningWithDataEnds: dataEnds))
  }

  private func originalHash() throws -> String? {
    let record = try Library.reading(one.path) { library throws(EditError) in
      try library.record(of: "IMG_0001")
    }
    return record?.originals.first { $0.name == photo }?.fingerprint.sha256
  }

  @Test(arguments: [false, true]) func theFinishedCopyIsEditedAgain(_ isPadded: Bool) throws {
    let padding = [UInt8](repeating: 0, count: isPadded ? 5000 : 0)
    try one.folder.write(whole[..<end] + padding, to: photo)
    try one.turn()
    try one.folder.write(whole, to: photo)
    let outcome = try edit(dataEnds: isPadded ? [photo: end] : [:])
    #expect(outcome.action == .rendered && outcome.edit.orientation == .right)
    #expect(outcome.asset.notes.count == 1, "\(outcome.asset.notes)")
    let sum = try Tools.run(["sha256sum", TestFiles.fixture(photo).path]).text.prefix(64)
    #expect(try originalHash() == String(sum))
    #expect(try one.findings().isEmpty)
    // The first version can be rendered from the finished copy.
    #expect(try one.go(to: .previous)?.to == 1)
    #expect(try one.findings().isEmpty)
    #expect(try one.folder.read(photo) == whole)
  }

  /// Nothing proves that the photo is the same photo.
  @Test func anotherPhotoOfThatNameIsRefused() throws {
    try one.folder.write(whole[..<end] + [UInt8](repeating: 0, count: 5000), to: photo)
    try one.turn()
    let before = try one.content()
    var other = whole
    other[end - 1] ^= 1
    for (bytes, ends) in [
      (whole, [:]), (other, [photo: end]), (whole, [photo: end - 1]), (whole, [photo: -1]),
    ] {
      try one.folder.write(bytes, to: photo)
      do {
        _ = try edit(dataEnds: ends)
        Issue.record("\(ends)")
      } catch let error as EditError {
        #expect(error.code == .changedOriginal)
      }
      var after = try one.content()
      after[photo] = before[photo]
      #expect(after == before)
    }
  }
}
