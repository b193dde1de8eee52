import Basics
import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

struct JPEGSurgeryTests {
  /// The position of SubjectArea 10 20 6 4 of a 64x48 picture after each transform, calculated by hand.
  static let areas: [Orientation: String] = [
    .up: "10 20 6 4", .upMirrored: "54 20 6 4", .down: "54 28 6 4", .downMirrored: "10 28 6 4",
    .leftMirrored: "20 10 4 6", .right: "28 10 4 6", .rightMirrored: "28 54 4 6", .left: "20 54 4 6",
  ]

  static let tagArguments = [
    "-Make=Apple", "-Model=iPhone 6s", "-Orientation#=6", "-IFD0:XResolution=72", "-IFD0:YResolution=96",
    "-ExifImageWidth=64", "-ExifImageHeight=48", "-SubjectArea=10 20 6 4", "-SubjectLocation=10 20",
    "-GPSLatitude=34.5", "-GPSLatitudeRef=N", "-DateTimeOriginal=2019:12:29 19:01:15",
    "-SubSecTimeOriginal=505", "-OffsetTimeOriginal=-08:00", "-ExposureTime=1/30",
    "-LensInfo=4.15 4.15 2.2 2.2",
    "-IPTC:Keywords=beach", "-XMP-dc:Title=Waves", "-Comment=words", "-MakerNotes<=note.bin",
    "-ThumbnailImage<=thumb.jpg",
  ]

  /// Returns a photo as stored by a phone, and its thumbnail.
  static func phonePhoto(
    _ folder: TemporaryFolder, order: String = "MM", note: [UInt8]? = nil, extra: [String] = []
  ) throws -> (photo: [UInt8], thumbnail: [UInt8]) {
    let thumbnail = try folder.photo(width: 16, height: 16)
    try folder.write(thumbnail, to: "thumb.jpg")
    try folder.write(note ?? appleNote(identifier: firstIdentifier), to: "note.bin")
    let photo = try folder.photo(
      cjpeg: ["-sample", "2x2"], exiftool: ["-ExifByteOrder=" + order] + tagArguments + extra)
    return (photo, thumbnail)
  }

  /// Returns whether a tag may change when a picture is rotated.
  static func mayChange(_ tag: String) -> Bool {
    let names: Set = [
      "SourceFile", "IFD0:Orientation", "IFD0:ImageWidth", "IFD0:ImageHeight", "ExifIFD:ExifImageWidth",
      "ExifIFD:ExifImageHeight",
      "ExifIFD:SubjectArea", "ExifIFD:SubjectLocation", "Apple:MediaGroupUUID", "Apple:ContentIdentifier",
      "IFD1:ThumbnailOffset", "IFD1:ThumbnailLength", "IFD1:ThumbnailImage",
    ]
    return names.contains(tag) || ["System:", "File:", "Composite:"].contains { tag.hasPrefix($0) }
  }

  /// Returns the tags that were lost, added or changed unintentionally.
  static func differences(_ before: [String: String], _ after: [String: String]) -> [String] {
    Set(before.keys).union(after.keys).filter { !mayChange($0) && before[$0] != after[$0] }.sorted()
  }

  @Test func countsPlacesInExifPixels() throws {
    let folder = try TemporaryFolder()
    let (photo, _) = try Self.phonePhoto(
      folder, extra: ["-ExifImageWidth=640", "-ExifImageHeight=480", "-SubjectArea=100 200 60"])
    let result = try JPEGSurgery(photo).rewritten(
      image: try folder.turned(photo, .right), transform: .right, identifier: nil, thumbnail: nil)
    let tags = try folder.tags(result.bytes)
    #expect(tags["ExifIFD:SubjectArea"] == "28 10 6")
    #expect(tags["ExifIFD:ExifImageWidth"] == "48")
  }

  @Test func changesNothingElseWhenPixelsStay() throws {
    let folder = try TemporaryFolder()
    let (photo, _) = try Self.phonePhoto(folder)
    let surgery = try JPEGSurgery(photo)
    let result = try surgery.rewritten(
      image: nil, transform: .identity, identifier: secondIdentifier, thumbnail: nil)
    #expect(result.removals.isEmpty)
    #expect(result.bytes.count == photo.count)
    // Only the bytes of the orientation and the identifier differ.
    let changed = photo.indices.filter { photo[$0] != result.bytes[$0] }
    #expect(changed.count <= 1 + 36)
    let after = try folder.tags(result.bytes)
    #expect(after["IFD0:Orientation"] == "1")
    #expect(after["ExifIFD:SubjectArea"] == "10 20 6 4")
    let untouched = try JPEGSurgery(result.bytes).rewritten(
      image: nil, transform: .identity, identifier: nil, thumbnail: nil)
    #expect(untouched.bytes == result.bytes)
  }

