import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of the limits of metadata and of data after a picture (Documentation/Limits.md). Valid data beyond a limit is
/// refused with its own error message, or kept unchanged if possible, and is never considered damaged. The test files
/// are small, because settable limits are lowered in a separate process.
@Suite struct MetadataLimitsTests {
  private static func error(_ body: () throws -> Void) -> MediaError? {
    do {
      try body()
      return nil
    } catch {
      return error as? MediaError
    }
  }

  private static func isBeyond(_ error: MediaError?, _ problem: String, _ limit: String) -> Bool {
    error?.problem.description == problem && error?.isUnsupported == true
      && error?.remedy?.description
        == "if you trust the file, raise the limit, for example with LIVEEDIT_LIMITS=\(limit)"
  }

  /// Returns a packet with a number of parts and a depth, in an element of a namespace.
  static func packet(parts: Int = 20, depth: Int = 10, namespace: String = "http://example.com/")
    -> [UInt8]
  {
    let head =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
    let open = head + "<r:Description xmlns:n='\(namespace)'><n:a>"
    let close = "</n:a></r:Description></r:RDF></x:xmpmeta>"
    // The packet already has seven parts and four levels.
    let nested = depth - 4
    let flat = parts - 7 - nested
    return Array(
      (open + String(repeating: "<b/>", count: flat) + String(repeating: "<b>", count: nested)
        + String(repeating: "</b>", count: nested) + close).utf8)
  }

