import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of Samsung's blocks without a movie, compared with exiftool: accurate metadata is kept, and removed metadata
/// is reported.
@Suite struct SamsungBlocksTests {
  private static let unknown = (kind: 0x0BA5, name: "Something_New", content: Array("at 3, 4".utf8))
  private static let edit = (
    kind: 0x0BA1, name: "PhotoEditor_Re_Edit_Data", content: Array("{\"clip\":1}".utf8)
  )
  private static let blocks = MovieLayout.samsung([
    MovieLayout.moment, MovieLayout.country, unknown, edit,
  ])
  /// The names of the blocks that may reveal a location.
  private static let notOfCapture = [
    "Samsung MCC_Data", "Samsung Something_New", "Samsung PhotoEditor_Re_Edit_Data",
  ]
  private static let preview = (kind: 0x0001, name: "Preview", content: MovieLayout.bytes(of: "IMG_0002.JPG"))

  @Test func aTurnKeepsThoseOfTheCapture() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo() + Self.blocks
    #expect(try folder.tags(photo)["Samsung:TimeStamp"] != nil)
    let result = try JPEGSurgery(photo).rewritten(
      image: folder.turned(folder.photo(), .down), transform: .down, identifier: nil, thumbnail: nil)
    #expect(result.removals.map(\.name) == ["Samsung Something_New", "Samsung PhotoEditor_Re_Edit_Data"])
    let tags = try folder.tags(result.bytes)
    #expect(tags["Samsung:TimeStamp"] == (try folder.tags(photo)["Samsung:TimeStamp"]))
    #expect(tags["Samsung:MCCData"] != nil && tags["ExifTool:Warning"] == nil)
    #expect(result.bytes.firstIndex(of: "Something_New") == nil)
  }

  /// Blocks that share their bytes would grow each time they are written. Samsung's own blocks do not overlap.
  @Test func blocksOverEachOtherAreNone() throws {
    var bytes = MovieLayout.samsung([MovieLayout.moment, MovieLayout.country])
    func blocks() throws -> SamsungBlocks? {
      try SamsungBlocks(endOf: bytes.indices, of: MemoryByteSource(bytes))
    }
    #expect(try blocks()?.blocks.count == 2)
    let directory = try #require(bytes.firstIndex(of: "SEFH"))
    // Both entries extend from the first block to the directory.
    for entry in [directory + 12, directory + 24] {
      for field in [4, 8] {
        bytes.replaceSubrange(
          entry + field..<entry + field + 4, with: ByteOrder.little.bytes(of: directory, width: 4))
      }
    }
    #expect(try blocks() == nil)
  }

  /// If pixels are not moved, only pictures and metadata about an earlier edit become inaccurate.
  @Test func newColoursLeaveMore() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo() + MovieLayout.samsung([Self.unknown, Self.preview, MovieLayout.moment])
    let result = try JPEGSurgery(photo).rewritten(
      image: folder.turned(folder.photo(), .up), transform: .identity, identifier: nil, thumbnail: nil)
    #expect(result.removals.map(\.name) == ["Samsung Preview"])
    let tags = try folder.tags(result.bytes)
    #expect(tags["Samsung:TimeStamp"] != nil && tags["ExifTool:Warning"] == nil)
    #expect(result.bytes.firstIndex(of: "Something_New") != nil)
  }

  @Test func theyStayBehindPicturesThatGo() throws {
    let folder = try TemporaryFolder()
    let photo = MovieLayout.bytes(of: "gainmap.JPG") + MovieLayout.samsung([MovieLayout.moment])
    let plain = MovieLayout.bytes(of: "gainmap.JPG")
    let image = try folder.turned(plain, .down)
    func names(_ bytes: [UInt8]) throws -> JPEGSurgery.Result {
      try JPEGSurgery(bytes).rewritten(image: image, transform: .down, identifier: nil, thumbnail: nil)
    }
    let result = try names(photo)
    #expect(try result.removals == names(plain).removals)
    #expect(try folder.tags(result.bytes)["Samsung:TimeStamp"] != nil)
  }

  @Test(arguments: [PrivateMetadata.location]) func onlyThoseOfTheCaptureStayWithoutThePlace(
    _ what: PrivateMetadata
  )
    throws
  {
    let folder = try TemporaryFolder()
    let sink = MemoryByteSink()
    let photo = try folder.photo() + Self.blocks
    let removals = try Photo(MemoryByteSource(photo)).write(without: what, identifier: nil, to: sink)
    #expect(removals.map(\.name) == Self.notOfCapture)
    let tags = try folder.tags(sink.bytes)
    #expect(
      tags["Samsung:MCCData"] == nil && tags["Samsung:TimeStamp"] != nil && tags["ExifTool:Warning"] == nil)
  }

  @Test(arguments: [false, true]) func inAHEICTheSame(isBox: Bool) throws {
    let folder = try TemporaryFolder()
    let heic = MovieLayout.bytes(of: "IMG_0004.HEIC")
    let photo = heic + (isBox ? MovieLayout.box("sefd", Self.blocks) : Self.blocks)
    let sink = MemoryByteSink()
    let removals = try Photo(MemoryByteSource(photo)).write(without: .location, identifier: nil, to: sink)
    #expect(removals.map(\.name) == Self.notOfCapture)
    #expect(sink.bytes.firstIndex(of: "MCC_Data") == nil && sink.bytes.firstIndex(of: "Something_New") == nil)
    #expect(sink.bytes.suffix(4).elementsEqual("SEFT".utf8))
    // The last box ends at the end of the file or at the beginning of the blocks.
    let file = try HEIFFile(reading: MemoryByteSource(sink.bytes))
    #expect(file.atoms.contains { $0.kind == "sefd" } == isBox)
    _ = try HEIFPicture(file)
    let moved = MemoryByteSink()
    let facts = Facts(place: .removed)
    let lost = try Photo(MemoryByteSource(photo)).write(stating: facts, to: moved)
    #expect(lost.map(\.name).contains("Samsung MCC_Data"))
    #expect(moved.bytes.firstIndex(of: "MCC_Data") == nil)
    #expect(try folder.tags(moved.bytes, "a.heic")["ExifTool:Error"] == nil)
  }
}
