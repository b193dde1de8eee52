import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of rewritten Exif blocks with `exiftool -validate`.
struct ExifPictureTests {
  private static let picture = ExifPicture(
    size: PixelSize(width: 64, height: 48), isSRGB: true, components: [1, 2, 3, 0])

  /// Returns exiftool's warnings about a JPEG.
  private func warnings(_ photo: [UInt8], _ folder: TemporaryFolder) throws -> [String] {
    let path = try folder.write(photo, to: "made.jpg").path
    return try Tools.output("exiftool", "-validate", "-warning", "-error", "-a", "-s3", path).lines
  }

  private func photo(_ block: TIFFBlock, _ folder: TemporaryFolder) throws -> [UInt8] {
    inserting(segment(0xE1, Array("Exif\0\0".utf8) + block.bytes), into: try folder.photo())
  }

  @Test(arguments: [nil, firstIdentifier]) func aNewBlockIsWhole(_ identifier: String?) throws {
    let folder = try TemporaryFolder()
    let block = TIFFBlock.made(for: Self.picture, orientation: .left, contentIdentifier: identifier)
    let photo = try photo(block, folder)
    #expect(try warnings(photo, folder) == ["OK"])
    let tags = try folder.tags(photo)
    #expect(tags["File:ExifByteOrder"] == "MM")
    #expect(tags["IFD0:Orientation"] == "8" && tags["IFD0:YCbCrPositioning"] == "1")
    #expect(
      tags["IFD0:XResolution"] == "72" && tags["IFD0:YResolution"] == "72"
        && tags["IFD0:ResolutionUnit"] == "2")
    #expect(tags["ExifIFD:ExifVersion"] == "0232" && tags["ExifIFD:FlashpixVersion"] == "0100")
    #expect(tags["ExifIFD:ComponentsConfiguration"] == "1 2 3 0" && tags["ExifIFD:ColorSpace"] == "1")
    #expect(tags["ExifIFD:ExifImageWidth"] == "64" && tags["ExifIFD:ExifImageHeight"] == "48")
    #expect((tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"]) == identifier)
    #expect(block.contentIdentifier == identifier)
  }

  /// The values already in a block are kept, in either byte order.
  @Test(arguments: ["MM", "II"]) func anOldBlockIsCompleted(_ order: String) throws {
    let folder = try TemporaryFolder()
    let old = try folder.photo(exiftool: [
      "-ExifByteOrder=" + order, "-Make=A maker", "-XResolution=300", "-YResolution=300",
      "-ResolutionUnit#=3",
      "-ExifVersion=0220", "-ColorSpace#=65535",
    ])
    var parts = JPEGParts(try JPEGFile(old))
    let index = try #require(parts.indices(of: .exif).first)
    var block = try #require(TIFFBlock(exif: parts.list[index].content))
    block.complete(describing: Self.picture)
    parts.setContent(block.bytes, at: index)
    let new = try parts.assembled()
    #expect(try warnings(new, folder) == ["OK"])
    let tags = try folder.tags(new)
    #expect(tags["File:ExifByteOrder"] == order && tags["IFD0:XResolution"] == "300")
    #expect(tags["ExifIFD:ExifVersion"] == "0220" && tags["ExifIFD:ColorSpace"] == "65535")
    #expect(tags["ExifIFD:ExifImageWidth"] == "64" && tags["ExifIFD:ComponentsConfiguration"] == "1 2 3 0")
    var again = block
    again.complete(describing: Self.picture)
    #expect(again.bytes == block.bytes)
  }

  /// Grey and RGB JPEGs state their colour space correctly. libjpeg's `cjpeg` writes both.
  @Test(arguments: [["-grayscale"], ["-rgb"], []]) func componentsAreThoseOfTheFile(_ options: [String])
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write(Array("P6 16 8 255\n".utf8) + [UInt8](repeating: 99, count: 384), to: "picture.ppm")
    let jpeg = try folder.run("cjpeg", options + ["picture.ppm"])
    let expected: [UInt8] =
      options.isEmpty ? [1, 2, 3, 0] : options == ["-rgb"] ? [4, 5, 6, 0] : [1, 0, 0, 0]
    #expect(JPEGParts(try JPEGFile(jpeg)).exifPicture.components == expected)
  }
}
