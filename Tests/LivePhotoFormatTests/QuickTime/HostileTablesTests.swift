import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of movies whose numbers overflow an integer, and of long tables in which only a few bytes are needed.
@Suite struct HostileTablesTests {
  /// Returns the fixture's `moov` atom.
  private static func moov() throws -> Atom {
    let source = MemoryByteSource([UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0002.MOV"))))
    let place = try #require(try FileAtom.scan(source).first { $0.kind == "moov" })
    return try Atom("moov", source.read(at: place.contentOffset, count: place.contentSize)).takenApart()
  }

  private static func word(_ value: Int) -> [UInt8] { ReadingLimitsTests.word(value) }

  private static func track(_ kind: String) throws -> Atom {
    try #require(
      try moov().all("trak").first {
        try $0.first("mdia", "hdlr")?.bytes[8..<12].elementsEqual(kind.utf8) == true
      })
  }

  /// Returns a track of the fixture with another edit list.
  private static func track(_ kind: String, showing edits: [Track.Edit]) throws -> Track {
    var trak = try track(kind)
    try trak.remove(["edts"])
    try trak.changeChildren { $0.insert(Atom("edts", children: [Track.Edit.list(edits)]), at: 1) }
    return try Track(trak, fileSize: 1 << 30)
  }

  /// Returns the fixture's video track without samples and with 8-byte times, together with the announcement of
  /// fragments.
  ///
  /// - Parameters:
  ///   - scale: The movie's ticks per second.
  ///   - duration: The duration of each sample in seconds.
  private static func announcing(scale: Int, duration: Int, size: Int = 0) throws -> Atom {
    var trak = try track("vide")
    try trak.remove(["edts"])
    try trak.update("mdia", "mdhd") { mdhd in
      mdhd.bytes =
        [1, 0, 0, 0] + word(0) + word(0) + word(0) + word(0) + word(1) + word(0) + word(0) + word(0)
    }
    try trak.update("mdia", "minf", "stbl") { table in
      try table.remove(["stss", "ctts", "sdtp", "sgpd", "sbgp", "cslg", "stps"])
      for kind in ["stts", "stsc", "stco"] as [FourCC] {
        try table.update(kind) { $0.bytes = word(0) + word(0) }
      }
      try table.update("stsz") { $0.bytes = word(0) + word(0) + word(0) }
    }
    let number = Int(try TrackHeader(#require(try trak.first("tkhd"))).trackID)
    var mvhd = try #require(try moov().first("mvhd"))
    mvhd.bytes.replaceSubrange(12..<16, with: word(scale))
    let trex = Atom("trex", words: [0, number, 1, duration, size, 0])
    return Atom("moov", children: [mvhd, trak, Atom("mvex", children: [trex])])
  }

  /// Returns the result of joining the fragments of a movie with one `moof`.
  private static func joined(_ moov: Atom, _ trafs: [Atom], media: Int = 0) throws -> Atom {
    let moof = Atom("moof", children: trafs).serialized
    let source = MemoryByteSource(moof + [UInt8](repeating: 0, count: media))
    let places = [try #require(try FileAtom.scan(source).first)]
    return try MovieFragments.joined(moov, places, in: source)
  }

  private static func traf(of moov: Atom, _ samples: Int) throws -> Atom {
    let number = Int(try TrackHeader(#require(try moov.all("trak").first?.first("tkhd"))).trackID)
    return Atom(
      "traf", children: [Atom("tfhd", words: [0, number]), Atom("trun", words: [0, samples])])
  }

  /// 6 442 450 941 s at 4 294 967 295 ticks per second exceed the 64-bit range.
  @Test func fragmentsOfTwoHundredYears() throws {
    let moov = try Self.announcing(scale: 0xFFFF_FFFF, duration: 0x7FFF_FFFF)
    let told = problem { _ = try Self.joined(moov, [Self.traf(of: moov, 3)]) }
    #expect(told == "a header has no room for the new duration")
  }

  /// 20,000 fragments of one sample each. Joining a fragment must not copy all earlier ones.
  @Test func manyFragments() throws {
    let moov = try Self.announcing(scale: 600, duration: 1, size: 1)
    let trafs = [Atom](repeating: try Self.traf(of: moov, 1), count: 20_000)
    let whole = try Self.joined(moov, trafs, media: 40_000)
    let table = try #require(try whole.all("trak").first?.first("mdia", "minf", "stbl", "stsz"))
    #expect(table.bytes.count == 12 && table.bytes[4...] == (Self.word(1) + Self.word(20_000))[...])
  }

  @Test func tracksOfOneNumberAreRefused() throws {
    let moov = try Self.announcing(scale: 600, duration: 1, size: 1)
    let double = try Atom("moov", children: moov.takenApart().children + moov.all("trak"))
    let told = problem { _ = try Self.joined(double, [Self.traf(of: moov, 1)], media: 8) }
    #expect(told == "two tracks have the same number")
  }

  /// 100,000 pauses before the picture begins.
  @Test func manyPauses() throws {
    let pauses = [Track.Edit](
      repeating: Track.Edit(duration: 3, mediaTime: -1, rate: 1 << 16), count: 100_000)
    let track = try Self.track("vide", showing: pauses + Track.Edit.showing(600, from: 20))
    let scale = Double(track.timeScale)
    for ticks in 0..<20_000 {
      let seconds = track.presentationTime(of: ticks, movieTimeScale: 600)
      #expect(abs(seconds - (500 + (Double(ticks) - 20) / scale)) < 1e-9)
    }
  }

  /// Edit lists whose ends exceed the integer range show all of the audio.
  @Test(arguments: [
    (UInt64.max, Int64(0), UInt32(44100)), (0xFFFF_FFFF, 0, 1), (UInt64.max, 1, 1),
    (UInt64.max / 2, 0, 44100),
  ])
  func soundIsHeardToItsEnd(_ duration: UInt64, _ start: Int64, _ scale: UInt32) throws {
    func heard(_ edits: [Track.Edit], _ scale: UInt32) throws -> Track.HeardSamples? {
      try Self.track("soun", showing: edits).samples(heardIn: 0..<1e6, movieTimeScale: scale)
    }
    let plain = try #require(try heard(Track.Edit.showing(1_000_000, from: start), 600))
    let odd = try #require(try heard(Track.Edit.showing(duration, from: start), scale))
    #expect(odd.samples == plain.samples && odd.length == plain.length)
  }

  @Test func soundThatBeginsAtTheEndOfTimeIsNotHeard() throws {
    let track = try Self.track("soun", showing: Track.Edit.showing(.max, from: .max))
    #expect(try track.samples(heardIn: 0..<1e6, movieTimeScale: 1) == nil)
  }

  /// 100,000 parts that each show all frames, and as many parts that each show one tick of the audio.
  @Test func manyParts() throws {
    let frames = (0..<1000).map {
      SourceFrame(time: Int64(20 * $0), duration: 20, seconds: Double($0) / 30, syncSample: 0)
    }
    func segment(_ start: Int, _ length: Int, from media: Int64, _ rate: Int32, _ scale: Double)
      -> Track.Segment
    {
      let (first, last) = (Double(start) / 600, Double(start + length) / 600)
      return Track.Segment(
        start: first, end: last, duration: UInt64(length), mediaTime: media, fixedRate: rate, timeScale: scale
      )
    }
    // The parts are so fast that each shows all frames.
    let fast = (0..<100_000).map { segment(40 * $0, 40, from: 0, 500 << 16, 600_000) }
    let wide = frames.map {
      SourceFrame(time: 1000 * $0.time, duration: 20_000, seconds: $0.seconds, syncSample: 0)
    }
    let told = problem { _ = try Movie.shown(wide, along: fast) }
    #expect(told == "the edit list repeats more than 65536 frames")
    // 20,000 consecutive parts of one tick each show each frame once, for its own duration.
    let slow = (0..<20_000).map { segment($0, 1, from: Int64($0), 1 << 16, 600) }
    let shown = try Movie.shown(frames, along: slow)
    #expect(shown.map(\.number) == Array(0..<1000) && shown.allSatisfy { $0.duration == 20 })
    let edits = (0..<100_000).map { Track.Edit(duration: 1, mediaTime: Int64($0 % 7000), rate: 1 << 16) }
    let sound = try Self.track("soun", showing: edits)
    let heard = try #require(try sound.samples(heardIn: 0..<1e6, movieTimeScale: sound.timeScale))
    #expect(heard.edits.count == 100_000 && heard.edits.allSatisfy { $0.duration == 1 })
    #expect(heard.leadIn == 0 && heard.length == 7000 && !heard.jumps)
  }

  /// A length of zero means the rest of the media only in the last part.
  @Test func partsWithoutALength() throws {
    let track = try Self.track(
      "soun",
      showing: [
        Track.Edit(duration: 0, mediaTime: 5000, rate: 1 << 16),
        Track.Edit(duration: 600, mediaTime: 100, rate: 1 << 16),
        Track.Edit(duration: 0, mediaTime: 200, rate: 1 << 16),
      ])
    let segments = try track.segments(movieTimeScale: 600)
    #expect(segments.map(\.mediaTime) == [100, 200])
    #expect(segments.map(\.start) == [0, 1] && segments[1].duration == nil)
    let heard = try #require(try track.samples(heardIn: 0..<1e6, movieTimeScale: 600))
    #expect(heard.length == track.samples.duration - 100)
  }

  /// Each sample uses the second of two equal descriptions, and each is listed individually.
  @Test func manyEntriesOfOneDescription() throws {
    let count = 200_000
    let entries = (1...count).flatMap { Self.word($0) + Self.word(1) + Self.word(2) }
    var moov = Atom("moov", children: [try Self.track("vide")])
    try moov.changeAll("trak") { trak in
      try trak.update("mdia", "minf", "stbl", "stsd") { stsd in
        let one = Array(stsd.bytes[8...])
        stsd.bytes = Self.word(0) + Self.word(2) + one + one
      }
      try trak.update("mdia", "minf", "stbl", "stsc") { $0.bytes = Self.word(0) + Self.word(count) + entries }
    }
    try moov.uniteSampleDescriptions()
    let table = try #require(try moov.all("trak").first?.first("mdia", "minf", "stbl"))
    #expect(try table.first("stsd")?.sampleDescriptionCount == 1)
    let united = try #require(try table.first("stsc")).bytes
    #expect(united.count == 8 + 12 * count)
    #expect(
      stride(from: 8, to: united.count, by: 12).allSatisfy { united[$0 + 11] == 1 && united[$0 + 7] == 1 })
  }

  /// Returns a movie whose frames have one byte and one tick each.
  private static func movie(frames count: Int) throws -> Movie {
    var moov = try announcing(scale: 600, duration: 1)
    try moov.remove(["mvex"])
    try moov.changeAll("trak") { trak in
      try trak.update("mdia", "mdhd") { $0.bytes.replaceSubrange(20..<24, with: word(600)) }
      try trak.update("mdia", "minf", "stbl") { table in
        try table.update("stts") { $0.bytes = word(0) + word(1) + word(count) + word(1) }
        try table.update("stsc") { $0.bytes = word(0) + word(1) + word(1) + word(count) + word(1) }
        try table.update("stco") { $0.bytes = word(0) + word(1) + word(0) }
        try table.update("stsz") { $0.bytes = word(0) + word(1) + word(count) }
      }
    }
    let head = moov.serialized + word(count + 8) + Array("mdat".utf8)
    return try Movie(ReadingLimitsTests.SparseSource(head: head, count: head.count + count))
  }

  /// Listing all frames has its own limit. Operations that need no list still read the movie.
  @Test func framesThatAreListed() throws {
    let frames = try Self.movie(frames: 1000).frames
    #expect(frames.map(\.time) == Array(0..<1000) && frames.allSatisfy { $0.duration == 1 })
    let long = try Self.movie(frames: 1 << 22 + 1)
    #expect(try MovieSummary(long).frameCount == 1 << 22 + 1)
    #expect(problem { _ = try long.frames } == "the movie has more than 4194304 frames")
  }

  /// Another movie takes over user data entries, each kind once.
  @Test func manyEntriesOfUserData() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0002.MOV")))
    let place = try #require(try FileAtom.scan(MemoryByteSource(bytes)).first { $0.kind == "moov" })
    let entries = (0..<50_000).map { Atom(FourCC(rawValue: 0x7A7A_0000 + UInt32($0)), [1]) }
    var moov = try Self.moov()
    try moov.remove(["udta"])
    try moov.changeChildren { $0.append(Atom("udta", children: entries + entries)) }
    let changed = bytes[..<place.offset] + moov.serialized + bytes[place.range.upperBound...]
    var surgery = try MovieSurgery(MemoryByteSource(bytes))
    _ = try surgery.takeMetadata(from: Movie(MemoryByteSource(Array(changed))))
    let taken = try #require(try surgery.moov.first("udta")?.takenApart().children)
    #expect(Array(taken.suffix(50_000)) == entries && Set(taken.map(\.kind)).count == taken.count)
  }

  /// All values of a name are replaced, however often the name occurs.
  @Test func manyKeysOfOneName() throws {
    let count = 30_000
    let key = Self.word(9) + Array("mdtaa".utf8)
    let value = Atom("data", Self.word(1) + Self.word(0) + [0x62]).serialized
    let meta = Atom(
      "meta",
      Atom("hdlr", Self.word(0) + Self.word(0) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 12))
        .serialized
        + Atom("keys", Self.word(0) + Self.word(count) + repeatElement(key, count: count).joined()).serialized
        + Atom("ilst", (1...count).flatMap { Atom(FourCC(rawValue: UInt32($0)), value).serialized })
        .serialized)
    let items = try #require(try MetadataItems(MetadataItems.replacing(meta, "a", with: "new"))?.items)
    #expect(items.count == count && items.allSatisfy { $0.value == Array("new".utf8) })
  }

  /// A key that is declared repeatedly counts as one key, and is written once.
  @Test func aKeyThatIsDeclaredTwice() throws {
    let declaration = Atom("keyd", Array("mdtacom.example.one".utf8))
    let key = Atom(FourCC(rawValue: 1), children: [Atom](repeating: declaration, count: 3))
    let description = Atom(
      "mebx", [0, 0, 0, 0, 0, 0, 0, 1] + Atom("keys", children: [key]).serialized
    )
    let stsd = Atom("stsd", Self.word(0) + Self.word(1) + description.serialized)
    let read = try #require(try MetadataSampleDescription(stsd: stsd))
    #expect(read.keys.map(\.name) == ["com.example.one"] && read.keys.map(\.localID) == [1])
    #expect(read.stsd.bytes == stsd.bytes)
  }
}
