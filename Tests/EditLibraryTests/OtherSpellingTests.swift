import Basics
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of names that return in a different spelling: decomposed by a Mac (Unicode form D), composed again by Samba or
/// an archive (form C), or in different case on a file system that ignores case.
@Suite struct OtherSpellingTests {
  let folder: TemporaryFolder
  /// The letter é in both forms (Unicode Standard Annex 15, figure 3).
  let decomposed = "e\u{301}"
  let composed = "\u{E9}"

  init() throws {
    folder = try TemporaryFolder()
  }

  func copy(_ fixture: String, to name: String) throws {
    try File.create(folder.url.path + "/" + name, bytes: Array(Data(contentsOf: TestFiles.fixture(fixture))))
  }

  func asset(_ name: String) throws -> OriginalFiles {
    var locator = AssetLocator(recovers: false)
    return try locator.locate(folder.url.path + "/" + name)
  }

  func addVersion(_ text: String, of name: String, turned orientation: Orientation) throws {
    let asset = try asset(name)
    let library = try Library.forWriting(folder.url.path)
    defer { library.close() }
    let output = try library.workFile("photo")
    try File.create(output, bytes: Array(text.utf8))
    try library.commit([
      library.addingVersion(
        to: library.state(of: asset), base: 0,
        adjustment: AdjustmentData(edit: Edit(orientation: orientation), settings: .standard),
        outputs: [.photo: output], build: "test")
    ])
  }

  /// Creates a photo with two versions that is marked and in an album, and a photo that is only marked.
  func edit() throws {
    try copy("IMG_0001.JPG", to: decomposed + ".JPG")
    try copy("gainmap.JPG", to: "m" + decomposed + ".JPG")
    try addVersion("one", of: decomposed + ".JPG", turned: .right)
    try addVersion("two", of: decomposed + ".JPG", turned: .down)
    let library = try Library.forWriting(folder.url.path)
    defer { library.close() }
    try library.mark([decomposed, "m" + decomposed], MarkChange(favourite: true))
    try library.createAlbum("Summer")
    try library.add([decomposed, "m" + decomposed], toAlbum: "Summer")
    #expect(try listed() == exact([decomposed + ".JPG", "m" + decomposed + ".JPG"]))
  }

  /// Returns names as byte-exact values.
  func exact(_ names: [String]) -> Set<ExactName> { Set(names.map(ExactName.init)) }

  func listed() throws -> Set<ExactName> {
    let index = try AssetIndex(folder: folder.url.path, refresh: .always)
    let names = try index.assets(index.identifiers(AssetQuery())).map(\.name)
    #expect(exact(names).count == names.count)
    return exact(names)
  }

  enum Renamed: CaseIterable {
    case originals, everything, versions
  }

  /// Renames files as `convmv -f utf8 -t utf8 --nfc` does.
  func compose(_ renamed: Renamed) throws {
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted {
      $0.count > $1.count
    }
    for path in all {
      let (parent, name) = FilePath.split(path)
      let new = String(
        name.unicodeScalars.reduce(into: "".unicodeScalars) { scalars, scalar in
          if scalar == "\u{301}", scalars.last == "e" {
            scalars.removeLast()
            scalars.append("\u{E9}")
          } else {
            scalars.append(scalar)
          }
        })
      let isOriginal = parent.isEmpty && [decomposed + ".JPG", "m" + decomposed + ".JPG"].contains(name)
      let isVersion = parent.hasPrefix(".liveedit/versions")
      guard !new.hasBytes(of: name),
        renamed == .everything || (renamed == .originals ? isOriginal : isVersion)
      else { continue }
      let base = folder.url.path + "/"
      // Compares bytes, because Foundation would consider both names equal.
      try #require(rename(base + path, base + FilePath.joined(parent, new)) == 0)
    }
  }

