import Basics
import EditLibrary
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of versions whose only files were overwritten or removed by another program.
@Suite struct LostVersionTests {
  let versions: VersionFolder
  let foreign: [String: Data]

  /// Starts with another program's render.
  init() throws {
    versions = try VersionFolder("IMG_0001")
    try versions.putForeignRender()
    foreign = try versions.content()
  }

  func lost() throws -> Int { try Library.forReading(versions.path).check().lost }

  func kept(_ name: String) -> URL { versions.folder.file(".liveedit/versions/IMG_0001/1/" + name) }

  /// Checks that the loss is recorded, that the version remains in the history and is counted, and that an attempt to
  /// use it reports the loss.
  func expectLost(current: Int) throws {
    #expect(try versions.findings().isEmpty)
    #expect(try lost() == 1)
    let record = try versions.history().record
    #expect(record.current == current)
    #expect(record.version(1)?.hasFiles == false && record.version(1)?.isLost == true)
    let before = try versions.content()
    let error = #expect(throws: EditError.self) { try versions.go(to: .number(1)) }
    #expect(error?.description.contains("has lost the files of version 1") == true)
    #expect(try versions.content() == before)
    #expect(try versions.repair() == [])
  }

  @Test func overwrittenWhileItWasCurrent() throws {
    try versions.turn()
    try versions.go(to: .previous)
    let changed = (foreign["IMG_E0001.JPG"] ?? Data()) + [0]
    try versions.put("IMG_E0001.JPG", changed)
    #expect(try versions.findings().count == 1)
    let said = try versions.repair()
    #expect(said.contains { $0.contains("Another program changed") })
    #expect(said.contains { $0.contains("recorded version 1 of IMG_0001 as lost") })
    try expectLost(current: 3)
    // The other program's result becomes an ordinary version.
    #expect(try versions.content()["IMG_E0001.JPG"] == changed)
    try versions.turn()
    #expect(try versions.go(to: .previous)?.to == 3)
    #expect(try versions.content()["IMG_E0001.JPG"] == changed)
    #expect(try versions.findings().isEmpty)
  }

  @Test func overwrittenAndThenEdited() throws {
    try versions.turn()
    try versions.go(to: .previous)
    try versions.put("IMG_E0001.JPG", (foreign["IMG_E0001.JPG"] ?? Data()) + [0])
    try versions.turn()
    let found = try versions.findings()
    // The edit based on the lost version still has its files.
    #expect(found.count == 1 && found.first?.repair == "records the version as lost")
    _ = try versions.repair()
    try expectLost(current: 4)
  }

  @Test(arguments: [false, true])
  func damagedInTheVersionsFolder(_ isRemoved: Bool) throws {
    try versions.turn()
    let sound = try Data(contentsOf: kept("IMG_E0001.MOV"))
    let damaged = sound.dropLast()
    if isRemoved {
      try FileManager.default.removeItem(at: kept("IMG_E0001.MOV"))
    } else {
      try damaged.write(to: kept("IMG_E0001.MOV"))
    }
    #expect(try versions.findings().count == 1)
    let error = #expect(throws: EditError.self) { try versions.go(to: .previous) }
    #expect(error?.remedy?.contains("--repair") == true)
    _ = try versions.repair()
    try expectLost(current: 2)
    // The remaining file of the version stays where it is.
    #expect(try Data(contentsOf: kept("IMG_E0001.JPG")) == foreign["IMG_E0001.JPG"])
    if !isRemoved { #expect(try Data(contentsOf: kept("IMG_E0001.MOV")) == damaged) }

    // A copy from elsewhere restores the version.
    try sound.write(to: kept("IMG_E0001.MOV"))
    #expect(try versions.repair().contains { $0.contains("no longer lost") })
    #expect(try lost() == 0)
    #expect(try versions.findings().isEmpty)
    try versions.go(to: .previous)
    #expect(try versions.content() == foreign)
  }

  /// The loss is recorded even if the catalogue was lost together with the files.
  @Test func aRebuiltCatalogueRecordsTheLoss() throws {
    try versions.turn()
    try FileManager.default.removeItem(at: kept("IMG_E0001.MOV"))
    try FileManager.default.removeItem(at: versions.folder.file(".liveedit/library.sqlite"))
    #expect(try versions.repair().contains { $0.contains("recorded version 1 of IMG_0001 as lost") })
    try expectLost(current: 2)
  }

  /// An edit based on the lost version is lost too if its files were discarded.
  @Test func whatNeedsTheLostVersionIsLostToo() throws {
    for _ in 1...3 { try versions.turn() }
    #expect(try versions.history().record.versions.map(\.hasFiles) == [true, false, true, true])
    let sound = try Data(contentsOf: kept("IMG_E0001.JPG"))
    try FileManager.default.removeItem(at: kept("IMG_E0001.JPG"))
    #expect(try versions.repair().count == 2)
    #expect(try versions.findings().isEmpty)
    #expect(try lost() == 2)
    try versions.go(to: .previous)
    #expect(throws: EditError.self) { try versions.go(to: .previous) }
    try sound.write(to: kept("IMG_E0001.JPG"))
    #expect(try versions.repair().count == 2)
    #expect(try lost() == 0)
    #expect(try versions.go(to: .previous)?.isRendered == true)
    #expect(try versions.findings().isEmpty)
  }
}
