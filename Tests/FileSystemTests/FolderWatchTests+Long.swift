import Foundation
import TestSupport
import Testing

@testable import FileSystem

extension FolderWatchTests {
  /// Causes more changes than the system can queue.
  @Test func whatIsForgottenIsSaid() throws {
    let folder = try TemporaryFolder()
    let watch = try FolderWatch()
    try watch.add(folder.url.path)
    let limit =
      Int(
        try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    guard (1...40_000).contains(limit) else { return }
    // Consecutive equal events are merged into one.
    for index in 0...limit {
      try #require(FileManager.default.createFile(atPath: folder.file("\(index)").path, contents: nil))
    }
    #expect(try watch.wait(milliseconds: 10_000).isIncomplete)
  }
}
