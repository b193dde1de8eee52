import EditModel
import Foundation
import TestSupport
import Testing

/// Tests of complete renders of photos whose metadata is laid out in unusual ways.
@Suite struct OddPhotoMetadataTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static let identifier = "01234567-89AB-5DEF-8123-456789ABCDEF"
  static let size = (width: 96, height: 64)

  /// Returns a segment with the marker 0xFFxx.
  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
  }

  func photo(_ arguments: [String]) throws -> [UInt8] {
    try folder.photo(width: Self.size.width, height: Self.size.height, exiftool: arguments)
  }

  /// Returns the position in a JPEG of a segment with a given beginning.
  func place(_ marker: UInt8, _ prefix: String, in photo: [UInt8]) -> Int? {
    let start = [0xFF, marker]
    return photo.indices.first { at in
      photo[at...].starts(with: start) && photo[min(at + 4, photo.count)...].starts(with: prefix.utf8)
    }
  }

  /// Tags that state positions and sizes in the file, or that every render with this rotation changes.
  static let changing = [
    "System:", "File:File", "File:ImageWidth", "File:ImageHeight", "File:EncodingProcess", "Composite:",
    "IFD1:ThumbnailOffset", "IFD1:ThumbnailLength", "IFD1:ThumbnailImage", "SourceFile",
    "File:CurrentIPTCDigest", "ExifTool:",
  ]

  func tags(_ photo: [UInt8]) throws -> [String: String] {
    try Tools.exiftool(folder.write(photo, to: "tags.jpg")).filter { tag in
      !Self.changing.contains { tag.key.hasPrefix($0) }
    }
  }

  /// Renders a 90° rotation and a mirror image, both lossless and re-encoded, and compares all tags.
  func expectTagsKept(
    _ photo: [UInt8], except changed: [String] = [], removed: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try tags(photo)
    for (edit, isLossless) in [(Orientation.right, false), (.right, true), (.flippedVertically, false)] {
      let (bytes, result) = try folder.rendered(photo, edit, isLossless: isLossless)
      let after = try tags(bytes)
      for (name, value) in before where !changed.contains(name) {
        #expect(after[name] == value, "\(name)", sourceLocation: sourceLocation)
      }
      #expect(Set(after.keys).isSubset(of: before.keys), sourceLocation: sourceLocation)
      #expect(Set(result.removals.map(\.name)) == Set(removed), sourceLocation: sourceLocation)
    }
  }

  static let rich = [
    "-Make=Apple", "-Model=iPhone 6s", "-DateTimeOriginal=2019:12:29 19:01:15", "-GPSLatitude=47.5",
    "-GPSLatitudeRef=N", "-XMP-dc:Title=Title", "-IPTC:Keywords=one", "-IPTC:Keywords=two", "-Comment=remark",
    "-IFD0:XResolution=72", "-IFD0:YResolution=72",
  ]

  @Test(arguments: ["MM", "II"])
  func jfifExifCommentAndMore(order: String) throws {
    let photo = try photo(["-ExifByteOrder=\(order)"] + Self.rich)
    #expect(try tags(photo)["JFIF:JFIFVersion"] != nil)
    try expectTagsKept(photo)
    #expect(try Tools.exiftool(folder.file("rendered.jpg"))["File:ExifByteOrder"] == order)
  }

  @Test func profileInSeveralSegments() throws {
    let photo = try photo(Self.rich)
    let chunks = (1...3).map { index in
      Self.segment(
        0xE2,
        Array("ICC_PROFILE\0".utf8) + [UInt8(index), 3] + (0..<60_000).map { UInt8($0 % (250 + index)) })
    }
    let comments = Self.segment(0xFE, Array("first".utf8)) + Self.segment(0xFE, Array("second".utf8))
    let profiled = Array(photo[..<2] + chunks.joined() + comments + photo[2...])
    let (bytes, _) = try folder.rendered(profiled, .right)
    let start = try #require(place(0xE2, "ICC_PROFILE", in: bytes))
    #expect(bytes[start...].starts(with: chunks.joined() + comments))
  }

  @Test func xmpInSeveralSegments() throws {
    try folder.write((0..<150_000).map { UInt8(65 + $0 % 26) }, to: "long.txt")
    let photo = try photo(Self.rich + ["-XMP-dc:Description<=\(folder.file("long.txt").path)"])
    #expect(place(0xE1, "http://ns.adobe.com/xmp/extension/", in: photo) != nil)
    try expectTagsKept(photo)
  }

  @Test func damagedThumbnailGoes() throws {
    let thumbnail = try folder.photo(width: 32, height: 24)
    for broken in [
      Array(thumbnail.prefix(thumbnail.count / 2)), [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0x55, count: 99),
    ] {
      let file = try folder.write(broken, to: "thumbnail.jpg")
      let photo = try photo(Self.rich + ["-m", "-ThumbnailImage<=\(file.path)"])
      try #require(try Tools.exiftool(folder.file("photo.jpg"))["IFD1:ThumbnailLength"] != nil)
      let (_, result) = try folder.rendered(photo, .right)
      #expect(result.removals.map(\.name) == ["ThumbnailImage"])
      #expect(try Tools.exiftool(folder.file("rendered.jpg"))["IFD1:ThumbnailLength"] == nil)
    }
  }

  @Test func thumbnailTurnsAlong() throws {
    let thumbnail = try folder.photo(width: 33, height: 21, cjpeg: ["-quality", "93"])
    let file = try folder.write(thumbnail, to: "thumbnail.jpg")
    let photo = try photo(["-ThumbnailImage<=\(file.path)"])
    _ = try folder.rendered(photo, .right)
    let turned = try folder.run("exiftool", ["-b", "-ThumbnailImage", "rendered.jpg"])
    #expect(try folder.luma(turned).psnr(folder.luma(thumbnail).turned(.right)) >= 37.5)
  }

  // The note's offset is arbitrary. The note is kept unless it must store an identifier.
  @Test func damagedMakerNote() throws {
    let note: [UInt8] =
      Array("Apple iOS".utf8) + [0, 0, 1, 0x4D, 0x4D, 0, 1, 0, 0x11, 0, 2, 0, 0, 0, 37, 0, 0x7F, 0, 0]
    let directory: [UInt8] = [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
    let exif: [UInt8] = [0, 1, 0x92, 0x7C, 0, 7, 0, 0, 0, UInt8(note.count), 0, 0, 0, 44, 0, 0, 0, 0]
    let block = Array("Exif\0\0MM\0*\0\0\0\u{8}".utf8) + directory + exif + note
    let plain = try photo([])
    let photo = Array(plain[..<2] + Self.segment(0xE1, block) + plain[2...])
    let (bytes, _) = try folder.rendered(photo, .right)
    #expect(bytes.indices.contains { bytes[$0...].starts(with: note) })
    // The entry exists, so its value is replaced.
    _ = try folder.rendered(photo, .right, identifier: Self.identifier)
    let tags = try Tools.exiftool(folder.file("rendered.jpg"))
    #expect(tags.values.contains(Self.identifier))
  }

  @Test func picturesBehindThePicture() throws {
    let photo = try photo(Self.rich)
    let second = try folder.photo(width: 40, height: 30)
    let (bytes, result) = try folder.rendered(photo + second + second, .right)
    #expect(result.removals.map(\.name) == ["picture after EOI"])
    #expect(try bytes == folder.rendered(photo, .right).bytes)
    // If the picture is unchanged, the data after it is kept.
    let odd = try folder.photo(width: 75, height: 53)
    let flagged = try folder.rendered(odd + second, .right, isLossless: true)
    #expect(flagged.result.removals.isEmpty && flagged.bytes.suffix(second.count) == second[...])
    // Data that is not a picture is unknown, and is kept.
    let note = Array("a note of somebody's".utf8)
    #expect(try folder.rendered(photo + note, .right).bytes.suffix(note.count) == note[...])
    let both = try folder.rendered(photo + second + note, .right)
    #expect(both.bytes.suffix(note.count) == note[...] && both.result.removals.count == 1)
  }

  @Test func multiPictureIndex() throws {
    let first = try photo(Self.rich)
    let second = try folder.photo(width: 40, height: 30)
    // An index of two pictures (CIPA DC-007 section 5).
    func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
    func index(_ offset: Int) -> [UInt8] {
      let head: [UInt8] = Array("MPF\0MM\0*\0\0\0\u{8}".utf8) + [0, 3]
      let version: [UInt8] = [0xB0, 0, 0, 7, 0, 0, 0, 4] + Array("0100".utf8)
      let entries: [UInt8] = [0xB0, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0xB0, 2, 0, 7, 0, 0, 0, 32, 0, 0, 0, 50]
      let main = number(0x2003_0000) + number(first.count + 94) + number(0) + number(0)
      return Self.segment(
        0xE2,
        head + version + entries + number(0) + main + number(0) + number(second.count) + number(offset)
          + number(0))
    }
    let length = index(0).count
    let indexed = Array(first[..<2] + index(first.count + length - 10) + first[2...] + second)
    try folder.write(indexed, to: "indexed.jpg")
    try #require(try folder.run("exiftool", ["-b", "-MPImage2", "indexed.jpg"]) == second)
    for isLossless in [false, true] {
      let (bytes, result) = try folder.rendered(indexed, .right, isLossless: isLossless)
      #expect(result.removals.map(\.name).contains("MPF"))
      #expect(try bytes == folder.rendered(first, .right, isLossless: isLossless).bytes)
    }
  }
}
