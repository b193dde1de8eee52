import Basics
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of moving assets to another folder: moves that are interrupted between their transactions, and untruthful
/// catalogues.
@Suite struct TransferTests {
  let root: TemporaryFolder
  /// The folder that the asset leaves and the folder where it arrives.
  let (a, b): (String, String)

  init() throws {
    root = try TemporaryFolder()
    (a, b) = (root.file("a").path, root.file("b").path)
    for folder in [a, b] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0001.JPG"), to: root.file("a/IMG_0001.JPG"))
  }

  /// Gives the asset two versions, a mark and an album.
  func edit() throws {
    let library = try Library.forWriting(a)
    defer { library.close() }
    var locator = AssetLocator(recovers: false)
    let asset = try locator.locate(a + "/IMG_0001.JPG")
    for (text, orientation) in [("one", Orientation.right), ("two", .down)] {
      let output = try library.workFile("photo")
      try File.create(output, bytes: Array(text.utf8))
      try library.commit([
        library.addingVersion(
          to: library.state(of: asset), base: 0,
          adjustment: AdjustmentData(edit: Edit(orientation: orientation), settings: .standard),
          outputs: [.photo: output], build: "test")
      ])
    }
    try library.mark(["IMG_0001"], MarkChange(favourite: true))
    try library.createAlbum("Summer")
    try library.add(["IMG_0001"], toAlbum: "Summer")
  }

