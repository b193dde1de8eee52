import Basics
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

extension Library {
  /// Releases the lock without tidying up, as the end of the process would.
  fileprivate func abandon() {
    isTidy = false
    close()
  }
}

/// Tests of commits that are interrupted between the transaction and the end of the moves, and of the recovery when the
/// library is next opened.
@Suite struct LibraryTests {
  let folder: TemporaryFolder
  let asset: OriginalFiles

  init() throws {
    folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    var locator = AssetLocator()
    asset = try locator.locate(folder.file("IMG_0001.JPG").path)
  }

  /// Returns a commit of a version whose render is a few bytes.
  func commit(_ text: String, _ orientation: Orientation, in library: Library) throws -> AssetCommit {
    let output = try library.workFile("photo")
    try File.create(output, bytes: Array(text.utf8))
    return try library.addingVersion(
      to: library.state(of: asset), base: 0,
      adjustment: AdjustmentData(edit: Edit(orientation: orientation), settings: .standard),
      outputs: [.photo: output], build: "test")
  }

  func render() throws -> String? {
    try? String(contentsOf: folder.file("IMG_E0001.JPG"), encoding: .utf8)
  }

  func open() throws -> (library: Library, said: [String]) {
    var said: [String] = []
    let library = try Library.forWriting(folder.url.path, report: { said.append($0.description) })
    // A process started by another test also holds the lock, from its fork to its execve.
    return (library, said.filter { !$0.hasPrefix("waiting for ") })
  }

  /// Carries out moves and nothing else, like a process that dies afterwards.
  func carryOut(_ moves: some Sequence<FileMove>, in library: Library) throws {
    var mover = FileMover(library.home)
    try mover.carryOut(Array(moves), of: library.record(of: "IMG_0001"))
  }

  /// The commit has five moves: each old file out, each new file in, and the description.
  @Test(arguments: 0...5)
  func aCommitThatStoppedIsFinished(_ steps: Int) throws {
    var library = try open().library
    try library.commit([commit("one", .right, in: library)])
    let second = try commit("two", .down, in: library)
    let place = try library.workName("description")
    let version = try #require(second.version)
    try library.create(place, VersionDescription(version, of: second.after, generation: 1).bytes)
    let moves = second.moves(descriptions: [(place, version.number)])
    #expect(moves.count == 5)
    try library.catalogue?.record([second.after], moves: moves)
    try carryOut(moves.prefix(steps), in: library)
    // Leaves the state of a process that dies here, without tidying up.
    library.abandon()

    let said: [String]
    (library, said) = try open()
    #expect(said.count == 1 && said.first?.contains("finished") == true)
    #expect(try render() == "two")
    #expect(try library.check().findings.isEmpty)
    #expect(try library.record(of: "IMG_0001")?.current == 2)
    library.close()
    #expect(try open().said.isEmpty)
  }

  /// Commits a version that another build has rendered again: the current version's files are moved out, the new files
  /// are moved in, and the description is replaced.
  @Test(arguments: 0...6)
  func aCommitOfAVersionRenderedAgainIsFinished(_ steps: Int) throws {
    var library = try open().library
    for (text, orientation) in [("one", Orientation.right), ("two", .down), ("three", .left)] {
      try library.commit([commit(text, orientation, in: library)])
    }
    #expect(try library.record(of: "IMG_0001")?.versions.map(\.hasFiles) == [false, true, true])
    let output = try library.workFile("photo")
    try File.create(output, bytes: Array("one again".utf8))
    let back = try library.movingPointer(
      of: library.state(of: asset), to: 1, outputs: [.photo: output], build: "another")
    #expect(back.hasOtherBytes)
    let place = try library.workName("description")
    let version = try #require(back.version)
    try library.create(place, VersionDescription(version, of: back.after, generation: 1).bytes)
    let moves = back.moves(descriptions: [(place, 1)])
    #expect(moves.count == 6)
    try library.catalogue?.record([back.after], moves: moves)
    try carryOut(moves.prefix(steps), in: library)
    library.abandon()

    library = try open().library
    #expect(try render() == "one again")
    #expect(try library.check().findings.isEmpty)
    let description = try library.description(of: 1, of: "IMG_0001")
    #expect(description?.build == "another")
    #expect(description?.files.map(\.fingerprint.sha256) == version.files.map(\.fingerprint.sha256))
  }

