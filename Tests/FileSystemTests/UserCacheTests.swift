import FileSystem
import Foundation
import TestSupport
import Testing

@Suite struct UserCacheTests {
  /// The least recently used files are removed first, until the rest is small enough.
  @Test func theOldestGoFirst() throws {
    let folder = try TemporaryFolder()
    let cache = UserCache(path: folder.file("cache").path, limit: 2500)
    _ = try cache.open()
    for (name, day) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] {
      let file = folder.file("cache/" + name)
      try Data(count: 1000).write(to: file)
      try Tools.output("touch", "-d", "2026-01-0\(day)", file.path)
    }
    try Data(count: 10).write(to: folder.file("cache/b-journal"))
    #expect(cache.size == 4010)
    cache.use("a")
    cache.prune()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").path).sorted() == ["a", "d"])
    cache.prune()
    #expect(cache.size == 2000)
  }

  @Test func whatIsNotThereIsEmpty() throws {
    let cache = UserCache(path: try TemporaryFolder().file("none").path, limit: 0)
    cache.prune()
    #expect(cache.size == 0)
  }
}
