import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of the byte order of Exif blocks, as exiftool reads them before and after.
struct TIFFByteOrderTests {
  /// Returns a block in which exiftool wrote values of every type.
  private static func block(_ folder: TemporaryFolder, order: String = "II") throws -> TIFFBlock {
    try folder.write(try folder.photo(width: 16, height: 8), to: "thumbnail.jpg")
    return try folder.exifBlock([
      "-ExifByteOrder=" + order, "-Make=A maker", "-Orientation#=8", "-XResolution=300.5", "-Artist=Grüße",
      "-YCbCrPositioning#=2", "-XPTitle=A title", "-ExposureTime=1/60", "-ExposureCompensation=-0.3",
      "-ISO=100",
      "-LensInfo=4 4 2.8 2.8", "-UserComment=Größe", "-CFAPattern=[Red,Green][Green,Blue]", "-SceneType#=1",
      "-ComponentsConfiguration#=1 2 3 0", "-SubjectArea=1 2 3 4", "-InteropIndex=R98",
      "-ExifImageWidth=70000",
      "-GPSLatitude=48.5", "-GPSLatitudeRef=N", "-GPSAltitude=12.5", "-GPSProcessingMethod=Größe",
      "-GPSVersionID=2 3 0 0", "-ThumbnailImage<=thumbnail.jpg",
    ])
  }

  /// Returns the tags that exiftool reads from a block, including warnings.
  private static func tags(_ block: TIFFBlock, _ folder: TemporaryFolder) throws -> [String: String] {
    let tags = try folder.tags(of: block)
    return tags.filter { !$0.key.hasPrefix("System:") && !$0.key.hasPrefix("File:") }
  }

  private static func order(_ block: TIFFBlock, _ folder: TemporaryFolder) throws -> String? {
    let exif = segment(0xE1, Array("Exif\0\0".utf8) + block.bytes)
    return try folder.tags(inserting(exif, into: try folder.photo(width: 8, height: 8)))["File:ExifByteOrder"]
  }

