import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Commits that stop between the transaction and the end of the moves, and what the next opening makes of them.
@Suite struct LibraryTests {
  let folder: TemporaryFolder
  let asset: AssetFiles

  init() throws {
    folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    var locator = AssetLocator()
    asset = try locator.locate(folder.file("IMG_0001.JPG").path)
  }

  /// A commit of a version whose render is a few bytes.
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
    let library = try Library.forWriting(folder.url.path) { said.append($0) }
    return (library, said)
  }

  /// Five moves: each old file away and each new one in, and the description.
  @Test(arguments: 0...5)
  func aCommitThatStoppedIsFinished(_ steps: Int) throws {
    var library = try open().library
    try library.commit([commit("one", .right, in: library)])
    let second = try commit("two", .down, in: library)
    let place = try library.workName("description")
    let version = try #require(second.version)
    try library.create(place, VersionDescription(version, of: second.after).bytes)
    let moves = second.moves(descriptions: [(place, version.number)])
    #expect(moves.count == 5)
    try library.catalogue?.record([second.after], moves: moves)
    try FileMove.carryOut(Array(moves.prefix(steps)), in: folder.url.path)
    // As a process leaves it that dies here: nothing is tidied up.
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

  /// A version that another build rendered again: the files of the current one away, its own in, and its description
  /// replaced.
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
    try library.create(place, VersionDescription(version, of: back.after).bytes)
    let moves = back.moves(descriptions: [(place, 1)])
    #expect(moves.count == 6)
    try library.catalogue?.record([back.after], moves: moves)
    try FileMove.carryOut(Array(moves.prefix(steps)), in: folder.url.path)
    library.abandon()

    library = try open().library
    #expect(try render() == "one again")
    #expect(try library.check().findings.isEmpty)
    let description = VersionDescription(path: folder.file(".liveedit/versions/IMG_0001/1/version.json").path)
    #expect(description?.build == "another")
    #expect(description?.files.map(\.fingerprint.sha256) == version.files.map(\.fingerprint.sha256))
  }

  /// A move that fails in the running process is done by the next one: what it needs is still there.
  @Test func aCommitThatFailedIsFinishedByTheNext() throws {
    var library = try open().library
    try library.commit([commit("one", .right, in: library)])
    let obstacle = folder.file(".liveedit/versions/IMG_0001/1/IMG_E0001.JPG")
    try Data("obstacle".utf8).write(to: obstacle)
    let second = try commit("two", .down, in: library)
    let error = #expect(throws: EditError.self) { try library.commit([second]) }
    #expect(error?.problem.contains("finishes it") == true)
    library.close()
    #expect(throws: EditError.self) { try Library.forWriting(folder.url.path) }
    try FileManager.default.removeItem(at: obstacle)
    library = try open().library
    #expect(try render() == "two")
    #expect(try library.check().findings.isEmpty)
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

  /// A library that came with a download cannot make liveedit touch an original.
  @Test(arguments: ["IMG_0001.JPG", "../IMG_E0001.JPG", "notes.txt", ".liveedit/versions/../../IMG_0001.JPG"])
  func aPlantedMoveReachesNoOriginal(_ source: String) throws {
    let library = try open().library
    let first = try commit("one", .right, in: library)
    try library.catalogueForWriting().record(
      [first.after], moves: [FileMove(stem: "IMG_0001", source: source, target: nil)])
    library.abandon()
    #expect(throws: EditError.self) { try Library.forWriting(folder.url.path) }
    #expect(FileManager.default.fileExists(atPath: folder.file("IMG_0001.JPG").path))
  }

  @Test func oneWriterAtATime() throws {
    let library = try open().library
    var said: [String] = []
    let error = #expect(throws: EditError.self) {
      try Library.forWriting(folder.url.path, wait: 100) { said.append($0) }
    }
    #expect(said.count == 1 && said.first?.hasPrefix("waiting for process") == true)
    #expect(error?.problem.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true)
    library.close()
    #expect(throws: Never.self) { try Library.forWriting(folder.url.path, wait: 0) }
  }

  /// The lock is the system's, not the file: what a dead process, or another computer, left there locks nothing.
  @Test func aDeadOwnersLockIsTaken() throws {
    try FileManager.default.createDirectory(at: folder.file(".liveedit"), withIntermediateDirectories: false)
    try folder.write(Array("elsewhere\n1\nboot\n".utf8), to: ".liveedit/lock")
    let library = try Library.forWriting(folder.url.path, wait: 0)
    try library.commit([commit("one", .right, in: library)])
    #expect(try render() == "one")
  }

  @Test func sameStatusIsTakenAsUnchangedAndAnotherOneIsHashed() throws {
    let file = folder.file("one").path
    try Data("1234".utf8).write(to: folder.file("one"))
    let print = try Fingerprint(ofFile: file)
    #expect(try print.matches(file))
    try Data("1234".utf8).write(to: folder.file("one"))
    #expect(try print.matches(file))
    try Data("5678".utf8).write(to: folder.file("one"))
    #expect(try !print.matches(file))
    // The hash by another program.
    let sum = try Tools.run(["sha256sum", file]).text.prefix(64)
    #expect(try Fingerprint(ofFile: file).sha256 == sum)
  }
}
