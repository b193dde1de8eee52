import Basics
import EditModel
import Foundation
import LiveEdit
import RenderClient
import TestSupport
import Testing
import Workflows

@testable import Studio

/// Tests of values from folders and files in the server's responses.
@Suite struct HostileValuesTests {
  @Test(arguments: [
    (Int.max, 1, 65535), (1, Int.max, 1), (4032, 3024, 133), (0, 5, 0), (-4, 5, 0), (Int.max, Int.max, 100),
  ])
  func shapes(_ width: Int, _ height: Int, _ shape: Int) {
    var metadata = AssetMetadata(kind: .photo, modified: 0, size: 0)
    (metadata.width, metadata.height) = (width, height)
    #expect(Int(metadata.shape) == shape)
  }

  /// A member with the key of a message but another value is kept as it is, and so are the members beside it.
  @Test func whatIsCalledAMessageNeedNotBeOne() throws {
    let answer = RawJSON([EnglishText.member: ["no", "message"], "other": ["x"]], relativeTo: [])
    let text = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
    #expect(text.contains(#""other":["x"]"#) && text.contains("no"), "\(text)")
  }
}
