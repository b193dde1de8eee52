import Basics
import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of photos that are rotated only by their Exif orientation.
@Suite struct OrientationFlagTests {
  /// Photos that state their orientation in different ways, or not at all.
  static let kinds: [(name: String, arguments: [String])] = [
    ("big-endian", ["-ExifByteOrder=MM", "-Orientation#=6", "-Make=Apple"]),
    ("little-endian", ["-ExifByteOrder=II", "-Orientation#=3", "-Make=Apple"]),
    ("Exif without orientation", ["-ExifByteOrder=II", "-Make=Apple", "-ExposureTime=1/30"]),
    ("no Exif", ["-XMP-dc:Title=Waves"]),
    ("XMP too", ["-Orientation#=6", "-XMP-tiff:Orientation#=6"]),
  ]

  /// Some programs write two numbers instead of one. Readers use the first.
  @Test(arguments: ["MM", "II"]) func aSecondNumberIsNotRead(order: String) throws {
    let folder = try TemporaryFolder()
    var photo = try folder.photo(
      cjpeg: ["-sample", "2x2"], exiftool: ["-ExifByteOrder=\(order)", "-Orientation#=6", "-Make=Apple"])
    let header = try JPEGSurgery(photo).original.header
    let exif = try #require(header.segments.first { $0.marker == 0xE1 }).payload
    let head: [UInt8] = order == "MM" ? [1, 0x12, 0, 3, 0, 0, 0, 1] : [0x12, 1, 3, 0, 1, 0, 0, 0]
    let entry = try #require(
      exif.first { photo[$0...].starts(with: head) && $0 + 12 <= exif.upperBound })
    photo[entry + (order == "MM" ? 7 : 4)] = 2
    #expect(try folder.tags(photo)["IFD0:Orientation"]?.hasPrefix("6") == true)
    #expect(try JPEGFile(photo).header.metadata().orientation == .right)
    for orientation in [Orientation.identity, .down] {
      let result = try JPEGSurgery(photo).rewritten(
        image: nil, transform: .identity, orientation: orientation, identifier: nil, thumbnail: nil)
      #expect(try folder.tags(result.bytes)["IFD0:Orientation"] == "\(orientation.rawValue)")
    }
  }

  @Test func damagedExifCannotTakeAFlag() throws {
    let folder = try TemporaryFolder()
    var photo = try folder.photo(cjpeg: ["-sample", "2x2"], exiftool: ["-Make=Apple"])
    let header = try JPEGSurgery(photo).original.header
    let exif = try #require(header.segments.first { $0.marker == 0xE1 })
    // The entry count of IFD0 exceeds the available space.
    let entries = exif.payload.lowerBound + 6 + 8
    photo[entries] = 0xFF
    photo[entries + 1] = 0xFF
    #expect(throws: MediaError.self) {
      try JPEGSurgery(photo).rewritten(
        image: nil, transform: .identity, orientation: .right, identifier: nil, thumbnail: nil)
    }
  }
}
