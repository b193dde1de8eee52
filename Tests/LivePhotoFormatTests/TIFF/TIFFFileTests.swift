import Basics
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of TIFF facts that become Exif blocks, with exiftool's files and files built by hand.
@Suite struct TIFFFileTests {
  /// Returns a file of consecutive directories with tags, types, counts and values, followed by bytes that values may
  /// refer to.
  private func file(
    _ directories: [[(Int, Int, Int, Int)]], _ order: ByteOrder, behind: Int = 0
  ) -> [UInt8] {
    var bytes: [UInt8] = order == .little ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]
    bytes += order.bytes(of: 8, width: 4)
    for entries in directories {
      bytes += order.bytes(of: entries.count, width: 2)
      for (tag, type, count, number) in entries {
        let width = type == 3 ? 2 : 4
        let value = order.bytes(of: number, width: width) + [UInt8](repeating: 0, count: 4 - width)
        bytes += order.entry(tag, type: type, count: count, value: value)
      }
      bytes += [0, 0, 0, 0]
    }
    return bytes + [UInt8](repeating: 0x41, count: behind)
  }

  @Test(arguments: [ByteOrder.big, .little]) func whatSaysHowSamplesAreStoredStaysBehind(_ order: ByteOrder)
    throws
  {
    // IFD0 with six entries ends at 8 + 6 + 72.
    let main = [
      (0x0100, 4, 1, 640), (0x0111, 4, 1, 8), (0x0112, 3, 1, 8), (0x0117, 4, 1, 9000), (0x8769, 4, 1, 86),
      (0x9003, 2, 20, 200),
    ]
    let bytes = file([main, [(0xA002, 3, 1, 640), (0xA005, 4, 1, 12)]], order, behind: 300)
    let tiff = try #require(try TIFFFile(MemoryByteSource(bytes)))
    let block = try #require(TIFFBlock(exif: try tiff.exif(room: 65_000)))
    #expect(block.listing(.main)?.entries.map(\.tag) == [0x0112, 0x8769])
    #expect(block.orientation?.rawValue == 8)
    // Values that TIFF/EP stores in IFD0 are stored where Exif stores them.
    #expect(block.listing(.exif)?.entries.map(\.tag) == [0x9003, 0xA002])
    #expect(block.number(0xA002, in: .exif) == 640)
    #expect(block.data(0x9003, in: .exif) == [UInt8](repeating: 0x41, count: 20))
    #expect(block.listing(.gps) == nil && block.listing(.thumbnail) == nil)
  }

  /// Directories of many tags: each with a value of 40 bytes, with a value nearly as large as a whole block, or with a
  /// value outside the file. Together they exceed the space in the block.
  @Test(arguments: [(1500, 40), (600, 60_000), (600, 1 << 20)])
  func hostileDirectoriesAreReadWithinTheRoom(_ tags: Int, _ count: Int) throws {
    let entries = (0..<tags).map { ($0, 1, count, 64) }
    let exif = 8 + 6 + 12 * (entries.count + 2)
    let bytes = file(
      [entries + [(0x8769, 4, 1, exif), (0x8825, 4, 1, exif)], entries], .little, behind: 60_000)
    let room = 65_527
    let tiff = try #require(try TIFFFile(MemoryByteSource(bytes)))
    let block = try tiff.exif(room: room)
    #expect(block.count <= room)
    let read = try #require(TIFFBlock(exif: block))
    // Every value is present.
    for directory in [TIFFBlock.Directory.main, .exif, .gps] {
      for entry in read.listing(directory)?.entries ?? [] { #expect(entry.value != nil) }
    }
    #expect((read.listing(.exif) != nil) == (count == 40))
  }

  @Test func directoriesBeyondTheFileAreNone() throws {
    for place in [0, 4, 7, 1 << 20, 0xFFFF_FFFF] {
      let bytes = [0x49, 0x49, 0x2A, 0] + ByteOrder.little.bytes(of: place, width: 4) + [1, 0]
      let tiff = try #require(try TIFFFile(MemoryByteSource(bytes)))
      #expect(tiff.main.isEmpty)
      let block = try #require(TIFFBlock(exif: try tiff.exif(room: 1000)))
      #expect(block.orientation == .identity)
    }
    #expect(try TIFFFile(MemoryByteSource([0x49, 0x49])) == nil)
  }
}