  /// Returns everything visible in the two folders.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for folder in ["a", "b"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: root.file(folder).path)
      where name != ".liveedit" {
        files[folder + "/" + name] = try Data(contentsOf: root.file(folder + "/" + name))
      }
    }
    return files
  }

  func expectOld(_ before: [String: Data]) throws {
    #expect(try files() == before)
    for folder in [a, b] {
      let library = try Library.forReading(folder)
      #expect(try library.check().findings.isEmpty)
      #expect(try library.record(of: "IMG_0001")?.versions.count == (folder == a ? 2 : nil))
      #expect(try library.albums().first?.stems == (folder == a ? ["IMG_0001"] : nil))
    }
  }

  func expectNew(_ before: [String: Data]) throws {
    let names = [
      "IMG_0001.JPG": "Beach.JPG", "IMG_E0001.JPG": "Beach_edited.JPG", "IMG_0001.AAE": "Beach.AAE",
    ]
    var expected: [String: Data] = [:]
    for (old, new) in names { expected["b/" + new] = before["a/" + old] }
    #expect(try files() == expected)
    let (from, to) = (try Library.forReading(a), try Library.forReading(b))
    for library in [from, to] { #expect(try library.check().findings.isEmpty) }
    #expect(try from.stems().isEmpty)
    #expect(try from.albums().map(\.stems) == [[]])
    #expect(try to.albums() == [Album(name: "Summer", stems: ["Beach"])])
    #expect(try to.keptCollections()?.favourites == ["Beach"] && from.keptCollections()?.favourites == [])
    let record = try #require(try to.record(of: "Beach"))
    #expect(record.versions.map(\.number) == [1, 2] && record.current == 2)
    // A lost catalogue is rebuilt from the versions' folders, with the new names.
    to.catalogue = nil
    try FileManager.default.removeItem(atPath: b + "/.liveedit/library.sqlite")
    try Library.repair(b) { _ in }
    let rebuilt = try Library.forReading(b)
    func contents(_ record: AssetRecord?) -> [[String]]? {
      record?.versions.map { $0.files.flatMap { [$0.name, $0.fingerprint.sha256] } }
    }
    #expect(try contents(rebuilt.record(of: "Beach")) == contents(record))
    #expect(try rebuilt.check().findings.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: a + "/.liveedit/versions/IMG_0001"))
  }

  let id = AssetTransfer.newIdentifier()
  var arriving: AssetTransfer {
    AssetTransfer(id: id, arrives: true, other: "../a", stem: "IMG_0001", photo: "Beach.JPG", movie: nil)
  }

  /// Records one or both sides of a move, like a process that dies afterwards.
  func begin(arriving isArriving: Bool = true, leaving isLeaving: Bool) throws {
    if isArriving {
      let to = try Library.forWriting(b)
      try to.catalogueForWriting().begin(arriving, of: nil)
      to.close()
    }
    guard isLeaving else { return }
    let from = try Library.locked(a, .besideOriginals, { false }, report: { _ in })
    try from.open(.writing)
    try from.catalogue?.begin(arriving.reversed("../b"), of: from.record(of: "IMG_0001"))
    from.close()
  }

  @Test func aMoveTakesEverythingAlong() throws {
    try edit()
    let before = try files()
    let moved = try Library.move(a + "/IMG_E0001.JPG", to: .stem("Beach", folder: b))
    #expect(moved.new == [b + "/Beach.JPG"] && moved.left.isEmpty)
    try expectNew(before)
  }

  /// If only one side is recorded, the move has not begun and is undone, no matter which library is opened next and
  /// whether for reading or writing.
  @Test(arguments: [true, false])
  func oneSideAloneIsUndone(_ opensTarget: Bool) throws {
    try edit()
    let before = try files()
    try begin(leaving: false)
    var said: [String] = []
    try Library.forWriting(opensTarget ? b : a, report: { said.append($0.description) }).close()
    #expect(said == (opensTarget ? ["undid an interrupted move of IMG_0001: no file had been moved"] : []))
    try expectOld(before)
    #expect(try Library.forReading(b).catalogue?.transfers().isEmpty != false)
  }

  /// A process that already holds one of the libraries finishes the interrupted move, and does not wait for itself.
  @Test func aHeldLibraryIsNoObstacle() throws {
    try edit()
    let before = try files()
    try begin(leaving: false)
    var said: [String] = []
    func hear(_ message: Message) {
      // Another test that starts a program may hold the lock for a moment.
      if !message.description.hasPrefix("waiting for process") { said.append(message.description) }
    }
    let from = try Library.forWriting(a, report: hear)
    let to = try Library.forWriting(b, beside: from, report: hear)
    #expect(said == ["undid an interrupted move of IMG_0001: no file had been moved"])
    to.close()
    from.close()
    try expectOld(before)
    try begin(leaving: false)
    _ = try Library.move(a + "/IMG_0001.JPG", to: .stem("Beach", folder: b))
    try expectNew(before)
  }

  /// If both sides are recorded, the move is finished from either side, even if the library is only opened for reading.
  @Test(arguments: [true, false], [true, false])
  func bothSidesGoOn(_ opensTarget: Bool, _ isReading: Bool) throws {
    try edit()
    let before = try files()
    try begin(leaving: true)
    var said: [String] = []
    let folder = opensTarget ? b : a
    if isReading {
      _ = try Library.forReading(folder, report: { said.append($0.description) })
    } else {
      try Library.forWriting(folder, report: { said.append($0.description) }).close()
    }
    #expect(said.count == 1 && said[0].contains("finished an interrupted move of IMG_0001"))
    try expectNew(before)
  }

  /// If a process dies after the old side forgot the asset but before that is recorded, the asset counts as moved.
  @Test func whatIsForgottenHasBeenMoved() throws {
    try edit()
    let before = try files()
    _ = try Library.move(a + "/IMG_0001.JPG", to: .stem("Beach", folder: b))
    let from = try Library.locked(a, .besideOriginals, { false }, report: { _ in })
    try from.open(.writing)
    try from.catalogue?.begin(arriving.reversed("../b"), of: nil)
    from.close()
    var said: [String] = []
    try Library.forWriting(a, report: { said.append($0.description) }).close()
    #expect(said == ["finished an interrupted move of IMG_0001"])
    try expectNew(before)
  }

  /// The side that the asset left is updated last, and may find that the asset has been moved again since.
  @Test(arguments: [false, true])
  func theOldSideForgetsWhatHasArrived(_ goesOn: Bool) throws {
    try edit()
    let before = try files()
    try begin(leaving: true)
    let catalogue = a + "/.liveedit/library.sqlite"
    let kept = try Data(contentsOf: URL(fileURLWithPath: catalogue))
    try Library.forWriting(b).close()
    try kept.write(to: URL(fileURLWithPath: catalogue))
    if goesOn {
      _ = try Library.move(b + "/Beach.JPG", to: .stem("Sea", folder: b))
      // Meanwhile the camera has reused the old name.
      try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0002.JPG"), to: root.file("a/IMG_0001.JPG"))
    }
    var said: [String] = []
    try Library.forWriting(a, report: { said.append($0.description) }).close()
    #expect(said == ["finished an interrupted move of IMG_0001"])
    if goesOn {
      #expect(try Library.forReading(a).stems().isEmpty)
      #expect(try Library.forReading(b).record(of: "Sea")?.versions.count == 2)
      #expect(
        try Data(contentsOf: root.file("a/IMG_0001.JPG"))
          == Data(contentsOf: TestFiles.fixture("IMG_0002.JPG")))
    } else {
      try expectNew(before)
    }
  }

  /// A downloaded catalogue may claim anything about other folders, but nothing is moved.
  @Test(arguments: [true, false])
  func aPlantedTransferMovesNothing(_ arrives: Bool) throws {
    try edit()
    let before = try files()
    // Folder b is the download. It knows everything about folder a except a's records.
    let library = try Library.forWriting(b)
    var transfer = arriving
    transfer.arrives = arrives
    try library.catalogueForWriting().begin(
      transfer, of: arrives ? nil : Library.forReading(a).record(of: "IMG_0001"))
    library.close()
    try Library.forWriting(b).close()
    try Library.forWriting(a).close()
    #expect(try files() == before)
    #expect(try Library.forReading(a).check().findings.isEmpty)
    #expect(try Library.forReading(b).stems().isEmpty)
    for strange in ["../x", "", "a/b", ".."] {
      transfer.photo = strange
      #expect(!transfer.isSound)
    }
  }

  /// In a separate library nothing is moved, whatever its catalogue states. A repair drops the move.
  @Test(arguments: [true, false])
  func aPlantedTransferMovesNothingFromALibraryElsewhere(_ arrives: Bool) throws {
    try edit()
    let before = try files()
    try FileManager.default.createDirectory(at: root.file("lib"), withIntermediateDirectories: false)
    let layout = LibraryLayout(library: root.file("lib").path, known: KnownLibraries(folder: nil))
    let library = try Library.forWriting(b, layout: layout)
    var transfer = arriving
    (transfer.arrives, transfer.other) = (arrives, "../../a")
    try library.catalogueForWriting().begin(
      transfer, of: arrives ? nil : Library.forReading(a).record(of: "IMG_0001"))
    library.close()
    try Library.forWriting(b, layout: layout).close()
    #expect(try files() == before)
    let found = try Library.forReading(b, layout: layout).check().findings
    #expect(found.contains { $0.problem.contains("an unfinished move") && $0.repair != nil })
    var said: [String] = []
    try Library.repair(b, layout: layout) { said.append($0.description) }
    #expect(said.contains { $0.contains("discarded a move of IMG_0001") }, "\(said)")
    #expect(try files() == before)
    #expect(
      try !Library.forReading(b, layout: layout).check().findings.contains {
        $0.problem.contains("an unfinished move")
      })
  }

  /// A file that appeared at a new name during the interruption is not overwritten, and the move finishes once the file
  /// is gone.
  @Test func anObstacleStopsTheMoveAndNothingElse() throws {
    try edit()
    let before = try files()
    try begin(leaving: true)
    try Data("obstacle".utf8).write(to: root.file("b/Beach.JPG"))
    for folder in [b, a] {
      var said: [String] = []
      try Library.forWriting(folder, report: { said.append($0.description) }).close()
      #expect(
        said.count == 1 && said[0].contains("cannot finish an interrupted move")
          && said[0].contains("Beach.JPG"))
    }
    #expect(try Library.forReading(b).check().findings.contains { $0.problem.contains("an unfinished move") })
    var locator = AssetLocator()
    let asset = try locator.locate(a + "/IMG_0001.JPG")
    #expect(throws: EditError.self) { try Library.forWriting(a).state(of: asset) }
    #expect(try Data(contentsOf: root.file("b/Beach.JPG")) == Data("obstacle".utf8))
    try FileManager.default.removeItem(at: root.file("b/Beach.JPG"))
    try Library.forWriting(b).close()
    try expectNew(before)
  }

  /// The other folder no longer exists. A repair abandons the move.
  @Test func aMoveWhoseOtherSideIsGoneIsDropped() throws {
    try edit()
    try begin(leaving: true)
    try FileManager.default.removeItem(atPath: b)
    var said: [String] = []
    try Library.forWriting(a, report: { said.append($0.description) }).close()
    #expect(said.count == 1 && said[0].contains("cannot finish an interrupted move"))
    try Library.repair(a) { said.append($0.description) }
    #expect(said.contains { $0.contains("discarded an interrupted move of IMG_0001") })
    let library = try Library.forReading(a)
    #expect(try library.check().findings.isEmpty)
    #expect(try library.record(of: "IMG_0001")?.versions.count == 2)
  }

  /// The names of renders, adjustment data and version folders follow from the originals' names. Nothing else changes.
  @Test(arguments: [
    ("IMG_0001.JPG", "IMG_0007.JPG", "IMG_E0007.JPG", "IMG_0007.AAE"),
    ("IMG_0001.JPG", "a.b.JPG", "a.b_edited.JPG", "a.b.AAE"),
    ("x.heic", "IMG_0001.heic", "IMG_E0001.JPG", "IMG_0001.AAE"),
  ])
  func namesFollow(_ old: String, _ new: String, _ render: String, _ adjustments: String) throws {
    let print = Fingerprint(size: 1, modified: 2, changed: 3, inode: 4, sha256: "5")
    let fileExtension = RenderNames.Parts(render).fileExtension
    let stem = RenderNames.Parts(old).stem
    let files = [
      VersionFile(
        role: .photo, name: RenderNames.renderStem(of: stem) + "." + fileExtension, fingerprint: print),
      VersionFile(role: .adjustments, name: stem + ".AAE", fingerprint: print),
    ]
    let record = AssetRecord(
      stem: stem, originals: [VersionFile(role: .photo, name: old, fingerprint: print)],
      versions: [
        Version(
          number: 1, previous: 0, base: 0, origin: .rendered, adjustment: nil, editor: "", time: 0, build: "",
          files: files, hasFiles: true, isAside: false)
      ], current: 1)
    let renamed = record.renamed(photo: new, movie: nil)
    #expect(renamed.stem == RenderNames.Parts(new).stem && renamed.originals.map(\.name) == [new])
    #expect(renamed.versions[0].files.map(\.name) == [render, adjustments])
    #expect(renamed.renamed(photo: old, movie: nil) == record)
    #expect(record.renamed(photo: old, movie: nil) == record)
  }
}