  /// An obstacle to a move is found before anything is recorded, and a repair moves the obstacle elsewhere.
  @Test func anObstacleIsFoundBeforeAnythingIsRecorded() throws {
    var library = try open().library
    try library.commit([commit("one", .right, in: library)])
    let obstacle = folder.file(".liveedit/versions/IMG_0001/1/IMG_E0001.JPG")
    try Data("obstacle".utf8).write(to: obstacle)
    let second = try commit("two", .down, in: library)
    let error = #expect(throws: EditError.self) { try library.commit([second]) }
    #expect(error?.code == .inTheWay)
    #expect(error?.file == obstacle.path)
    library.close()
    #expect(try render() == "one")
    try Library.repair(folder.url.path) { _ in }
    #expect(try String(contentsOfFile: obstacle.path + ".damaged-1", encoding: .utf8) == "obstacle")
    library = try open().library
    try library.commit([commit("two", .down, in: library)])
    #expect(try render() == "two")
    #expect(try library.check().findings.isEmpty)
  }

  /// An obstacle that appears after the commit is recorded delays only the commit of this asset. A repair removes the
  /// obstacle.
  @Test(arguments: ["IMG_E0001.JPG", ".liveedit/versions/IMG_0001/1/IMG_E0001.JPG"])
  func aMoveThatCannotBeDoneConcernsItsAssetAlone(_ place: String) throws {
    try folder.copy(TestFiles.fixture("IMG_0002.JPG"))
    var library = try open().library
    try library.commit([commit("one", .right, in: library)])
    let second = try commit("two", .down, in: library)
    let moves = second.moves(descriptions: [])
    try library.catalogue?.record([second.after], moves: moves)
    // The first move moves the old photo out.
    if place == "IMG_E0001.JPG" { try carryOut(moves.prefix(1), in: library) }
    try Data("obstacle".utf8).write(to: folder.file(place))
    library.abandon()

    let said: [String]
    (library, said) = try open()
    #expect(said.count == 1 && said.first?.contains("cannot finish an interrupted edit") == true)
    #expect(throws: EditError.self) { try library.state(of: asset) }
    var locator = AssetLocator(recovers: false)
    let other = try locator.locate(folder.file("IMG_0002.JPG").path)
    #expect(throws: Never.self) { try library.state(of: other) }
    library.close()
    // A library opened for reading reports the recorded state and does not invent anything.
    let reader = try Library.forReading(folder.url.path)
    #expect(try reader.state(of: asset).record == reader.record(of: "IMG_0001"))
    try Library.repair(folder.url.path) { _ in }
    #expect(try render() == "two")
    let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter {
      $0.contains("damaged-")
    }
    #expect(try kept.map { try String(contentsOf: folder.file($0), encoding: .utf8) } == ["obstacle"])
    library = try open().library
    #expect(try library.check().findings.isEmpty)
  }

  /// Earlier builds recorded edits whose render name is too long. These records are undone.
  @Test func anEditThatCanHaveNoNameIsTakenBack() throws {
    let stem = String(repeating: "x", count: 248)
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0001.JPG"), to: folder.file(stem + ".JPG"))
    var library = try open().library
    try library.commit([commit("one", .right, in: library)])
    var locator = AssetLocator(recovers: false)
    let long = try locator.locate(folder.file(stem + ".JPG").path)
    let output = try library.workFile("photo")
    try File.create(output, bytes: [1])
    let wedged = try library.addingVersion(
      to: library.state(of: long), base: 0,
      adjustment: AdjustmentData(edit: Edit(orientation: .right), settings: .standard),
      outputs: [.photo: output], build: "test")
    let error = #expect(throws: EditError.self) { try library.commit([wedged]) }
    #expect(error?.remedy == "give the original a shorter name")
    let description = try library.workName("description")
    try library.create(
      description, VersionDescription(wedged.after.versions[0], of: wedged.after, generation: 1).bytes)
    let moves = wedged.moves(descriptions: [(description, 1)])
    try library.catalogue?.record([wedged.after], moves: moves)
    library.abandon()
    // Other edits remain possible meanwhile.
    library = try open().library
    try library.commit([commit("two", .down, in: library)])
    library.close()
    var said: [String] = []
    try Library.repair(folder.url.path) { said.append($0.description) }
    #expect(said.last == "undid version 1 of \(stem), because its files could not be named")
    library = try open().library
    #expect(try library.record(of: "IMG_0001")?.current == 2)
    #expect(try library.record(of: stem)?.versions.isEmpty ?? true)
    #expect(try library.check().findings.isEmpty)
  }

