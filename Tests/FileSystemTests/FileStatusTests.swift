import Foundation
import TestSupport
import Testing

@testable import FileSystem

@Suite struct FileStatusTests {
  private let folder = try? TemporaryFolder()

  /// If two contents have the same status, that status did not count as settled.
  @Test func aStatusThatALaterChangeCanShareIsNotSettled() throws {
    let folder = try #require(folder)
    let path = try folder.write([0], to: "one").path
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    var versions: Set<String> = []
    var unsettled = 0
    for number in 0..<500 {
      let before = try FileStatus(path: path)
      versions.insert(before.version)
      try file.seek(toOffset: 0)
      try file.write(contentsOf: [UInt8(number % 256)])
      let after = try FileStatus(path: path)
      #expect(before != after || !before.isSettled)
      if !after.isSettled { unsettled += 1 }
    }
    #expect(unsettled > 0)
    #expect(versions.count == 500)
  }

  @Test func anOldStatusIsSettled() throws {
    let folder = try #require(folder)
    let path = try folder.write([0], to: "one").path
    let times = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
    #expect(utimes(path, times) == 0)
    // Any later change would set a different modification time.
    #expect(try FileStatus(path: path).isSettled)
    #expect(try FileStatus(path: path).version == FileStatus(path: path).version)
    #expect(try FileStatus(path: "/proc/self/exe").isSettled)
  }
}
