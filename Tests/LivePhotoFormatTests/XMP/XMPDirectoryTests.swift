import Testing

@testable import LivePhotoFormat

/// Returns a packet with Google's directory of the data after a picture.
@Suite struct XMPDirectoryTests {
  private static func packet(_ count: Int) -> [UInt8] {
    let items = (0..<count).map { index in
      """
      <r:li r:parseType="Resource"><C:Item I:Semantic="\(index == 0 ? "Primary" : "Depth\(index)")" I:Mime="image/jpeg" \
      I:Length="\(index)"/></r:li>
      """
    }
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about="" \
      xmlns:C="http://ns.google.com/photos/1.0/container/" xmlns:I="http://ns.google.com/photos/1.0/container/item/">\
      <C:Directory><r:Seq>\(items.joined())</r:Seq></C:Directory></r:Description></r:RDF></x:xmpmeta>
      """
    return Array(text.utf8)
  }

  /// The first 256 pictures are read, and one more to detect that the directory contains too many.
  @Test(arguments: [(1, 1), (6, 6), (256, 256), (257, 257), (2000, 257)])
  func itsItemsAreReadInOrder(count: Int, read: Int) throws {
    let packet = try #require(try XMPPacket(Self.packet(count)))
    #expect(packet.containerItems.map { $0.length ?? 0 } == Array(0..<read))
    #expect(packet.containerSemantics == (0..<read).map { $0 == 0 ? "Primary" : "Depth\($0)" })
    #expect(packet.directories.map(\.isOfDepth) == [false])
  }
}
