import Foundation
import TestSupport
import Testing

@testable import FileSystem

@Suite struct FileLockTests {
  let folder: TemporaryFolder
  let held: HeldFolder

  init() throws {
    folder = try TemporaryFolder()
    held = try HeldFolder(path: folder.url.path)
  }

  func lock() throws -> FileLock {
    guard case .locked(let lock) = try FileLock.attempt("lock", in: held, creating: true) else {
      throw ToolFailure("no lock")
    }
    return lock
  }

  /// Whether the lock is free. flock(1) uses the same locks.
  private var isFree: Bool {
    get throws { try Tools.run(["flock", "--nonblock", folder.file("lock").path, "true"]).status == 0 }
  }

  @Test func aLockKeepsOthersOutUntilItGoes() throws {
    guard case .gone = try FileLock.attempt("lock", in: held, creating: false) else {
      Issue.record("a lock on nothing")
      return
    }
    do {
      let lock = try lock()
      guard case .busy = try FileLock.attempt("lock", in: held, creating: true) else {
        Issue.record("two have the lock")
        return
      }
      #expect(try !isFree)
      withExtendedLifetime(lock) {}
    }
    #expect(try isFree)
  }

  /// Between its fork and its exec, a child has a copy of each descriptor.
  @Test func aCopyOfItsDescriptorDoesNotKeepALock() throws {
    var copies: [Int32] = []
    do {
      let lock = try lock()
      let path = folder.file("lock").resolvingSymlinksInPath().path
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path
      }
      copies = open.compactMap { Int32($0) }.map { dup($0) }
      #expect(copies.count == 1 && copies.allSatisfy { $0 >= 0 })
      #expect(try !isFree)
      withExtendedLifetime(lock) {}
    }
    #expect(try isFree)
    for copy in copies { close(copy) }
  }

  @Test func theOwnerIsRecordedInPlaceOfTheLastOne() throws {
    try folder.write(Array("a longer owner than the next".utf8), to: "lock")
    try lock().record("me")
    #expect(try folder.read("lock") == Array("me".utf8))
    // A second name may be a user's backup.
    try FileManager.default.linkItem(at: folder.file("lock"), to: folder.file("backup"))
    try lock().record("another")
    #expect(try folder.read("backup") == Array("me".utf8))
  }

  @Test(arguments: ["folder", "pipe", "link"])
  func whatIsNoFileIsRefused(_ kind: String) throws {
    let path = folder.file("lock").path
    switch kind {
    case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe": try Tools.output("mkfifo", path)
    default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
    }
    #expect(throws: (any Error).self) { try lock() }
    #expect(try folder.names() == ["lock"])
  }
}
