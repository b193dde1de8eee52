import Basics
import Foundation
import TestSupport
import Testing

@testable import FileSystem

@Suite struct FileCopyTests {
  /// Sizes slightly below and above the size of the pieces in which a file is copied.
  @Test(arguments: [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 2_500_000])
  func aCopyIsEqual(_ size: Int) throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: UInt64(size))
    try folder.write((0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }, to: "a")
    try copyFile(folder.file("a").path, to: folder.file("b").path)
    #expect(try Tools.run(["cmp", "a", "b"], in: folder.url).status == 0)
    #expect(throws: EditError.self) { try copyFile(folder.file("a").path, to: folder.file("b").path) }
    #expect(try folder.names() == ["a", "b"])
  }

  @Test func aSourceThatBecomesShorterLeavesNoCopy() throws {
    let folder = try TemporaryFolder()
    try folder.write([UInt8](repeating: 1, count: 3000), to: "a")
    let held = try HeldFolder(path: folder.url.path)
    let source = try held.source("a")
    try folder.write([1], to: "a")
    #expect(throws: (any Error).self) { try copyFile(source, at: "a", to: "b", in: held) }
    // Data writes in place only if necessary. Otherwise the open file would still be intact.
    #expect(try folder.names() == ["a"])
  }
}
