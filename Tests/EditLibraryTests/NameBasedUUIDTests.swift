import EditModel
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

@Suite struct NameBasedUUIDTests {
  /// Test vector from RFC 9562 appendix A.4.
  @Test func theExampleOfTheRFC() throws {
    let dns: [UInt8] = [
      0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8,
    ]
    let uuid = try NameBasedUUID.version5(namespace: dns, name: Array("www.example.com".utf8))
    #expect(uuid == "2ED6657D-E927-568B-95E1-2665A8AEA6A2")
  }

  @Test func filesHashAsSha256sumSays() throws {
    let file = TestFiles.fixture("IMG_0001.MOV")
    let answer = try Tools.run(["sha256sum", file.path])
    #expect(try Digest.sha256(ofFile: file.path) == answer.text.prefix(64))
    let folder = try TemporaryFolder()
    try Data().write(to: folder.file("empty"))
    #expect(
      try Digest.sha256(ofFile: folder.file("empty").path)
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }
}
