import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of metadata in thousands of parts. Each of these files took minutes or produced gigabytes when the code
/// searched all parts again for each part.
@Suite struct MuchMetadataTests {
  private static let turn = PictureChange(
    transform: .right, orientation: .identity, old: PixelSize(width: 64, height: 48),
    new: PixelSize(width: 48, height: 64), isNewPicture: true)

  /// Returns an XMP packet of one description with these elements.
  private static func packet(_ elements: String) -> String {
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      + "<r:Description xmlns:p='http://ns.google.com/photos/1.0/panorama/' xmlns:e='http://example.com/' "
      + "xmlns:d='http://ns.google.com/photos/1.0/depthmap/' xmlns:a='http://ns.adobe.com/xmp/sType/Area#' "
      + "xmlns:m='http://www.metadataworkinggroup.com/schemas/regions/'>"
      + elements + "</r:Description></r:RDF></x:xmpmeta>"
  }

  /// Returns an Exif block whose first directory has a number of seven-letter texts, stored in reverse order.
  private static func block(of tags: Range<Int>) -> TIFFBlock {
    let big = ByteOrder.big
    var bytes = Array("MM\0*".utf8) + big.bytes(of: 8, width: 4) + big.bytes(of: tags.count, width: 2)
    let values = 10 + 12 * tags.count + 4
    for tag in tags {
      let place = values + 8 * (tags.upperBound - 1 - tag)
      bytes += big.entry(tag, type: 2, count: 8, value: big.bytes(of: place, width: 4))
    }
    bytes += [0, 0, 0, 0]
    for tag in tags.reversed() { bytes += text(tag) }
    return TIFFBlock(bytes: bytes, order: .big)
  }

  private static func text(_ tag: Int) -> [UInt8] { Array("x\(100_000 + tag)\0".utf8) }

  @Test func aBlockTakesThousandsOfEntries() throws {
    let tags = 0x1000..<0x1000 + 10_000
    var block = TIFFBlock.blank(orientation: .right)
    block.complete(with: Self.block(of: tags))
    let entries = try #require(block.listing(.main)).entries
    #expect(entries.map(\.tag) == [TIFFBlock.Tag.orientation] + tags)
    let differing = entries.dropFirst().filter { entry in
      entry.value.map { Array(block.bytes[$0]) } != Self.text(entry.tag)
    }
    #expect(differing.isEmpty)
    #expect(block.orientation == .right)
  }

