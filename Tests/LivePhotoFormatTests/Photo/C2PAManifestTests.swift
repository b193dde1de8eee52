import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests that manifests which sign a file are removed and reported whenever its bytes change. exiftool reads the JPEGs.
@Suite struct C2PAManifestTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8((content.count + 8) >> $0 & 255) } + Array(kind.utf8) + content
  }

  /// Returns a JUMBF box whose type begins with the given four characters.
  private static func jumbf(_ type: String, _ label: String, _ json: String) -> [UInt8] {
    let number: [UInt8] = [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let description = Array(type.utf8) + number + [3] + Array(label.utf8) + [0]
    return box("jumb", box("jumd", description) + box("json", Array(json.utf8)))
  }

  private static let manifest = jumbf(
    "c2pa", "c2pa", "{\"claim\":\"\(String(repeating: "x", count: 2000))\"}")
  private static let other = jumbf("json", "other", "{\"kept\":1}")

  /// Returns a box split into APP11 segments of at most 700 bytes of it each.
  private static func segments(_ box: [UInt8], number: UInt8) -> [UInt8] {
    let content = Array(box.dropFirst(8))
    return stride(from: 0, to: content.count, by: 700).flatMap { start -> [UInt8] in
      let piece = UInt8(start / 700 + 1)
      return segment(
        0xEB, Array("JP".utf8) + [0, number, 0, 0, 0, piece] + box[..<8] + content[start...].prefix(700))
    }
  }

  /// The box that contains manifests in ISO files.
  private static var isoBox: [UInt8] {
    let number: [UInt8] = [
      0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
    ]
    return box(
      "uuid", number + [0, 0, 0, 0] + Array("manifest\0".utf8) + [UInt8](repeating: 0, count: 8) + manifest)
  }

  private static let facts: Facts = {
    var facts = Facts()
    facts.place = GeoLocation(latitude: 48, longitude: 11).map { .set($0) }
    return facts
  }()

  /// All operations that rewrite a photo, by name.
  private static let writers: [(name: String, write: @Sendable (Photo, MemoryByteSink) throws -> [Removal])] =
    [
      ("identifier", { try $0.write(tiedBy: firstIdentifier, to: $1) }),
      ("untied", { try $0.write(tiedBy: nil, to: $1) }),
      ("facts", { try $0.write(stating: facts, to: $1) }),
      ("key frame", { try $0.write(describing: KeyFrame(distance: 1000, profile: nil), to: $1) }),
      ("location", { try $0.write(without: .location, identifier: nil, to: $1) }),
      ("all", { try $0.write(without: .all, identifier: nil, to: $1) }),
      (
        "motion photo",
        {
          try MotionPhoto.write(
            photo: $0, movie: MemoryByteSource([0, 0, 0, 8] + Array("ftyp".utf8)), stillTime: nil, to: $1)
        }
      ),
    ]

  private func labels(_ bytes: [UInt8], _ name: String) throws -> Set<String> {
    let file = try folder.write(bytes, to: name)
    let lines = try Tools.run(["exiftool", "-ee", "-a", "-s3", "-JUMDLabel", file.path]).lines
    return Set(lines)
  }

  @Test func jpegs() throws {
    let plain = try Array(Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")))
    let signed = inserting(
      Self.segments(Self.manifest, number: 7) + Self.segments(Self.other, number: 8), into: plain)
    #expect(try labels(signed, "signed.jpg") == ["c2pa", "other"])
    for (name, write) in Self.writers {
      let sink = MemoryByteSink()
      let removals = try write(Photo(MemoryByteSource(signed)), sink)
      #expect(removals.filter { $0.name == "C2PA manifest" }.count == 1, "\(name)")
      #expect(try labels(sink.bytes, "written.jpg") == (name == "all" ? [] : ["other"]), "\(name)")
      #expect(sink.bytes.firstIndex(of: "xxxxxxxx", in: sink.bytes.indices) == nil, "\(name)")
      let clean = MemoryByteSink()
      let others = try write(Photo(MemoryByteSource(plain)), clean)
      #expect(!others.contains { $0.name == "C2PA manifest" }, "\(name)")
    }
    let surgery = try JPEGSurgery(signed)
    let flagged = try surgery.rewritten(
      image: nil, transform: .identity, orientation: .right, identifier: nil, thumbnail: nil)
    #expect(flagged.removals.map(\.name) == ["C2PA manifest"])
    #expect(try labels(flagged.bytes, "flagged.jpg") == ["other"])
    let blocks = try PhotoInspection(Photo(MemoryByteSource(signed))).metadata
    #expect(blocks.first { $0.name == "C2PA manifest" }?.segments == 3)
    #expect(blocks.contains { $0.name == "APP11" })
  }

  @Test(arguments: HEICPhotos.fixtures) func heics(_ photo: String) throws {
    let plain = try HEICPhotos.bytes(photo)
    let signed = plain + Self.isoBox
    for (name, write) in Self.writers {
      let (sink, clean) = (MemoryByteSink(), MemoryByteSink())
      let removals = try write(Photo(MemoryByteSource(signed)), sink)
      #expect(removals.filter { $0.name == "C2PA manifest" }.count == 1, "\(name)")
      // The rest equals the result without a manifest.
      _ = try write(Photo(MemoryByteSource(plain)), clean)
      #expect(sink.bytes == clean.bytes, "\(name)")
    }
    let (sink, clean) = (MemoryByteSink(), MemoryByteSink())
    let removals = try HEIFFile(Photo(MemoryByteSource(signed))).write(turn: .right, to: sink)
    #expect(removals.contains { $0.name == "C2PA manifest" })
    _ = try HEIFFile(Photo(MemoryByteSource(plain))).write(turn: .right, to: clean)
    #expect(sink.bytes == clean.bytes)
    #expect(
      try PhotoInspection(Photo(MemoryByteSource(signed))).metadata.contains { $0.name == "C2PA manifest" })
  }

  @Test func movies() throws {
    let plain = try Array(Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
    let (signed, sink, clean) = (MemoryByteSource(plain + Self.isoBox), MemoryByteSink(), MemoryByteSink())
    let surgery = try MovieSurgery(signed)
    #expect(surgery.removals.map(\.name) == ["C2PA manifest"])
    try surgery.write(to: sink)
    let other = try MovieSurgery(MemoryByteSource(plain))
    #expect(other.removals.isEmpty)
    try other.write(to: clean)
    #expect(sink.bytes == clean.bytes)
    let turned = MemoryByteSink()
    let writer = try MovieWriter(
      movie: Movie(signed), source: signed, video: nil, orientation: .right, identifier: nil, sink: turned)
    try writer.finish()
    #expect(writer.removals.contains { $0.name == "C2PA manifest" && $0.half == .movie })
    #expect(turned.bytes.firstIndex(of: "manifest", in: turned.bytes.indices) == nil)
  }
}
