import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of HEIC files with extreme numbers, and of files with more boxes of every kind than any real photo.
struct HEIFNumbersTests {
  @Test func newItemsGetANumberOfTwoBytes() throws {
    #expect(try HEIFItem.newNumber(beside: [UInt32]()) == 1)
    #expect(try HEIFItem.newNumber(beside: [1, 2, 7] as [UInt32]) == 8)
    #expect(try HEIFItem.newNumber(beside: [.max]) == 1)
    #expect(try HEIFItem.newNumber(beside: [0x1_0000, 3, .max - 1]) == 4)
    #expect(try HEIFItem.newNumber(beside: [1, 2, 0xFFFF]) == 3)
    #expect(try HEIFItem.newNumber(beside: Array(1...0xFFFD) + [0xFFFF]) == 0xFFFE)
    #expect(throws: MediaError.self) {
      try HEIFItem.newNumber(beside: Array(0...0xFFFF as ClosedRange<UInt32>))
    }
  }

  @Test func impossibleSizesAreFindings() throws {
    let photo = try HEICPhotos.bytes("IMG_0004.HEIC")
    let sizes: [[UInt8]] = [
      [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1],
    ]
    for size in sizes {
      var bytes = photo
      for at in 0..<bytes.count - 16 where bytes[at..<at + 4].elementsEqual("ispe".utf8) {
        bytes.replaceSubrange(at + 8..<at + 16, with: size + size)
      }
      let source = MemoryByteSource(bytes)
      #expect(try PhotoEvidence(reading: source, fileExtension: "HEIC").findings.isEmpty == false)
      _ = try HEIFFile(reading: source).findings()
      _ = try PhotoInspection(Photo(source))
    }
  }

  /// The displayed picture is the rotated area of the clean aperture, even if the photo merely derives from another
  /// picture.
  @Test func aCleanApertureIsWhatIsDisplayed() throws {
    let photo = try HEIFFile(reading: MemoryByteSource(HEICPhotos.bytes("IMG_0004.HEIC")))
    let picture = photo.primaryItem
    #expect(photo.spatialExtents(of: picture) == PixelSize(width: 720, height: 540))
    #expect(photo.photoOrientation == .right)
    var composition = HEIFComposition(photo)
    var list = composition.list(of: picture)
    let aperture = Atom("clap", words: [200, 1, 500, 1, 40, 1, 10, 1])
    list.insert((aperture, true), at: list.firstIndex { $0.atom.pictureTurn != nil } ?? list.count)
    composition.setList(list, of: picture)
    let copy = try composition.add("iden", [], isHidden: false)
    composition.setList([(Atom.spatialExtents(PixelSize(width: 500, height: 200)), false)], of: copy)
    composition.references.append(HEIFReference(kind: "dimg", from: copy, to: [picture]))
    let sink = MemoryByteSink()
    try composition.writeAnew(to: sink)
    var repeating = HEIFPatch(bytes: sink.bytes)
    try repeating.set(["meta", "pitm"], at: 4, ByteOrder.big.bytes(of: Int(copy), width: 2))
    for bytes in [sink.bytes, repeating.bytes] {
      let metadata = try Photo(MemoryByteSource(bytes)).metadata()
      #expect((metadata.width, metadata.height) == (500, 200))
      #expect((metadata.storedWidth, metadata.storedHeight) == (720, 540))
    }
  }

  /// Returns a box with the given content.
  private func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    ByteOrder.big.bytes(of: content.count + 8, width: 4) + Array(kind.utf8) + content
  }

  @Test func tooManyItemsAreRefused() throws {
    func table(_ count: Int) -> [UInt8] {
      let entries = (1...count).flatMap { id in
        box(
          "infe", [2, 0, 0, 0] + ByteOrder.big.bytes(of: id, width: 2) + [0, 0] + Array("hvc1".utf8) + [0])
      }
      return [0, 0, 0, 0] + ByteOrder.big.bytes(of: count, width: 2) + entries
    }
    #expect(try HEIFItem.table(table(8192)).count == 8192)
    let refused = #expect(throws: MediaError.self) { try HEIFItem.table(table(8193)) }
    #expect(refused?.isUnsupported == true)
    // The table has more entries than its count states.
    var more = table(9000)
    more.replaceSubrange(4..<6, with: [0, 1])
    #expect(throws: MediaError.self) { try HEIFItem.table(more) }
  }

  @Test func tooManyReferencesAreRefused() throws {
    func table(_ links: Int, _ each: Int) -> [UInt8] {
      let ids = (0..<each).flatMap { _ in [UInt8](arrayLiteral: 0, 2) }
      let link = box("dimg", [0, 1] + ByteOrder.big.bytes(of: each, width: 2) + ids)
      return [0, 0, 0, 0] + (0..<links).flatMap { _ in link }
    }
    #expect(try HEIFReference.table(table(10, 4000)).count == 10)
    #expect(throws: MediaError.self) { try HEIFReference.table(table(2, 40_000)) }
    #expect(throws: MediaError.self) { try HEIFReference.table(table(70_000, 0)) }
  }
}