  /// In an unordered directory, each entry is inserted before the first higher entry, as if it were inserted alone.
  @Test func entriesComeWhereTheyWouldComeAlone() throws {
    let present = [0x1005, 0x1001, 0x100A, 0x1003]
    let big = ByteOrder.big
    let entries = present.flatMap { big.entry($0, type: 3, count: 1, value: [0, 1, 0, 0]) }
    let bytes = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 4] + entries + [0, 0, 0, 0]
    var block = TIFFBlock(bytes: bytes, order: .big)
    var expected = present
    for tag in 0x1000..<0x100D where !present.contains(tag) {
      expected.insert(tag, at: expected.firstIndex { $0 > tag } ?? expected.count)
    }
    block.complete(with: Self.block(of: 0x1000..<0x100D))
    #expect(block.listing(.main)?.entries.map(\.tag) == expected)
  }

  /// Overlapping values do not make the result larger than the block.
  @Test func entriesThatShareTheirValues() {
    let count = 2000
    let big = ByteOrder.big
    let size = 10 + 12 * count + 4
    let entries = (0..<count).flatMap {
      big.entry(0x1000 + $0, type: 1, count: size - 8, value: [0, 0, 0, 8])
    }
    let bytes = Array("MM\0*".utf8) + [0, 0, 0, 8] + big.bytes(of: count, width: 2) + entries + [0, 0, 0, 0]
    var block = TIFFBlock.blank(orientation: .right)
    block.complete(with: TIFFBlock(bytes: bytes, order: .big))
    #expect(block.bytes.count < 2 * bytes.count)
  }

  /// Returns a note with a number of tags, whose values are stored in the order of `places`.
  private static func note(_ tags: [Int], places: [Int]) -> [UInt8] {
    let big = ByteOrder.big
    let values = 16 + 12 * tags.count + 4
    let entries = zip(tags, places).flatMap { tag, place in
      big.entry(tag, type: 2, count: 8, value: big.bytes(of: values + 8 * place, width: 4))
    }
    let texts = tags.indices.flatMap { Self.text($0) }
    return Array("Apple iOS".utf8) + [0, 0, 1, 0x4D, 0x4D] + big.bytes(of: tags.count, width: 2) + entries
      + [0, 0, 0, 0] + texts
  }

  private static let tagsOfLivePhoto = [0x01, 0x0B, 0x11, 0x2B, 0x2E]

  /// The remaining bytes equal those after removing the tags one at a time.
  @Test func tagsOfANoteGoAsIfOneByOne() throws {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<30 {
      let count = Int.random(in: 2...60, using: &generator)
      let tags: [Int] = (1...count).map { $0 }
      let inOrder: [Int] = (0..<count).map { $0 }
      let bytes = Self.note(tags, places: round == 0 ? inOrder : inOrder.shuffled(using: &generator))
      var note = try #require(AppleMakerNote(bytes))
      let gone = note.removeTagsOfPhoto()
      let kept = tags.filter { Self.tagsOfLivePhoto.contains($0) }
      var slow = TIFFBlock(bytes: bytes, order: .big, mainLink: nil, mainPosition: 14)
      for tag in tags where !kept.contains(tag) { slow.remove(tag, from: .main) }
      #expect(note.bytes == slow.bytes)
      #expect(note.tags == kept)
      #expect(gone.count == count - kept.count)
    }
  }

  @Test func aNoteLosesThousandsOfTags() throws {
    let count = 10_000
    let tags: [Int] = (1...count).map { $0 }
    let bytes = Self.note(tags, places: tags.map { count - $0 })
    var note = try #require(AppleMakerNote(bytes))
    #expect(note.removeTagsOfPhoto().count == count - Self.tagsOfLivePhoto.count)
    #expect(note.tags == Self.tagsOfLivePhoto)
  }

  /// Returns a photo with extended packets in segments of some bytes. The segments of each packet are consecutive or
  /// mixed with those of others.
  private static func photo(
    extended packets: [String], room: Int, isMixed: Bool, in folder: TemporaryFolder
  ) throws -> [UInt8] {
    var segments: [(start: Int, bytes: [UInt8])] = []
    for (number, packet) in packets.enumerated() {
      let bytes = Array(packet.utf8)
      let guid = Array(String(repeating: "0", count: 26).utf8) + Array(String(100_000 + number).utf8)
      for start in stride(from: 0, to: bytes.count, by: room) {
        let place = [bytes.count, start].flatMap { ByteOrder.big.bytes(of: $0, width: 4) }
        let part = bytes[start..<min(start + room, bytes.count)]
        segments.append(
          (start, segment(0xE1, Array("http://ns.adobe.com/xmp/extension/\0".utf8) + guid + place + part)))
      }
    }
    if isMixed { segments.sort { $0.start < $1.start } }
    return inserting(segments.flatMap(\.bytes), into: try folder.photo())
  }

  /// Each packet keeps everything except its panorama, and the packets keep their order.
  @Test(arguments: [(600, 60_000, false), (3, 150, true)])
  func extendedPacketsAreRewrittenOnce(count: Int, room: Int, isMixed: Bool) throws {
    let folder = try TemporaryFolder()
    // The input of the digest includes the data after the end.
    let packets = (0..<count).map { number in
      (
        Self.packet("<e:x>\(number)</e:x><p:CroppedAreaLeftPixels>1</p:CroppedAreaLeftPixels>"),
        "<!--\(100_000_000 + number)-->"
      )
    }
    let photo = try Self.photo(
      extended: packets.map { $0.0 + $0.1 }, room: room, isMixed: isMixed, in: folder)
    let result = try JPEGSurgery(photo).rewritten(
      image: folder.turned(photo, .right), transform: .right, identifier: nil, thumbnail: nil,
      md5: { Array($0.suffix(16)) })
    let expected = (0..<count).map { Self.packet("<e:x>\($0)</e:x>") + packets[$0].1 }
    let made = try JPEGParts(JPEGFile(result.bytes)).extendedPackets
    #expect(made.map { String(decoding: $0.bytes ?? [], as: UTF8.self) } == expected)
    #expect(result.removals.map(\.name) == ["GPano"])
  }

  /// For thousands of faces that are cropped, each is removed together with its list entry.
  @Test func regionsThatAreCutOff() throws {
    func region(_ x: String) -> String {
      "<r:li><r:Description m:Name='N\(x)'><m:Area a:x='\(x)' a:y='0.5' a:w='0.1' a:h='0.1' "
        + "a:unit='normalized'/></r:Description></r:li>"
    }
    func regions(_ width: Int, _ list: String) -> String {
      Self.packet(
        "<m:Regions r:parseType='Resource'><m:AppliedToDimensions a:w='\(width)' a:h='48' a:unit='pixel'/>"
          + "<m:RegionList><r:Bag>" + list + "</r:Bag></m:RegionList></m:Regions>")
    }
    let gone = String(repeating: region("0.2"), count: 1500)
    var packet = try #require(try XMPPacket(Array(regions(64, gone + region("0.75") + gone).utf8)))
    let change = PictureChange(
      transform: .up, projection: CroppedPlacesTests.rightHalf, orientation: .identity,
      old: PixelSize(width: 64, height: 48), new: PixelSize(width: 32, height: 48), isNewPicture: true)
    #expect(packet.turnPlaces(change) == ["mwg-rs:RegionList"])
    // The region becomes the middle of the right half, where it is twice as wide.
    let kept =
      "<r:li><r:Description m:Name='N0.75'><m:Area a:x='0.500000' a:y='0.500000' a:w='0.200000' "
      + "a:h='0.100000' a:unit='normalized'/></r:Description></r:li>"
    #expect(String(decoding: packet.rewritten(), as: UTF8.self) == regions(32, kept))
  }

  /// An edited depth map is inserted once, even if the packet mentions it several times.
  @Test func depthThatIsThereManyTimes() throws {
    let map = JPEGMap(bytes: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0x5A, count: 99_999), name: "GDepth")
    let text = Data(map.bytes).base64EncodedString()
    let more = String(repeating: "<d:Data>AAAA</d:Data>", count: 300)
    var packet = try #require(try XMPPacket(Array(Self.packet("<d:Data>/9j/</d:Data>" + more).utf8)))
    var placed: Set<String> = []
    #expect(packet.setDepth([map], Self.turn, placed: &placed) == ["GDepth:Data"])
    #expect(String(decoding: packet.rewritten(), as: UTF8.self) == Self.packet("<d:Data>\(text)</d:Data>"))
    // It is not inserted in another packet of the same photo either.
    var other = try #require(try XMPPacket(Array(Self.packet("<d:Data>/9j/</d:Data>").utf8)))
    #expect(other.setDepth([map], Self.turn, placed: &placed) == ["GDepth:Data"])
    let rdf = "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'></r:RDF>"
    #expect(
      String(decoding: other.rewritten(), as: UTF8.self)
        == "<x:xmpmeta xmlns:x='adobe:ns:meta/'>\(rdf)</x:xmpmeta>")
  }

  /// Each removed chunk is reported.
  @Test func thousandsOfUnknownChunks() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("rotate.png")))
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    var kinds: [String] = []
    for first in "abcdefghijklmnopqrstuvwxyz" {
      for second in letters {
        for third in letters { kinds.append("\(first)\(second)\(third)Q") }
      }
    }
    var planted: [UInt8] = []
    for kind in kinds {
      let named = Array(kind.utf8)
      planted += [0, 0, 0, 0] + named + ByteOrder.big.bytes(of: PNGChunks.checksum(named[...]), width: 4)
    }
    let file = try PNGFile(
      reading: MemoryByteSource(Array(bytes[..<33]) + planted + Array(bytes[33...])))
    let edit = PNGEdit(
      layout: file.layout, data: try file.codedPicture(), keepsPixels: true, transform: .down,
      orientation: .identity)
    let removals = try file.write(edit, identifier: nil, to: MemoryByteSink()).map(\.name)
    #expect(Set(removals).count == removals.count)
    #expect(Set(removals).isSuperset(of: kinds.map { "chunk " + $0 }))
  }
}
