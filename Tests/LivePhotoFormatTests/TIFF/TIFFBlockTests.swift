import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

struct TIFFBlockTests {
  /// Returns the Exif block of a photo with tags written by exiftool.
  private static func block(_ folder: TemporaryFolder, order: String, _ arguments: [String]) throws
    -> TIFFBlock
  {
    try folder.exifBlock(["-ExifByteOrder=" + order] + arguments)
  }

  /// Returns the tags that exiftool reads from a block.
  private static func tags(_ block: TIFFBlock, _ folder: TemporaryFolder) throws -> [String: String] {
    let tags = try folder.tags(of: block)
    #expect(tags["ExifTool:Warning"] == nil)
    return tags.filter { key, _ in
      ["IFD0:", "IFD1:", "ExifIFD:", "GPS:", "InteropIFD:"].contains { key.hasPrefix($0) }
    }
  }

  private static let arguments = [
    "-Make=A maker of cameras", "-Model=A model", "-Orientation#=8", "-Artist=Ann", "-ISO=100",
    "-LensModel=A lens",
    "-GPSAltitude=12.5", "-InteropIndex=R98", "-ExifImageWidth=64", "-SubjectArea=1 2 3 4",
    "-UserComment=words",
  ]

  @Test(arguments: ["MM", "II"]) func readsTags(order: String) throws {
    let folder = try TemporaryFolder()
    let block = try Self.block(folder, order: order, Self.arguments)
    let capture = try PhotoMetadata(
      exif: block, xmp: nil, stored: PixelSize(width: 64, height: 48), orientation: nil, hasGainMap: false)
    #expect(capture.make == "A maker of cameras" && capture.model == "A model")
    #expect(block.orientation == .left)
    #expect(block.number(0x8827, in: .exif) == 100)
    #expect(block.text(0xA434, in: .exif) == "A lens")
    #expect(block.listing(.exif)?.entry(0x9214).flatMap(block.numbers) == [1, 2, 3, 4])
    #expect(block.text(0x0001, in: .interoperability) == "R98")
    #expect(block.listing(.gps)?.entry(0x0006) != nil)
    #expect(block.listing(.thumbnail) == nil && block.thumbnail == nil)
  }

  @Test(arguments: ["MM", "II"]) func addsAndGrowsWithoutMovingAnything(order: String) throws {
    let folder = try TemporaryFolder()
    let original = try Self.block(folder, order: order, Self.arguments)
    let before = try Self.tags(original, folder)
    var block = original
    let software = Array("A program".utf8) + [0]
    let wasSet = block.set(0x0131, type: 2, count: software.count, data: software, in: .main)
    let lens = Array("A lens with a much longer name".utf8) + [0]
    let wasGrown = block.set(0xA434, type: 2, count: lens.count, data: lens, in: .exif)
    #expect(wasSet && wasGrown)
    let after = try Self.tags(block, folder)
    #expect(after["IFD0:Software"] == "A program")
    #expect(after["ExifIFD:LensModel"] == "A lens with a much longer name")
    let others = { (tags: [String: String]) in
      tags.filter { $0.key != "IFD0:Software" && $0.key != "ExifIFD:LensModel" }
    }
    #expect(others(after) == others(before))
    // Values that did not grow keep their positions, even if their directory moved.
    for (directory, tag) in [(TIFFBlock.Directory.main, 0x010F), (.main, 0x0110), (.exif, 0x9286)] {
      let old = original.listing(directory)?.entry(tag)?.value
      let new = block.listing(directory)?.entry(tag)?.value
      #expect(old != nil && old == new)
    }
    // Freed space is used again.
    let size = block.bytes.count
    let copyright = Array("Ann".utf8) + [0]
    #expect(block.holes.contains { $0.count > 60 })
    let isShort = block.set(0x8298, type: 2, count: 4, data: copyright, in: .exif)
    #expect(isShort && block.bytes.count - size < 12 * 20)
  }

