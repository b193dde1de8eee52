import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of reading and rewriting PNGs. exiftool reads the results; scripts/fixtures/make-png creates the PNGs.
@Suite struct PNGFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func png(_ tags: [String]) throws -> [UInt8] {
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/make-png").path
    try folder.run("python3", [script, folder.file("in.png").path, "rgb8"])
    if !tags.isEmpty { try folder.run("exiftool", ["-q", "-n", "-overwrite_original"] + tags + ["in.png"]) }
    return try folder.read("in.png")
  }

  private static let rich = [
    "-Make=Apple", "-Model=iPhone 15", "-DateTimeOriginal=2024:05:01 10:00:00", "-GPSLatitude=47.5",
    "-GPSLatitudeRef=N", "-GPSLongitude=11.25", "-GPSLongitudeRef=E", "-XMP-dc:Title=Title",
    "-XMP-exif:GPSLatitude=47.5", "-PNG:Author=Somebody", "-PNG:CreationTime=2024:05:01 10:00:00",
  ]

  private func written(
    _ bytes: [UInt8], _ write: (Photo, MemoryByteSink) throws -> [Removal]
  ) throws -> (tags: [String: String], removals: [Removal], bytes: [UInt8]) {
    let sink = MemoryByteSink()
    let removals = try write(Photo(MemoryByteSource(bytes)), sink)
    return (try Tools.exiftool(folder.write(sink.bytes, to: "out-\(UUID()).png")), removals, sink.bytes)
  }

  @Test func facts() throws {
    let photo = try Photo(MemoryByteSource(png(Self.rich)))
    #expect(photo.kind == .png)
    let metadata = try photo.metadata()
    #expect(metadata.make == "Apple" && metadata.width == 29 && metadata.height == 19)
    #expect(metadata.location.map { abs($0.latitude - 47.5) < 1e-6 } == true)
    #expect(metadata.captureDate == "2024:05:01 10:00:00")
    let inspection = try PhotoInspection(photo)
    #expect(
      inspection.kind == "PNG" && inspection.png?.colors == "truecolour" && inspection.png?.bitDepth == 8)
    #expect(inspection.metadata.contains { $0.name == "XMP" })
    #expect(inspection.metadata.contains { $0.name == "text" && $0.detail == "Author" })
  }

  @Test func statedFacts() throws {
    var facts = Facts()
    facts.place = GeoLocation(latitude: 48, longitude: -12).map { .set($0) }
    facts.description.title = "Sea"
    for tags in [[], Self.rich] {
      let bytes = try png(tags)
      let result = try written(bytes) { try $0.write(stating: facts, to: $1) }
      #expect(result.tags["GPS:GPSLatitude"] == "48" && result.tags["GPS:GPSLongitudeRef"] == "W")
      #expect(result.tags["XMP-dc:Title"] == "Sea" && result.tags["ExifTool:Warning"] == nil)
      // The picture is unchanged.
      let before = try PNGFile(reading: MemoryByteSource(bytes)).codedPicture()
      #expect(try PNGFile(reading: MemoryByteSource(result.bytes)).codedPicture() == before)
    }
  }

  @Test func withoutPrivateFacts() throws {
    let bytes = try png(Self.rich)
    let placeless = try written(bytes) { try $0.write(without: .location, identifier: nil, to: $1) }
    #expect(!placeless.tags.keys.contains { $0.contains("GPS") })
    #expect(placeless.tags["IFD0:Make"] == "Apple" && placeless.tags["XMP-dc:Title"] == "Title")
    let bare = try written(bytes) { try $0.write(without: .all, identifier: nil, to: $1) }
    let left = bare.tags.keys.filter { key in
      !["PNG:", "File:", "System:", "ExifTool:", "Composite:", "SourceFile"].contains { key.hasPrefix($0) }
    }
    #expect(left == [] && bare.tags["PNG:Author"] == nil && bare.tags["PNG:CreationTime"] == nil)
    for word in ["iPhone", "Somebody", "Title", "2024"] {
      #expect(bare.bytes.firstIndex(of: word, in: bare.bytes.indices) == nil, "\(word)")
    }
  }

  /// If a PNG contains two Exif blocks or XMP packets, which is not allowed, different readers use different ones.
  @Test func furtherBlocks() throws {
    let bytes = try png(Self.rich)
    let blocks = try PNGFile(reading: MemoryByteSource(bytes)).chunks.filter {
      ["eXIf", "iTXt"].contains($0.kind)
    }
    try #require(blocks.count == 2)
    func with(_ chunks: [UInt8]) -> [UInt8] { Array(bytes[..<33] + chunks + bytes[33...]) }
    let again = blocks.flatMap { bytes[$0.range] }
    for more in [again, PNGChunks.chunk("eXIf", Array("damaged".utf8)) + again] {
      let placeless = try written(with(more)) { try $0.write(without: .location, identifier: nil, to: $1) }
      #expect(!placeless.tags.keys.contains { $0.contains("GPS") })
      let left = try PNGFile(reading: MemoryByteSource(placeless.bytes)).chunks
      #expect(left.filter { $0.kind == "eXIf" }.count == (more == again ? 1 : 0))
      #expect(placeless.bytes.firstIndex(of: "GPSLatitude", in: placeless.bytes.indices) == nil)
    }
    var facts = Facts()
    facts.description.title = "Sea"
    let stated = try written(with(again)) { try $0.write(stating: facts, to: $1) }
    #expect(stated.tags["XMP-dc:Title"] == "Sea")
    #expect(stated.bytes.firstIndex(of: "Title", in: stated.bytes.indices) == nil)
  }

  /// exiftool writes IPTC as a text of hexadecimal digits. It is removed together with the location, and kept by other
  /// changes.
  @Test func placesInPackedProfiles() throws {
    let bytes = try png(Self.rich + ["-IPTC:City=Quarzwiebelberg"])
    let before = try Tools.exiftool(folder.write(bytes, to: "before.png"))
    #expect(before["IPTC:City"] == "Quarzwiebelberg")
    var facts = Facts()
    facts.place = .removed
    let placeless = try written(bytes) { try $0.write(stating: facts, to: $1) }
    #expect(!placeless.tags.keys.contains { $0.contains("GPS") || $0.hasPrefix("IPTC") })
    #expect(placeless.removals.map(\.name).contains("Raw profile type iptc"))
    facts = Facts()
    facts.description.title = "Sea"
    let titled = try written(bytes) { try $0.write(stating: facts, to: $1) }
    #expect(titled.tags["IPTC:City"] == "Quarzwiebelberg" && titled.tags["XMP-dc:Title"] == "Sea")
  }

  /// Facts are also written to a file without a picture.
  @Test func withoutAPicture() throws {
    let bytes = try png([])
    var facts = Facts()
    facts.place = GeoLocation(latitude: 48, longitude: -12).map { .set($0) }
    let result = try written(bytes[..<33] + PNGChunks.chunk("IEND", [])) {
      try $0.write(stating: facts, to: $1)
    }
    #expect(result.tags["GPS:GPSLatitude"] == "48")
  }

  @Test func whatItIsNot() throws {
    let photo = try Photo(MemoryByteSource(png([])))
    let frame = KeyFrame(distance: 0, profile: nil)
    #expect(throws: MediaError.self) { try photo.write(describing: frame, to: MemoryByteSink()) }
    #expect(throws: MediaError.self) { try photo.write(tiedBy: firstIdentifier, to: MemoryByteSink()) }
    #expect(try written(png(Self.rich)) { try $0.write(tiedBy: nil, to: $1) }.removals.isEmpty)
    #expect(throws: MediaError.self) {
      try MotionPhoto.write(
        photo: photo, movie: MemoryByteSource([0, 0, 0, 8]), stillTime: nil, to: MemoryByteSink())
    }
  }
}