  /// Checks the recorded state and its bytes, in any spelling.
  func expectAll(as form: String) throws {
    let library = try Library.forReading(folder.url.path)
    #expect(try library.check().findings.map(\.file) == [])
    #expect(try library.stems().map(ExactName.init) == [ExactName(form)])
    let record = try #require(try library.record(of: form))
    #expect(record.current == 2 && !record.versions.contains { !$0.hasFiles || $0.isLost })
    for (number, text) in [(1, "one"), (2, "two")] {
      let file = try #require(record.version(number)?.file(.photo))
      let place = Library.place(of: file, version: number, in: record)
      #expect(try library.home.bytes(of: place, atMost: 100) == Array(text.utf8))
    }
    let marks = try #require(try library.keptCollections())
    #expect(exact(marks.favourites) == exact([form, "m" + form]))
    #expect(marks.albums.map { $0.stems.map(ExactName.init) } == [[form, "m" + form].map(ExactName.init)])
    #expect(
      try !FileManager.default.subpathsOfDirectory(atPath: folder.url.path).contains {
        $0.contains("damaged")
      })
  }

  @Test(arguments: Renamed.allCases)
  func aRepairTakesAlongAllThatHasAnotherForm(_ renamed: Renamed) throws {
    try edit()
    try compose(renamed)
    let form = renamed == .versions ? decomposed : composed
    #expect(try listed() == exact([form + ".JPG", "m" + form + ".JPG"]))
    #expect(try !Library.forReading(folder.url.path).check().findings.isEmpty)
    try Library.repair(folder.url.path) { _ in }
    try expectAll(as: form)
  }

  @Test(arguments: [Renamed.originals, .everything])
  func aLostCatalogueIsRebuiltInThePresentForm(_ renamed: Renamed) throws {
    try edit()
    try compose(renamed)
    try FileManager.default.removeItem(at: folder.file(".liveedit/library.sqlite"))
    try Library.repair(folder.url.path) { _ in }
    try expectAll(as: composed)
  }

  /// No repair is needed first: an edit continues the history, and a library opened for reading finds it.
  @Test(arguments: [Renamed.originals, .everything])
  func anEditGoesOnWithTheHistory(_ renamed: Renamed) throws {
    try edit()
    try compose(renamed)
    let asset = try asset(composed + ".JPG")
    let state = try Library.forReading(folder.url.path).state(of: asset, isReading: true)
    #expect(state.record.current == 2 && state.record.versions.count == 2 && state.notes.isEmpty)
    try addVersion("three", of: composed + ".JPG", turned: .left)
    let library = try Library.forReading(folder.url.path)
    #expect(try library.stems().map(ExactName.init) == [ExactName(composed)])
    #expect(try library.record(of: composed)?.versions.map(\.number) == [1, 2, 3])
    #expect(try library.record(of: composed)?.current == 3)
  }

  /// A file whose name is merely the other form of the name is not a renamed original.
  @Test func anotherPhotoOfTheNameIsNotTakenForTheOriginal() throws {
    try edit()
    _ = try File.remove(folder.url.path + "/" + decomposed + ".JPG")
    try copy("IMG_0003.JPG", to: composed + ".JPG")
    try Library.repair(folder.url.path) { _ in }
    let library = try Library.forReading(folder.url.path)
    #expect(try library.stems().map(ExactName.init) == [ExactName(decomposed)])
    let asset = try asset(composed + ".JPG")
    let error = #expect(throws: EditError.self) { try library.state(of: asset) }
    #expect(error?.code == .changedOriginal)
  }

  /// If the file system distinguishes case, both photos have their own history.
  @Test func caseTellsPhotosApartHere() throws {
    try copy("IMG_0001.JPG", to: "IMG.JPG")
    try copy("IMG_0003.JPG", to: "img.JPG")
    #expect(try !FolderListing(folder: folder.url.path).ignoresCase)
    try addVersion("one", of: "IMG.JPG", turned: .right)
    try addVersion("two", of: "img.JPG", turned: .down)
    let library = try Library.forReading(folder.url.path)
    #expect(try library.stems() == ["IMG", "img"] && library.check().findings.isEmpty)
    #expect(try library.record(of: "img")?.originals.map(\.name) == ["img.JPG"])
    #expect(try listed() == exact(["IMG.JPG", "img.JPG"]))
    try FileManager.default.removeItem(at: folder.file("img.JPG"))
    try Library.repair(folder.url.path) { _ in }
    #expect(try Library.forReading(folder.url.path).stems() == ["IMG", "img"])
  }

  /// Simulates the listing of a folder that ignores case, because no folder here does.
  @Test func aFolderThatIgnoresCaseGroupsNamesWithoutIt() throws {
    for name in [
      "IMG_0001.JPG", "img_0001.mov", "img_e0001.jpg", "Img_0001.aae", "Sea.jpg", "SEA_EDITED.jpg",
    ] {
      try folder.write([], to: name)
    }
    let listing = try FolderListing(folder: folder.url.path, ignoringCase: true)
    #expect(listing.halves(stem: "img_0001", kind: .photo) == ["IMG_0001.JPG"])
    #expect(listing.halves(stem: "IMG_0001", kind: .movie) == ["img_0001.mov"])
    #expect(listing.adjustments(stem: "IMG_0001") == ["Img_0001.aae"])
    #expect(listing.assetFiles == [["IMG_0001.JPG", "img_0001.mov"], ["Sea.jpg"]])
    let edited = EditedFiles(originals: ["IMG_0001.JPG"], ofAsset: "IMG_0001", in: listing)
    #expect(edited.names.map(\.name) == ["img_e0001.jpg", "Img_0001.aae"])
    #expect(listing.spelling(of: "sea.JPG") == "sea.JPG", "no such file is there")
    let exact = try FolderListing(folder: folder.url.path)
    #expect(exact.halves(stem: "IMG_0001", kind: .movie).isEmpty)
    #expect(
      exact.assetNames == ["IMG_0001.JPG", "SEA_EDITED.jpg", "Sea.jpg", "img_0001.mov", "img_e0001.jpg"])
  }

  /// A library's folders can be moved to a file system that considers two of its names equal.
  @Test func rootsHaveNamesThatDifferInMoreThanSpelling() {
    let roots = RootIndex(LibraryRoots(roots: [LibraryRoot(name: "Foto\u{E9}", path: "/a/Foto\u{E9}")]))
    for name in ["Fotoe\u{301}", "foto\u{E9}", "FOTO\u{C9}"] { #expect(roots.firstNumber(of: name) == 2) }
    #expect(roots.firstNumber(of: "Foto") == 1)
  }
}
