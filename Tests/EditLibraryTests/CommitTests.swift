import Basics
import EditModel
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of commits that are interrupted at any step, and of the recovery by the next commit.
@Suite struct CommitTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var path: String { folder.url.path }

  func put(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.file(name))
  }

  /// Returns every file in the folder with its content.
  func content() throws -> [String: String] {
    var content: [String: String] = [:]
    for name in try folder.names() {
      content[name] = try? String(contentsOf: folder.file(name), encoding: .utf8)
    }
    return content
  }

  func hash(_ text: String) throws -> String {
    Digest.hexadecimal(try Digest.of(Array(text.utf8), .sha256))
  }

  /// Returns the plan that replaces version one with version two, where the movie's name was free.
  func replacement() throws -> PublishPlan {
    PublishPlan(steps: [
      PublishPlan.Step(from: "photo-7", to: "IMG_E0001.JPG", replaces: try hash("photo 1")),
      PublishPlan.Step(from: "movie-7", to: "IMG_E0001.MOV", replaces: nil),
      PublishPlan.Step(from: "adjustments-7", to: "IMG_0001.AAE", replaces: try hash("adjustments 1")),
    ])
  }

  let before = ["IMG_0001.JPG": "original", "IMG_E0001.JPG": "photo 1", "IMG_0001.AAE": "adjustments 1"]
  let after = [
    "IMG_0001.JPG": "original", "IMG_E0001.JPG": "photo 2", "IMG_E0001.MOV": "movie 2",
    "IMG_0001.AAE": "adjustments 2",
  ]

  func putBefore() throws {
    for (name, text) in before { try put(name, text) }
  }

  func putNewFiles() throws {
    for name in ["photo", "movie", "adjustments"] { try put(".liveedit-IMG_0001/\(name)-7", name + " 2") }
  }

  /// Creates the work folder left by a process that dies after writing the journal and carrying out some steps.
  func die(_ plan: PublishPlan, after steps: Int, written: Bool = true) throws {
    let work = path + "/.liveedit-IMG_0001"
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
    try put(".liveedit-IMG_0001/lock", "")
    try putNewFiles()
    if written {
      try JSONEncoder().encode(plan).write(to: folder.file(".liveedit-IMG_0001/commit"))
      try plan.carryOut(in: HeldFolder(path: path), from: ".liveedit-IMG_0001", limit: steps)
    }
  }

  @Test(arguments: 0...3)
  func aCommitThatStoppedIsFinished(_ steps: Int) throws {
    try putBefore()
    try die(replacement(), after: steps)
    #expect(WorkFolder.recoverAll(in: try FolderListing(folder: path)))
    #expect(try content() == after)
    #expect(try folder.names() == after.keys.sorted())
  }

  @Test(arguments: 0...3)
  func aRemovalThatStoppedIsFinished(_ steps: Int) throws {
    try putBefore()
    let plan = PublishPlan(steps: [
      PublishPlan.Step(from: nil, to: "IMG_E0001.JPG", replaces: try hash("photo 1")),
      PublishPlan.Step(from: nil, to: "IMG_0001.AAE", replaces: try hash("adjustments 1")),
    ])
    try die(plan, after: steps)
    WorkFolder.recoverAll(in: try FolderListing(folder: path))
    #expect(try folder.names() == ["IMG_0001.JPG"])
  }

  @Test func aMoveByLinkThatStoppedBetweenItsTwoCallsIsFinished() throws {
    try putBefore()
    try die(replacement(), after: 1)
    try FileManager.default.linkItem(
      at: folder.file(".liveedit-IMG_0001/movie-7"), to: folder.file("IMG_E0001.MOV"))
    WorkFolder.recoverAll(in: try FolderListing(folder: path))
    #expect(try content() == after)
  }

  @Test func whatWasNotDecidedIsUndone() throws {
    try putBefore()
    try die(replacement(), after: 0, written: false)
    try put(".liveedit-IMG_0001/commit.draft", "{")
    WorkFolder.recoverAll(in: try FolderListing(folder: path))
    #expect(try content() == before)
    #expect(try folder.names() == before.keys.sorted())
  }

  @Test func whatAHelperWroteAfterwardsIsRemoved() throws {
    try putBefore()
    try die(replacement(), after: 0, written: false)
    try FileManager.default.removeItem(at: folder.file(".liveedit-IMG_0001/lock"))
    WorkFolder.recoverAll(in: try FolderListing(folder: path))
    #expect(try folder.names() == before.keys.sorted())
  }

  @Test func aFolderOfSomebodyElseStays() throws {
    try FileManager.default.createDirectory(
      at: folder.file(".liveedit-notes"), withIntermediateDirectories: false)
    try put(".liveedit-notes/precious", "text")
    WorkFolder.recoverAll(in: try FolderListing(folder: path))
    #expect(FileManager.default.fileExists(atPath: folder.file(".liveedit-notes/precious").path))
  }

  @Test func whatALivingProcessWorksOnStays() throws {
    try putBefore()
    let work = try WorkFolder(in: path, name: "IMG_0001")
    try File.create(work.path("photo"), bytes: [])
    WorkFolder.recoverAll(in: try FolderListing(folder: path))
    #expect(FileManager.default.fileExists(atPath: work.path("photo")))
    let error = #expect(throws: EditError.self) { try WorkFolder(in: path, name: "IMG_0001") }
    #expect(error?.problem == "is being written by another liveedit")
    #expect(error?.file == path + "/IMG_0001")
    work.close()
    #expect(try folder.names() == before.keys.sorted())
  }

  /// A search for remains of dead processes locks a folder for a moment, but does not make other processes fail.
  @Test func whoLooksStandsInNobodysWay() throws {
    let failures = Mutex<[String]>([])
    let isDone = Mutex(false)
    let folder = path
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      while index > 0, !isDone.withLock({ $0 }) {
        if let listing = try? FolderListing(folder: folder) { WorkFolder.recoverAll(in: listing) }
      }
      guard index == 0 else { return }
      for number in 0..<200 {
        do { try WorkFolder(in: folder, name: "IMG_\(number)").close() } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      isDone.withLock { $0 = true }
    }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func aCommitPutsEverythingInPlace() throws {
    try putBefore()
    let work = try WorkFolder(in: path, name: "IMG_0001")
    try putNewFiles()
    try work.commit(replacement())
    work.close()
    #expect(try content() == after)
    #expect(try folder.names() == after.keys.sorted())
  }

  /// A foreign file at a free name, a different file than the one to be replaced, a folder and a link are not
  /// overwritten.
  @Test(arguments: ["IMG_E0001.MOV", "IMG_E0001.JPG", "IMG_0001.AAE"], ["file", "folder", "link"])
  func nothingForeignIsOverwritten(_ name: String, _ kind: String) throws {
    try putBefore()
    try? FileManager.default.removeItem(at: folder.file(name))
    switch kind {
    case "file": try put(name, "foreign")
    case "folder":
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    default:
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(name).path, withDestinationPath: "IMG_0001.JPG")
    }
    let state = try content()
    let work = try WorkFolder(in: path, name: "IMG_0001")
    try putNewFiles()
    let error = #expect(throws: EditError.self) { try work.commit(replacement()) }
    #expect(error?.code == .inTheWay)
    #expect(error?.file == path + "/" + name)
    work.close()
    #expect(try content() == state)
    #expect(try !folder.names().contains(".liveedit-IMG_0001"))
  }

  @Test func aCommitThatCannotBeFinishedWaitsUntilItCan() throws {
    try putBefore()
    try die(replacement(), after: 1)
    try put("IMG_E0001.MOV", "foreign")
    WorkFolder.recoverAll(in: try FolderListing(folder: path))
    let error = #expect(throws: EditError.self) { try WorkFolder(in: path, name: "IMG_0001") }
    #expect(error?.file == path + "/IMG_E0001.MOV")
    #expect(try content()["IMG_E0001.MOV"] == "foreign")
    try FileManager.default.removeItem(at: folder.file("IMG_E0001.MOV"))
    try WorkFolder(in: path, name: "IMG_0001").close()
    #expect(try content() == after)
    #expect(try folder.names() == after.keys.sorted())
  }

  /// A downloaded folder cannot make liveedit touch anything but renders.
  @Test(arguments: ["IMG_0001.JPG", "../other/IMG_E0001.JPG", "notes.txt", "IMG_E0001.JPG/../IMG_0001.JPG"])
  func aPlantedJournalReachesNoOriginal(_ target: String) throws {
    try putBefore()
    let plan = PublishPlan(steps: [PublishPlan.Step(from: nil, to: target, replaces: try hash("original"))])
    try die(plan, after: 0)
    WorkFolder.recoverAll(in: try FolderListing(folder: path))
    #expect(throws: EditError.self) { try WorkFolder(in: path, name: "IMG_0001") }
    #expect(try content() == before)
  }

  @Test func aLinkInPlaceOfTheWorkFolderIsNotFollowed() throws {
    let other = try TemporaryFolder()
    for name in ["lock", "precious"] { try Data().write(to: other.file(name)) }
    try FileManager.default.createSymbolicLink(
      atPath: path + "/.liveedit-IMG_0001", withDestinationPath: other.url.path)
    WorkFolder.recoverAll(in: try FolderListing(folder: path))
    #expect(throws: EditError.self) { try WorkFolder(in: path, name: "IMG_0001") }
    #expect(try other.names() == ["lock", "precious"])
  }
}
