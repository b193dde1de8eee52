import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests that plant a location in parts of files that liveedit does not read, and search for its bytes.
@Suite struct UnreadPlacesTests {
  private static let place = "+61.2738-151.7382/Quarzwiebelberg"
  private static let traces: [[UInt8]] = [
    Array("Quarzwiebelberg".utf8), Array("Quarzwiebelberg".utf16).flatMap { twoBytes(Int($0)) },
    Array("61.2738".utf8), Array("61,16.43".utf8), Array("61,16.43".utf16).flatMap { twoBytes(Int($0)) },
    // The value is 32321/1250.
    [0, 0, 0x7E, 0x41, 0, 0, 0x04, 0xE2],
  ]
  private static let packet = XMPPacket.wrapped(
    "<rdf:Description rdf:about=\"\" xmlns:exif=\"http://ns.adobe.com/exif/1.0/\""
      + " xmlns:dji=\"http://www.dji.com/drone-dji/1.0/\" exif:GPSLatitude=\"61,16.43N\""
      + " dji:GpsLatitude=\"61.2738\"/>")

  private static func holdPlace(_ bytes: [UInt8]) -> Bool {
    traces.contains { bytes.firstIndex(of: $0) != nil }
  }

  /// Returns an Exif block whose GPS directory contains 61° 1′ 25.8568″.
  private static func located(_ folder: TemporaryFolder) throws -> [UInt8] {
    let photo = try folder.photo(exiftool: [
      "-GPSLatitude=61 16 25.8568", "-GPSLatitudeRef=N", "-GPSLongitude=151 44 17.7515", "-GPSLongitudeRef=W",
    ])
    return try #require(JPEGParts(JPEGFile(photo)).contents(of: .exif).first)
  }

  private static func stripped(_ bytes: [UInt8]) throws -> (bytes: [UInt8], names: [String]) {
    let sink = MemoryByteSink()
    let removals = try Photo(MemoryByteSource(bytes)).write(without: .location, identifier: nil, to: sink)
    return (sink.bytes, removals.map(\.name))
  }

  @Test func inSegmentsOfAJPEG() throws {
    let folder = try TemporaryFolder()
    let plain = try folder.photo()
    let utf16 = String(decoding: Self.packet, as: UTF8.self).utf16.flatMap { twoBytes(Int($0)) }
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    let cases: [(part: [UInt8], name: String?)] = [
      (segment(0xFE, Array("taken at \(Self.place)".utf8)), "comment"),
      (segment(0xE5, Array("MAKER\0\(Self.place)".utf8)), "APP5"),
      (segment(0xE1, xmp + utf16), "damaged XMP"),
      (segment(0xE1, xmp + Self.packet), nil),
    ]
    for (part, name) in cases {
      let photo = inserting(part, into: plain)
      #expect(Self.holdPlace(photo))
      let result = try Self.stripped(photo)
      #expect(!Self.holdPlace(result.bytes) && result.names == [name].compactMap { $0 })
      #expect(try JPEGFile(result.bytes).picture.count == JPEGFile(plain).picture.count)
    }
    let comment = inserting(segment(0xFE, Array("f/1.8, 26 mm".utf8)), into: plain)
    #expect(try Self.stripped(comment) == (comment, []))
    let behind = try Self.stripped(plain + Array(Self.place.utf8))
    #expect(behind == (plain, ["data after the picture"]))
  }

