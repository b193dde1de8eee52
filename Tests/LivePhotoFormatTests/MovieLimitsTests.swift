import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of the limits on a movie's tables; see ``ReadingLimitsTests``.
@Suite struct MovieLimitsTests {
  private let movie: [UInt8]

  init() throws { movie = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV"))) }

  /// The positions of each track's sample size table, after the table's type.
  private var sampleSizes: [Int] {
    movie.indices.dropLast(4).filter { movie[$0..<$0 + 4].elementsEqual("stsz".utf8) }.map { $0 + 4 }
  }

  @Test func bytesOfTheTablesOfFragments() throws {
    let moov = Atom("moov", children: [Atom("mvex", children: [])])
    for size in [64 << 20, (64 << 20) + 1] {
      let head = ReadingLimitsTests.word(size + 8) + Array("moof".utf8)
      let source = ReadingLimitsTests.SparseSource(head: head, count: size + 8)
      let told = problem { _ = try MovieFragments.joined(moov, FileAtom.scan(source), in: source) }
      // Zeros are not valid tables, which is reported after they are read.
      #expect((told == "the fragments' tables are larger than 64 MB") == (size > 64 << 20), "\(told ?? "")")
    }
  }

  /// Returns the error for zeros, which compress to a thousandth of their size.
  @Test func bytesOfAPackedMoov() throws {
    func told(_ zeros: Int) throws -> String? {
      let moov = Atom("moov", Atom("free", [UInt8](repeating: 0, count: zeros)).serialized).serialized
      let packed = try #require(Deflate.deflated(moov))
      let data = Atom("cmvd", ReadingLimitsTests.word(moov.count) + packed)
      let cmov = Atom("cmov", Atom("dcom", Array("zlib".utf8)).serialized + data.serialized)
      let source = MemoryByteSource(Atom("moov", cmov.serialized).serialized)
      let place = try #require(try FileAtom.scan(source).first)
      return problem { _ = try Movie.moov(at: place, in: source) }
    }
    #expect(try told(60_000) == nil)
    #expect(try told(70_000) == "the compressed moov atom expands to more than 32 times its size")
  }

  @Test(arguments: [1024, 1025]) func textsOfAnEntryOfUserData(_ count: Int) {
    let one: [UInt8] = [0, 1, 0x55, 0xC4, 0x61]
    var changed: [UInt8] = []
    let told = problem {
      changed = try UserText(Array(repeatElement(one, count: count).joined())).changed { _ in "bc" }
    }
    #expect(told == (count > 1024 ? "an entry in the user data has more than 1024 texts" : nil))
    let other: [UInt8] = [0, 2, 0x55, 0xC4, 0x62, 0x63]
    #expect(changed == (count > 1024 ? [] : Array(repeatElement(other, count: count).joined())))
  }

  /// The location of a movie's caption copies.
  enum Captions {
    /// In keys of the movie's own metadata.
    case keys
    /// In keys of the movie's user data.
    case userKeys
    /// In texts of the movie's user data.
    case texts
    /// In iTunes codes.
    case codes
    /// All captions except the last in texts, and the last in an XMP packet, where more than the caption's text is new.
    case packet

    /// Returns a `moov` atom with copies of one letter.
    func moov(_ count: Int) -> Atom {
      func handler(_ kind: String) -> Atom {
        Atom("hdlr", [UInt8](repeating: 0, count: 8) + Array(kind.utf8) + [UInt8](repeating: 0, count: 14))
      }
      let data = Atom("data", [UInt8](words: [1, 0]) + Array("a".utf8)).serialized
      func keyed(_ name: String) -> Atom {
        let key = [UInt8](words: [8 + name.utf8.count]) + Array("mdta".utf8) + Array(name.utf8)
        let keys = [UInt8](words: [0, count]) + repeatElement(key, count: count).joined()
        let items = (1...count).map { Atom(FourCC(rawValue: UInt32($0)), data) }
        return Atom("meta", children: [handler("mdta"), Atom("keys", keys), Atom("ilst", children: items)])
      }
      func user(_ entries: [Atom]) -> Atom { Atom("udta", entries.flatMap(\.serialized)) }
      let text = Atom("©des", [0, 1, 0x55, 0xC4] + Array("a".utf8))
      switch self {
      case .keys: return Atom("moov", children: [keyed("com.apple.quicktime.description")])
      case .userKeys: return Atom("moov", children: [user([keyed("comment")])])
      case .texts:
        return Atom("moov", children: [user([Atom](repeating: text, count: count))])
      case .codes:
        let code = Atom("desc", Array(repeatElement(data, count: count).joined()))
        return Atom(
          "moov",
          children: [user([Atom("meta", children: [handler("mdir"), Atom("ilst", children: [code])])])])
      case .packet:
        let packet = """
          <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:description="a"/></rdf:RDF></x:xmpmeta>
          """
        let texts = [Atom](repeating: text, count: count - 1)
        return Atom("moov", children: [user(texts + [Atom("XMP_", Array(packet.utf8))])])
      }
    }
  }

  /// Each letter is replaced by 16 kB.
  @Test(arguments: [
    (Captions.keys, 4096, true), (.keys, 20_000, false), (.userKeys, 4097, false), (.texts, 4096, true),
    (.texts, 20_000, false), (.codes, 4097, false), (.packet, 4095, true), (.packet, 4096, false),
  ])
  func newCaptionsInAllCopies(_ captions: Captions, _ count: Int, _ isRead: Bool) throws {
    var change = DescriptionChange()
    change.caption = String(repeating: "b", count: 16_384)
    var moov = captions.moov(count)
    let told = problem { try moov.change(description: change) }
    #expect(
      told
        == (isRead
          ? nil
          : "the new titles, captions and keywords would exceed 64 MB"))
    if isRead { #expect(moov.bytes.count >= count * 16_384) }
  }

  /// Chunks overlap, because their samples are larger than the file. Each chunk ends within the file: first the first
  /// chunk is made as large as possible, then the second.
  @Test func mediaThatTheFileHolds() throws {
    let tracks = try Movie(MemoryByteSource(movie)).tracks
    let video = try #require(tracks.firstIndex { $0.handler == "vide" })
    let chunks = tracks[video].samples.chunks
    var larger = movie
    /// Enlarges the first sample of a chunk by a number of bytes.
    func grow(_ chunk: Int, by bytes: Int) {
      let sample = chunks[..<chunk].reduce(0) { $0 + $1.sampleCount }
      let place = sampleSizes[video] + 12 + 4 * sample
      let size = larger[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      larger.replaceSubrange(place..<place + 4, with: ReadingLimitsTests.word(size + bytes))
    }
    let first = movie.count - chunks[0].offset - chunks[0].byteCount
    let second = 2 * movie.count - tracks.reduce(0) { $0 + $1.samples.byteCount } - first
    try #require(chunks[1].offset + chunks[1].byteCount + second < movie.count)
    grow(0, by: first)
    grow(1, by: second)
    #expect(problem { _ = try Movie(MemoryByteSource(larger)) } == nil)
    grow(1, by: 1)
    #expect(
      problem { _ = try Movie(MemoryByteSource(larger)) }
        == "the sample tables describe more media than the file contains")
  }

  @Test func bytesOfAMetadataTrack() throws {
    let tracks = try Movie(MemoryByteSource(movie)).tracks
    // All of the track's samples have one size, which is stored before their number.
    let index = try #require(tracks.firstIndex { $0.handler == "meta" && $0.samples.sampleCount == 1 })
    let place = sampleSizes[index] + 4
    for size in [64 << 20, (64 << 20) + 1] {
      var larger = movie
      larger.replaceSubrange(place..<place + 4, with: ReadingLimitsTests.word(size))
      let rest = ReadingLimitsTests.word(65 << 20) + Array("free".utf8)
      let source = ReadingLimitsTests.SparseSource(head: larger + rest, count: movie.count + (65 << 20))
      let track = try Movie(source).tracks[index]
      let told = problem { _ = try MovieRewrite.samples(of: track, source) }
      #expect(
        told == (size > 64 << 20 ? "metadata track \(track.header.trackID) is larger than 64 MB" : nil))
    }
  }