  @Test func removesAThumbnailWithoutReplacement() throws {
    let folder = try TemporaryFolder()
    let (photo, thumbnail) = try Self.phonePhoto(folder)
    let result = try JPEGSurgery(photo).rewritten(
      image: try folder.turned(photo, .left), transform: .left, identifier: nil, thumbnail: nil)
    #expect(result.removals.map(\.name) == ["ThumbnailImage"])
    let tags = try folder.tags(result.bytes)
    #expect(!tags.keys.contains { $0.hasPrefix("IFD1:") })
    #expect(tags["ExifTool:Warning"] == nil)
    #expect(!Self.contains(result.bytes, thumbnail.suffix(40)))
    #expect(tags["ExifIFD:LensInfo"] == "4.15 4.15 2.2 2.2")
  }

  @Test func replacesAThumbnailByALargerOne() throws {
    let folder = try TemporaryFolder()
    let (photo, thumbnail) = try Self.phonePhoto(folder)
    let larger = try folder.photo(width: 80, height: 80, cjpeg: ["-quality", "95"])
    let result = try JPEGSurgery(photo).rewritten(
      image: try folder.turned(photo, .down), transform: .down, identifier: secondIdentifier,
      thumbnail: larger)
    let path = try folder.write(result.bytes, to: "result.jpg").path
    #expect(try folder.run("exiftool", ["-b", "-ThumbnailImage", path]) == larger)
    #expect(!Self.contains(result.bytes, thumbnail.suffix(40)))
    let differences = Self.differences(try folder.tags(photo), try folder.tags(result.bytes))
    #expect(differences.isEmpty)
  }