  private static let photo = Result { [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG"))) }

  private static func photo(with packet: [UInt8]) throws -> [UInt8] {
    inserting(segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet), into: try photo.get())
  }

  /// Returns a photo with an extended packet in as many segments as needed.
  private static func photo(extended packet: [UInt8]) throws -> [UInt8] {
    func four(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    var photo = try photo.get()
    for start in stride(from: 0, to: packet.count, by: 65_000).reversed() {
      let head = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 0x41, count: 32)
      let place = four(packet.count) + four(start)
      photo = inserting(
        segment(0xE1, head + place + packet[start..<min(start + 65_000, packet.count)]), into: photo)
    }
    return photo
  }

  @Test func partsAndLevelsOfXMP() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.xmpParts: 1000, .xmpNesting: 16])
      let most = try XMPPacket(Self.packet(parts: 1000, depth: 16))
      #expect(most != nil)
      #expect(
        Self.isBeyond(
          Self.error { _ = try XMPPacket(Self.packet(parts: 1001)) },
          "the XMP has more than 1000 elements and attributes", "xmp-parts=2000"))
      #expect(
        Self.isBeyond(
          Self.error { _ = try XMPPacket(Self.packet(parts: 100, depth: 17)) },
          "the XMP is nested more than 16 levels deep", "xmp-nesting=32"))
      // A packet that is broken before it reaches a limit is still reported as invalid XML.
      #expect(try XMPPacket(Array("<a>".utf8)) == nil)
    }
  }

  @Test func bytesOfANamespace() throws {
    func packet(_ count: Int) -> [UInt8] {
      Self.packet(namespace: String(repeating: "x", count: count))
    }
    #expect(try XMPPacket(packet(1024))?.properties.first?.name.namespace.utf8.count == 1024)
    for count in [1025, 4096] {
      let error = Self.error { _ = try XMPPacket(packet(count)) }
      #expect(
        error?.problem.description == "the XMP has a namespace longer than 1024 bytes"
          && error?.isUnsupported == true)
    }
  }

  /// Every operation that must read the packet refuses it, and removes nothing.
  @Test(arguments: [64, 65]) func aDeepPacketOfAJPEG(depth: Int) throws {
    let photo = try Self.photo(
      with: Self.packet(parts: 100, depth: depth, namespace: "http://ns.google.com/photos/1.0/panorama/"))
    let source = MemoryByteSource(photo)
    var facts = Facts()
    facts.description.title = "Beach"
    let attempts: [() throws -> Void] = [
      { _ = try Photo(source).write(stating: facts, to: MemoryByteSink()) },
      { _ = try Photo(source).metadata() },
      {
        _ = try JPEGSurgery(photo).rewritten(
          image: Self.photo.get(), transform: .right, identifier: nil, thumbnail: nil)
      },
      { _ = try JPEGSurgery(photo).maps() },
      { _ = try Photo(source).isMotionPhoto() },
    ]
    for (index, attempt) in attempts.enumerated() {
      let problem = Self.error(attempt)?.problem.description
      #expect(problem == (depth > 64 ? "the XMP is nested more than 64 levels deep" : nil), "\(index)")
    }
  }

  @Test func aDeepPacketOfAPNG() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("rotate.png")))
    var facts = Facts()
    facts.description.title = "Beach"
    for depth in [64, 65] {
      var changed = bytes
      let text = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Self.packet(parts: 100, depth: depth)
      changed.insert(contentsOf: PNGChunks.chunk("iTXt", text), at: 33)
      let problem = Self.error {
        _ = try Photo(MemoryByteSource(changed)).write(stating: facts, to: MemoryByteSink())
      }?.problem.description
      #expect(problem == (depth > 64 ? "the XMP is nested more than 64 levels deep" : nil))
    }
  }

  @Test func packetsOfAPNG() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("rotate.png")))
    let head = Array("XML:com.adobe.xmp\0".utf8) + [1, 0, 0, 0]
    let packet = try #require(Deflate.deflated(Self.packet()))
    let chunk = PNGChunks.chunk("iTXt", head + packet)
    var facts = Facts()
    facts.description.title = "Beach"
    let present = try PNGFile(reading: MemoryByteSource(bytes)).xmpChunks().count
    for count in [16 - present, 17 - present] {
      var planted = Array(bytes[..<33])
      for _ in 0..<count { planted += chunk }
      let source = MemoryByteSource(planted + bytes[33...])
      let attempts: [() throws -> Void] = [
        { _ = try Photo(source).metadata() },
        { _ = try Photo(source).write(stating: facts, to: MemoryByteSink()) },
        { _ = try Photo(source).write(without: .location, identifier: nil, to: MemoryByteSink()) },
      ]
      for (index, attempt) in attempts.enumerated() {
        let problem = Self.error(attempt)?.problem.description
        #expect(problem == (count + present > 16 ? "the file has more than 16 XMP packets" : nil), "\(index)")
      }
    }
  }

  /// A packet without any property that an edit changes is kept, however large it is. Any other packet is refused.
  @Test func aLargeExtendedPacket() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.xmpParts: 1000])
      for (namespace, stays) in [
        ("http://example.com/", true), ("http://ns.google.com/photos/1.0/panorama/", false),
      ] {
        let packet = Self.packet(parts: 1001, namespace: namespace)
        let photo = try Self.photo(extended: packet)
        var made: [UInt8] = []
        let error = Self.error {
          made = try JPEGSurgery(photo).rewritten(
            image: Self.photo.get(), transform: .right, identifier: nil, thumbnail: nil, md5: { _ in [] }
          ).bytes
        }
        if stays {
          #expect(error == nil)
          let parts = try JPEGParts(JPEGFile(made))
          #expect(parts.extendedPackets.map(\.bytes) == [packet])
        } else {
          #expect(
            Self.isBeyond(error, "the XMP has more than 1000 elements and attributes", "xmp-parts=2000"))
        }
      }
    }
  }

  /// Limits can be raised as well as lowered.
  @Test func higherLimitsLetThemPass() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.xmpParts: 1001, .xmpNesting: 65, .segments: 33, .furtherPictures: 5])
      let packet = try XMPPacket(Self.packet(parts: 1001, depth: 65))
      #expect(packet != nil)
      let segments = try JPEGHeader(reading: Self.segments(33)).segments
      #expect(segments.count == 33)
      let maps = try JPEGSurgery(Self.pictures(5)).maps()
      #expect(maps.count == 5)
      ReadingLimit.set([.xmpNesting: 256])
      let error = Self.error { _ = try XMPPacket(Self.packet(parts: 300, depth: 257)) }
      // This limit cannot be raised further.
      #expect(error?.message.description == "the XMP is nested more than 256 levels deep")
    }
  }

  /// Returns a JPEG with a number of segments before its picture.
  private static func segments(_ count: Int) throws -> MemoryByteSource {
    let photo = try photo.get()
    let present = try JPEGHeader(reading: MemoryByteSource(photo)).segments.count
    let comment: [UInt8] = [0xFF, 0xFE, 0, 2]
    let comments = Array(repeatElement(comment, count: count - present).joined())
    return MemoryByteSource(inserting(comments, into: photo))
  }

  @Test func segmentsOfAJPEG() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.segments: 32])
      let most = try JPEGHeader(reading: Self.segments(32)).segments
      #expect(most.count == 32)
      #expect(
        Self.isBeyond(
          Self.error { _ = try JPEGHeader(reading: Self.segments(33)) },
          "the file has more than 32 JPEG segments before its picture", "segments=64"))
    }
  }

  /// Returns a JPEG with a number of depth maps after it.
  static func pictures(_ count: Int) throws -> [UInt8] {
    let picture = try photo.get()
    let small: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9, 0, 0, 0, 0, 0]
    let first = inserting(segment(0xE1, ReadingLimitsTests.directory(of: count)), into: picture)
    return first + Array(repeatElement(small, count: count).joined())
  }

  @Test func picturesBehindTheFirst() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.furtherPictures: 4])
      let surgery = try JPEGSurgery(Self.pictures(4))
      #expect(try surgery.maps().count == 4)
      let tooMany = try JPEGSurgery(Self.pictures(5))
      let attempts: [() throws -> Void] = [
        { _ = try tooMany.maps() },
        {
          _ = try tooMany.rewritten(
            image: Self.photo.get(), transform: .right, identifier: nil, thumbnail: nil)
        },
      ]
      for attempt in attempts {
        #expect(
          Self.isBeyond(
            Self.error(attempt), "the file has more than 4 pictures after the first", "further-pictures=8"))
      }
    }
  }

  @Test func packetsOfAHEICPhoto() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0004.HEIC")))
    let file = try HEIFFile(reading: MemoryByteSource(bytes))
    var facts = Facts()
    facts.description.title = "Beach"
    for count in [16, 17] {
      var composition = HEIFComposition(file)
      for _ in file.xmpItems.count..<count {
        try composition.add(
          "mime", Self.packet(), contentType: "application/rdf+xml", describing: file.primaryItem)
      }
      let sink = MemoryByteSink()
      try composition.writeInPlace(to: sink)
      let photo = try Photo(MemoryByteSource(sink.bytes))
      let problem = Self.error { _ = try photo.write(stating: facts, to: MemoryByteSink()) }?.problem
      #expect(
        problem?.description
          == (count > 16 ? "a picture in the file has more than 16 XMP packets" : nil))
    }
  }

  @Test func samsungsBlocksOfAHEICPhoto() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0004.HEIC")))
    for size in [1 << 20, (1 << 20) + 1] {
      let head = [24, 16, 8, 0].map { UInt8((size + 8) >> $0 & 255) } + Array("sefd".utf8)
      let photo = try Photo(MemoryByteSource(bytes + head + [UInt8](repeating: 0, count: size)))
      let problem = Self.error {
        _ = try photo.write(without: .location, identifier: nil, to: MemoryByteSink())
      }?.problem.description
      #expect(problem == (size > 1 << 20 ? "the Samsung data blocks are larger than 1 MB" : nil))
    }
  }

  @Test func segmentsThatMayHoldAProfile() throws {
    let photo = try Self.photo.get()
    let large = segment(0xE2, [UInt8](repeating: 0, count: 65_533))
    for count in [1024, 1025] {
      var segments: [UInt8] = []
      for _ in 0..<count { segments += large }
      let changed = inserting(segments, into: photo)
      let header = try JPEGHeader(reading: MemoryByteSource(changed))
      let problem = Self.error { _ = try header.iccProfile() }?.problem.description
      #expect(problem == (count > 1024 ? "the APP2 segments are larger than 64 MB" : nil))
    }
  }

  /// The comments precede the photo's own segments, of which the profile is the last.
  @Test func bytesOfMetadataThatIsShown() throws {
    let photo = try Self.photo.get()
    let present = try JPEGHeader(reading: MemoryByteSource(photo)).segments.filter(\.isMetadata)
      .reduce(0) { $0 + $1.payload.count }
    let longest = segment(0xFE, [UInt8](repeating: 0, count: 65_533))
    for size in [64 << 20, (64 << 20) + 1] {
      let (count, rest) = (size - present).quotientAndRemainder(dividingBy: 65_533)
      var comments = segment(0xFE, [UInt8](repeating: 0, count: rest))
      for _ in 0..<count { comments += longest }
      let source = MemoryByteSource(inserting(comments, into: photo))
      let reader = try JPEGMetadataReader(JPEGHeader(reading: source))
      let isWhole = size <= 64 << 20
      let notes = isWhole ? [] : ["the metadata exceeds 64 MB and is shown only in part"]
      #expect(reader.notes.map(\.description) == notes)
      #expect(reader.blocks.contains { $0.name == "ICC profile" } == isWhole)
    }
  }

  @Test func exifOfAForeignPicture() throws {
    for size in [1 << 20, (1 << 20) + 1] {
      let chunk = Array("EXIF".utf8) + [0, 8, 16, 24].map { UInt8(size >> $0 & 255) }
      let bytes = Array("RIFF\0\0\0\0WEBP".utf8) + chunk + [UInt8](repeating: 0, count: size)
      let source = MemoryByteSource(bytes)
      let picture = try #require(try ForeignPhoto(source))
      let problem = Self.error { _ = try picture.exif(in: source) }?.problem.description
      #expect(problem == (size > 1 << 20 ? "the Exif block is larger than 1 MB" : nil))
    }
  }

  /// The document contains every settable limit with its numbers and a row that describes it.
  @Test func everyLimitIsDocumented() throws {
    let page = TestFiles.project.appendingPathComponent("Documentation/Limits.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let named = lines.filter { $0.hasPrefix("| `") }.map { String($0) }
    let expected = ReadingLimit.allCases.map {
      "| `\($0.rawValue)` | \($0.standard) | \($0.range.lowerBound) | \($0.range.upperBound) |"
    }
    #expect(named == expected)
    for limit in ReadingLimit.allCases {
      let rows = lines.filter {
        $0.hasPrefix("| ") && !$0.hasPrefix("| `") && $0.contains("`\(limit.rawValue)`")
      }
      #expect(!rows.isEmpty, "\(limit)")
    }
  }
}
