import Foundation
import Testing

@testable import LivePhotoFormat

/// Encodes bytes as text, compared with Foundation.
@Suite struct Base64Tests {
  @Test(arguments: 0..<70) func everyLengthGoesThereAndBack(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
    let text = Data(bytes).base64EncodedString()
    #expect([UInt8](base64: text) == bytes)
    // Padding may be missing, and lines may be broken.
    let bare = text.filter { $0 != "=" }
    #expect([UInt8](base64: bare) == bytes)
    let lines = text.enumerated().map { $0.offset % 7 == 6 ? "\($0.element)\r\n\t " : String($0.element) }
    #expect([UInt8](base64: lines.joined()) == bytes)
  }

  /// Padding before the text, and more padding than a group can have (RFC 4648 section 3.2).
  @Test(arguments: ["QU=J", "QUJD===="]) func paddingStandsAtTheEnd(_ text: String) {
    #expect([UInt8](base64: text) == nil)
  }

  /// Invalid text, which Foundation also refuses.
  @Test(arguments: [
    "QUJDR*==", "QUJD-w==", "QUJD_w==", "QUJDR", "Q", "Q===", "QQ==QQ==", "=QUJ",
    "QUJD\u{0}EFG",
    "ÄUJD",
  ]) func damagedTextIsNone(_ text: String) {
    #expect(Data(base64Encoded: text) == nil)
    #expect([UInt8](base64: text) == nil)
  }
}
