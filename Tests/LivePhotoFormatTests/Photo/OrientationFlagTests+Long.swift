import Basics
import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

extension OrientationFlagTests {
  /// Every kind with every orientation, or in a quick run with every second orientation.
  static let cases: [(kind: Int, orientation: Orientation)] = kinds.indices.flatMap { kind in
    Cases.chosen(Orientation.allCases) { index, _ in (kind + index) % 2 == 0 }.map { (kind, $0) }
  }

  @Test(arguments: cases)
  func onlyTheFlagChanges(_ kind: Int, _ orientation: Orientation) throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo(cjpeg: ["-sample", "2x2"], exiftool: Self.kinds[kind].arguments)
    let result = try JPEGSurgery(photo).rewritten(
      image: nil, transform: .identity, orientation: orientation, identifier: nil, thumbnail: nil)
    #expect(result.removals.isEmpty)
    let before = try folder.tags(photo)
    let after = try folder.tags(result.bytes)
    #expect(after["IFD0:Orientation"] ?? "1" == "\(orientation.rawValue)")
    #expect(after["XMP-tiff:Orientation"] ?? "\(orientation.rawValue)" == "\(orientation.rawValue)")
    var changing: Set = ["IFD0:Orientation", "XMP-tiff:Orientation", "SourceFile", "File:ExifByteOrder"]
    // A new block contains everything that Exif requires.
    if Self.kinds[kind].name == "no Exif" {
      changing.formUnion(
        ["XResolution", "YResolution", "ResolutionUnit", "YCbCrPositioning"].map { "IFD0:" + $0 })
      changing.formUnion(
        [
          "ExifVersion", "ComponentsConfiguration", "FlashpixVersion", "ColorSpace", "ExifImageWidth",
          "ExifImageHeight",
        ].map { "ExifIFD:" + $0 })
    }
    let differing = Set(before.keys).union(after.keys).filter {
      !changing.contains($0) && !["System:", "File:FileSize"].contains(where: $0.hasPrefix)
        && before[$0] != after[$0]
    }
    #expect(differing.isEmpty, "\(differing)")
    #expect(
      try folder.run("djpeg", [folder.write(result.bytes, to: "a.jpg").path])
        == folder.run("djpeg", [folder.write(photo, to: "b.jpg").path]))
  }
}
