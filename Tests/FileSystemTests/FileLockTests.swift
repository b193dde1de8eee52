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

  /// The lock, which a program that another test starts at this moment may have for as long as it takes to start.
  func lock() throws -> FileLock {
    for _ in 0..<500 {
      if case .locked(let lock) = try FileLock.attempt("lock", in: held, creating: true) { return lock }
      usleep(10_000)
    }
    throw ToolFailure("no lock")
  }

  /// True if the lock is free within some seconds; flock(1) takes the same locks.
  private func isFree(within seconds: Int) throws -> Bool {
    try Tools.run(["flock", "--timeout", "\(seconds)", folder.file("lock").path, "true"]).status == 0
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
      #expect(try !isFree(within: 0))
      withExtendedLifetime(lock) {}
    }
    #expect(try isFree(within: 5))
  }

  @Test func theOwnerIsRecordedInPlaceOfTheLastOne() throws {
    try folder.write(Array("a longer owner than the next".utf8), to: "lock")
    try lock().record("me")
    #expect(try folder.read("lock") == Array("me".utf8))
    // A second name may be somebody's backup.
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