  @Test func everyValueStaysInItsPlace() throws {
    let folder = try TemporaryFolder()
    var block = try Self.block(folder)
    // PrintIM with version 0300 and two numbers.
    let printing: [UInt8] =
      Array("PrintIM\0".utf8) + Array("0300\0\0".utf8) + [2, 0, 1, 0, 7, 0, 0, 0, 2, 1, 8, 0, 0, 1]
    _ = block.set(0xC4A5, type: 7, count: printing.count, data: printing, in: .main)
    var exposures: [UInt8] = (1...7).flatMap { (time: UInt8) -> [UInt8] in [time, 0, 0, 0, 100, 0, 0, 0] }
    exposures += [1, 0, 2, 0]
    exposures += [5, 0, 0, 0, 9, 0, 0, 0, 6, 0, 0, 0, 9, 0, 0, 0]
    _ = block.set(0xA462, type: 7, count: exposures.count, data: exposures, in: .exif)
    let note = AppleMakerNote(contentIdentifier: firstIdentifier).bytes
    _ = block.set(0x927C, type: 7, count: note.count, data: note, in: .exif)
    let before = try Self.tags(block, folder)
    #expect(before["ExifIFD:UserComment"] == "Größe" && before["GPS:GPSProcessingMethod"] == "Größe")
    #expect(before["IFD1:ThumbnailImage"] != nil && before.count > 30)
    let original = block
    let isBig = block.makeBigEndian()
    #expect(isBig && block.order == .big)
    #expect(try Self.order(original, folder) == "II" && Self.order(block, folder) == "MM")
    #expect(try Self.tags(block, folder) == before)
    for directory in TIFFBlock.Directory.allCases {
      let places = { (block: TIFFBlock) in block.listing(directory)?.entries.map(\.value) }
      #expect(places(block) == places(original))
    }
    // exiv2 and other programs read this value in the block's byte order.
    let comment = try #require(block.data(0x9286, in: .exif))
    #expect(String(decoding: comment.dropFirst(8).map(UInt16.init).paired, as: UTF16.self) == "Größe")
    #expect(
      Array((block.data(0xC4A5, in: .main) ?? [])[14...]) == [0, 2, 0, 1, 0, 0, 0, 7, 1, 2, 1, 0, 0, 8])
    #expect(Array((block.data(0xA302, in: .exif) ?? []).prefix(4)) == [0, 2, 0, 2])
    // A Windows title is little-endian in every block.
    #expect(block.data(0x9C9B, in: .main)?.starts(with: [0x41, 0]) == true)
  }

  @Test func aBigEndianBlockStays() throws {
    let folder = try TemporaryFolder()
    var block = try Self.block(folder, order: "MM")
    let bytes = block.bytes
    let isBig = block.makeBigEndian()
    #expect(isBig && block.bytes == bytes)
  }

  /// If the block contains numbers in unknown values, its byte order is kept, because those numbers would otherwise be
  /// misread.
  @Test(arguments: ["note", "directory", "undefined", "type", "shared", "samples", "more"])
  func whatIsNotKnownKeepsTheOrder(_ what: String) throws {
    let folder = try TemporaryFolder()
    var block = try Self.block(folder)
    switch what {
    case "note": _ = block.set(0x927C, type: 7, count: 12, data: Array("Panasonic\0\0\0".utf8), in: .exif)
    case "directory": _ = block.set(0x014A, type: 4, count: 1, data: [8, 0, 0, 0], in: .main)
    case "undefined": _ = block.set(0xFE00, type: 7, count: 8, data: [1, 0, 2, 0, 0, 0, 0, 0], in: .exif)
    case "type": _ = block.set(0xFE00, type: 99, count: 1, data: [1, 0, 0, 0], in: .exif)
    case "shared":
      // The exposure time overlaps half of the focal length's bytes.
      let entry = try #require(block.entry(0x829A, in: .exif))
      let place = try #require(block.entry(0x9204, in: .exif)?.value).lowerBound + 2
      block.write(block.order.bytes(of: place, width: 4), at: entry.position + 8)
    case "samples": _ = block.set(0x0102, type: 3, count: 1, data: [16, 0], in: .thumbnail)
    default:
      let link = try #require(block.listing(.thumbnail)?.nextLink)
      block.write([8, 0, 0, 0], at: link)
    }
    let bytes = block.bytes
    let isBig = block.makeBigEndian()
    #expect(!isBig && block.bytes == bytes && block.order == .little)
  }

  /// Both resolutions may share one number.
  @Test func aValueThatTwoTagsShareIsTurnedOnce() throws {
    let folder = try TemporaryFolder()
    var block = try Self.block(folder)
    let place = try #require(block.entry(0x011A, in: .main)?.value).lowerBound
    let entry = try #require(block.entry(0x011B, in: .main))
    block.write(block.order.bytes(of: place, width: 4), at: entry.position + 8)
    let before = try Self.tags(block, folder)
    let isBig = block.makeBigEndian()
    #expect(try isBig && Self.tags(block, folder) == before)
  }

  /// A truncated block is kept unchanged, or its values stay the same.
  @Test func damagedBlocksSayTheSame() throws {
    let folder = try TemporaryFolder()
    let whole = try Self.block(folder)
    for length in stride(from: 10, to: whole.bytes.count, by: 7) {
      guard let block = TIFFBlock(exif: Array(whole.bytes.prefix(length))) else { continue }
      var turned = block
      guard turned.makeBigEndian() else {
        #expect(turned.bytes == block.bytes)
        continue
      }
      for directory in TIFFBlock.Directory.allCases {
        let (old, new) = (block.listing(directory), turned.listing(directory))
        #expect(old?.entries.map(\.tag) == new?.entries.map(\.tag))
        // Undefined values may contain numbers of their own.
        let plain = { (block: TIFFBlock, listing: TIFFBlock.Listing?) in
          listing?.entries.filter { $0.type != 7 }.map { block.value(of: $0, in: .big) }
        }
        #expect(plain(block, old) == plain(turned, new))
      }
    }
  }

  /// The photo of a Live Photo gets the byte order that iPhones use.
  @Test func anIdentifierMakesItBigEndian() throws {
    let folder = try TemporaryFolder()
    var block = try Self.block(folder)
    var before = try Self.tags(block, folder)
    try block.setContentIdentifier(firstIdentifier)
    let after = try Self.tags(block, folder)
    #expect(try Self.order(block, folder) == "MM")
    before["Apple:MediaGroupUUID"] = firstIdentifier
    before["Apple:ContentIdentifier"] = nil
    #expect(after == before)
  }
}

extension [UInt16] {
  /// The bytes as big-endian 16-bit units.
  fileprivate var paired: [UInt16] {
    stride(from: 0, to: count - 1, by: 2).map { self[$0] << 8 | self[$0 + 1] }
  }
}
