import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension MetadataLimitsTests {
  /// The six bytes of a picture, with spaces between them that count as characters. Reading the maximum number takes
  /// long, so a quick run reads fewer.
  @Test func charactersOfADepthPicture() throws {
    let most = 1 << 26
    let open =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      + "<r:Description xmlns:d='http://ns.google.com/photos/1.0/depthmap/'><d:Data>/9j/"
    let close = "AAAA</d:Data></r:Description></r:RDF></x:xmpmeta>"
    for count in Cases.areAllRun ? [most, most + 1] : [most >> 6] {
      let spaces = [UInt8](repeating: UInt8(ascii: " "), count: count - 8)
      var packet = try #require(try XMPPacket(Array(open.utf8) + spaces + Array(close.utf8)))
      let pictures = packet.depthPictures
      let expected: [[UInt8]] = count > most ? [] : [[0xFF, 0xD8, 0xFF, 0, 0, 0]]
      #expect(pictures.map(\.bytes) == expected)
      // A picture that could not be read is not edited either.
      var change = PictureChange(
        transform: .right, orientation: .identity, old: PixelSize(width: 4, height: 3),
        new: PixelSize(width: 3, height: 4), isNewPicture: true)
      change.keepsDepth = !pictures.isEmpty
      let removed: [String] = count > most ? ["GDepth"] : []
      #expect(packet.turnPlaces(change) == removed)
    }
  }
}