  @Test(arguments: ["MM", "II"]) func removesEntries(order: String) throws {
    let folder = try TemporaryFolder()
    var block = try Self.block(folder, order: order, Self.arguments)
    var expected = try Self.tags(block, folder)
    block.remove(0x9214, from: .exif)
    block.remove(0x010F, from: .main)
    block.remove(0xFFFF, from: .main)
    expected["ExifIFD:SubjectArea"] = nil
    expected["IFD0:Make"] = nil
    #expect(try Self.tags(block, folder) == expected)
    #expect(block.bytes.firstIndex(of: "A maker of cameras") == nil)
  }

  /// If the count exceeds the real number of entries, the rest of the block counts as part of the directory, and no
  /// byte is moved.
  @Test(arguments: ["MM", "II"]) func aDirectoryWhoseCountIsDamagedIsNotMoved(order: String) throws {
    let folder = try TemporaryFolder()
    var block = try Self.block(folder, order: order, Self.arguments)
    block.write(block.order.bytes(of: 523, width: 2), at: try #require(block.listing(.main)?.position))
    let before = block
    #expect(block.listing(.gps) != nil)
    let isGone = block.removeDirectory(.gps)
    #expect(!isGone && block.listing(.gps) == nil)
    let differing = zip(before.bytes, block.bytes).count { $0 != $1 }
    #expect((1...12).contains(differing) && before.bytes.count - block.bytes.count < 12)
    #expect(
      block.text(0x010F, in: .main) == "A maker of cameras" && block.text(0xA434, in: .exif) == "A lens")
  }

