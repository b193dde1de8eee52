import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

struct HEIFRulesTests {
  /// Returns the rules that the HEIC fixture violates after a change.
  private func rules(_ change: (inout HEIFPatch) throws -> Void) throws -> [VerificationRule] {
    var pair = try Pair("IMG_0004", photoExtension: "HEIC")
    var patch = HEIFPatch(bytes: pair.photo)
    try change(&patch)
    pair.photo = patch.bytes
    return try pair.rules(fileExtension: "HEIC")
  }

  /// Returns the position of an item's offset in the fixture's table: after eight bytes, with 16 bytes per item.
  private func offset(ofItem item: Int) -> Int { 8 + 16 * (item - 1) + 8 }

  /// Returns the start of a property in the fixture, counted from the first property.
  private func place(ofProperty number: Int) throws -> Int {
    let file = try HEIFFile(reading: MemoryByteSource(HEICPhotos.bytes("IMG_0004.HEIC")))
    return file.properties.properties.prefix(number - 1).reduce(0) { $0 + $1.serialized.count }
  }

  @Test func theFixtureIsSound() throws {
    #expect(try rules { _ in } == [])
    let shared = try PhotoEvidence(
      reading: MemoryByteSource(HEICPhotos.bytes("shared.HEIC")), fileExtension: "heic")
    #expect(shared.isSound)
    #expect(shared.findings == [])
  }

  @Test func exifAndPropertiesMustAgree() throws {
    let turn = try place(ofProperty: 4)
    #expect(try rules { try $0.set(["meta", "iprp", "ipco"], at: turn + 8, [1]) } == [.photoOrientation])
  }

  @Test func picturesMustHaveOneShape() throws {
    let thumbnail = try place(ofProperty: 8)
    let swapped: [UInt8] = [0, 0, 0, 120, 0, 0, 0, 160]
    #expect(
      try rules { try $0.set(["meta", "iprp", "ipco"], at: thumbnail + 12, swapped) } == [.auxiliaryPictures])
    // The tone map uses displayed pixels.
    let tone = try place(ofProperty: 16)
    let stored: [UInt8] = [0, 0, 2, 0xD0, 0, 0, 2, 0x1C]
    #expect(
      try rules { try $0.set(["meta", "iprp", "ipco"], at: tone + 12, stored) } == [.auxiliaryPictures])
  }

  @Test func dataMustLieInTheFile() throws {
    let far: [UInt8] = [0x7F, 0, 0, 0]
    #expect(try rules { try $0.set(["meta", "iloc"], at: offset(ofItem: 15), far) } == [.itemData])
    // The item is a tile of the photo itself.
    let broken = try rules { try $0.set(["meta", "iloc"], at: offset(ofItem: 3), far) }
    #expect(broken == [.photoReadable, .itemData])
    // The whole `idat` box, and one byte more.
    let more = try rules { try $0.set(["meta", "iloc"], at: offset(ofItem: 20) + 4, [0, 0, 0, 71]) }
    #expect(more == [.itemData])
  }

  @Test func referencesMustLeadSomewhere() throws {
    let file = try HEIFFile(reading: MemoryByteSource(HEICPhotos.bytes("IMG_0004.HEIC")))
    // The links end with `cdsc`, from 23, to 13 and 20.
    let links = try #require(file.metaAtoms.first { $0.kind == "iref" })
    #expect(
      try rules { try $0.set(["meta", "iref"], at: links.contentSize - 2, [0, 99]) } == [.itemReferences])
    let associations = try #require(
      HEIFPatch(bytes: HEICPhotos.bytes("IMG_0004.HEIC")).range("meta", "iprp", "ipma"))
    #expect(
      try rules { try $0.set(["meta", "iprp", "ipma"], at: associations.count - 1, [0x7F]) }
        == [.itemReferences])
    let tiles = try rules { try $0.set(["meta", "iref"], at: 4 + 8 + 4, [0, 99]) }
    #expect(tiles == [.photoReadable, .itemReferences])
  }

  @Test func theGridMustFit() throws {
    #expect(try rules { try $0.set(["meta", "idat"], at: 2, [9]) } == [.photoReadable])
    #expect(try rules { try $0.set(["meta", "idat"], at: 4, [3]) } == [.photoReadable])
    let size = try place(ofProperty: 2)
    #expect(
      try rules { try $0.set(["meta", "iprp", "ipco"], at: size + 12, [0, 0, 0, 100]) } == [.photoReadable])
  }
}
