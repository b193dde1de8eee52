import Basics
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Returns the message of the error that a body throws, or nil if it throws none.
func problem(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return (error as? MediaError)?.problem.description ?? "\(error)"
  }
}

/// Tests of the limits on data that is read (Documentation/Limits.md). Data at a limit is accepted, and data beyond it
/// is refused with the message in the table there. Settable limits are lowered, each in a separate process, so that
/// files can be small. ``MetadataLimitsTests`` compares the standard values with the table.
@Suite struct ReadingLimitsTests {
  /// A file too large for memory: some bytes, followed by zeros.
  struct SparseSource: ByteSource {
    var head: [UInt8] = []
    let count: Int

    func read(at offset: Int, count: Int) throws -> [UInt8] {
      guard offset >= 0, count >= 0, offset + count <= self.count else { throw MediaError("it ends") }
      let known = Array(head.dropFirst(offset).prefix(count))
      return known + [UInt8](repeating: 0, count: count - known.count)
    }
  }

  static func word(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func box(_ kind: String, _ content: [UInt8] = []) -> [UInt8] {
    let head = word(8 + content.count)
    return head + Array(kind.utf8) + content
  }

  @Test func bytesOfAPhoto() {
    #expect(problem { try SparseSource(count: 512 << 20).checkPhotoSize() } == nil)
    #expect(
      problem { try SparseSource(count: (512 << 20) + 1).checkPhotoSize() }
        == "the photo is larger than 512 MB")
  }

