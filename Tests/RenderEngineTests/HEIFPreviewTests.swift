import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of HEIC photos with previews outside HEIF's own structures: after the Exif block's thumbnail (as written by
/// Xiaomi's phones), in an item, in a box, and as another picture.
@Suite struct HEIFPreviewTests {
  let folder: TemporaryFolder
  let preview: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    preview = try folder.run("convert", ["-size", "640x480", "plasma:red-blue", "-quality", "99", "jpg:-"])
  }

  private static func crop() throws -> Edit {
    let part = try Crop.Rectangle(left: 500_000, top: 0, width: 500_000, height: 500_000)
    return Edit(geometry: Geometry(crop: .rectangle(part)))
  }

  /// Returns the fixture with the preview in one of these positions.
  private func made(_ place: String) throws -> URL {
    let bytes = Array(try Data(contentsOf: TestFiles.fixture("IMG_0004.HEIC")))
    let file = try HEIFFile(Photo(MemoryByteSource(bytes)))
    var composition = HEIFComposition(file)
    switch place {
    case "exif":
      let item = try #require(file.exifItem)
      composition.replace(item, with: try file.data(of: item) + preview)
    case "item": try composition.add("mime", preview, contentType: "image/jpeg", describing: file.primaryItem)
    default: break
    }
    let sink = MemoryByteSink()
    try composition.writeInPlace(to: sink)
    let box = place == "box" ? Atom("uuid", [UInt8](repeating: 7, count: 16) + preview).serialized : []
    return try folder.write(sink.bytes + box, to: "in.HEIC")
  }

  private func starts(_ bytes: [UInt8]) -> Int {
    bytes.indices.dropLast(3).count {
      bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF && bytes[$0 + 3] >= 0xC0
    }
  }

  @Test(arguments: [("exif", "PreviewImage"), ("item", "item mime"), ("box", "box uuid")], [true, false])
  func previewsGo(_ place: (String, String), _ isCropped: Bool) throws {
    let before = starts(Array(try Data(contentsOf: try made("nowhere"))))
    let photo = try made(place.0)
    #expect(starts(Array(try Data(contentsOf: photo))) == before + 1)
    var edit = isCropped ? try Self.crop() : Edit()
    if !isCropped { edit[.exposure] = 0.5 }
    let new = try folder.rendered(photo, edit, .standard, as: "out.HEIC")
    #expect(new.result.removals.map(\.name).contains(place.1))
    let bytes = Array(try Data(contentsOf: new.photo))
    // The thumbnail in Exif, if the fixture has one, is created again.
    #expect(starts(bytes) <= before)
    #expect(bytes.firstIndex(of: Array(preview.dropFirst(200).prefix(64))) == nil)
  }

  /// The block is larger than a JPEG segment. The preview is left out, and the photo becomes a JPEG.
  @Test func aLargeBlockFitsIntoAJPEG() throws {
    #expect(preview.count > 65_536)
    let photo = try made("exif")
    let new = try folder.rendered(
      photo, try Self.crop(), RenderSettings(photoFormat: .jpeg), as: "out.JPG")
    #expect(new.result.removals.map(\.name).contains("PreviewImage"))
    let (old, tags) = (try Tools.exiftool(TestFiles.fixture("IMG_0004.HEIC")), try Tools.exiftool(new.photo))
    for key in ["IFD0:Make", "IFD0:Model", "ExifIFD:DateTimeOriginal"] { #expect(tags[key] == old[key]) }
    let bytes = Array(try Data(contentsOf: new.photo))
    #expect(bytes.firstIndex(of: Array(preview.dropFirst(200).prefix(64))) == nil)
  }

  /// Apple's smart styles are cropped like mattes, and a colour edit alone removes them. Two mattes of the fixture get
  /// the names that iPhone 16 writes.
  @Test func stylesFollowACrop() throws {
    var bytes = Array(try Data(contentsOf: TestFiles.fixture("depth.HEIC")))
    for (old, new) in [("portraiteffectsmatte", "styledeltamap"), ("semanticskymatte", "linearthumbnail")] {
      let place = try #require(bytes.firstIndex(of: Array(old.utf8)))
      let name = Array(new.utf8) + [UInt8](repeating: 0, count: old.utf8.count - new.utf8.count)
      bytes.replaceSubrange(place..<place + name.count, with: name)
    }
    let photo = try folder.write(bytes, to: "styles.HEIC")
    func size(_ photo: URL, _ name: String) throws -> PixelSize? {
      let file = try HEIFFile(Photo(MemoryByteSource(Array(try Data(contentsOf: photo)))))
      return try file.relatedPictures.first { $0.name == name }.flatMap { file.spatialExtents(of: $0.item) }
    }
    let cropped = try folder.rendered(photo, try Self.crop(), .standard, as: "out.HEIC")
    for name in ["styledeltamap", "linearthumbnail"] {
      #expect(!cropped.result.removals.map(\.name).contains(name))
      let (before, after) = (try #require(try size(photo, name)), try #require(try size(cropped.photo, name)))
      #expect(abs(after.width * 2 - before.width) <= 2 && abs(after.height * 2 - before.height) <= 2)
    }
    var edit = Edit()
    edit[.exposure] = 0.5
    let brighter = try folder.rendered(photo, edit, .standard, as: "out.HEIC")
    for name in ["styledeltamap", "linearthumbnail"] {
      #expect(brighter.result.removals.map(\.name).contains(name))
      #expect(try size(brighter.photo, name) == nil)
    }
  }
}
