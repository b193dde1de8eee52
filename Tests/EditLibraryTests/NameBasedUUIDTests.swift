import EditModel
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

@Suite struct NameBasedUUIDTests {
  /// RFC 9562 appendix A.4.
  @Test func theExampleOfTheRFC() throws {
    let dns: [UInt8] = [
      0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8,
    ]
    let uuid = try NameBasedUUID.version5(namespace: dns, name: Array("www.example.com".utf8))
    #expect(uuid == "2ED6657D-E927-568B-95E1-2665A8AEA6A2")
  }

  @Test(arguments: Orientation.allCases)
  func pythonGivesTheSame(_ orientation: Orientation) throws {
    let base = "602FEBB7-6B59-4799-96E6-9C8484D873C7"
    let adjustment = AdjustmentData(
      edit: Edit(orientation: orientation), settings: RenderSettings(quality: .high))
    let program = """
      import sys, uuid
      namespace = uuid.UUID('6f1c7b0e-52d3-4a38-9be1-3d5f08c4a792')
      print(str(uuid.uuid5(namespace, sys.argv[1] + '\\n' + sys.argv[3] + '\\n' + sys.argv[2])).upper())
      """
    let text = String(decoding: adjustment.data, as: UTF8.self)
    let answer = try Tools.run(["python3", "-c", program, base, text, adjustment.formatVersion])
    #expect(try NameBasedUUID.renderIdentifier(base: base, adjustment: adjustment) == answer.lines.first)
    // Without a tie in the base there is none in the render, nor where the photo stands alone.
    #expect(try NameBasedUUID.renderIdentifier(base: nil, adjustment: adjustment) == nil)
    let alone = AdjustmentData(edit: Edit(motion: try Motion(isLiveOff: true)), settings: .standard)
    #expect(try NameBasedUUID.renderIdentifier(base: base, adjustment: alone) == nil)
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
