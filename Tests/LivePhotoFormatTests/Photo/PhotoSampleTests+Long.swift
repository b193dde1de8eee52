import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests with real files, if LIVEEDIT_SAMPLES names their folder.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LIVEEDIT_SAMPLES"] != nil))
struct PhotoSampleTests {
  @Test(arguments: [
    ("iphone-6s-jpeg/IMG_0728.JPG", "C3754624-A05F-474D-9F16-E9C47B5F892D"),
    ("iphone-7plus-jpeg/IMG_2016.JPG", "3D388205-9B11-4690-ABFB-3DB8CE42A984"),
    ("iphone-6s-jpeg/IMG_E0728.JPG", nil), ("sidecars/IMG_4120.JPG", nil), ("sidecars/IMG_E4120.JPG", nil),
    ("broken/ids-differ/IMG_0001.JPG", nil), ("broken/photo-without-id/IMG_0002.JPG", nil),
    ("broken/jpeg-named.HEIC", nil), ("motion-photo/PXL_20200710_061629144.MP.jpg", nil),
  ])
  func keepsEveryTag(name: String, identifier: String?) throws {
    let photo = try #require(sample(name))
    #expect(PhotoKind(beginning: photo) == .jpeg)
    let folder = try TemporaryFolder()
    let surgery = try JPEGSurgery(photo)
    let summary = try Photo(MemoryByteSource(photo)).metadata()
    #expect(summary == surgery.metadata)
    let before = try folder.tags(photo)
    #expect(summary.contentIdentifier == before["Apple:MediaGroupUUID"] ?? before["Apple:ContentIdentifier"])
    if let identifier { #expect(summary.contentIdentifier == identifier) }
    #expect(summary.orientation.rawValue == before["IFD0:Orientation"].flatMap(Int.init) ?? 1)
    #expect(summary.captureDate?.prefix(19) == before["ExifIFD:DateTimeOriginal"]?.prefix(19))
    #expect(surgery.isMotionPhoto == name.hasPrefix("motion-photo"))
    let oldArea = before["ExifIFD:SubjectArea"]?.split(separator: " ").compactMap { Double($0) }
    let hasForeignNote = summary.make != "Apple" && before["ExifIFD:MakerNoteUnknown"] != nil
    // A quick run uses one of the edits, selected by the length of the file name.
    let edits = [Orientation.right, .down, .flippedHorizontally]
    for edit in Cases.chosen(edits, isQuick: { index, _ in index == name.utf8.count % 3 }) {
      let transform = summary.orientation.then(edit)
      let image = try folder.turned(photo, transform)
      let small = try surgery.embeddedThumbnail.map { try folder.turned($0, transform) }
      let new = name.hasPrefix("motion-photo") || hasForeignNote ? nil : secondIdentifier
      let result = try surgery.rewritten(
        image: transform == .identity ? nil : image, transform: transform, identifier: new, thumbnail: small)
      let after = try folder.tags(result.bytes)
      let names = result.removals.map(\.name)
      let differences = JPEGSurgeryTests.differences(before, after).filter { tag in
        !tag.hasPrefix("JFIF:") && !names.contains { tag.hasSuffix(":" + $0) }
          && !(before[tag] == nil && tag.hasPrefix("Apple:"))
          && !(names.contains("Photoshop slices") && tag.hasPrefix("Photoshop:") && tag.contains("Slices"))
      }
      #expect(differences.isEmpty, "\(name) \(edit)")
      if let new { #expect(after["Apple:MediaGroupUUID"] ?? after["Apple:ContentIdentifier"] == new) }
      #expect((after["IFD0:Orientation"] ?? "1") == "1")
      #expect(after["File:ImageWidth"] == after["ExifIFD:ExifImageWidth"] ?? after["File:ImageWidth"])
      if let oldArea,
        let newArea = after["ExifIFD:SubjectArea"]?.split(separator: " ").compactMap({ Double($0) })
      {
        let from = try #require(Self.exifSize(before))
        let to = try #require(Self.exifSize(after))
        let want = transform.apply(x: oldArea[0] / from.0, y: oldArea[1] / from.1, width: 1, height: 1)
        #expect(abs(want.x - newArea[0] / to.0) < 0.001 && abs(want.y - newArea[1] / to.1) < 0.001)
      }
      let path = try folder.write(result.bytes, to: "result.jpg").path
      if let small { #expect(try folder.run("exiftool", ["-b", "-ThumbnailImage", path]) == small) }
      try folder.run("djpeg", ["-outfile", "pixels.ppm", path])
    }
  }

  private static func exifSize(_ tags: [String: String]) -> (Double, Double)? {
    guard let width = tags["ExifIFD:ExifImageWidth"].flatMap(Double.init),
      let height = tags["ExifIFD:ExifImageHeight"].flatMap(Double.init)
    else { return nil }
    return (width, height)
  }
}
