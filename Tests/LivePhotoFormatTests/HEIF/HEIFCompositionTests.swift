import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

struct HEIFCompositionTests {
  /// Rewrites items of a file and reads the result with an independent box parser.
  private func rewritten(
    _ bytes: [UInt8], _ contents: [UInt32: [UInt8]],
    properties change: (inout HEIFProperties) -> Void = { _ in }
  ) throws -> (bytes: [UInt8], before: WalkedHEIF, after: WalkedHEIF) {
    let file = try HEIFFile(reading: MemoryByteSource(bytes))
    var properties = file.properties
    change(&properties)
    var composition = HEIFComposition(file, properties: properties)
    for (id, content) in contents { composition.replace(id, with: content) }
    let sink = MemoryByteSink()
    try composition.writeInPlace(to: sink)
    let folder = try TemporaryFolder()
    let before = try WalkedHEIF.read(folder.write(bytes, to: "before.heic"))
    let after = try WalkedHEIF.read(folder.write(sink.bytes, to: "after.heic"))
    return (sink.bytes, before, after)
  }

  private func sha(_ bytes: [UInt8]) throws -> String {
    let answer = try Tools.run(["sha256sum"], input: Data(bytes))
    return String(answer.text.prefix(64))
  }

  private func expectOthersKept(_ before: WalkedHEIF, _ after: WalkedHEIF, but changed: Set<Int>) {
    for (number, item) in before.items where !changed.contains(Int(number) ?? 0) {
      #expect(after.items[number]?.sha == item.sha, "item \(number)")
    }
  }

  @Test(arguments: [1, 384, 5000]) func anItemOfItsOwnKeepsItsPlace(count: Int) throws {
    let photo = try HEICPhotos.bytes("IMG_0004.HEIC")
    let content = [UInt8](repeating: 0x41, count: count)
    let (bytes, before, after) = try rewritten(photo, [21: content])
    #expect(after[21]?.sha == (try sha(content)))
    #expect(after[21]?.places.first?.first == before[21]?.places.first?.first)
    #expect(bytes.count == photo.count - 384 + count)
    expectOthersKept(before, after, but: [21])
    #expect(Data(bytes).firstRange(of: Data("HDRGainMapHeadroom".utf8)) == nil)
  }

  @Test func piecesBecomeOne() throws {
    let photo = try HEICPhotos.bytes("shared.HEIC")
    let content = Array("a shorter packet".utf8)
    let (bytes, before, after) = try rewritten(photo, [5: content])
    #expect(before[5]?.places.count == 3)
    #expect(after[5]?.sha == (try sha(content)))
    expectOthersKept(before, after, but: [5])
    #expect(Data(bytes).firstRange(of: Data("mwg-rs".utf8)) == nil)
  }

  // Two items share their bytes, and only one of them changes.
  @Test func sharedBytesStayForTheOther() throws {
    var patch = HEIFPatch(bytes: try HEICPhotos.bytes("IMG_0004.HEIC"))
    let table = try #require(patch.range("meta", "iloc"))
    let place = Array(patch.bytes[table.lowerBound + 8 + 16 * 22 + 8..<table.lowerBound + 8 + 16 * 22 + 16])
    try patch.set(["meta", "iloc"], at: 8 + 16 * 20 + 8, place)
    let content = Array("another packet".utf8)
    let (_, before, after) = try rewritten(patch.bytes, [21: content])
    #expect(before[21]?.sha == before[23]?.sha)
    #expect(after[21]?.sha == (try sha(content)))
    expectOthersKept(before, after, but: [21])
  }

  // An item stored among the boxes is moved, and its old bytes are zeroed.
  @Test func inlineDataMovesOut() throws {
    let content = [UInt8](repeating: 7, count: 100)
    let (bytes, before, after) = try rewritten(HEICPhotos.bytes("IMG_0004.HEIC"), [20: content])
    #expect(before[20]?.method == 1)
    #expect(after[20]?.method == 0)
    #expect(after[20]?.sha == (try sha(content)))
    expectOthersKept(before, after, but: [20])
    let idat = try #require(HEIFPatch(bytes: bytes).range("meta", "idat"))
    #expect(bytes[idat].count == 78)
    #expect(bytes[idat].dropFirst(16).allSatisfy { $0 == 0 })
  }

  // A box of size 0 extends to the end of the file, until data is appended.
  @Test func anOpenBoxIsClosed() throws {
    var photo = try HEICPhotos.bytes("shared.HEIC")
    let media = 918
    #expect(Array(photo[media + 4..<media + 8]) == Array("mdat".utf8))
    // A 64-bit header is replaced by a short header and eight bytes of media.
    photo.replaceSubrange(media..<media + 4, with: [0, 0, 0, 0])
    var patch = HEIFPatch(bytes: photo)
    let table = try #require(patch.range("meta", "iloc"))
    // XMP and Exif share their bytes, so one of them must be moved.
    let exif = Array(photo[table.lowerBound + 8 + 20 * 3..<table.lowerBound + 8 + 20 * 4].suffix(14))
    try patch.set(["meta", "iloc"], at: 8 + 20 + 6, exif)
    let content = [UInt8](repeating: 9, count: 10)
    let (bytes, before, after) = try rewritten(patch.bytes, [2: content])
    #expect(before[2]?.sha == before[4]?.sha)
    #expect(after[2]?.sha == (try sha(content)))
    expectOthersKept(before, after, but: [2])
    #expect(bytes.suffix(18).elementsEqual([0, 0, 0, 18] + Array("mdat".utf8) + content))
  }

  @Test func moreThan127PropertiesTakeTwoBytes() throws {
    let (bytes, before, after) = try rewritten(HEICPhotos.bytes("IMG_0004.HEIC"), [:]) { properties in
      for number in 0..<130 { properties.properties.append(Atom("xprp", [UInt8(number)])) }
    }
    #expect(before.items.count == after.items.count)
    let sink = MemoryByteSink()
    _ = try HEIFFile(Photo(MemoryByteSource(bytes))).write(turn: .upMirrored, to: sink)
    let folder = try TemporaryFolder()
    let turned = try WalkedHEIF.read(folder.write(sink.bytes, to: "turned.heic"))
    #expect(turned[13]?.contents("irot") == ["01"])
    #expect(turned[13]?.contents("imir") == ["00"])
    #expect(turned[13]?.contents("xprp") == before[13]?.contents("xprp"))
    expectOthersKept(before, turned, but: [22])
    let flags = try #require(HEIFPatch(bytes: sink.bytes).range("meta", "iprp", "ipma"))
    #expect(sink.bytes[flags.lowerBound + 3] == 1)
  }

  @Test func trailingBytesStay() throws {
    let photo = try HEICPhotos.bytes("IMG_0004.HEIC")
    let trailer: [UInt8] = [0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    let file = try HEIFFile(reading: MemoryByteSource(photo + trailer))
    var composition = HEIFComposition(file, properties: file.properties)
    composition.replace(20, with: [1])
    let sink = MemoryByteSink()
    try composition.writeInPlace(to: sink)
    #expect(sink.bytes.suffix(trailer.count) == trailer[...])
  }
}
