import Basics
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of marks and albums, and of their recovery when the catalogue is lost.
@Suite struct CollectionsTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0002.JPG"] { try folder.copy(TestFiles.fixture(name)) }
  }

  private func writing<Result>(_ body: (Library) throws -> Result) throws -> Result {
    let library = try Library.forWriting(folder.url.path)
    defer { library.close() }
    return try body(library)
  }

  private func shown() throws -> [String] {
    let index = try AssetIndex(folder: folder.url.path)
    return try index.assets(index.identifiers(AssetQuery(includesHidden: true))).map {
      $0.stem + ($0.isFavourite ? " favourite" : "") + ($0.isHidden ? " hidden" : "")
    }
  }

  private func albums() throws -> [Album] { try Library.forReading(folder.url.path).albums() }

  @Test func marks() throws {
    #expect(
      try writing { try $0.mark(["IMG_0001", "IMG_0002"], MarkChange(favourite: true)) } == [
        "IMG_0001", "IMG_0002",
      ])
    #expect(try writing { try $0.mark(["IMG_0001"], MarkChange(favourite: true)) } == [])
    #expect(
      try writing { try $0.mark(["IMG_0001"], MarkChange(favourite: false, hidden: true)) } == ["IMG_0001"])
    #expect(try writing { try $0.mark(["IMG_0002"], MarkChange(hidden: false)) } == [])
    #expect(try shown() == ["IMG_0001 hidden", "IMG_0002 favourite"])
  }

  @Test func albumsKeepTheirOrder() throws {
    try writing { library in
      try library.createAlbum("B")
      try library.createAlbum("A")
      #expect(
        try library.add(["IMG_0002", "IMG_0001", "IMG_0002"], toAlbum: "B") == ["IMG_0002", "IMG_0001"])
      #expect(try library.add(["IMG_0001", "IMG_0003"], toAlbum: "B") == ["IMG_0003"])
      #expect(try library.remove(["IMG_0001", "IMG_0009"], fromAlbum: "B") == ["IMG_0001"])
      #expect(try library.add(["IMG_0001"], toAlbum: "B") == ["IMG_0001"])
      #expect(throws: EditError.self) { try library.createAlbum("A") }
      #expect(throws: EditError.self) { try library.createAlbum("") }
      let error = #expect(throws: EditError.self) { try library.add(["IMG_0001"], toAlbum: "C") }
      #expect(error?.remedy == "the folder has these albums: A, B")
    }
    #expect(
      try albums() == [
        Album(name: "A", stems: []), Album(name: "B", stems: ["IMG_0002", "IMG_0003", "IMG_0001"]),
      ])
    try writing { try $0.removeAlbum("A") }
    #expect(try albums().map(\.name) == ["B"])
  }

  /// Marks and albums are restored after every kind of catalogue loss, and also after a second loss.
  @Test(arguments: ["lost", "torn", "no database"])
  func aRebuiltCatalogueHasThem(_ damage: String) throws {
    try writing { library in
      try library.mark(["IMG_0001"], MarkChange(favourite: true))
      try library.mark(["IMG_0002"], MarkChange(favourite: true, hidden: true))
      try library.createAlbum("Ünder/way")
      try library.add(["IMG_0002", "IMG_0001"], toAlbum: "Ünder/way")
    }
    let (before, lists) = (try shown(), try albums())
    let catalogue = folder.file(".liveedit/library.sqlite")
    for _ in 0..<2 {
      switch damage {
      case "lost": try FileManager.default.removeItem(at: catalogue)
      case "torn":
        var bytes = try Data(contentsOf: catalogue)
        for at in bytes.indices.dropFirst(4096) { bytes[at] = 0xA5 }
        try bytes.write(to: catalogue)
      default: try Data("no database".utf8).write(to: catalogue)
      }
      #expect(throws: EditError.self) { try writing { try $0.check() } }
      try Library.repair(folder.url.path) { _ in }
      #expect(try shown() == before)
      #expect(try albums() == lists)
      #expect(try Library.forReading(folder.url.path).check().findings.isEmpty)
    }
  }

  @Test func theSecondCopyIsCheckedAndMended() throws {
    try writing { _ = try $0.mark(["IMG_0001"], MarkChange(favourite: true)) }
    let copy = folder.file(".liveedit/collections.json")
    try Data("{}".utf8).write(to: copy)
    let findings = try Library.forReading(folder.url.path).check().findings
    #expect(findings.map(\.file) == [copy.path])
    try Library.repair(folder.url.path) { _ in }
    #expect(try Library.forReading(folder.url.path).check().findings.isEmpty)
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: copy)) as? [String: Any]
    #expect(object?["favourites"] as? [String] == ["IMG_0001"])
  }

  /// A rebuild sets an unreadable second copy aside instead of overwriting it.
  @Test func anUnreadableSecondCopyIsKept() throws {
    try writing { _ = try $0.mark(["IMG_0001"], MarkChange(favourite: true)) }
    let copy = folder.file(".liveedit/collections.json")
    try Data("{ \"form\": 7 }".utf8).write(to: copy)
    try FileManager.default.removeItem(at: folder.file(".liveedit/library.sqlite"))
    var said: [String] = []
    try Library.repair(folder.url.path) { said.append($0.description) }
    #expect(said.contains { $0.contains("cannot be read") })
    try writing { _ = try $0.mark(["IMG_0002"], MarkChange(favourite: true)) }
    #expect(
      try String(contentsOf: folder.file(".liveedit/collections.json.damaged-1"), encoding: .utf8)
        == "{ \"form\": 7 }")
    #expect(try shown() == ["IMG_0001", "IMG_0002 favourite"])
  }

  /// If the second copy cannot be written, no mark is set.
  @Test func aMarkIsInBothPlacesOrInNone() throws {
    try writing { _ = try $0.mark(["IMG_0001"], MarkChange(favourite: true)) }
    let copy = folder.file(".liveedit/collections.json")
    try FileManager.default.removeItem(at: copy)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
    #expect(throws: EditError.self) {
      try writing { _ = try $0.mark(["IMG_0002"], MarkChange(favourite: true)) }
    }
    #expect(try shown() == ["IMG_0001 favourite", "IMG_0002"])
  }

  /// The first mark migrates a catalogue with the first schema, and the catalogue keeps its versions.
  @Test func aLibraryOfTheFirstSchemaTakesMarks() throws {
    let library = folder.file("library")
    try FileManager.default.copyItem(at: TestFiles.fixture("library-1"), to: library)
    let file = library.appendingPathComponent(".liveedit/library.sqlite").path
    func schema() throws -> String {
      try Tools.output(
        "python3", "-c",
        "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version').fetchone()[0])",
        file
      ).lines[0]
    }
    let stems = try Library.forReading(library.path).stems()
    let records = try stems.map { try Library.forReading(library.path).record(of: $0) }
    #expect(try Library.forReading(library.path).albums().isEmpty)
    #expect(try schema() == "1")
    let writer = try Library.forWriting(library.path)
    try writer.mark(["IMG_0100"], MarkChange(favourite: true))
    writer.close()
    #expect(try schema() == "7")
    #expect(try stems.map { try Library.forReading(library.path).record(of: $0) } == records)
    let index = try AssetIndex(folder: library.path)
    #expect(try index.assets(index.identifiers(AssetQuery())).map(\.isFavourite) == [true, false, false])
    #expect(try Library.forReading(library.path).check().findings.isEmpty)
  }

  /// A catalogue that has versions but lacks its marks, like an older copy, gets the marks back from the second copy
  /// before that copy is overwritten. An unreadable second copy is an error.
  @Test func marksThatTheCatalogueLostComeBack() throws {
    let library = folder.file("library")
    try FileManager.default.copyItem(at: TestFiles.fixture("library-1"), to: library)
    let old = try Data(contentsOf: library.appendingPathComponent(".liveedit/library.sqlite"))
    func open(_ report: (Message) -> Void = { _ in }) throws -> Library {
      try Library.forWriting(library.path, report: report)
    }
    let marking = try open()
    try marking.mark(["IMG_0100"], MarkChange(favourite: true))
    try marking.mark(["IMG_0101"], MarkChange(hidden: true))
    marking.close()
    let copy = library.appendingPathComponent(".liveedit/collections.json")
    let marks = try Data(contentsOf: copy)

    try old.write(to: library.appendingPathComponent(".liveedit/library.sqlite"))
    try Data("{".utf8).write(to: copy)
    let error = #expect(throws: EditError.self) { try open() }
    #expect(error?.code == .damagedLibrary && error?.file == copy.path)
    #expect(try Data(contentsOf: copy) == Data("{".utf8))

    try marks.write(to: copy)
    var said: [String] = []
    let restored = try open { said.append($0.description) }
    #expect(said == ["restored marks and albums from \(copy.path)"])
    try restored.mark(["IMG_0102"], MarkChange(favourite: true))
    restored.close()
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: copy)) as? [String: Any]
    #expect(object?["favourites"] as? [String] == ["IMG_0100", "IMG_0102"])
    #expect(object?["hidden"] as? [String] == ["IMG_0101"])
  }

  /// Adding many assets to an album does not search the whole album, or the assets just added, again for each asset.
  @Test func anAlbumTakesMany() throws {
    let stems = (0..<20_000).map { "x\($0 * 7919 % 20_000)" }
    try writing { library in
      try library.createAlbum("A")
      try library.add(["IMG_0001"], toAlbum: "A")
      #expect(try library.add(stems + stems, toAlbum: "A") == stems)
      #expect(try library.mark(stems, MarkChange(favourite: true)) == stems)
    }
    #expect(try albums() == [Album(name: "A", stems: ["IMG_0001"] + stems)])
  }
}