  @Test func dropsAThumbnailThatDoesNotFit() throws {
    let folder = try TemporaryFolder()
    let (photo, thumbnail) = try Self.phonePhoto(folder)
    let huge = Array(thumbnail.dropLast(2)) + [UInt8](repeating: 1, count: 65_000) + [0xFF, 0xD9]
    let result = try JPEGSurgery(photo).rewritten(
      image: try folder.turned(photo, .down), transform: .down, identifier: secondIdentifier,
      thumbnail: huge)
    #expect(result.removals.map(\.name) == ["ThumbnailImage"])
    #expect(
      Self.differences(try folder.tags(photo), try folder.tags(result.bytes)).allSatisfy {
        $0.hasPrefix("IFD1:")
      })
  }

  @Test(arguments: [[], ["-Make=Apple", "-Orientation#=6"], ["-ISO=100"], ["-XMP-dc:Title=Waves"]])
  func createsTheIdentifierWhereThereIsNoNote(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo(exiftool: arguments)
    let result = try JPEGSurgery(photo).rewritten(
      image: nil, transform: .identity, identifier: firstIdentifier, thumbnail: nil)
    let after = try folder.tags(result.bytes)
    #expect(after["Apple:MediaGroupUUID"] ?? after["Apple:ContentIdentifier"] == firstIdentifier)
    #expect(after["ExifTool:Warning"] == nil)
    let lost = try folder.tags(photo).filter { !Self.mayChange($0.key) && after[$0.key] != $0.value }
    #expect(lost.isEmpty)
    #expect(result.bytes.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]))
  }

  @Test func keepsAnotherMakersNoteAndRefusesTheIdentifier() throws {
    let folder = try TemporaryFolder()
    let note =
      Array("SONY DSC \0\0\0".utf8) + [1, 0, 0x20, 0xB0, 2, 0, 4, 0, 0, 0, 65, 66, 67, 0, 0, 0, 0, 0]
    let plain = try folder.photo()
    let foreign = try JPEGSurgery(inserting(exifSegment(note: note), into: plain))
    #expect(throws: MediaError.self) {
      try foreign.rewritten(image: nil, transform: .identity, identifier: firstIdentifier, thumbnail: nil)
    }
    let result = try foreign.rewritten(
      image: try folder.turned(plain, .right), transform: .right, identifier: nil, thumbnail: nil)
    #expect(Self.contains(result.bytes, note[...]))
  }

  @Test func keepsUnknownSegmentsByteForByte() throws {
    let folder = try TemporaryFolder()
    let (photo, _) = try Self.phonePhoto(folder)
    let profile = Array("ICC_PROFILE\0".utf8)
    let added = [
      segment(0xE2, profile + [1, 2] + [UInt8](repeating: 9, count: 65_000)),
      segment(0xE2, profile + [2, 2, 1, 2, 3]), segment(0xE7, [1, 2, 3]), segment(0xEB, Array("JP".utf8)),
      segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]), segment(0xFE, []),
    ]
    let file = try JPEGFile(photo)
    let place = try #require(file.header.segments.first { $0.marker == 0xDB }).range.lowerBound
    let full = Array(photo[..<place] + added.joined() + photo[place...])
    let result = try JPEGSurgery(full).rewritten(
      image: try folder.turned(full, .right), transform: .right, identifier: secondIdentifier, thumbnail: nil)
    let output = try JPEGFile(result.bytes)
    let kept = output.header.segments.filter(\.isMetadata).map { Array(result.bytes[$0.range]) }
    #expect(Array(kept.suffix(added.count)) == added)
    let markers = { (file: JPEGFile) in file.header.segments.filter(\.isMetadata).map(\.marker) }
    #expect(markers(output) == markers(try JPEGFile(full)))
  }

  /// Slices and guides are measured in pixels of the picture. An edit that moves no pixels keeps them.
  @Test func photoshopSlicesAndGuidesGoWhereThePictureTurns() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo(exiftool: ["-IPTC:Keywords=beach"])
    let file = try JPEGFile(photo)
    let old = try #require(file.header.segments.first { $0.marker == 0xED })
    func resource(_ id: Int, _ content: [UInt8]) -> [UInt8] {
      Array("8BIM".utf8) + twoBytes(id) + [0, 0, 0, 0] + twoBytes(content.count) + content
    }
    // Version 6: the rectangle of all slices, an empty name and no slices.
    let bounds: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 48, 0, 0, 0, 64]
    let slices = resource(0x041A, [0, 0, 0, 6] + bounds + [0, 0, 0, 0] + [0, 0, 0, 0])
    let guides = resource(0x0408, [0, 0, 0, 1, 0, 0, 2, 64, 0, 0, 2, 64, 0, 0, 0, 0])
    let payload = file.payload(old)
    let longer = payload.prefix(14) + slices + guides + payload.dropFirst(14)
    let full = Array(
      photo[..<old.range.lowerBound] + segment(0xED, longer) + photo[old.range.upperBound...])
    #expect(try folder.tags(full).keys.contains { $0.hasPrefix("Photoshop:") })
    let turned = try JPEGSurgery(full).rewritten(
      image: try folder.turned(photo, .right), transform: .right, identifier: nil, thumbnail: nil)
    #expect(Set(turned.removals.map(\.name)) == ["Photoshop slices", "Photoshop guides"])
    #expect(turned.removals.allSatisfy { $0.reason.contains("coordinates") })
    #expect(try folder.tags(turned.bytes)["IPTC:Keywords"] == "beach")
    #expect(turned.bytes.firstIndex(of: "8BIM\u{4}\u{1A}", in: turned.bytes.indices) == nil)
    let coloured = try JPEGSurgery(full).rewritten(
      image: photo, transform: .identity, identifier: nil, thumbnail: nil)
    #expect(coloured.removals.isEmpty)
    #expect(coloured.bytes.firstIndex(of: "8BIM\u{4}\u{1A}", in: coloured.bytes.indices) != nil)
  }

  @Test func removesPhotoshopThumbnailsAndKeepsTheRest() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo(
      exiftool: ["-IPTC:Keywords=beach", "-IPTC:City=Paris", "-Photoshop:XResolution=72", "-Photoshop:URL=x"])
    let file = try JPEGFile(photo)
    let old = try #require(file.header.segments.first { $0.marker == 0xED })
    let small = try folder.photo(width: 16, height: 16)
    let thumbnail = [UInt8](repeating: 0, count: 28) + small
    let resource =
      Array("8BIM".utf8) + [0x04, 0x0C, 0, 0] + [0, 0] + twoBytes(thumbnail.count) + thumbnail
      + [UInt8](repeating: 0, count: thumbnail.count % 2)
    let payload = file.payload(old)
    let longer = payload.prefix(14) + resource + payload.dropFirst(14)
    let full = Array(
      photo[..<old.range.lowerBound] + segment(0xED, longer) + photo[old.range.upperBound...])
    let path = try folder.write(full, to: "full.jpg").path
    #expect(try folder.run("exiftool", ["-b", "-PhotoshopThumbnail", path]) == small)
    let result = try JPEGSurgery(full).rewritten(
      image: try folder.turned(photo, .down), transform: .down, identifier: nil, thumbnail: nil)
    #expect(result.removals.map(\.name) == ["PhotoshopThumbnail"])
    let output = try JPEGFile(result.bytes)
    #expect(output.header.segments.contains { result.bytes[$0.range].elementsEqual(photo[old.range]) })
  }

  @Test func swapsJFIFDensitiesAndDropsItsThumbnails() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo()
    let rest = try #require(try JPEGFile(photo).header.segments.first).range.upperBound
    let jfif: [UInt8] = Array("JFIF".utf8) + [0, 1, 2, 1, 0, 72, 0, 96, 1, 1, 50, 60, 70]
    let jfxx: [UInt8] = Array("JFXX".utf8) + [0, 0x13, 1, 1, 50, 60, 70]
    let full =
      [0xFF, 0xD8, 0xFF, 0xE0, 0, UInt8(jfif.count + 2)] + jfif + [0xFF, 0xE0, 0, UInt8(jfxx.count + 2)]
      + jfxx
      + photo[rest...]
    let result = try JPEGSurgery(full).rewritten(
      image: try folder.turned(photo, .left), transform: .left, identifier: nil, thumbnail: nil)
    #expect(result.removals.map(\.name) == ["JFIF:ThumbnailTIFF", "JFXX:ThumbnailImage"])
    let expected: [UInt8] = Array("JFIF".utf8) + [0, 1, 2, 1, 0, 96, 0, 72, 0, 0]
    #expect(result.bytes.starts(with: [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + expected))
    #expect(try JPEGFile(result.bytes).header.segments.filter { $0.marker == 0xE0 }.count == 1)
  }

  @Test func rewritesExifThatFillsSeveralSegments() throws {
    let folder = try TemporaryFolder()
    try folder.write((0..<100_000).map { UInt8(65 + $0 % 26) }, to: "long.txt")
    let photo = try folder.photo(
      exiftool: ["-Make=Apple", "-Orientation#=6", "-SubjectArea=10 20 6 4", "-UserComment<=long.txt"])
    #expect(try JPEGFile(photo).header.segments.filter { $0.marker == 0xE1 }.count == 2)
    let result = try JPEGSurgery(photo).rewritten(
      image: try folder.turned(photo, .right), transform: .right, identifier: firstIdentifier, thumbnail: nil)
    let (before, after) = (try folder.tags(photo), try folder.tags(result.bytes))
    #expect(Self.differences(before, after).filter { before[$0] != nil }.isEmpty)
    #expect(after["IFD0:Orientation"] == "1" && after["ExifIFD:SubjectArea"] == "28 10 4 6")
    #expect(after["Apple:MediaGroupUUID"] ?? after["Apple:ContentIdentifier"] == firstIdentifier)
  }

  // The broken Exif data cannot be patched, and contains no values that a reader would accept.
  @Test func editsPhotosWithBrokenExif() throws {
    let folder = try TemporaryFolder()
    let plain = try folder.photo()
    for content in ["Exif\0\0", "Exif\0\0MM\0*", "Exif\0\0nonsense", "Exif\0\0II*\0\u{7F}\0\0\0"] {
      let broken = segment(0xE1, Array(content.utf8))
      let surgery = try JPEGSurgery(inserting(broken, into: plain))
      #expect(surgery.metadata.orientation == .identity && surgery.embeddedThumbnail == nil)
      let result = try surgery.rewritten(
        image: try folder.turned(plain, .down), transform: .down, identifier: nil, thumbnail: nil)
      #expect(Self.contains(result.bytes, broken[...]))
      #expect(throws: MediaError.self) {
        try surgery.rewritten(image: nil, transform: .identity, identifier: firstIdentifier, thumbnail: nil)
      }
    }
  }

  @Test func refusesATransformWithoutAPicture() throws {
    let folder = try TemporaryFolder()
    let surgery = try JPEGSurgery(try folder.photo())
    #expect(throws: MediaError.self) {
      try surgery.rewritten(image: nil, transform: .right, identifier: nil, thumbnail: nil)
    }
  }

  static func contains(_ bytes: [UInt8], _ part: ArraySlice<UInt8>) -> Bool {
    guard let first = part.first, bytes.count >= part.count else { return false }
    return (0...bytes.count - part.count).contains {
      bytes[$0] == first && bytes[$0..<$0 + part.count].elementsEqual(part)
    }
  }
}
