import Foundation
import TestSupport
import Testing

@testable import FileSystem

extension FolderWatchTests {
  /// More changes than the system remembers.
  @Test func whatIsForgottenIsSaid() throws {
    let folder = try TemporaryFolder()
    let watch = try FolderWatch()
    try watch.add(folder.url.path)
    let limit =
      Int(
        try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    guard (1...40_000).contains(limit) else { return }
    // Equal events one after another are one.
    for index in 0...limit {
      try #require(FileManager.default.createFile(atPath: folder.file("\(index)").path, contents: nil))
    }
    #expect(try watch.wait(milliseconds: 10_000).isIncomplete)
  }
}
