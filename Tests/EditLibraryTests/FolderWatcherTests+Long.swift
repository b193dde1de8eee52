import Foundation
import TestSupport
import Testing

@testable import EditLibrary

extension FolderWatcherTests {
  /// A postponed arrival is reported again later, or at once if its file changes.
  @Test func whatIsPostponedComesAgain() throws {
    let watcher = try watcher()
    try folder.copy(TestFiles.fixture("gainmap.JPG"))
    for seconds in [2, 600, 2] {
      var arrival: FolderWatcher.Arrival?
      let begin = Date()
      while arrival == nil, -begin.timeIntervalSinceNow < 60 {
        arrival = try watcher.next(milliseconds: 100).first
      }
      watcher.postpone(try #require(arrival), seconds: seconds)
      #expect(try arrivals(watcher, seconds: 1.5).isEmpty)
      if seconds == 600 {
        try Data(contentsOf: TestFiles.fixture("ultrahdr.JPG")).write(to: folder.file("gainmap.JPG"))
      }
    }
    #expect(try arrivals(watcher, seconds: 5, count: 1) == [["gainmap.JPG"]])
  }

  @Test func whatIsNotFinishedComesAgain() throws {
    try folder.copy(TestFiles.fixture("gainmap.JPG"))
    let first = try watcher()
    #expect(first.knownCount == 1)
    try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    #expect(
      try arrivals(first, seconds: 2.5, count: 1, finishing: false) == [["IMG_0003.JPG", "IMG_0003.MOV"]])
    let second = try watcher()
    #expect(second.knownCount == 0)
    // A rewritten file is reported again, but a file with only a new timestamp is not.
    try Data(contentsOf: TestFiles.fixture("ultrahdr.JPG")).write(to: folder.file("gainmap.JPG"))
    let found = try arrivals(second, seconds: 3.5, count: 2)
    #expect(found.sorted { $0[0] < $1[0] } == [["IMG_0003.JPG", "IMG_0003.MOV"], ["gainmap.JPG"]])
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder.file("gainmap.JPG").path)
    #expect(try arrivals(try watcher(), seconds: 2.5).isEmpty)
  }

  /// Zeros at a file's end may be padding. Their position is known when the file is finished.
  @Test func aFileThatMayBeWholeWaits() throws {
    let watcher = try watcher(longestWait: 4)
    let whole = [UInt8](try Data(contentsOf: TestFiles.fixture("portrait.JPG")))
    try folder.write(whole + [UInt8](repeating: 0, count: 700), to: "a.JPG")
    #expect(try arrivals(watcher, seconds: 2.5).isEmpty)
    let early = try first(watcher)
    #expect(early.missing == nil && early.dataEnds.isEmpty)
    try watcher.finish(early)
    try folder.write(whole + [UInt8](repeating: 7, count: 700), to: "a.JPG")
    #expect(try first(watcher).dataEnds == ["a.JPG": whole.count])
  }

  /// Existing and finished files are not reported again after they are renamed. New files in a folder that replaced a
  /// renamed folder are reported.
  @Test func renamedFoldersAndFilesAreNoArrivals() throws {
    let old = folder.file("old").path
    try FileManager.default.createDirectory(atPath: old + "/below", withIntermediateDirectories: true)
    func put(_ name: String, in place: String) throws {
      try FileManager.default.copyItem(atPath: TestFiles.fixture(name).path, toPath: place + "/" + name)
    }
    try put("IMG_0001.JPG", in: old)
    try put("IMG_0001.MOV", in: old)
    try put("gainmap.JPG", in: old + "/below")
    let first = try watcher()
    #expect(first.knownCount == 2)
    try put("portrait.JPG", in: old)
    #expect(try arrivals(first, seconds: 2.5, count: 1) == [["old/portrait.JPG"]])
    let new = folder.file("2019").path
    #expect(rename(old, new) == 0)
    #expect(rename(new + "/portrait.JPG", new + "/people.JPG") == 0)
    #expect(chmod(new + "/below/gainmap.JPG", 0o600) == 0)
    #expect(try arrivals(first, seconds: 2.5).isEmpty)
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
    #expect(try arrivals(first, seconds: 0.5).isEmpty)
    try put("ultrahdr.JPG", in: old)
    try put("depth.HEIC", in: new + "/below")
    let found = try arrivals(first, seconds: 2.5, count: 2)
    #expect(found.sorted { $0[0] < $1[0] } == [["2019/below/depth.HEIC"], ["old/ultrahdr.JPG"]])
    #expect(try arrivals(try watcher(), seconds: 2.5).isEmpty)
  }

  @Test func moreThanTheSystemRemembersIsFoundByLooking() throws {
    let watcher = try watcher()
    let below = folder.file("below")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: false)
    _ = try arrivals(watcher, seconds: 0.3)
    // Twice as many events as the system can queue.
    let limit = try #require(
      Int(
        String(
          decoding: try Data(contentsOf: URL(fileURLWithPath: "/proc/sys/fs/inotify/max_queued_events")),
          as: UTF8.self
        )
        .trimmingCharacters(in: .whitespacesAndNewlines)))
    let noise = below.appendingPathComponent("noise.txt").path
    for _ in 0..<limit {
      _ = FileManager.default.createFile(atPath: noise, contents: nil)
      unlink(noise)
    }
    try FileManager.default.copyItem(
      at: TestFiles.fixture("gainmap.JPG"), to: below.appendingPathComponent("gainmap.JPG"))
    #expect(try arrivals(watcher, seconds: 3, count: 1) == [["below/gainmap.JPG"]])
  }
}
