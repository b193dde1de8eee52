import Basics
import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

extension JPEGSurgeryTests {
  /// Every rotation in every byte order, or in a quick run in one of them.
  static let turns: [(transform: Orientation, order: String)] = ["MM", "II"].enumerated().flatMap {
    row, order in
    Cases.chosen(Orientation.allCases) { column, _ in (row + column) % 2 == 0 }.map { ($0, order) }
  }

  @Test(arguments: turns)
  func turnsWhatDescribesPlaces(transform: Orientation, order: String) throws {
    let folder = try TemporaryFolder()
    let (photo, thumbnail) = try Self.phonePhoto(folder, order: order)
    let surgery = try JPEGSurgery(photo)
    #expect(surgery.embeddedThumbnail == thumbnail)
    #expect(surgery.metadata.orientation == .right)
    #expect(surgery.metadata.contentIdentifier == firstIdentifier)
    #expect(surgery.metadata.captureDate == "2019:12:29 19:01:15.505-08:00")
    let image = try folder.turned(photo, transform)
    let small = try folder.turned(thumbnail, transform)
    let result = try surgery.rewritten(
      image: image, transform: transform, identifier: secondIdentifier, thumbnail: small)
    #expect(result.removals.isEmpty)
    let before = try folder.tags(photo)
    let after = try folder.tags(result.bytes)
    #expect(before["File:ExifByteOrder"] == order)
    let swapped = transform.swapsAxes ? ["IFD0:XResolution", "IFD0:YResolution"] : []
    let differences = Self.differences(before, after)
    #expect(differences.filter { !$0.hasPrefix("JFIF:") } == swapped)
    #expect(after["IFD0:XResolution"] == (transform.swapsAxes ? "96" : "72"))
    #expect(after["IFD0:Orientation"] == "1")
    #expect(after["ExifIFD:SubjectArea"] == Self.areas[transform])
    let location = Self.areas[transform]?.split(separator: " ").prefix(2).joined(separator: " ")
    #expect(after["ExifIFD:SubjectLocation"] == location)
    #expect(after["ExifIFD:ExifImageWidth"] == after["File:ImageWidth"])
    #expect(after["ExifIFD:ExifImageHeight"] == after["File:ImageHeight"])
    #expect(after["Apple:MediaGroupUUID"] ?? after["Apple:ContentIdentifier"] == secondIdentifier)
    let path = try folder.write(result.bytes, to: "result.jpg").path
    #expect(try folder.run("exiftool", ["-b", "-ThumbnailImage", path]) == small)
    let pixels = try folder.run("djpeg", [path])
    try folder.write(image, to: "image.jpg")
    #expect(try folder.run("djpeg", ["image.jpg"]) == pixels)
    #expect(try JPEGSurgery(result.bytes).metadata.contentIdentifier == secondIdentifier)
  }
}
