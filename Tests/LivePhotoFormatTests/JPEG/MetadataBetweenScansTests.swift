import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of metadata between the scans of a JPEG, where readers do not look. exiftool shows what a reader sees.
@Suite struct MetadataBetweenScansTests {
  private let folder: TemporaryFolder
  /// A progressive photo, and the same photo with a comment, Adobe's segment and Exif before its last scan.
  private let plain, photo: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    let plain = try folder.photo(cjpeg: ["-progressive"], exiftool: ["-Make=Maker"])
    let told = try folder.photo(
      cjpeg: ["-progressive"],
      exiftool: [
        "-Orientation#=6", "-Artist=Somebody", "-GPSLatitude=48.137", "-GPSLatitudeRef=N",
        "-GPSLongitude=11.575", "-GPSLongitudeRef=E",
      ])
    let exif = try #require(try JPEGFile(told).header.segments.first { $0.marker == 0xE1 })
    let adobe = segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])
    let scan = try #require(
      plain.indices.last { plain[$0] == 0xFF && $0 + 1 < plain.count && plain[$0 + 1] == 0xDA })
    photo =
      plain[..<scan] + segment(0xFE, Array("a remark".utf8)) + adobe + told[exif.range] + plain[scan...]
    self.plain = plain
  }

  /// Fill bytes belong to the marker after them. If damage has put metadata into the coded data and the fill bytes
  /// remained, they would form a marker with the next bytes.
  @Test(arguments: [0, 1, 3]) func fillBytesGoWithTheirMarker(_ fills: Int) throws {
    func stripped(_ bytes: [UInt8]) throws -> [UInt8] {
      let sink = MemoryByteSink()
      _ = try Photo(MemoryByteSource(bytes)).write(without: .location, identifier: nil, to: sink)
      return sink.bytes
    }
    let scan = try #require(
      plain.indices.last { plain[$0] == 0xFF && $0 + 1 < plain.count && plain[$0 + 1] == 0xDA })
    let length = Int(plain[scan + 2]) << 8 + Int(plain[scan + 3])
    let coded = scan + 4 + length..<plain.count - 2
    let inside = try #require(coded.first { plain[$0] < 0xC0 && plain[$0 - 1] != 0xFF })
    for place in [scan, inside] {
      let remark = [UInt8](repeating: 0xFF, count: fills) + segment(0xE5, Array("private".utf8))
      let bytes = plain[..<place] + remark + plain[place...]
      #expect(try stripped(Array(bytes)) == stripped(plain), "\(fills) at \(place)")
    }
  }

  private func opened() throws -> Photo { try Photo(MemoryByteSource(photo)) }

  private func stripped(_ what: PrivateMetadata) throws -> (bytes: [UInt8], removals: [String]) {
    let sink = MemoryByteSink()
    let removals = try opened().write(without: what, identifier: nil, to: sink)
    return (sink.bytes, removals.map(\.name))
  }

  private func pixels(_ bytes: [UInt8]) throws -> [UInt8] {
    try folder.write(bytes, to: "pixels.jpg")
    return try folder.run("djpeg", ["pixels.jpg"])
  }

  @Test func isNotRead() throws {
    #expect(try folder.tags(photo)["IFD0:Orientation"] == nil)
    let metadata = try opened().metadata()
    #expect(metadata.orientation == .identity && metadata.location == nil && metadata.make == "Maker")
    #expect(try JPEGFile(photo).laterMetadata.map(\.marker) == [0xFE, 0xEE, 0xE1])
  }

  @Test(arguments: PrivateMetadata.allCases) func goesWithPrivateMetadata(what: PrivateMetadata) throws {
    let (bytes, removals) = try stripped(what)
    #expect(try JPEGFile(bytes).laterMetadata.isEmpty)
    #expect(bytes.firstIndex(of: "Somebody") == nil && photo.firstIndex(of: "Somebody") != nil)
    #expect(try Photo(MemoryByteSource(bytes)).metadata().orientation == .identity)
    #expect(removals == (what == .location ? ["metadata between scans"] : []))
    #expect(try pixels(bytes) == pixels(plain))
  }

  @Test func staysWithThePicture() throws {
    let sink = MemoryByteSink()
    _ = try opened().write(tiedBy: firstIdentifier, to: sink)
    let (old, new) = (try JPEGFile(photo), try JPEGFile(sink.bytes))
    #expect(new.bytes[new.picture] == old.bytes[old.picture])
    let tags = try folder.tags(sink.bytes)
    #expect(tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"] == firstIdentifier)
  }

  /// If a new picture followed the metadata, readers would see it.
  @Test func isNamedWhereThePictureIsNew() throws {
    let turned = try folder.turned(plain, .down)
    let surgery = try JPEGSurgery(photo)
    let result = try surgery.rewritten(
      image: turned, transform: .down, identifier: nil, thumbnail: nil)
    let tags = try folder.tags(result.bytes)
    #expect(tags["File:Comment"] == "a remark")
    #expect(
      tags["IFD0:Make"] == "Maker" && tags["IFD0:Artist"] == nil && tags["APP14:DCTEncodeVersion"] == nil)
    #expect(result.removals.map(\.name) == ["metadata between scans"])
    #expect(try pixels(result.bytes) == pixels(turned))
  }
}

/// A JPEG with several Exif blocks, of which readers use the first.
@Suite struct SeveralExifBlocksTests {
  @Test func theFirstSaysHowThePictureIsTurned() throws {
    let folder = try TemporaryFolder()
    let first = try folder.photo(exiftool: ["-Make=Maker"])
    let second = try folder.photo(exiftool: ["-Orientation#=6"])
    let block = try #require(try JPEGFile(second).header.segments.first { $0.marker == 0xE1 })
    let place = try #require(try JPEGFile(first).header.segments.first { $0.marker == 0xE1 }).range.upperBound
    let photo = first[..<place] + second[block.range] + first[place...]
    #expect(try Photo(MemoryByteSource(Array(photo))).metadata().orientation == .identity)
    let sink = MemoryByteSink()
    _ = try Photo(MemoryByteSource(Array(photo))).write(without: .all, identifier: nil, to: sink)
    #expect(try folder.tags(sink.bytes)["IFD0:Orientation"] == nil)
  }
}
