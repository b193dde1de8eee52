import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of files with more than one picture, and with XMP in more than one segment.
struct FurtherPicturesTests {
  /// Returns a multi-picture file of two pictures, with its index in a byte order and a few unrelated bytes at its end.
  private static func multiPicture(
    first: [UInt8], second: [UInt8], isLittle: Bool = false, tail: [UInt8] = []
  ) throws -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      let big = (0..<width).map { UInt8(value >> (8 * (width - 1 - $0)) & 255) }
      return isLittle ? big.reversed() : big
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + value
    }
    // SOI and JFIF come first. The index's payload begins 4 bytes after them.
    let place = try #require(try JPEGFile(first).header.segments.first).range.upperBound
    let payloadCount = 4 + 8 + 2 + 36 + 4 + 32
    let firstCount = first.count + 4 + payloadCount
    let header = place + 4 + 4
    let list =
      number(0x30000, 4) + number(firstCount, 4) + number(0, 4) + number(0, 4) + number(0, 4)
      + number(second.count, 4) + number(firstCount - header, 4) + number(0, 4)
    let payload =
      Array("MPF\0".utf8) + (isLittle ? Array("II*\0".utf8) : Array("MM\0*".utf8)) + number(8, 4)
      + number(3, 2)
      + entry(0xB000, 7, 4, Array("0100".utf8)) + entry(0xB001, 4, 1, number(2, 4))
      + entry(0xB002, 7, 32, number(50, 4)) + number(0, 4) + list
    return Array(first[..<place] + segment(0xE2, payload) + first[place...] + second + tail)
  }

  @Test(arguments: [false, true]) func keepsThemWhereTheyAreWhenThePictureStays(isLittle: Bool) throws {
    let folder = try TemporaryFolder()
    let second = try folder.photo(width: 24, height: 24)
    let first = try folder.photo(exiftool: ["-XMP-dc:Title=Waves"])
    let photo = try Self.multiPicture(first: first, second: second, isLittle: isLittle)
    let path = try folder.write(photo, to: "before.jpg").path
    #expect(try folder.run("exiftool", ["-b", "-MPImage2", path]) == second)
    let result = try JPEGSurgery(photo).rewritten(
      image: nil, transform: .identity, identifier: firstIdentifier, thumbnail: nil)
    #expect(result.bytes.count > photo.count && result.removals.isEmpty)
    let after = try folder.write(result.bytes, to: "after.jpg").path
    #expect(try folder.run("exiftool", ["-b", "-MPImage2", after]) == second)
    let index = try folder.run("exiftool", ["-s3", "-n", "-G1", "-MPImage1:MPImageLength", after])
    #expect(String(decoding: index, as: UTF8.self).contains(String(result.bytes.count - second.count)))
  }

  @Test func removesThemWhenThePictureIsNew() throws {
    let folder = try TemporaryFolder()
    let second = try folder.photo(width: 24, height: 24)
    let first = try folder.photo()
    let photo = try Self.multiPicture(first: first, second: second, tail: [0, 0, 7, 8, 9])
    let result = try JPEGSurgery(photo).rewritten(
      image: try folder.turned(first, .right), transform: .right, identifier: nil, thumbnail: nil)
    #expect(result.removals.map(\.name) == ["MPF"])
    #expect(result.bytes.suffix(5) == [0, 0, 7, 8, 9])
    #expect(!JPEGSurgeryTests.contains(result.bytes, second.suffix(60)))
    #expect(result.bytes.firstIndex(of: "MPF\0") == nil)
  }

  @Test func namesGainMaps() throws {
    let folder = try TemporaryFolder()
    let first = try folder.photo()
    let plain = try folder.photo(width: 24, height: 24)
    let xmp = Array(
      """
      http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF \
      xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about="" \
      xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" HDRGainMap:HDRGainMapVersion="65536"/></r:RDF></x:xmpmeta>
      """.utf8)
    let second = inserting(segment(0xE1, xmp), into: plain)
    let photo = try Self.multiPicture(first: first, second: second)
    let result = try JPEGSurgery(photo).rewritten(
      image: try folder.turned(first, .down), transform: .down, identifier: nil, thumbnail: nil)
    #expect(result.removals.map(\.name) == ["MPF", "gain map"])
    #expect(try JPEGFile(result.bytes).trailer.isEmpty)
  }

  @Test func removesAContainerOfFurtherPictures() throws {
    let folder = try TemporaryFolder()
    let first = try folder.photo(exiftool: ["-Make=Google"])
    let xmp = Array(
      """
      http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF \
      xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/" h:Version="1.0" dc:format="image/jpeg" \
      xmlns:C="http://ns.google.com/photos/1.0/container/" xmlns:I="http://ns.google.com/photos/1.0/container/item/">\
      <C:Directory><r:Seq><r:li r:parseType="Resource"><C:Item I:Semantic="Primary" I:Mime="image/jpeg"/></r:li>\
      <r:li r:parseType="Resource"><C:Item I:Semantic="GainMap" I:Mime="image/jpeg" I:Length="9"/></r:li></r:Seq>\
      </C:Directory></r:Description></r:RDF></x:xmpmeta>
      """.utf8)
    let photo = inserting(segment(0xE1, xmp), into: first) + [UInt8](repeating: 5, count: 9)
    let surgery = try JPEGSurgery(photo)
    #expect(!surgery.isMotionPhoto)
    let result = try surgery.rewritten(
      image: try folder.turned(first, .down), transform: .down, identifier: nil, thumbnail: nil)
    #expect(result.removals.map(\.name) == ["GContainer", "gain map"])
    let tags = try folder.tags(result.bytes)
    #expect(tags["XMP-dc:Format"] == "image/jpeg" && tags["IFD0:Make"] == "Google")
    #expect(!tags.keys.contains { $0.contains("hdrgm") || $0.contains("Container") })
    #expect(try JPEGFile(result.bytes).trailer.isEmpty)
    let kept = try surgery.rewritten(image: nil, transform: .identity, identifier: nil, thumbnail: nil)
    #expect(kept.bytes == photo)
  }

  @Test func keepsUnknownBytesAtTheEnd() throws {
    let folder = try TemporaryFolder()
    let first = try folder.photo()
    let tail = Array("SEFHsomethingSEFT".utf8)
    let result = try JPEGSurgery(first + tail).rewritten(
      image: try folder.turned(first, .down), transform: .down, identifier: nil, thumbnail: nil)
    #expect(result.bytes.suffix(tail.count).elementsEqual(tail))
    let block = Array("MotionPhoto_Data".utf8)
    #expect(try JPEGSurgery(first + block + TestFiles.shortestMovie).isMotionPhoto)
    #expect(try !JPEGSurgery(first + block).isMotionPhoto)
  }

  /// Returns a photo with an extended packet of one property, in two chunks in the wrong order.
  private static func extended(_ photo: [UInt8], namespace: String, guid: String) -> [UInt8] {
    let head =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
    let main = Array(
      ("http://ns.adobe.com/xap/1.0/\0" + head + "<r:Description xmlns:n='http://ns.adobe.com/xmp/note/' "
        + "xmlns:dc='http://purl.org/dc/elements/1.1/' dc:format='image/jpeg' n:HasExtendedXMP='\(guid)'/></r:RDF></x:xmpmeta>")
        .utf8)
    let packet = Array(
      (head + "<r:Description xmlns:P='\(namespace)' P:Data='AAAA'/></r:RDF></x:xmpmeta>").utf8)
    func chunk(_ range: Range<Int>) -> [UInt8] {
      var payload = Array(("http://ns.adobe.com/xmp/extension/\0" + guid).utf8)
      payload += [0, 0] + twoBytes(packet.count)
      payload += [0, 0] + twoBytes(range.lowerBound)
      return segment(0xE1, payload + packet[range])
    }
    return inserting(segment(0xE1, main) + chunk(130..<packet.count) + chunk(0..<130), into: photo)
  }

  @Test func removesExtendedXMPThatDescribesPlaces() throws {
    let folder = try TemporaryFolder()
    let guid = String(repeating: "0123456789ABCDEF", count: 2)
    let first = try folder.photo()
    let image = try folder.turned(first, .right)
    let depth = Self.extended(first, namespace: "http://ns.google.com/photos/1.0/depthmap/", guid: guid)
    let result = try JPEGSurgery(depth).rewritten(
      image: image, transform: .right, identifier: nil, thumbnail: nil)
    #expect(result.removals.map(\.name) == ["GDepth", "extended XMP"])
    #expect(result.bytes.firstIndex(of: guid) == nil)
    #expect(try folder.tags(result.bytes)["XMP-dc:Format"] == "image/jpeg")
    let other = Self.extended(first, namespace: "http://example.com/notes/", guid: guid)
    let kept = try JPEGSurgery(other).rewritten(
      image: image, transform: .right, identifier: nil, thumbnail: nil)
    #expect(kept.removals.isEmpty)
    let metadata = { (bytes: [UInt8]) in
      try JPEGFile(bytes).header.segments.filter { $0.marker == 0xE1 }.map { Array(bytes[$0.range]) }
    }
    #expect(try metadata(kept.bytes) == metadata(other))
  }

  @Test func removesThumbnailsFromXMP() throws {
    let folder = try TemporaryFolder()
    let first = try folder.photo()
    let thumbnails =
      "-XMP-xmp:Thumbnails={Format=JPEG,Height=48,Width=64,Image=T2xkUGl4ZWxz}"
    let photo = try folder.photo(exiftool: [thumbnails, "-XMP-dc:Title=Waves"])
    #expect(try folder.tags(photo)["XMP-xmp:Thumbnails"] != nil)
    let result = try JPEGSurgery(photo).rewritten(
      image: first, transform: .identity, identifier: nil, thumbnail: nil)
    #expect(result.removals.map(\.name) == ["xmp:Thumbnails"])
    let after = try folder.tags(result.bytes)
    #expect(after["XMP-xmp:Thumbnails"] == nil && after["XMP-dc:Title"] == "Waves")
  }

  @Test func removesBrokenXMPOnlyIfItMayDescribePlaces() throws {
    let folder = try TemporaryFolder()
    let first = try folder.photo()
    let image = try folder.turned(first, .right)
    for (text, isKept) in [("<a", true), ("<a http://www.metadataworkinggroup.com/schemas/regions/", false)] {
      let broken = segment(0xE1, Array(("http://ns.adobe.com/xap/1.0/\0" + text).utf8))
      let result = try JPEGSurgery(inserting(broken, into: first)).rewritten(
        image: image, transform: .right, identifier: nil, thumbnail: nil)
      #expect(JPEGSurgeryTests.contains(result.bytes, broken[...]) == isKept)
      #expect(result.removals.map(\.name) == (isKept ? [] : ["XMP"]))
    }
  }
}
