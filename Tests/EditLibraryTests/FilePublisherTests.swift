import Basics
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of the new files after a publisher, and of the remains if a publisher dies.
@Suite struct FilePublisherTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("original".utf8), to: "IMG_0001.JPG")
  }

  var path: String { folder.url.path }
  let items = [FilePublisher.Item("photo", name: "new.JPG"), FilePublisher.Item("movie", name: "new.MOV")]

  private func publisher() throws -> FilePublisher {
    let publisher = try FilePublisher(in: path, stem: "IMG_0001")
    for item in items { try File.create(publisher.path(item.member), bytes: Array(item.member.utf8)) }
    return publisher
  }

  @Test func allFilesGetTheirNames() throws {
    let paths = try publisher().publish(items)
    #expect(paths == [folder.file("new.JPG").path, folder.file("new.MOV").path])
    #expect(try folder.names() == ["IMG_0001.JPG", "new.JPG", "new.MOV"])
    #expect(try folder.read("new.JPG") == Array("photo".utf8))
    #expect(try folder.read("new.MOV") == Array("movie".utf8))
  }

  /// Assets with the same stem from two folders, exported at the same time.
  @Test func filesOfOneStemAreMadeSideBySide() throws {
    do {
      let first = try publisher()
      let second = try FilePublisher(in: path, stem: "IMG_0001")
      try File.create(second.path("photo"), bytes: Array("second".utf8))
      _ = try second.publish([FilePublisher.Item("photo", name: "second.JPG")])
      _ = try first.publish(items)
    }
    #expect(try folder.names() == ["IMG_0001.JPG", "new.JPG", "new.MOV", "second.JPG"])
    #expect(try folder.read("new.JPG") == Array("photo".utf8))
    #expect(try folder.read("second.JPG") == Array("second".utf8))
  }

  @Test func aBundleIsOneNewFolder() throws {
    #expect(try publisher().publish(items, bundle: "new.pvt") == [folder.file("new.pvt").path])
    #expect(try folder.names() == ["IMG_0001.JPG", "new.pvt"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("new.pvt").path).sorted()
        == ["new.JPG", "new.MOV"])
  }

  @Test(arguments: ["new.JPG", "new.MOV", "new.pvt"])
  func nothingIsOverwritten(_ name: String) throws {
    try folder.write([1], to: name)
    let publisher = try publisher()
    let error = #expect(throws: EditError.self) {
      try publisher.publish(items, bundle: name == "new.pvt" ? name : nil)
    }
    #expect(error?.file == folder.file(name).path && error?.code == .inTheWay)
    #expect(try folder.read(name) == [1])
    #expect(try folder.names().filter { !$0.hasPrefix(".") } == ["IMG_0001.JPG", name].sorted())
  }

  /// Files get the permissions of their origin, and are writable for the owner.
  @Test(arguments: [(0o600, 0o600), (0o444, 0o644), (0o640, 0o640)])
  func filesHaveTheirOriginsPermissions(_ origin: Int, _ expected: Int) throws {
    let original = folder.file("IMG_0001.JPG").path
    try FileManager.default.setAttributes([.posixPermissions: origin], ofItemAtPath: original)
    let publisher = try publisher()
    _ = try publisher.publish([FilePublisher.Item("photo", name: "new.JPG", origin: original)])
    let mode = try Tools.output("stat", "-c", "%a", folder.file("new.JPG").path).lines.first
    let mask = try Tools.output("sh", "-c", "umask").lines.first.flatMap { Int($0, radix: 8) } ?? 0
    #expect(mode == String(expected & ~mask, radix: 8))
  }

  @Test func whatIsNotPublishedGoesAway() throws {
    do { _ = try publisher() }
    #expect(try folder.names() == ["IMG_0001.JPG"])
  }

  /// The lock belongs to a process that has ended, so it is free.
  @Test func litterOfTheDeadGoesWithTheNextOne() throws {
    let litter = folder.file(".liveedit-IMG_0002-1")
    try FileManager.default.createDirectory(at: litter, withIntermediateDirectories: false)
    for name in ["lock", "photo-1", "commit.draft"] {
      try Data([1]).write(to: litter.appendingPathComponent(name))
    }
    _ = try publisher().publish(items)
    let left = (try? FileManager.default.contentsOfDirectory(atPath: litter.path)) ?? []
    #expect(left.allSatisfy { $0 == "lock" }, "\(left)")
  }

  /// A folder with many names is not listed for each new file. A new folder that reuses the inode number of a removed
  /// folder is listed.
  @Test func aNewFolderOfAnOldNumberIsLookedThrough() throws {
    let many = folder.file("many").path
    var gone: [UInt64] = []
    for round in 0..<64 {
      try FileManager.default.createDirectory(atPath: many, withIntermediateDirectories: false)
      let number = try FileStatus(path: many).place.inode
      if gone.contains(number) {
        let litter = many + "/.liveedit-IMG_0002-1"
        try FileManager.default.createDirectory(atPath: litter, withIntermediateDirectories: false)
        for name in ["lock", "photo-1"] { try Data([1]).write(to: URL(fileURLWithPath: litter + "/" + name)) }
        _ = try FilePublisher(in: many, stem: "IMG_0001")
        #expect(!FileManager.default.fileExists(atPath: litter + "/photo-1"), "round \(round)")
        return
      }
      for name in 0..<200 { try Data().write(to: URL(fileURLWithPath: "\(many)/\(name)")) }
      _ = try FilePublisher(in: many, stem: "IMG_0001")
      try FileManager.default.removeItem(atPath: many)
      gone.append(number)
    }
  }

  /// A commit that a dead process left is finished. Spaces after its plan count as part of the file; if the file is too
  /// long, nothing is changed.
  @Test(arguments: [(1 << 16, true), ((1 << 16) + 1, false)])
  func bytesOfAPlan(_ size: Int, _ isFinished: Bool) throws {
    let left = ".liveedit-IMG_0001"
    try FileManager.default.createDirectory(at: folder.file(left), withIntermediateDirectories: false)
    try folder.write(Array("photo".utf8), to: left + "/photo-1")
    let plan = PublishPlan(steps: [PublishPlan.Step(from: "photo-1", to: "new.JPG")])
    let bytes = [UInt8](try JSONEncoder().encode(plan))
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: size - bytes.count)
    try folder.write(bytes + spaces, to: left + "/commit")
    if isFinished {
      _ = try WorkFolder(in: path, name: "IMG_0001")
      #expect(try folder.names() == ["IMG_0001.JPG", "new.JPG"])
      #expect(try folder.read("new.JPG") == Array("photo".utf8))
    } else {
      let error = #expect(throws: EditError.self) { _ = try WorkFolder(in: path, name: "IMG_0001") }
      #expect(
        error?.problem.description == "belongs to an interrupted export that this liveedit cannot finish")
      #expect(try folder.names() == [left, "IMG_0001.JPG"])
      #expect(try folder.read(left + "/photo-1") == Array("photo".utf8))
      #expect(try folder.read(left + "/commit").count == size)
    }
  }

  @Test func errorsNameTheFileThatPeopleKnow() throws {
    let publisher = try publisher()
    let hidden = publisher.path("photo")
    let broken = EditError(.invalidFile, file: hidden, "is broken")
    #expect(publisher.named(broken, after: "IMG_0001.JPG").file == "IMG_0001.JPG")
    #expect(publisher.named(broken, after: nil).file == hidden)
    let full = EditError(.fileSystem, file: hidden, "the disk is full")
    #expect(publisher.named(full, after: "IMG_0001.JPG").file == hidden)
  }

  @Test func aFolderThatIsNoneIsRefused() throws {
    for (name, code) in [("none", EditError.Code.notFound), ("IMG_0001.JPG", .fileSystem)] {
      let error = #expect(throws: EditError.self) { try FilePublisher(in: folder.file(name).path, stem: "a") }
      #expect(error?.file == folder.file(name).path && error?.code == code)
    }
  }

  /// A folder with 640 names is not listed for every new file, but it is listed again after ten files.
  @Test func aLargeFolderIsLookedThroughNowAndThen() throws {
    let large = try TemporaryFolder()
    for number in 1...640 { try large.write([], to: "\(number)") }
    _ = try FilePublisher(in: large.url.path, stem: "a")
    let dead = large.file(".liveedit-dead")
    try FileManager.default.createDirectory(at: dead, withIntermediateDirectories: false)
    try large.write([], to: ".liveedit-dead/lock")
    var count = 0
    while FileManager.default.fileExists(atPath: dead.path), count < 1000 {
      _ = try FilePublisher(in: large.url.path, stem: "a")
      count += 1
    }
    #expect(count == 11)
  }
}