  /// An original or a render that another program replaces during an edit is noticed.
  @Test(arguments: ["IMG_0001.JPG", "IMG_E0001.JPG"])
  func whatChangesMeanwhileIsNoticed(_ name: String) throws {
    let library = try open().library
    try library.commit([commit("one", .right, in: library)])
    let second = try commit("two", .down, in: library)
    let other = try Data(contentsOf: TestFiles.fixture("IMG_0003.JPG"))
    try other.write(to: folder.file(name))
    let error = #expect(throws: EditError.self) { try library.commit([second]) }
    #expect(error?.file == folder.file(name).path)
    #expect(error?.code == (name == "IMG_0001.JPG" ? .changedOriginal : .conflict))
    #expect(try library.record(of: "IMG_0001")?.current == 1)
    #expect(try Data(contentsOf: folder.file(name)) == other)
  }

  @Test func whatWasNotRecordedIsUndone() throws {
    var library = try open().library
    try library.commit([commit("one", .right, in: library)])
    _ = try commit("two", .down, in: library)
    library.abandon()
    let said: [String]
    (library, said) = try open()
    #expect(said.count == 1 && said.first?.contains("undid") == true)
    #expect(try render() == "one")
    #expect(try library.check().findings.isEmpty)
  }

  @Test func readersFinishToo() throws {
    let library = try open().library
    let first = try commit("one", .right, in: library)
    try library.catalogueForWriting().record([first.after], moves: first.moves(descriptions: []))
    library.abandon()
    let reader = try Library.forReading(folder.url.path)
    #expect(try render() == "one")
    #expect(try reader.record(of: "IMG_0001")?.current == 1)
  }

  /// A finished render waits for its batch. Spaces after its description count as part of the file; if the description
  /// is too long, the render is ignored.
  @Test(arguments: [(32 << 20, true), ((32 << 20) + 1, false)])
  func bytesOfTheDescriptionOfARenderThatWaits(_ size: Int, _ isTaken: Bool) throws {
    let library = try open().library
    let made = try commit("one", .right, in: library)
    let adjustment = try #require(made.version?.adjustment)
    try library.keep(made, RenderResult(photo: .encoded, build: "test"), batch: "batch")
    let place = LibraryPaths.kept("batch", "IMG_0001") + "/kept.json"
    let bytes = try folder.read(place)
    try folder.write(bytes + [UInt8](repeating: UInt8(ascii: " "), count: size - bytes.count), to: place)
    let taken = try library.takeKept(
      of: library.state(of: asset), base: 0, adjustment: adjustment, build: "test", batch: "batch")
    #expect(taken?.result.photo == (isTaken ? RenderResult.Method.encoded : nil))
    #expect(taken?.outputs.count == (isTaken ? 1 : nil))
    if let photo = taken?.outputs[.photo] {
      #expect(try String(contentsOfFile: photo, encoding: .utf8) == "one")
    }
    library.close()
  }

  /// A downloaded library cannot make liveedit touch an original.
  @Test(arguments: ["IMG_0001.JPG", "../IMG_E0001.JPG", "notes.txt", ".liveedit/versions/../../IMG_0001.JPG"])
  func aPlantedMoveReachesNoOriginal(_ source: String) throws {
    let library = try open().library
    let first = try commit("one", .right, in: library)
    try library.catalogueForWriting().record(
      [first.after], moves: [FileMove(stem: "IMG_0001", source: source, target: nil)])
    library.abandon()
    let (again, said) = try open()
    #expect(said.contains { $0.contains("cannot finish an interrupted edit") })
    again.close()
    try Library.repair(folder.url.path) { _ in }
    #expect(FileManager.default.fileExists(atPath: folder.file("IMG_0001.JPG").path))
  }