  /// A sample whose stated size exceeds its real size. The zeros after its only value end the list of values.
  @Test func bytesOfATrackWhoseValuesAreCounted() throws {
    let tracks = try Movie(MemoryByteSource(movie)).tracks
    let index = try #require(tracks.firstIndex { $0.handler == "meta" && $0.samples.sampleCount == 1 })
    let place = sampleSizes[index] + 4
    let chunk = tracks[index].samples.chunks[0]
    let end = chunk.offset + chunk.byteCount
    for size in [4 << 20, (4 << 20) + 1] {
      var larger = movie
      larger.replaceSubrange(end..<end + 8, with: [UInt8](repeating: 0, count: 8))
      larger.replaceSubrange(place..<place + 4, with: ReadingLimitsTests.word(size))
      let rest = ReadingLimitsTests.word(5 << 20) + Array("free".utf8)
      let source = ReadingLimitsTests.SparseSource(head: larger + rest, count: movie.count + (5 << 20))
      let track = try MovieInspection(reading: source).tracks[index]
      #expect(track.mediaBytes == size && track.timedKeys.count == 1)
      let key = try #require(track.timedKeys.first)
      #expect(key.name == Movie.stillImageTimeKey)
      #expect(key.sampleCount == (size > 4 << 20 ? nil : 1))
      #expect(key.firstValue == (size > 4 << 20 ? nil : MetadataValue.signed(-1)))
    }
  }

  /// 64 values whose name has one megabyte, and one more value whose name has a single byte.
  @Test func namesOfMetadata() throws {
    let handler = Atom("hdlr", [UInt8](words: [0, 0]) + Array("mdta".utf8) + [UInt8](words: [0, 0, 0]))
    var keys = [UInt8](words: [0, 2])
    for name in [[UInt8](repeating: 0x61, count: 1 << 20), [0x62]] {
      keys += [UInt8](words: [8 + name.count]) + Array("mdta".utf8) + name
    }
    let most = [UInt32](repeating: 1, count: 64)
    for numbers in [most, most + [2]] {
      let values = numbers.map { Atom(FourCC(rawValue: $0), children: [Atom("data", words: [1, 0])]) }
      let meta = Atom("meta", children: [handler, Atom("keys", keys), Atom("ilst", children: values)])
      var count: Int?
      let told = problem { count = try MetadataItems(meta)?.items.count }
      #expect(told == (numbers.count > 64 ? "the metadata contains impossibly long names" : nil))
      #expect(count == (numbers.count > 64 ? nil : 64))
    }
  }
}
