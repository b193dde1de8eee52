import Basics
import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

struct JPEGFileTests {
  @Test(
    arguments: [
      (["-sample", "2x2"], JPEGFrame.Process.baseline, 2), (["-sample", "1x1"], .baseline, 1),
      (["-progressive", "-sample", "2x2"], .progressive, 2),
      (["-restart", "1", "-sample", "2x2"], .baseline, 2),
    ])
  func readsFramesOfCjpeg(options: [String], process: JPEGFrame.Process, sampling: Int) throws {
    let folder = try TemporaryFolder()
    let file = try JPEGFile(try folder.photo(width: 70, height: 50, cjpeg: options))
    let frame = file.header.frame
    #expect(frame.process == process && !frame.isArithmetic && frame.precision == 8)
    #expect(frame.size == PixelSize(width: 70, height: 50))
    #expect(frame.components.map(\.horizontal) == [sampling, 1, 1])
    #expect(frame.components.map(\.vertical) == [sampling, 1, 1])
    #expect(frame.components.map(\.identifier) == [1, 2, 3])
    #expect(file.picture.upperBound == file.bytes.count)
    #expect(file.bytes.suffix(2) == [0xFF, 0xD9])
  }

  @Test func readsGreyAndArithmetic() throws {
    let folder = try TemporaryFolder()
    let grey = try JPEGFile(try folder.photo(cjpeg: ["-grayscale"]))
    #expect(grey.header.frame.components.count == 1)
    let arithmetic = try JPEGFile(try folder.photo(cjpeg: ["-arithmetic"]))
    #expect(arithmetic.header.frame.isArithmetic)
  }

  // A table begins with its precision and slot, followed by 64 numbers of one or two bytes.
  @Test func refusesDamagedQuantisationTables() throws {
    let photo = try TemporaryFolder().photo()
    let table = try #require(try JPEGFile(photo).header.segments.first { $0.marker == 0xDB })
    for first in [0x04, 0x10] as [UInt8] {
      var damaged = photo
      damaged[table.payload.lowerBound] = first
      let error = #expect(throws: MediaError.self) { try JPEGFile(damaged) }
      #expect(error?.problem == "the JPEG quantisation tables are damaged")
    }
  }

  @Test func findsTheEndBeforeFurtherPictures() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo(cjpeg: ["-progressive"])
    let second = try folder.photo(width: 16, height: 16)
    let file = try JPEGFile(photo + second + [1, 2, 3])
    #expect(file.picture.upperBound == photo.count)
    #expect(Array(file.bytes[file.trailer]) == second + [1, 2, 3])
  }

  @Test func acceptsFillBytesAndBareMarkers() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo()
    let file = try JPEGFile(photo)
    let second = file.header.segments[1].range.lowerBound
    var filled = Array(photo[..<second])
    filled += [0xFF, 0xFF, 0xFF, 0x01, 0xFF, 0xFE, 0, 4, 65, 66]
    filled += photo[second...]
    let other = try JPEGFile(filled)
    let added: [UInt8] = [0x01, 0xFE]
    let markers = other.header.segments.map(\.marker).filter { !added.contains($0) }
    #expect(markers == file.header.segments.map(\.marker))
    #expect(other.header.frame == file.header.frame)
    let comment = try #require(other.header.segments.first { $0.marker == 0xFE })
    #expect(other.payload(comment) == [65, 66])
    #expect(other.bytes[other.picture].elementsEqual(photo[file.picture]))
  }

  @Test func refusesTruncatedFiles() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo(cjpeg: ["-progressive"], exiftool: ["-Make=Maker", "-XMP:Title=Title"])
    for length in 0..<photo.count {
      #expect(throws: MediaError.self) { try JPEGFile(Array(photo[..<length])) }
    }
    #expect(throws: MediaError.self) { try JPEGFile(Array("not a photo".utf8)) }
    #expect(throws: MediaError.self) { try JPEGFile([0xFF, 0xD8, 0xFF, 0xD9]) }
  }

  @Test func readsLittleOfALargeFile() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo(exiftool: ["-Make=Maker", "-DateTimeOriginal=2020:01:02 03:04:05"])
    let padding: [UInt8] = [0xFF, 0xEB, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
    let head = photo[..<2] + (0..<40).flatMap { _ in padding } + photo[2...]
    let source = CountingSource(Array(head) + [UInt8](repeating: 0, count: 4_000_000))
    let summary = try Photo(source).metadata()
    #expect(summary.make == "Maker" && summary.captureDate == "2020:01:02 03:04:05")
    #expect(source.bytesRead.value < 100_000)
  }

  @Test func detectsKinds() throws {
    let folder = try TemporaryFolder()
    #expect(PhotoKind(beginning: try folder.photo()) == .jpeg)
    func ftyp(_ brands: String) -> [UInt8] {
      [0, 0, 0, UInt8(8 + brands.utf8.count)] + Array(("ftyp" + brands).utf8)
    }
    #expect(PhotoKind(beginning: ftyp("heic\0\0\0\0mif1heic")) == .heif)
    #expect(PhotoKind(beginning: ftyp("mif1\0\0\0\0avif")) == .heif)
    #expect(PhotoKind(beginning: ftyp("qt  \0\0\0\0qt  ")) == nil)
    #expect(PhotoKind(beginning: ftyp("isom\0\0\0\0mp41")) == nil)
    #expect(PhotoKind(beginning: []) == nil)
    #expect(try Photo(MemoryByteSource(Array("text".utf8))).kind == nil)
  }
}

/// A source that counts the bytes read.
private struct CountingSource: ByteSource {
  final class Counter: @unchecked Sendable { var value = 0 }
  let bytes: MemoryByteSource
  let bytesRead = Counter()
  var count: Int { bytes.count }

  init(_ bytes: [UInt8]) { self.bytes = MemoryByteSource(bytes) }

  func read(at offset: Int, count: Int) throws -> [UInt8] {
    bytesRead.value += count
    return try bytes.read(at: offset, count: count)
  }
}