  /// Some programs omit the link to the next directory and store a value in its place.
  @Test func whatStandsInTheLinksPlaceStays() throws {
    let order = ByteOrder.big
    var bytes: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 3]
    bytes += order.entry(0x010F, type: 2, count: 8, value: [0, 0, 0, 46])
    bytes += order.entry(0x0110, type: 2, count: 8, value: [0, 0, 0, 68])
    bytes += order.entry(0x8825, type: 4, count: 1, value: [0, 0, 0, 54])
    bytes += Array("Company".utf8) + [0]
    bytes += [0, 1] + order.entry(0x0001, type: 2, count: 2, value: [0x4E, 0, 0, 0])
    bytes += Array("A model".utf8) + [0]
    var block = try #require(TIFFBlock(exif: bytes))
    #expect(block.text(0x0001, in: .gps) == "N")
    let isGone = block.removeDirectory(.gps)
    #expect(isGone && block.listing(.gps) == nil && block.bytes.count == bytes.count)
    #expect(block.bytes[54..<68].allSatisfy { $0 == 0 })
    #expect(block.text(0x010F, in: .main) == "Company" && block.text(0x0110, in: .main) == "A model")
  }

  /// A value with a damaged length overlaps the location, so that the location's bytes would remain.
  @Test func aPlaceUnderALongValueIsNotCalledGone() throws {
    let folder = try TemporaryFolder()
    var block = try Self.block(folder, order: "MM", Self.arguments + ["-GPSLatitude=48"])
    let entry = try #require(block.listing(.exif)?.entry(0x9286))
    let count = block.bytes.count - (try #require(entry.value).lowerBound)
    block.write(block.order.bytes(of: count, width: 4), at: entry.position + 4)
    let gps = try #require(block.listing(.gps)).range
    #expect(block.listing(.exif)?.entry(0x9286)?.value?.overlaps(gps) == true)
    let isGone = block.removeDirectory(.gps)
    #expect(!isGone)
  }

  /// Returns a block whose GPS directory, lens and thumbnail have offsets beyond its end, where data is added when the
  /// block grows.
  private static func leadingBehindItsEnd() -> [UInt8] {
    let order = ByteOrder.big
    var bytes: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 3]
    bytes += order.entry(0x010F, type: 2, count: 8, value: [0, 0, 0, 50])
    bytes += order.entry(0x8769, type: 4, count: 1, value: [0, 0, 0, 58])
    bytes += order.entry(0x8825, type: 4, count: 1, value: order.bytes(of: 190, width: 4))
    bytes += order.bytes(of: 182, width: 4) + Array("Company".utf8) + [0, 0, 2]
    bytes += order.entry(0x8827, type: 3, count: 1, value: [0, 100, 0, 0])
    bytes += order.entry(0xA434, type: 2, count: 200, value: order.bytes(of: 60, width: 4))
    return bytes + [0, 0, 0, 0]
  }

  /// Offsets beyond the end of a damaged block must not refer to data added there.
  @Test func whatLeadsBehindTheEndLeadsNowhere() throws {
    let folder = try TemporaryFolder()
    let bytes = Self.leadingBehindItsEnd()
    var block = try #require(TIFFBlock(exif: bytes))
    for words in 1...12 {
      let text = [UInt8](repeating: UInt8(ascii: "x"), count: 9 * words) + [0]
      let isSet = block.set(0x9000 + words, type: 2, count: text.count, data: text, in: .exif)
      #expect(isSet && block.listing(.exif)?.entries.count == 2 + words)
      #expect(block.listing(.gps) == nil && block.listing(.thumbnail) == nil)
      #expect(block.listing(.exif)?.entry(0xA434)?.value == nil)
    }
    #expect(block.bytes.count > bytes.count + 300)
    #expect(block.text(0x010F, in: .main) == "Company" && block.number(0x8827, in: .exif) == 100)
    // Other readers confirm this.
    let tags = try folder.tags(of: block)
    #expect(!tags.keys.contains { $0.hasPrefix("GPS:") || $0.hasPrefix("IFD1:") })
    #expect(tags["IFD0:Make"] == "Company" && tags["ExifIFD:ISO"] == "100")
    #expect(tags["ExifIFD:LensModel"] == nil)
  }

  /// A directory truncated by the block's end neither gains entries from data added there nor a next directory.
  @Test(arguments: 0..<28) func aDirectoryThatIsCutOffEndsThere(cut: Int) throws {
    let whole = Self.leadingBehindItsEnd()
    let bytes = Array(whole.dropLast(cut))
    var block = try #require(TIFFBlock(exif: bytes))
    let before = block.listing(.exif)?.entries.map(\.tag)
    #expect(before == (cut <= 4 ? [0x8827, 0xA434] : cut <= 16 ? [0x8827] : []))
    let name = Array("A longer company".utf8) + [0]
    let isSet = block.set(0x010F, type: 2, count: name.count, data: name, in: .main)
    #expect(isSet && block.text(0x010F, in: .main) == "A longer company")
    #expect(block.listing(.exif)?.entries.map(\.tag) == before)
    #expect(block.listing(.exif)?.next == 0 && block.listing(.thumbnail) == nil)
    #expect(block.number(0x8827, in: .exif) == (cut <= 16 ? 100 : nil))
  }

  /// A GPS directory that starts inside an entry of the Exif directory and extends to the end. Ending the GPS directory
  /// does not change that entry.
  @Test func aDirectoryWithinAnotherOneDamagesNothing() throws {
    let order = ByteOrder.big
    var bytes: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 2]
    bytes += order.entry(0x8769, type: 4, count: 1, value: [0, 0, 0, 38])
    bytes += order.entry(0x8825, type: 4, count: 1, value: [0, 0, 0, 41]) + [0, 0, 0, 0]
    bytes += [0, 1] + order.entry(0x8827, type: 3, count: 1, value: [0, 100, 0, 0]) + [0, 0]
    var block = try #require(TIFFBlock(exif: bytes))
    #expect(block.number(0x8827, in: .exif) == 100 && block.listing(.gps)?.entries.isEmpty == true)
    let name = Array("A company".utf8) + [0]
    let isSet = block.set(0x010F, type: 2, count: name.count, data: name, in: .main)
    #expect(isSet && block.text(0x010F, in: .main) == "A company")
    #expect(block.number(0x8827, in: .exif) == 100)
  }

  @Test func growsNumbers() throws {
    let folder = try TemporaryFolder()
    var block = try Self.block(folder, order: "II", Self.arguments)
    let isSet = block.setNumber(70_000, 0x8827, in: .exif)
    let isAbsent = block.setNumber(1, 0xFFFF, in: .exif)
    let isText = block.setNumber(1, 0x010F, in: .main)
    #expect(isSet && !isAbsent && !isText)
    #expect(try Self.tags(block, folder)["ExifIFD:ISO"] == "70000")
    let isTooLarge = block.setNumbers([1, 2, 3, 70_000], 0x9214, in: .exif)
    #expect(!isTooLarge)
  }

  @Test func removesUncompressedThumbnails() throws {
    // IFD0 without entries, and IFD1 with a strip of eight bytes.
    let strip: [UInt8] = Array("oldstrip".utf8)
    let bytes: [UInt8] =
      Array("MM\0*\0\0\0\u{8}".utf8) + [0, 0, 0, 0, 0, 14] + [0, 2]
      + [0x01, 0x11, 0, 4, 0, 0, 0, 1, 0, 0, 0, 44] + [0x01, 0x17, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8] + [
        0, 0, 0, 0,
      ]
      + strip + [1, 2, 3]
    var block = try #require(TIFFBlock(exif: bytes))
    #expect(block.thumbnail == nil)
    let hadOne = block.removeThumbnail()
    #expect(hadOne)
    #expect(block.bytes == Array(bytes[..<10]) + [UInt8](repeating: 0, count: 42) + [1, 2, 3])
    let hasAnother = block.removeThumbnail()
    #expect(!hasAnother)
  }

  /// IFD1 states two positions for one JPEG.
  @Test func replacesAThumbnailWithASecondPosition() throws {
    let image: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
    let bytes: [UInt8] =
      Array("MM\0*\0\0\0\u{8}".utf8) + [0, 0, 0, 0, 0, 14] + [0, 2]
      + [0x02, 0x01, 0, 4, 0, 0, 0, 2, 0, 0, 0, 44] + [0x02, 0x02, 0, 4, 0, 0, 0, 1, 0, 0, 0, 4] + [
        0, 0, 0, 0,
      ]
      + [0, 0, 0, 52, 0, 0, 0, 0] + image + [1, 2, 3, 4]
    var block = try #require(TIFFBlock(exif: bytes))
    #expect(block.thumbnail == image)
    let new: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 4, 0xFF, 0xD9]
    let isReplaced = block.replaceThumbnail(new)
    #expect(isReplaced && block.thumbnail == new)
    // Neither the old thumbnail nor the second position remains.
    #expect(!block.bytes.indices.contains { block.bytes[$0...].starts(with: image) })
    #expect(!block.bytes.indices.contains { block.bytes[$0...].starts(with: [0, 0, 0, 52]) })
    let isRemoved = block.removeThumbnail()
    #expect(isRemoved && block.listing(.thumbnail) == nil)
  }

  @Test func refusesOtherBytes() {
    #expect(TIFFBlock(exif: []) == nil)
    #expect(TIFFBlock(exif: Array("MM\0*".utf8)) == nil)
    #expect(TIFFBlock(exif: Array("MM\0+\0\0\0\u{8}\0\0\0\0\0\0".utf8)) == nil)
    #expect(TIFFBlock(exif: Array("MM\0*\0\0\0\u{4}\0\0\0\0\0\0".utf8)) == nil)
    #expect(TIFFBlock(exif: Array("MM\0*\u{7F}\0\0\0\0\0\0\0".utf8)) == nil)
  }

  @Test func acceptsExifWithUnusualPadding() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo(exiftool: ["-Orientation#=6", "-Make=Apple"])
    let exif = try #require(try JPEGFile(photo).header.segments.first { $0.marker == 0xE1 })
    var other = photo
    other[exif.payload.lowerBound + 5] = 0xFF
    let surgery = try JPEGSurgery(other)
    #expect(surgery.metadata.orientation == .right)
    let result = try surgery.rewritten(image: nil, transform: .identity, identifier: nil, thumbnail: nil)
    #expect(try folder.tags(result.bytes)["IFD0:Orientation"] == "1")
  }
}