  @Test func oneWriterAtATime() throws {
    let library = try open().library
    var said: [String] = []
    let error = #expect(throws: EditError.self) {
      try Library.forWriting(folder.url.path, wait: 300, report: { said.append($0.description) })
    }
    #expect(said.count == 1 && said.first?.hasPrefix("waiting for process") == true)
    #expect(error?.problem.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true)
    library.close()
    #expect(throws: Never.self) { try Library.forWriting(folder.url.path, wait: 0) }
  }

  /// The lock is held by the operating system. A lock file left by a dead process or another computer locks nothing.
  @Test func aDeadOwnersLockIsTaken() throws {
    try FileManager.default.createDirectory(at: folder.file(".liveedit"), withIntermediateDirectories: false)
    try folder.write(Array("elsewhere\n1\nboot\n".utf8), to: ".liveedit/lock")
    let library = try Library.forWriting(folder.url.path, wait: 0)
    try library.commit([commit("one", .right, in: library)])
    #expect(try render() == "one")
  }

  @Test func sameStatusIsTakenAsUnchangedAndAnotherOneIsHashed() throws {
    let file = folder.file("one").path
    let held = try HeldFolder(path: folder.url.path)
    try Data("1234".utf8).write(to: folder.file("one"))
    let print = try Fingerprint(of: "one", in: held)
    #expect(try print.matches("one", in: held))
    try Data("1234".utf8).write(to: folder.file("one"))
    #expect(try print.matches("one", in: held))
    try Data("5678".utf8).write(to: folder.file("one"))
    #expect(try !print.matches("one", in: held))
    // The hash calculated by another program.
    let sum = try Tools.run(["sha256sum", file]).text.prefix(64)
    #expect(try Fingerprint(of: "one", in: held).sha256 == sum)
  }

  /// Changes within one tick of the file system's clock leave the status unchanged.
  @Test func aChangeRightAfterTheRecordIsSeen() throws {
    let held = try HeldFolder(path: folder.url.path)
    let path = try folder.write([0, 0], to: "one").path
    let file = try FileHandle(forWritingTo: folder.file("one"))
    for number in 1...300 {
      let print = try Fingerprint(of: "one", in: held)
      #expect(try print.verified("one", in: held) != nil)
      try file.seek(toOffset: 0)
      try file.write(contentsOf: [UInt8(number % 256), UInt8(number / 256)])
      #expect(try !print.matches("one", in: held) && !print.isFile(path))
      // On a busy machine the file may have been unchanged for more than a tick before it was hashed. The caller of
      // refreshed(_:in:) must then vouch for its content.
      if !print.isSettled { #expect(try !print.refreshed("one", in: held).matches("one", in: held)) }
    }
  }

  /// On a file system with coarse timestamps, a changed file can have the recorded status.
  @Test func anEqualStatusOfARecentChangeProvesNothing() throws {
    let held = try HeldFolder(path: folder.url.path)
    let path = try folder.write([1, 2], to: "one").path
    var print = try Fingerprint(of: "one", in: held)
    try folder.write([3, 4], to: "one")
    let now = try FileStatus(path: path)
    (print.modified, print.inode) = (now.modified, Int64(bitPattern: now.place.inode))
    print.changed = now.changed
    #expect(try print.matches("one", in: held) && print.isFile(path))
    print.changed = Fingerprint.unsettled
    #expect(try !print.matches("one", in: held) && !print.isFile(path))
    #expect(Fingerprint(now, sha256: "").isSettled == now.isSettled)
  }

  /// Ends the moves of many assets together. The moves of other assets, and those without an asset, remain.
  @Test func theMovesOfManyAssetsEndTogether() throws {
    let count = 20_000
    let library = try open().library
    defer { library.close() }
    let catalogue = try library.catalogueForWriting()
    try catalogue.database.run(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n <= \(count))
      INSERT INTO asset (id, stem, current) SELECT n, 'x' || n, 0 FROM number
      """)
    try catalogue.database.run("INSERT INTO move (asset, source, target) SELECT id, 'a', 'b' FROM asset")
    try catalogue.database.run("INSERT INTO move (asset, source, target) VALUES (-1, 'c', 'd')")
    try catalogue.finish([], moves: (1...count).map { "x\($0)" })
    #expect(try catalogue.pendingMoves().map(\.stem) == ["x\(count + 1)", ""])
    try catalogue.finish([], moves: [""])
    #expect(try catalogue.pendingMoves().map(\.stem) == ["x\(count + 1)"])
    try catalogue.finish([], moves: ["x\(count + 1)"])
    #expect(try catalogue.pendingMoves().isEmpty)
  }

  /// A file compared with many versions of its size is read once. For versions of another size it is not read.
  @Test func aFileIsHashedOnceForAllVersions() throws {
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    let file = try folder.write(bytes, to: "IMG_E0001.JPG")
    let home = try HeldFolder(path: folder.url.path)
    func version(_ number: Int, _ sha256: String, size: Int = 1 << 20) -> Version {
      let print = Fingerprint(size: size, modified: 0, changed: 0, inode: 0, sha256: sha256)
      return Version(
        number: number, previous: 0, base: 0, origin: .rendered, adjustment: nil, editor: "", time: 0,
        build: "", files: [VersionFile(role: .photo, name: "IMG_E0001.JPG", fingerprint: print)],
        hasFiles: true, isAside: false)
    }
    var record = AssetRecord(
      stem: "IMG_0001", originals: [], versions: (1...50).map { version($0, "\($0)") }, current: 0)
    let sum = try Tools.output("sha256sum", file.path).text.prefix(64)
    let accesses = try FileAccesses(to: file)
    #expect(try !record.hasVersion(at: "IMG_E0001.JPG", in: home))
    #expect(accesses.readings() == 1)
    record.versions.append(version(51, String(sum)))
    #expect(try record.hasVersion(at: "IMG_E0001.JPG", in: home))
    #expect(accesses.readings() == 1)
    record.versions = [version(1, String(sum), size: 5)]
    #expect(try !record.hasVersion(at: "IMG_E0001.JPG", in: home))
    #expect(try !record.hasVersion(at: "IMG_E0002.JPG", in: home))
    #expect(accesses.readings() == 0)
  }

  /// Distinguishes a file from another file that took over its name, even if that file also reuses the inode number of
  /// the deleted file.
  @Test func aMarkTellsFilesApart() throws {
    typealias Mark = Fingerprint.Mark
    let mark = Mark(size: 1, modified: 2, inode: 3, born: 4)
    // The same file after a change of its timestamp, and after another write.
    #expect(mark.agrees(with: Mark(size: 1, modified: 9, inode: 3, born: 4)))
    #expect(mark.agrees(with: Mark(size: 9, modified: 9, inode: 3, born: 4)))
    // A copy with the original's timestamp.
    #expect(mark.agrees(with: Mark(size: 1, modified: 2, inode: 9, born: 9)))
    // A different file with the same inode number or size.
    #expect(!mark.agrees(with: Mark(size: 9, modified: 9, inode: 3, born: 9)))
    #expect(!mark.agrees(with: Mark(size: 1, modified: 9, inode: 3, born: 9)))
    #expect(!mark.agrees(with: Mark(size: 1, modified: 9, inode: 9, born: 4)))
    // A mark from an earlier build, or from a file system that does not store creation times.
    let old = try JSONDecoder().decode(Mark.self, from: Data(#"{"inode":3,"modified":2,"size":1}"#.utf8))
    #expect(old == Mark(size: 1, modified: 2, inode: 3))
    #expect(old.agrees(with: Mark(size: 1, modified: 9, inode: 3, born: 4)))
    #expect(!old.agrees(with: Mark(size: 9, modified: 9, inode: 3, born: 4)))

    let held = try HeldFolder(path: folder.url.path)
    let file = try folder.write([1], to: "a")
    let first = try Mark(of: "a", in: held)
    let told = try Tools.output("stat", "-c", "%i %s %W", file.path).text
      .split(whereSeparator: \.isWhitespace)
    #expect(told.map { Int64($0) } == [first.inode, 1, (first.born ?? 0) / 1_000_000_000])
    try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data([1, 2, 3]))
    try handle.close()
    // If the creation time is unknown, a different size indicates a different file.
    #expect(try first.agrees(with: Mark(of: "a", in: held)) == (first.born != nil))
    // The kernel's clock advances in steps of a few milliseconds.
    usleep(30_000)
    try FileManager.default.removeItem(at: file)
    for number in 0..<50 {
      try folder.write([1, 2], to: "b\(number)")
      #expect(try !first.agrees(with: Mark(of: "b\(number)", in: held)))
    }
  }
}
