import Basics
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of folders whose catalogue and versions come from different moments or computers.
@Suite struct StaleCatalogueTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    }
    for name in ["IMG_0001.JPG", "IMG_0003.JPG"] {
      try FileManager.default.copyItem(at: TestFiles.fixture(name), to: folder.file("a/" + name))
    }
  }

  /// A library whose versions each have a different exposure.
  struct Maker {
    let place: String
    var count = 0

    func open() throws -> Library { try Library.forWriting(place) }

    func asset(_ name: String) throws -> OriginalFiles {
      var locator = AssetLocator()
      return try locator.locate(place + "/" + name)
    }

    /// Adds a version. If `isForeign`, another program has changed the render before.
    mutating func edit(_ name: String, isForeign: Bool = false) throws {
      count += 1
      let render = place + "/" + name.replacingOccurrences(of: "IMG_", with: "IMG_E")
      if isForeign, FileManager.default.fileExists(atPath: render) {
        try FileManager.default.removeItem(atPath: render)
        try Data("foreign \(place) \(count)".utf8).write(to: URL(fileURLWithPath: render))
      }
      let library = try open()
      defer { library.close() }
      let output = try library.workFile("photo")
      try File.create(output, bytes: Array("render \(place) \(count)".utf8))
      var edit = Edit()
      edit.adjustments[.exposure] = Double(count) / 100
      let state = try library.state(of: asset(name))
      let commit = try library.addingVersion(
        to: state, base: 0, adjustment: AdjustmentData(edit: edit, settings: .standard),
        outputs: [.photo: output], build: "test")
      try library.commit([commit])
    }

    func go(_ name: String, to number: (AssetRecord) -> Int?) throws {
      let library = try open()
      defer { library.close() }
      let state = try library.state(of: asset(name), isLeaving: true)
      guard let target = number(state.record), target != state.record.current else { return }
      let version = state.record.version(state.record.holder(of: target))
      guard version == nil || version?.hasFiles == true else { return }
      try library.commit([library.movingPointer(of: state, to: target)])
    }
  }

  /// Returns the versions listed in a catalogue or in descriptions, each identified by its stem and its edit or the
  /// hash of its foreign bytes.
  func catalogued(_ place: String) throws -> Set<String> {
    let file = DatabaseFile(folder: try HeldFolder(path: place), place: LibraryPaths.catalogue)
    let rows = try Database(file, .reading, isStopped: { false }).rows(
      """
      SELECT stem || ' ' || origin || ' ' || CASE WHEN origin = 'rendered' THEN hex(data) ELSE
        ifnull((SELECT sha256 FROM file WHERE file.asset = asset.id AND version = number AND role = 'photo'), '') END
      FROM version JOIN asset ON asset.id = version.asset
      """)
    return Set(rows.compactMap { $0[0].text })
  }

  func files(_ place: String) throws -> Set<Data> {
    var found: Set<Data> = []
    let all = FileManager.default.enumerator(atPath: place)
    while let name = all?.nextObject() as? String {
      guard let data = FileManager.default.contents(atPath: place + "/" + name),
        data.starts(with: Array("foreign".utf8))
      else { continue }
      found.insert(data)
    }
    return found
  }

  func check(_ place: String) throws -> [String] {
    try Library.forReading(place).check().findings.map { "\($0.file): \($0.problem)" }
  }

  func copy(_ place: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: target)
    // Copies the timestamps too, as a backup does.
    try Tools.output("cp", "-a", place, target)
  }

  /// Copies differing files from one folder to another, as Syncthing does: the older file becomes a conflict copy.
  private func synchronise(_ one: String, _ other: String) throws {
    for (from, to) in [(one, other), (other, one), (one, other)] {
      for case let name as String in FileManager.default.enumerator(atPath: from)?.allObjects ?? [] {
        let (source, target) = (
          URL(fileURLWithPath: from + "/" + name), URL(fileURLWithPath: to + "/" + name)
        )
        guard (try source.resourceValues(forKeys: [.isRegularFileKey])).isRegularFile == true,
          source.lastPathComponent != "lock"
        else { continue }
        try FileManager.default.createDirectory(
          at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard FileManager.default.fileExists(atPath: target.path) else {
          try Tools.output("cp", "-p", source.path, target.path)
          continue
        }
        guard try Data(contentsOf: source) != Data(contentsOf: target) else { continue }
        func time(_ file: URL) throws -> Date {
          try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
            ?? .distantPast
        }
        let (older, newer) = try time(source) < time(target) ? (source, target) : (target, source)
        let ending = older.pathExtension
        let base = older.deletingPathExtension().path
        let conflict = base + ".sync-conflict-20261130-101112-ABCDEFG" + (ending.isEmpty ? "" : "." + ending)
        try FileManager.default.moveItem(atPath: older.path, toPath: conflict)
        try Tools.output("cp", "-p", newer.path, older.path)
      }
    }
  }

  @Test func twoComputersBothEdited() throws {
    var here = Maker(place: folder.file("a").path)
    try here.edit("IMG_0001.JPG")
    try copy(here.place, to: folder.file("b").path)
    var there = Maker(place: folder.file("b").path, count: 100)
    try here.edit("IMG_0001.JPG", isForeign: true)
    try there.edit("IMG_0001.JPG", isForeign: true)
    try there.edit("IMG_0003.JPG")
    let marking = try here.open()
    try marking.mark(["IMG_0003"], MarkChange(favourite: true))
    marking.close()
    // The edit on the later branch is made a second after the other.
    Thread.sleep(forTimeInterval: 1.1)
    try there.edit("IMG_0001.JPG")
    let known = try catalogued(here.place).union(catalogued(there.place))
    let foreign = try files(here.place).union(files(there.place))
    try synchronise(here.place, there.place)
    for place in [here.place, there.place] {
      let found = try check(place)
      #expect(found.contains { $0.contains("library.sync-conflict-") })
      var said: [String] = []
      try Library.repair(place) { said.append($0.description) }
      #expect(try known.subtracting(catalogued(place)).isEmpty, "\(said)")
      #expect(try foreign.subtracting(files(place)).isEmpty, "\(said)")
      #expect(try check(place).isEmpty, "\(said)")
    }
    let record = try #require(try Library.forReading(here.place).record(of: "IMG_0001"))
    #expect(record.currentVersion?.recordedEdit?.edit.adjustments[.exposure] == 1.03)
    #expect(record.versions.filter(\.isAside).count == 2)
    #expect(try Library.forReading(here.place).keptCollections()?.favourites == ["IMG_0003"])
  }

  /// The next edit notices a catalogue from a backup and is refused. A repair restores everything.
  @Test func aStaleCatalogueIsKnownAsSuch() throws {
    var maker = Maker(place: folder.file("a").path)
    try maker.edit("IMG_0001.JPG")
    let catalogue = folder.file("a/.liveedit/library.sqlite")
    let old = try Data(contentsOf: catalogue)
    try maker.edit("IMG_0001.JPG")
    let record = try Library.forReading(maker.place).record(of: "IMG_0001")
    try old.write(to: catalogue)
    let error = #expect(throws: EditError.self) { try maker.edit("IMG_0001.JPG") }
    #expect(error?.code == .damagedLibrary && error?.problem.description.contains("out of date") == true)
    try Library.repair(maker.place) { _ in }
    let repaired = try Library.forReading(maker.place).record(of: "IMG_0001")
    #expect(repaired?.versions.map(\.adjustment) == record?.versions.map(\.adjustment))
    #expect(repaired?.current == 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("a/.liveedit").path)
    #expect(names.contains { $0.hasPrefix("library.sqlite.before-repair-") })
  }

  /// A mark set with an older catalogue must not overwrite the marks that this catalogue lacks.
  @Test func marksAreNotLostToAStaleCatalogue() throws {
    var maker = Maker(place: folder.file("a").path)
    try maker.edit("IMG_0001.JPG")
    func mark(_ stem: String) throws {
      let library = try maker.open()
      defer { library.close() }
      try library.mark([stem], MarkChange(favourite: true))
    }
    try mark("IMG_0003")
    let catalogue = folder.file("a/.liveedit/library.sqlite")
    let old = try Data(contentsOf: catalogue)
    try mark("IMG_0001")
    try old.write(to: catalogue)
    let error = #expect(throws: EditError.self) { try mark("IMG_0009") }
    #expect(error?.code == .damagedLibrary)
    try Library.repair(maker.place) { _ in }
    #expect(try Library.forReading(maker.place).keptCollections()?.favourites == ["IMG_0001", "IMG_0003"])
    try mark("IMG_0009")
    #expect(try check(maker.place).isEmpty)
  }

  /// Conflict copies that cannot be merged are kept: copies of a newer liveedit under their own name, damaged copies
  /// marked as damaged.
  @Test func conflictCopiesThatCannotBeMerged() throws {
    var maker = Maker(place: folder.file("a").path)
    try maker.edit("IMG_0001.JPG")
    let library = maker.place + "/.liveedit/"
    let newer = library + "library.sync-conflict-20261130-101112-ABCDEFG.sqlite"
    try FileManager.default.copyItem(atPath: library + "library.sqlite", toPath: newer)
    try Tools.output(
      "python3", "-c",
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 99')",
      newer)
    let damaged = ["library (conflicted copy 2026-11-30 101112).sqlite", "collections.json~"]
    for name in damaged { try Data("damaged".utf8).write(to: URL(fileURLWithPath: library + name)) }
    #expect(try check(maker.place).count == 3)
    try Library.repair(maker.place) { _ in }
    let names = try FileManager.default.contentsOfDirectory(atPath: library)
    for name in damaged { #expect(names.contains(name + ".damaged-1")) }
    #expect(
      try check(maker.place) == [
        "\(newer): was written by a newer liveedit; run the check with the newer liveedit"
      ])
  }

  /// A catalogue from before an asset was renamed.
  @Test func aMovedAssetKeepsOneHistory() throws {
    var maker = Maker(place: folder.file("a").path)
    for _ in 1...2 { try maker.edit("IMG_0001.JPG") }
    let catalogue = folder.file("a/.liveedit/library.sqlite")
    let old = try Data(contentsOf: catalogue)
    let library = try maker.open()
    let recorded = try #require(try library.record(of: "IMG_0001"))
    _ = try library.transfer(recorded, to: library, photo: "Beach.JPG", movie: nil, report: { _ in })
    library.close()
    try maker.edit("Beach.JPG")
    let record = try Library.forReading(maker.place).record(of: "Beach")
    try old.write(to: catalogue)
    var said: [String] = []
    try Library.repair(maker.place) { said.append($0.description) }
    #expect(!said.contains { $0.contains("lost") }, "\(said)")
    #expect(try check(maker.place).isEmpty)
    #expect(try Library.forReading(maker.place).stems() == ["Beach"])
    let repaired = try Library.forReading(maker.place).record(of: "Beach")
    #expect(repaired?.versions.map(\.adjustment) == record?.versions.map(\.adjustment))
  }

  /// A description in a later build's format is kept unchanged, and its asset cannot be edited.
  @Test func aNewerDescriptionIsLeft() throws {
    var maker = Maker(place: folder.file("a").path)
    try maker.edit("IMG_0001.JPG")
    let later = folder.file("a/.liveedit/versions/IMG_0001/2/version.json")
    try FileManager.default.createDirectory(
      at: later.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(#"{"form": 9, "number": 2}"#.utf8).write(to: later)
    #expect(
      try check(maker.place) == [
        "\(later.path): was written by a newer liveedit; run the check with the newer liveedit"
      ])
    try Library.repair(maker.place) { _ in }
    #expect(try Data(contentsOf: later) == Data(#"{"form": 9, "number": 2}"#.utf8))
    let error = #expect(throws: EditError.self) { try maker.edit("IMG_0001.JPG") }
    #expect(error?.code == .unsupported)
  }

  /// A renamed folder of versions gets its name back before any report on its contents.
  @Test(arguments: ["IMG_0001 old", "IMG_0001/first"])
  func aRenamedFolderOfVersionsIsBroughtBack(_ name: String) throws {
    var maker = Maker(place: folder.file("a").path)
    try maker.edit("IMG_0001.JPG")
    try maker.edit("IMG_0001.JPG", isForeign: true)
    let record = try Library.forReading(maker.place).record(of: "IMG_0001")
    let versions = maker.place + "/.liveedit/versions/"
    try FileManager.default.moveItem(
      atPath: versions + (name.contains("/") ? "IMG_0001/2" : "IMG_0001"), toPath: versions + name)
    var said: [String] = []
    try Library.repair(maker.place) { said.append($0.description) }
    #expect(said.allSatisfy { $0.hasPrefix("renamed ") } && !said.isEmpty, "\(said)")
    #expect(try Library.forReading(maker.place).record(of: "IMG_0001")?.versions == record?.versions)
    #expect(try check(maker.place).isEmpty)
  }
}
