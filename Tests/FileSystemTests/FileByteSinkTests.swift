import Foundation
import TestSupport
import Testing

@testable import FileSystem

@Suite struct FileByteSinkTests {
  /// Writes more than the buffer holds, in portions of all sizes, and overwrites positions both before and after they
  /// leave the buffer.
  @Test func theFileHasWhatWasWritten() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 5)
    var expected: [UInt8] = []
    do {
      let sink = try FileByteSink(path: folder.file("new").path)
      for size in [0, 1, 1000, 262_143, 262_144, 262_145, 7, 600_000] {
        let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try sink.write(bytes)
        expected += bytes
        guard expected.count > 4 else { continue }
        let at = Int.random(in: 0...expected.count - 4, using: &generator)
        try sink.overwrite(at: at, [1, 2, 3, 4])
        expected.replaceSubrange(at..<at + 4, with: [1, 2, 3, 4])
      }
      try sink.write([9])
      #expect(try folder.read("new") == expected)
      try sink.flush()
    }
    #expect(try folder.read("new") == expected + [9])
  }

  @Test func nothingIsOverwrittenAndNoLinkFollowed() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "there")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link").path, withDestinationPath: folder.file("target").path)
    for name in ["there", "link"] {
      #expect(throws: SystemError.exists) { try FileByteSink(path: folder.file(name).path) }
    }
    #expect(try folder.names() == ["link", "there"] && folder.read("there") == [1])
  }

  @Test func othersCanOpenItByItsDescriptor() throws {
    let folder = try TemporaryFolder()
    let sink = try FileByteSink(path: folder.file("new").path)
    try FileManager.default.moveItem(at: folder.file("new"), to: folder.file("moved"))
    try Data([1, 2]).write(to: URL(fileURLWithPath: sink.descriptorPath))
    #expect(try folder.read("moved") == [1, 2])
  }

  @Test func aFileThatMayNotGrowIsAnError() throws {
    // The limit applies to a separate process.
    let folder = try FailingCallTests.folder()
    let run = try Tools.run(
      [
        "sh", "-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" sink \"$1\"", Programs.failingCalls,
        folder.url.path,
      ])
    #expect(run.status == 1 && run.standardError.contains("file too large"), "\(run.standardError)")
  }
}