  @Test func atomsSideBySide() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.boxes: 4])
      func atoms(_ count: Int) -> MemoryByteSource {
        MemoryByteSource(Array(repeatElement(Self.box("free"), count: count).joined()))
      }
      let most = try FileAtom.scan(atoms(4))
      #expect(most.count == 4)
      #expect(
        problem { _ = try FileAtom.scan(atoms(5)) } == "the file has more than 4 atoms at the same level")
    }
  }

  @Test func bytesOfMoov() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.tables: 1])
      for size in [1 << 20, (1 << 20) + 1] {
        let source = SparseSource(head: Self.word(size + 8) + Array("moov".utf8), count: size + 8)
        let place = try #require(try FileAtom.scan(source).first)
        let problem = problem { _ = try Movie.moov(at: place, in: source) }
        #expect(problem == (size > 1 << 20 ? "the moov atom is larger than 1 MB" : nil))
      }
    }
  }

  @Test func nestedAtoms() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.nesting: 6])
      func nested(_ levels: Int) -> [UInt8] {
        (0..<levels).reduce([]) { inner, _ in Self.box("trak", inner) }
      }
      #expect(problem { _ = try Atom.parseAll(nested(6)[...]) } == nil)
      #expect(
        problem { _ = try Atom.parseAll(nested(7)[...]) } == "the atoms are nested more than 6 levels deep")
    }
  }

  @Test func tracks() async {
    await #expect(processExitsWith: .success) {
      let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
      let source = MemoryByteSource(bytes)
      let moov = try #require(try FileAtom.scan(source).first { $0.kind == "moov" })
      let present = try Movie(source).tracks.count
      ReadingLimit.set([.tracks: present + 1])
      func movie(_ count: Int) -> MemoryByteSource {
        let more = Array(repeatElement(Self.box("trak"), count: count - present).joined())
        var larger = bytes
        larger.insert(contentsOf: more, at: moov.offset + moov.size)
        larger.replaceSubrange(moov.offset..<moov.offset + 4, with: Self.word(moov.size + more.count))
        return MemoryByteSource(larger)
      }
      #expect(
        problem { _ = try Movie(movie(present + 2)) }
          == "the movie has \(present + 2) tracks, more than the limit")
      // An empty track is refused because its contents are missing.
      #expect(problem { _ = try Movie(movie(present + 1)) }?.contains("\(present + 1) tracks") == false)
    }
  }

  @Test func bytesOfTheListOfItems() throws {
    for size in [8 << 20, (8 << 20) + 1] {
      let type = Self.box("ftyp", Array("heic".utf8) + [0, 0, 0, 0])
      let source = SparseSource(
        head: type + Self.word(size) + Array("meta".utf8), count: type.count + size)
      let problem = problem { _ = try HEIFFile(reading: source) }
      // A list of zeros is refused because its contents are missing.
      #expect(
        (problem == "the item list is larger than 8 MB") == (size > 8 << 20), "\(problem ?? "")")
    }
  }

  @Test func items() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.items: 8])
      func table(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, UInt8(count)]
        for id in 1...count {
          let entry: [UInt8] = [2, 0, 0, 0, 0, UInt8(id), 0, 0] + Array("hvc1".utf8)
          bytes += Self.box("infe", entry + [0])
        }
        return bytes
      }
      let most = try HEIFItem.table(table(8))
      #expect(most.count == 8)
      #expect(problem { _ = try HEIFItem.table(table(9)) } == "the file has more than 8 items")
    }
  }

  @Test func referencesOfItems() async {
    await #expect(processExitsWith: .success) {
      // A list counts as one, plus one for each item in it.
      ReadingLimit.set([.references: 14])
      func table(_ targets: Int) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0]
        for first in stride(from: 0, to: targets, by: 4) {
          let count = min(4, targets - first)
          let head: [UInt8] = [0, 1, 0, UInt8(count)]
          bytes += Self.box("dimg", head + [UInt8](repeating: 1, count: 2 * count))
        }
        return bytes
      }
      let most = try HEIFReference.table(table(11))
      #expect(most.count == 3)
      #expect(
        problem { _ = try HEIFReference.table(table(12)) }
          == "the items have more than 14 references to each other")
    }
  }

  @Test func properties() throws {
    func table(_ count: Int) -> [UInt8] {
      Self.box("ipco", Array(repeatElement(Self.box("free"), count: count).joined()))
    }
    #expect(problem { _ = try HEIFProperties(table(32767)) } == nil)
    #expect(
      problem { _ = try HEIFProperties(table(32768)) }
        == "the file has 32768 properties, more than the format allows")
  }

  @Test func chunksOfAPNG() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("rotate.png")))
    // Inserted after the signature and IHDR.
    func file(_ more: Int) -> MemoryByteSource {
      let chunk: [UInt8] = [0, 0, 0, 0, 0x74, 0x65, 0x53, 0x74, 0, 0, 0, 0]
      var longer = bytes
      longer.insert(contentsOf: repeatElement(chunk, count: more).joined(), at: 33)
      return MemoryByteSource(longer)
    }
    let present = try PNGFile(reading: MemoryByteSource(bytes)).chunks.count
    #expect(problem { _ = try PNGFile(reading: file(100_000 - present)) } == nil)
    #expect(
      problem { _ = try PNGFile(reading: file(100_001 - present)) }
        == "the file has more than 100000 PNG chunks")
  }

  @Test func bytesOfAChunk() throws {
    for size in [16 << 20, (16 << 20) + 1] {
      func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        Self.word(content.count) + Array(kind.utf8) + content + Self.word(0)
      }
      var header = Self.word(64)
      header += Self.word(64)
      header += [8, 2, 0, 0, 0]
      var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      bytes += chunk("IHDR", header)
      bytes += chunk("iTXt", [UInt8](repeating: 0, count: size))
      bytes += chunk("IEND", [])
      let file = try PNGFile(reading: MemoryByteSource(bytes))
      let text = try #require(file.chunk("iTXt"))
      let problem = problem { _ = try file.content(text) }
      #expect((problem == "the iTXt chunk is larger than 16 MB") == (size > 16 << 20), "\(problem ?? "")")
    }
  }

  @Test func bytesOfASidecar() {
    for count in [16 << 20, (16 << 20) + 1] {
      // A file of zeros is not valid XMP either.
      let problem = problem { _ = try SidecarFacts(SparseSource(count: count)) }
      #expect((problem == "the sidecar is larger than 16 MB") == (count > 16 << 20), "\(problem ?? "")")
    }
  }

  /// The audio has 75044 samples at 44100 ticks per second. With 2³² ticks each, they exceed 2⁴⁸; 587655 ticks each is
  /// the most that fits into a million seconds.
  @Test func durationOfATrack() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
    let entry = Self.word(75_044) + Self.word(1)
    let place = try #require(Data(bytes).range(of: Data(entry))).lowerBound
    let cases = [
      (587_655, false, false), (587_656, true, false), (0x7FFF_FFFF, true, false), (0xFFFF_FFFF, false, true),
    ]
    for (ticks, isTooLong, isImpossible) in cases {
      var changed = bytes
      changed.replaceSubrange(place + 4..<place + 8, with: Self.word(ticks))
      let problem = problem { _ = try Movie(MemoryByteSource(changed)) }
      #expect((problem == "a track has an impossibly long duration") == isImpossible, "\(problem ?? "")")
      let isLong = problem == "a track is longer than 1000000 seconds"
      #expect(isLong == isTooLong, "\(problem ?? "")")
    }
  }

  @Test func sidesOfAHEICPicture() async {
    await #expect(processExitsWith: .success) {
      #expect(HEIFPicture.mostPixels == 1 << 28)
      ReadingLimit.set([.pixels: 1])
      let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0004.HEIC")))
      let file = try HEIFFile(reading: MemoryByteSource(bytes))
      // The thumbnail is coded in one piece, so no tiles can leave a part of it uncovered, whatever its size.
      let id = try #require(file.sources("thmb", to: file.primaryItem).first)
      let size = try #require(file.spatialExtents(of: id))
      let old = Self.word(size.width) + Self.word(size.height)
      let place =
        try #require(Data(bytes).range(of: Data(Array("ispe".utf8) + [0, 0, 0, 0] + old))).upperBound - 8
      let item = "item \(id)"
      for (width, height, expected) in [
        (65537, 16, "\(item) has an impossible size: 65537x16"),
        (16, 65537, "\(item) has an impossible size: 16x65537"), (2048, 1024, nil),
        (2048, 1025, "\(item), 2048x1025, has more than 2 megapixels"),
      ] {
        var changed = bytes
        changed.replaceSubrange(place..<place + 8, with: Self.word(width) + Self.word(height))
        let problem = problem {
          let file = try HEIFFile(reading: MemoryByteSource(changed))
          _ = try HEIFPicture(file, item: id)
        }
        #expect(problem == expected)
      }
    }
  }

  @Test func sampleDescriptions() throws {
    #expect(try Atom("stsd", Self.word(0) + Self.word(256)).sampleDescriptionCount == 256)
    #expect(
      problem { _ = try Atom("stsd", Self.word(0) + Self.word(257)).sampleDescriptionCount }
        == "a track has more than 256 sample descriptions")
  }

  /// The limit is first lowered to the needs of the photo's own item, and then by one more.
  @Test func piecesOfItemsAndItemsInItems() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0004.HEIC")))
    let file = try HEIFFile(reading: MemoryByteSource(bytes))
    let id = file.primaryItem
    let pieces = try #require(file.location(of: id)?.extents.count)
    func look(pieces: Int, depth: Int = 0) -> String? {
      problem {
        var left = pieces
        _ = try file.ranges(of: id, depth: depth, left: &left)
      }
    }
    #expect(HEIFFile.mostPieces == 1 << 18)
    #expect(look(pieces: pieces) == nil)
    #expect(look(pieces: pieces - 1) == "item \(id) is split into too many pieces")
    #expect(look(pieces: pieces, depth: 3) == nil)
    #expect(look(pieces: pieces, depth: 4) == "the items contain each other in a cycle")
  }

  /// A tile's stated size exceeds its real size by a megabyte. The test runs in a separate process with a limit of that
  /// size for a photo.
  @Test func codedBytesOfAHEICPicture() async {
    await #expect(processExitsWith: .success) {
      let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0004.HEIC")))
      let file = try HEIFFile(reading: MemoryByteSource(bytes))
      let tile = try #require(try HEIFPicture(file, item: file.primaryItem).tiles.first?.first)
      func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
      let entry = word(tile.lowerBound) + word(tile.count)
      let place = try #require(Data(bytes).range(of: Data(entry))).lowerBound
      var changed = bytes + [UInt8](repeating: 0, count: 1 << 20)
      changed.replaceSubrange(place..<place + 8, with: word(tile.lowerBound) + word(1 << 20))
      func look() throws {
        let file = try HEIFFile(reading: MemoryByteSource(changed))
        _ = try HEIFPicture(file, item: file.primaryItem)
      }
      ReadingLimit.set([.photoSize: 2])
      try look()
      ReadingLimit.set([.photoSize: 1])
      let error = #expect(throws: MediaError.self) { try look() }
      #expect(error?.problem.description == "item \(file.primaryItem) has more than 1 MB of encoded data")
    }
  }

  /// Returns the XMP of a photo whose directory lists a number of depth maps.
  static func directory(of count: Int) -> [UInt8] {
    let item = """
      <rdf:li rdf:parseType="Resource"><c:Item i:Semantic="Depth" i:Mime="image/jpeg" i:Length="9"/></rdf:li>
      """
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:c="http://ns.google.com/photos/1.0/container/"
      xmlns:i="http://ns.google.com/photos/1.0/container/item/"><c:Directory><rdf:Seq>
      \(String(repeating: item, count: count))
      </rdf:Seq></c:Directory></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    return Array("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8)
  }

  @Test func picturesThatADirectoryLists() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.listedPictures: 8])
      for count in [8, 9] {
        let photo = inserting(
          segment(0xE1, Self.directory(of: count)),
          into: [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG"))))
        let surgery = try JPEGSurgery(photo)
        let problems = [
          problem { _ = try surgery.maps() },
          problem {
            _ = try surgery.rewritten(
              image: nil, transform: .identity, orientation: .right, identifier: nil, thumbnail: nil)
          },
          problem { _ = try JPEGHeader(reading: MemoryByteSource(photo)).embeddedMovie() },
        ]
        for problem in problems {
          #expect(problem == (count > 8 ? "the XMP lists more than 8 pictures" : nil))
        }
      }
    }
  }

  @Test func limitsAreRead() {
    #expect(ReadingLimit.values("") == [:])
    #expect(ReadingLimit.values("tracks=1024,items=20000") == [.tracks: 1024, .items: 20000])
    for text in [
      "tracks", "tracks=", "tracks=0", "tracks=-1", "tracks=1e3", "trucks=9", "tracks=9,tracks=9",
      "tracks=9,", ",",
    ] {
      #expect(ReadingLimit.values(text) == nil, "\(text)")
    }
    for limit in ReadingLimit.allCases { #expect(limit.range.contains(limit.standard), "\(limit)") }
  }

  /// The limits apply to a whole process, so this test uses a separate one.
  @Test func limitsAreSet() async {
    await #expect(processExitsWith: .success) {
      let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
      let count = try Movie(MemoryByteSource(bytes)).tracks.count
      ReadingLimit.set([.tracks: count - 1, .nesting: 1_000_000])
      #expect(throws: MediaError.self) { try Movie(MemoryByteSource(bytes)) }
      #expect(ReadingLimit.text == "nesting=\(ReadingLimit.nesting.range.upperBound),tracks=\(count - 1)")
      ReadingLimit.set([.tracks: count])
      #expect(try Movie(MemoryByteSource(bytes)).tracks.count == count)
      ReadingLimit.set([:])
      #expect(ReadingLimit.text.isEmpty)
    }
  }
}
