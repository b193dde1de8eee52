import Foundation
import TestSupport
import Testing

@testable import Studio

/// Tests of the folders of pictures that the editor's helpers read.
@Suite struct EditFolderTests {
  @Test func eachHoldsItsOwn() throws {
    let folder = try TemporaryFolder()
    for name in ["one.jpg", "two.jpg"] { try folder.write(Array(name.utf8), to: name) }
    let (first, second) = (try EditFolder(in: folder.url.path), try EditFolder(in: folder.url.path))
    let path = try first.take("one.jpg")
    #expect(try first.take("one.jpg") == path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: first.path) == ["one.jpg"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: second.path) == [])
    // Meanwhile the cache may remove the file.
    try FileManager.default.removeItem(at: folder.file("one.jpg"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one.jpg")
    #expect(throws: (any Error).self) { try second.take("gone.jpg") }
    first.remove()
    second.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["two.jpg"])
  }
}
