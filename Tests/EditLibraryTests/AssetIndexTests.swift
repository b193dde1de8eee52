import Basics
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of scanning folders repeatedly.
@Suite struct AssetIndexTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func fixtures(_ names: String...) throws {
    for name in names { try folder.copy(TestFiles.fixture(name)) }
  }

  private func open(_ refresh: AssetIndex.Refresh = .ifFolderChanged) throws -> AssetIndex {
    try AssetIndex(folder: folder.url.path, refresh: refresh)
  }

  private func all(_ index: AssetIndex) throws -> [IndexedAsset] {
    try index.assets(index.identifiers(AssetQuery(includesHidden: true)))
  }

  private func names(_ index: AssetIndex) throws -> [String] { try all(index).map(\.name) }

  /// Creates a library, so that the index is stored.
  private func makeLibrary() throws {
    let library = try Library.forWriting(folder.url.path)
    try library.createAlbum("Album")
    library.close()
  }

  /// Moves the time of the folder's last change into the past, so that the change counts as settled.
  private func settle() throws {
    let past = Date(timeIntervalSinceNow: -100)
    try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: folder.url.path)
  }

  @Test func aFolderIsListedAndNothingIsMade() throws {
    try fixtures("IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG", "IMG_0003.MOV")
    try folder.write(Array("text".utf8), to: "notes.txt")
    try folder.write([0, 5, 22, 7], to: "._IMG_0001.JPG")
    let before = try folder.names()
    let assets = try all(open())
    #expect(assets.map(\.name) == ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.MOV"])
    #expect(assets.map(\.metadata.kind) == [.live, .photo, .movie])
    #expect(assets[0].movie == "IMG_0001.MOV")
    #expect(try folder.names() == before)
    for asset in assets {
      let status = try Tools.output("stat", "-c", "%Y", asset.path).lines
      #expect(status.first.flatMap { Int($0) } == asset.metadata.modified / 1000)
    }
  }

  @Test func rendersBelongToTheirOriginals() throws {
    let library = folder.file("library")
    try FileManager.default.copyItem(at: TestFiles.fixture("library-1"), to: library)
    let catalogue = library.appendingPathComponent(".liveedit/library.sqlite")
    let before = try Data(contentsOf: catalogue)
    let index = try AssetIndex(folder: library.path)
    let assets = try index.assets(index.identifiers(AssetQuery()))
    #expect(assets.map(\.name) == ["IMG_0100.JPG", "IMG_0101.JPG", "IMG_0102.MOV"])
    #expect(assets.map(\.metadata.isEdited) == [true, true, false])
    #expect(assets.map(\.metadata.adjustmentFormat) == ["org.liveedit.edit", "org.liveedit.edit", nil])
    for asset in assets where asset.metadata.isEdited {
      let render = library.appendingPathComponent(RenderNames.render(of: asset.name))
      let tags = try Tools.exiftool(render)
      #expect(asset.metadata.width == tags["File:ImageWidth"].flatMap { Int($0) })
      #expect(asset.metadata.height == tags["File:ImageHeight"].flatMap { Int($0) })
    }
    // A catalogue of an earlier version is read without changing it.
    #expect(try Data(contentsOf: catalogue) == before)
    #expect(try index.asset(named: "IMG_E0100.JPG")?.name == "IMG_0100.JPG")
    #expect(try index.asset(named: "IMG_0101.AAE")?.name == "IMG_0101.JPG")
  }

  @Test func whatIsBrokenIsListedWithANote() throws {
    try fixtures("IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.MOV")
    try folder.write([], to: "empty.jpg")
    try folder.write(Array("no photo".utf8), to: "text.jpg")
    try folder.write(Array("no movie".utf8), to: "text.mov")
    try folder.write([UInt8](try folder.read("IMG_0002.MOV").prefix(3000)), to: "cut.mov")
    try folder.write(Array("nonsense".utf8), to: "IMG_0001.AAE")
    try folder.write(try folder.read("IMG_0001.JPG"), to: "clash.jpg")
    try folder.write(try folder.read("IMG_0001.JPG"), to: "clash.jpeg")
    try folder.write(try folder.read("IMG_0001.MOV"), to: "IMG_0002.qt")
    try FileManager.default.createDirectory(at: folder.file("folder.jpg"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: folder.file("gone.jpg"), withDestinationURL: folder.file("nothing"))
    let assets = try all(open())
    let notes = Dictionary(
      uniqueKeysWithValues: assets.map { ($0.name, $0.metadata.notes.joined(separator: "; ")) })
    #expect(
      notes.keys.sorted() == [
        "IMG_0001.JPG", "IMG_0002.MOV", "IMG_0002.qt", "clash.jpeg", "clash.jpg", "cut.mov", "empty.jpg",
        "text.jpg",
        "text.mov",
      ])
    for (name, word) in [
      ("empty.jpg", "empty"), ("text.jpg", "not a JPEG, HEIC or PNG"), ("text.mov", "cut off"),
      ("cut.mov", "cut off"),
      ("IMG_0001.JPG", "does not contain adjustment data"),
      ("clash.jpg", "the folder also contains clash.jpeg"),
      ("IMG_0002.qt", "the folder also contains IMG_0002.MOV"),
    ] {
      #expect(notes[name]?.contains(word) == true, "\(name): \(notes[name] ?? "")")
    }
    #expect(assets.first { $0.name == "empty.jpg" }?.metadata.kind == .photo)
  }

  @Test func halvesBelongTogetherByTheirIdentifiers() throws {
    try fixtures("IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG", "IMG_0003.MOV")
    try FileManager.default.moveItem(at: folder.file("IMG_0001.MOV"), to: folder.file("clip.MOV"))
    try FileManager.default.moveItem(at: folder.file("IMG_0003.MOV"), to: folder.file("IMG_0002.MOV"))
    try makeLibrary()
    for round in 0..<2 {
      let assets = try all(open(.always))
      #expect(assets.map(\.name) == ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0002.MOV"], "round \(round)")
      #expect(assets.map(\.movie) == ["clip.MOV", nil, "IMG_0002.MOV"])
      #expect(assets.map(\.metadata.kind) == [.live, .photo, .movie])
      #expect(assets[1].metadata.notes.first?.contains("are not a Live Photo") == true)
      #expect(try open(.never).asset(named: "clip.MOV")?.name == "IMG_0001.JPG")
    }
    // If a second photo has the same identifier, the movie's photo is ambiguous.
    try FileManager.default.copyItem(at: folder.file("IMG_0001.JPG"), to: folder.file("copy.JPG"))
    try FileManager.default.removeItem(at: folder.file("IMG_0001.JPG"))
    try FileManager.default.copyItem(at: folder.file("copy.JPG"), to: folder.file("again.JPG"))
    let kinds = try all(open()).map { "\($0.name) \($0.metadata.kind)" }
    #expect(
      kinds == [
        "IMG_0002.JPG photo", "IMG_0002.MOV movie", "again.JPG photo", "clip.MOV movie", "copy.JPG photo",
      ])
  }

  @Test func aKeptIndexFollowsItsFolder() throws {
    try fixtures("IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG")
    try makeLibrary()
    #expect(try names(open()) == ["IMG_0001.JPG", "IMG_0002.JPG"])
    #expect(try folder.names().contains(".liveedit"))
    #expect(FileManager.default.fileExists(atPath: folder.file(".liveedit/index.sqlite").path))
    // Assets are added, removed and renamed, and one loses a half.
    try fixtures("IMG_0003.JPG", "IMG_0003.MOV")
    try FileManager.default.moveItem(at: folder.file("IMG_0002.JPG"), to: folder.file("renamed.JPG"))
    try FileManager.default.removeItem(at: folder.file("IMG_0001.MOV"))
    let assets = try all(open())
    #expect(assets.map(\.name) == ["IMG_0001.JPG", "IMG_0003.JPG", "renamed.JPG"])
    #expect(assets.map(\.metadata.kind) == [.photo, .live, .photo])
  }

  /// An unchanged folder is not scanned again. A changed file is read again when it is shown.
  @Test func aSettledFolderIsNotScannedAgain() throws {
    try fixtures("IMG_0001.JPG", "IMG_0002.JPG")
    try makeLibrary()
    try settle()
    _ = try open()
    let index = try open()
    let identifiers = try index.identifiers(AssetQuery())
    // The file is overwritten in place without the index being told.
    try Data(contentsOf: TestFiles.fixture("IMG_0003.JPG")).write(to: folder.file("IMG_0001.JPG"))
    let tags = try Tools.exiftool(folder.file("IMG_0001.JPG"))
    let asset = try #require(try index.assets(identifiers.prefix(1)).first)
    #expect(asset.metadata.model == tags["IFD0:Model"])
    try FileManager.default.removeItem(at: folder.file("IMG_0002.JPG"))
    #expect(try index.assets(identifiers).map(\.name) == ["IMG_0001.JPG"])
    #expect(try names(open()) == ["IMG_0001.JPG"])
    // The metadata that was read again is now stored.
    #expect(try open(.never).asset(named: "IMG_0001.JPG")?.metadata.model == tags["IFD0:Model"])
  }

  @Test func whatIsNotKnownIsReadByItsName() throws {
    try fixtures("IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG")
    let index = try open(.never)
    #expect(try index.identifiers(AssetQuery(includesHidden: true)).isEmpty)
    #expect(try index.asset(named: "IMG_0001.MOV")?.metadata.kind == .live)
    #expect(try index.asset(named: "IMG_0009.MOV") == nil)
    #expect(try index.asset(named: "IMG_0001.AAE") == nil)
    try folder.write(Array("no photo".utf8), to: "text.jpg")
    #expect(try index.asset(named: "text.jpg")?.metadata.notes.count == 1)
  }

  /// A new version beside a known asset is found without a scan.
  @Test func aRenderThatCameIsSeenByName() throws {
    try fixtures("IMG_0001.JPG")
    try makeLibrary()
    _ = try open()
    #expect(try open(.never).asset(named: "IMG_0001.JPG")?.metadata.isEdited == false)
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0003.JPG"), to: folder.file("IMG_E0001.JPG"))
    let tags = try Tools.exiftool(folder.file("IMG_E0001.JPG"))
    let asset = try #require(try open(.never).asset(named: "IMG_E0001.JPG"))
    #expect(asset.name == "IMG_0001.JPG")
    #expect(asset.metadata.isEdited)
    #expect(asset.metadata.width == tags["File:ImageWidth"].flatMap { Int($0) })
  }

  @Test func anIndexThatCannotBeUsedIsMadeAnew() throws {
    try fixtures("IMG_0001.JPG", "IMG_0002.JPG")
    try makeLibrary()
    _ = try open()
    let file = folder.file(".liveedit/index.sqlite")
    let sound = try Data(contentsOf: file)
    var torn = sound
    for at in torn.indices.dropFirst(4096) { torn[at] = 0xA5 }
    for bad in [Data("no database".utf8), Data(), torn] {
      try bad.write(to: file)
      #expect(try names(open()) == ["IMG_0001.JPG", "IMG_0002.JPG"])
      #expect(try names(open()) == ["IMG_0001.JPG", "IMG_0002.JPG"])
    }
    try sound.write(to: file)
    try Tools.output(
      "python3", "-c",
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 99')", file.path)
    #expect(try names(open()) == ["IMG_0001.JPG", "IMG_0002.JPG"])
    // If no index can be stored, the folder itself is read.
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(try names(open()) == ["IMG_0001.JPG", "IMG_0002.JPG"])
  }

  @Test func aLibraryThatIsDamagedDoesNotHideThePhotos() throws {
    try fixtures("IMG_0001.JPG")
    try makeLibrary()
    try Data("no database".utf8).write(to: folder.file(".liveedit/library.sqlite"))
    var said: [String] = []
    let index = try AssetIndex(folder: folder.url.path) { said.append($0.description) }
    #expect(try names(index) == ["IMG_0001.JPG"])
    #expect(said.count == 1 && said[0].contains("check --repair"))
  }

  @Test func foldersThatAreNone() throws {
    try fixtures("IMG_0001.JPG")
    for path in [folder.file("nothing").path, folder.file("IMG_0001.JPG").path] {
      let error = #expect(throws: EditError.self) { try AssetIndex(folder: path) }
      #expect(error?.file == path)
    }
  }

  /// A burst is represented by its first photo by date, and by name if the dates are equal.
  @Test func aBurstHasARepresentative() throws {
    try fixtures("IMG_0001.JPG")
    // A maker note that contains only tag 0x000B. exiftool cannot add that tag to an existing maker note.
    let note =
      Array("Apple iOS".utf8) + [
        0, 0, 1, 0x4D, 0x4D, 0, 1, 0, 0x0B, 0, 2, 0, 0, 0, 5, 0, 0, 0, 0x20, 0, 0, 0, 0,
      ]
    try folder.write(note + Array("UUID".utf8) + [0], to: "note")
    for (name, second) in [("a", "12"), ("b", "11"), ("c", "11"), ("d", "13")] {
      let bytes = try folder.photo(exiftool: [
        "-Make=Apple", "-MakerNotes<=" + folder.file("note").path,
        "-DateTimeOriginal=2020:01:01 10:00:" + second,
      ])
      let file = try folder.write(bytes, to: name + ".jpg")
      #expect(try Tools.exiftool(file)["Apple:BurstUUID"] == "UUID")
    }
    try FileManager.default.removeItem(at: folder.file("photo.jpg"))
    let assets = try all(open())
    #expect(assets.filter { $0.metadata.burst != nil }.map(\.name) == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    #expect(assets.filter(\.representsBurst).map(\.name) == ["b.jpg"])
  }

  @Test func operationsSayWhatStandsInTheirWay() throws {
    try fixtures("IMG_0001.JPG", "IMG_0001.MOV", "IMG_0003.MOV")
    try FileManager.default.moveItem(at: folder.file("IMG_0003.MOV"), to: folder.file("IMG_0002.MOV"))
    try fixtures("IMG_0002.JPG")
    let index = try open()
    let good = try #require(try index.asset(named: "IMG_0001.JPG"))
    #expect(good.refusal(of: .edit) == nil)
    #expect(good.refusal(of: .mark) == nil)
    #expect(good.refusal(of: .revert)?.problem == "is the original")
    #expect(good.refusal(of: .redo)?.code == .notFound)
    let torn = try #require(try index.asset(named: "IMG_0002.JPG"))
    #expect(torn.refusal(of: .edit)?.code == .pairing)
  }

  /// SQLite answers these queries without searching the index again for each asset, according to its own query plan.
  @Test(arguments: [AssetField.representative, .album])
  func noAssetIsComparedWithAllOthers(_ field: AssetField) throws {
    let database = try Database.temporary()
    try IndexSchema.create(in: database)
    try database.run(IndexSchema.noCollections)
    let plan = try database.rows(
      "EXPLAIN QUERY PLAN SELECT item.id FROM item WHERE " + FilterCondition(has: field).text
    ).compactMap { $0.last?.text }
    #expect(!plan.isEmpty)
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    if field == .album { #expect(!plan.contains { $0.contains("CORRELATED") }, "\(plan)") }
  }
}