  @Test func inExifThatNoTagPointsTo() throws {
    let folder = try TemporaryFolder()
    let plain = try folder.photo(exiftool: ["-Make=Maker", "-Orientation#=6"])
    var parts = JPEGParts(try JPEGFile(plain))
    let index = try #require(parts.indices(of: .exif).first)
    parts.setContent(parts.list[index].content + Array(Self.place.utf8), at: index)
    let photo = try parts.assembled()
    #expect(Self.holdPlace(photo))
    let bytes = try Self.stripped(photo).bytes
    #expect(!Self.holdPlace(bytes))
    let tags = try folder.tags(bytes)
    #expect(
      tags["IFD0:Make"] == "Maker" && tags["IFD0:Orientation"] == "6" && tags["ExifTool:Warning"] == nil)
  }

  @Test func inPhotoshopsCopyOfExif() throws {
    let folder = try TemporaryFolder()
    let exif = try Self.located(folder)
    let size = exif.count
    let resource =
      Array("8BIM".utf8) + twoBytes(0x0422) + [0, 0, 0, 0] + twoBytes(size) + exif
      + [UInt8](repeating: 0, count: size % 2)
    let photo = try inserting(segment(0xED, PhotoshopResources.signature + resource), into: folder.photo())
    #expect(Self.holdPlace(photo))
    #expect(try !Self.holdPlace(Self.stripped(photo).bytes))
    let sink = MemoryByteSink()
    let facts = Facts(place: .removed)
    let lost = try Photo(MemoryByteSource(photo)).write(stating: facts, to: sink)
    #expect(!Self.holdPlace(sink.bytes) && lost.map(\.name) == ["Photoshop's copies of Exif and XMP"])
  }

  @Test func inBoxesOfAHEIC() throws {
    let folder = try TemporaryFolder()
    let heic = MovieLayout.bytes(of: "IMG_0004.HEIC")
    let (exif, place) = (try Self.located(folder), Array(Self.place.utf8))
    let block = MovieLayout.samsung([(kind: 0x0BF1, name: "Place_Info", content: place)])
    let uuid: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    let cases: [(part: [UInt8], name: String?)] = [
      (MovieLayout.box("free", place), nil), (MovieLayout.box("skip", place), nil),
      (MovieLayout.box("mdat", exif), nil), (MovieLayout.box("uuid", uuid + Self.packet), "box uuid"),
      (MovieLayout.box("sefd", block), "Samsung Place_Info"),
    ]
    for (part, name) in cases {
      let photo = heic + part
      #expect(Self.holdPlace(photo))
      let result = try Self.stripped(photo)
      #expect(!Self.holdPlace(result.bytes) && result.names == [name].compactMap { $0 })
      let sink = MemoryByteSink()
      let facts = Facts(place: .removed)
      let lost = try Photo(MemoryByteSource(photo)).write(stating: facts, to: sink)
      #expect(!Self.holdPlace(sink.bytes) && lost.map(\.name) == result.names)
      for bytes in [result.bytes, sink.bytes] {
        let (old, new) = try (
          HEIFFile(reading: MemoryByteSource(heic)), HEIFFile(reading: MemoryByteSource(bytes))
        )
        #expect(try old.data(of: old.itemOrder[0]) == new.data(of: new.itemOrder[0]))
        #expect(try folder.tags(bytes, "a.heic")["ExifTool:Error"] == nil)
      }
    }
    let all = MemoryByteSink()
    _ = try Photo(MemoryByteSource(heic + MovieLayout.box("mdat", exif)))
      .write(without: .all, identifier: nil, to: all)
    #expect(!Self.holdPlace(all.bytes))
  }

  @Test func inAFurtherExifItem() throws {
    let folder = try TemporaryFolder()
    let file = try HEIFFile(reading: MemoryByteSource(MovieLayout.bytes(of: "IMG_0004.HEIC")))
    var composition = HEIFComposition(file)
    let block = try #require(TIFFBlock(exif: Self.located(folder)))
    try composition.add("Exif", HEIFExif(block: block).bytes, describing: file.primaryItem)
    let photo = MemoryByteSink()
    try composition.writeInPlace(to: photo)
    #expect(Self.holdPlace(photo.bytes))
    let sink = MemoryByteSink()
    let facts = Facts(place: .removed)
    _ = try Photo(MemoryByteSource(photo.bytes)).write(stating: facts, to: sink)
    #expect(!Self.holdPlace(sink.bytes))
  }

  @Test func inTextsAndChunksOfAPNG() throws {
    let plain = MovieLayout.bytes(of: "rotate.png")
    let cases: [(FourCC, String)] = [("tEXt", "GPSPosition\0\(Self.place)"), ("plCe", Self.place)]
    for (kind, text) in cases {
      let file = try PNGFile(reading: MemoryByteSource(plain))
      let head = file.chunks[0].range.upperBound
      let photo =
        plain[..<head] + PNGChunks.chunk(kind, Array(text.utf8)) + plain[head...]
      #expect(Self.holdPlace(Array(photo)))
      let result = try Self.stripped(Array(photo))
      #expect(!Self.holdPlace(result.bytes) && result.names == ["chunk \(kind)"])
    }
  }

  @Test func inAtomsOfAMovie() throws {
    let movie = MovieLayout.bytes(of: "IMG_0002.MOV")
    var moov = try Movie(MemoryByteSource(movie)).moov
    let place = Array(Self.place.utf8)
    try moov.changeChildren { $0 += [Atom("plce", place), Atom("udta", Atom("smta", place).serialized)] }
    var changed = try MovieSurgery(MemoryByteSource(movie))
    changed.moov = moov
    let photo = MemoryByteSink()
    try changed.write(to: photo)
    #expect(Self.holdPlace(photo.bytes))
    var surgery = try MovieSurgery(MemoryByteSource(photo.bytes))
    try surgery.strip(.location, identifier: nil)
    let sink = MemoryByteSink()
    try surgery.write(to: sink)
    #expect(!Self.holdPlace(sink.bytes) && surgery.removals.map(\.name) == ["atom plce"])
  }

  @Test(arguments: ["gainmap.JPG", "ultrahdr.JPG", "portrait.JPG"]) func mapsOfAJPEGStayClean(_ name: String)
    throws
  {
    let photo = MovieLayout.bytes(of: name)
    let sink = MemoryByteSink()
    let removals = try Photo(MemoryByteSource(photo)).write(without: .all, identifier: nil, to: sink)
    let (old, new) = try (JPEGSurgery(photo).maps(), JPEGSurgery(sink.bytes).maps())
    #expect(removals.isEmpty && !new.isEmpty && old.map(\.name) == new.map(\.name))
    for (old, new) in zip(old, new) {
      let (old, new) = try (JPEGFile(old.bytes), JPEGFile(new.bytes))
      #expect(old.scans == new.scans && JPEGParts(new).exifBlocks.isEmpty)
    }
    let folder = try TemporaryFolder()
    let tags = try folder.tags(sink.bytes)
    #expect(tags["ExifTool:Warning"] == nil && tags["MPF0:NumberOfImages"] == "\(new.count + 1)")
  }

  @Test(arguments: ["48.1371, 11.5754", "+48.1371+011.5754/", "48.1371N 11.5754E"])
  func coordinatesAreFound(_ text: String) {
    #expect(Array("at \(text)".utf8).holdsCoordinates)
  }

  @Test(arguments: ["version 2.1001.3", "0.33, 0.66", "1714550400.1234", "48.1371", "191.1234 11.5754"])
  func otherNumbersAreNot(_ text: String) {
    #expect(!Array("at \(text)".utf8).holdsCoordinates)
  }
}
