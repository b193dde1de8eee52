import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// These tests are serialized because the state folder is set for the whole process.
@Suite(.serialized) struct FolderWatcherTests {
  let folder: TemporaryFolder
  let purpose: [String]

  init() throws {
    folder = try TemporaryFolder()
    // Each test has its own record.
    purpose = [UUID().uuidString]
    setenv("XDG_STATE_HOME", NSTemporaryDirectory() + "liveedit-test-state", 1)
  }

  func watcher(longestWait: Int = 60) throws -> FolderWatcher {
    try FolderWatcher(
      [folder.url.path], isRecursive: true, purpose: purpose, settling: 1, longestWait: longestWait
    ) { _, error in Issue.record(error) }
  }

  /// Returns the names of the arrivals within some seconds. On a slow computer it waits until `count` items have
  /// arrived.
  func arrivals(
    _ watcher: FolderWatcher, seconds: Double, count: Int = 0, finishing: Bool = true
  ) throws -> [[String]] {
    var found: [[String]] = []
    let begin = Date()
    while -begin.timeIntervalSinceNow < (found.count < count ? 60 : seconds) {
      for arrival in try watcher.next(milliseconds: 100) {
        found.append(arrival.files.map { String($0.dropFirst(folder.url.path.count + 1)) })
        if finishing { try watcher.finish(arrival) }
      }
    }
    return found
  }

  @Test func aHalfWaitsForTheOtherAndThenGoesAlone() throws {
    let watcher = try watcher(longestWait: 7)
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0002.MOV"))
    try folder.copy(TestFiles.fixture("gainmap.JPG"))
    // A photo that is not part of a pair is reported without waiting.
    #expect(try arrivals(watcher, seconds: 2.5, count: 1) == [["gainmap.JPG"]])
    try folder.copy(TestFiles.fixture("IMG_0001.MOV"))
    #expect(
      try arrivals(watcher, seconds: 9, count: 2) == [["IMG_0001.JPG", "IMG_0001.MOV"], ["IMG_0002.MOV"]])
    #expect(try arrivals(watcher, seconds: 1.5).isEmpty)
  }

  /// Returns the first arrival within a minute.
  func first(_ watcher: FolderWatcher) throws -> FolderWatcher.Arrival {
    let begin = Date()
    while -begin.timeIntervalSinceNow < 60 {
      if let arrival = try watcher.next(milliseconds: 100).first { return arrival }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  /// A program set the file to its full size and then stopped. The file is reported together with the reason not to
  /// edit it.
  @Test func aFileThatLacksDataIsNoArrivalUntilItIsComplete() throws {
    let watcher = try watcher(longestWait: 4)
    let whole = [UInt8](try Data(contentsOf: TestFiles.fixture("spatial.HEIC")))
    let file = try folder.write(
      whole[..<8000] + [UInt8](repeating: 0, count: whole.count - 8000), to: "a.HEIC")
    #expect(try arrivals(watcher, seconds: 2.5).isEmpty)
    let partial = try first(watcher)
    #expect(partial.missing?.file == file.path)
    #expect(partial.missing?.problem.description.contains("only zeros after byte 8000") == true)
    try watcher.finish(partial)
    #expect(try arrivals(watcher, seconds: 1.5).isEmpty)
    let handle = try FileHandle(forWritingTo: file)
    try handle.seek(toOffset: 8000)
    try handle.write(contentsOf: whole[8000...])
    #expect(try first(watcher).missing == nil)
  }
}
