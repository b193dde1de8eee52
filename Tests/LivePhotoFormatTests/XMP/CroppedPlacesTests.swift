import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of metadata with positions in a photo that is cropped.
@Suite struct CroppedPlacesTests {
  /// The right half of the picture.
  static let rightHalf = PictureProjection(scale: [2, 1], shift: [-1, 0])

  /// Returns a 64x48 photo with tags, cropped to its right half.
  func cropped(
    _ tags: [String], in folder: TemporaryFolder, segment: [UInt8] = []
  ) throws -> (tags: [String: String], removed: [String], bytes: [UInt8]) {
    var photo = try folder.photo(exiftool: tags)
    photo.insert(contentsOf: segment, at: 2)
    let image = try folder.photo(width: 32, height: 48)
    let result = try JPEGSurgery(photo).rewritten(
      image: image, transform: .up, projection: Self.rightHalf, identifier: nil, thumbnail: nil)
    let file = try folder.write(result.bytes, to: "result.jpg")
    return (try Tools.exiftool(file), result.removals.map(\.name), result.bytes)
  }

  @Test(
    arguments: [
      // Centre and size before and after the crop; nil for an area outside the crop.
      ("48 20 6 4", "16 20 6 4"), ("60 20 20 4", "25 20 14 4"), ("10 20 6 4", nil), ("40 10", "8 10"),
      ("31 10", nil), ("48 24 10", "16 24 10"),
    ] as [(String, String?)])
  func subjectAreaFollowsOrGoes(_ area: String, _ wanted: String?) throws {
    let folder = try TemporaryFolder()
    let result = try cropped(
      ["-ExifImageWidth=64", "-ExifImageHeight=48", "-SubjectArea=" + area], in: folder)
    #expect(result.tags["ExifIFD:SubjectArea"] == wanted)
    #expect(result.removed == (wanted == nil ? ["SubjectArea"] : []))
    #expect(result.tags["ExifIFD:ExifImageWidth"] == "32" && result.tags["ExifIFD:ExifImageHeight"] == "48")
  }

  @Test func regionsFollowOrGo() throws {
    let folder = try TemporaryFolder()
    func region(_ name: String, _ x: String) -> String {
      "{Name=\(name),Type=Face,Area={X=\(x),Y=0.5,W=0.1,H=0.2,Unit=normalized}}"
    }
    func info(_ regions: [String]) -> String {
      "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=64,H=48,Unit=pixel},RegionList=["
        + regions.joined(separator: ",") + "]}"
    }
    let some = try cropped([info([region("out", "0.2"), region("in", "0.75")])], in: folder)
    #expect(some.removed == ["mwg-rs:RegionList"])
    #expect(some.tags["XMP-mwg-rs:RegionName"]?.contains("out") == false)
    let text = String(decoding: some.bytes, as: UTF8.self)
    #expect(text.contains("0.500000") && text.contains("0.200000"))
    #expect(some.tags["XMP-mwg-rs:RegionAppliedToDimensionsW"] == "32")
    let none = try cropped([info([region("out", "0.2")])], in: folder)
    #expect(none.removed == ["mwg-rs"] && !none.tags.keys.contains { $0.hasPrefix("XMP-mwg-rs") })
  }

  /// Pictures at unknown positions in the file could show the cropped parts.
  @Test func hiddenPreviewsGo() throws {
    let folder = try TemporaryFolder()
    let preview = try folder.photo(width: 16, height: 16)
    try folder.write(Array("NIKON".utf8) + preview, to: "note.bin")
    let payload = Array("PREVIEW".utf8) + preview
    let segment = [0xFF, 0xE4, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
    let result = try cropped(["-MakerNotes<=note.bin", "-Make=NIKON"], in: folder, segment: segment)
    #expect(result.removed.sorted() == ["APP4", "MakerNotes"])
    #expect(result.tags["IFD0:Make"] == "NIKON")
    // Only one picture remains.
    let starts = result.bytes.indices.dropLast(2).filter {
      result.bytes[$0] == 0xFF && result.bytes[$0 + 1] == 0xD8 && result.bytes[$0 + 2] == 0xFF
    }
    #expect(starts == [0])
  }

  @Test func areasTurnAndProject() throws {
    let area = PictureArea(center: [0.25, 0.5], size: [0.1, 0.2])
    #expect(area.moved(by: .right, then: nil) == PictureArea(center: [0.5, 0.25], size: [0.2, 0.1]))
    #expect(area.moved(by: .up, then: Self.rightHalf) == nil)
    let turned = try #require(area.moved(by: .flippedHorizontally, then: Self.rightHalf))
    #expect(
      abs(turned.center.x - 0.5) < 1e-12 && abs(turned.size.x - 0.2) < 1e-12
        && abs(turned.size.y - 0.2) < 1e-12)
  }
}
