import Foundation
import Testing

@testable import Studio

@Suite struct DownloadFolderTests {
  /// The files of a job are kept until its last file is too old, whether or not they are downloaded.
  @Test func filesOfLongAgoGo() throws {
    let downloads = try DownloadFolder()
    defer { downloads.end() }
    func made(_ job: String, _ asset: Int) throws -> (path: String, word: String) {
      let folder = URL(fileURLWithPath: downloads.path(job: job, asset: asset))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = folder.appendingPathComponent("IMG_0001.JPG").path
      try Data("photo".utf8).write(to: URL(fileURLWithPath: path))
      return (path, downloads.add(path, job: job))
    }
    let (early, first) = (try made("early", 0), try made("late", 0))
    #expect(downloads.path(early.word, named: "IMG_0001.JPG") == early.path)
    let between = ContinuousClock.now
    usleep(10_000)
    let last = try made("late", 1)
    downloads.forget(at: between + .seconds(3600) + .milliseconds(1))
    #expect(!FileManager.default.fileExists(atPath: early.path))
    #expect(downloads.path(early.word, named: "IMG_0001.JPG") == nil)
    for (path, word) in [first, last] {
      #expect(FileManager.default.fileExists(atPath: path))
      #expect(downloads.path(word, named: "IMG_0001.JPG") == path)
    }
  }
}
