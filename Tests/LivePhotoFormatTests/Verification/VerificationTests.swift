import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests that break one thing at a time and expect the one rule that reports it.
@Suite struct VerificationTests {
  @Test(arguments: ["IMG_0001", "IMG_0002", "IMG_0003"])
  func fixturesAreValid(_ name: String) throws {
    let pair = try Pair(name)
    #expect(try pair.rules() == [])
    #expect(try pair.verify().verdict == .valid)
  }

  @Test func halvesThatAreMissingAreNamed() throws {
    let pair = try Pair("IMG_0001")
    let photo = try PhotoEvidence(reading: MemoryByteSource(pair.photo), fileExtension: "JPG")
    let alone = LivePhotoVerification(photo: photo, movie: nil, pictures: PictureCheck())
    #expect(alone.findings.map(\.rule) == [.movieMissing])
    let movie = try MovieEvidence(reading: MemoryByteSource(pair.movie))
    let other = LivePhotoVerification(photo: nil, movie: movie, pictures: PictureCheck())
    #expect(other.findings.map(\.rule) == [.photoMissing])
    #expect(other.verdict == .invalid)
  }

  @Test func identifiersAreCompared() throws {
    var pair = try Pair("IMG_0001")
    let identifier = "7D3B2C10-5E0A-4C52-9F6B-0A1D84E3C9F1"
    let other = "00000000-0000-4000-8000-000000000000"
    try pair.replaceInMovie(identifier, other)
    #expect(try pair.rules() == [.identifiersEqual])
    try pair.replaceInPhoto(identifier, other)
    #expect(try pair.rules() == [])
    // The same identifier in lower case: equal, but not the form that Photos writes.
    let lower = "7d3b2c10-5e0a-4c52-9f6b-0a1d84e3c9f1"
    try pair.replaceInPhoto(other, lower)
    #expect(try pair.rules() == [.identifiersEqual, .identifierForm])
    try pair.replaceInMovie(other, lower)
    #expect(try pair.rules() == [.identifierForm, .identifierForm])
  }

  @Test func missingIdentifiersAreNamed() throws {
    var pair = try Pair("IMG_0001")
    try pair.replaceInMovie(
      "com.apple.quicktime.content.identifier", "com.apple.quicktime.content.identifieR")
    #expect(try pair.rules() == [.movieIdentifier])
    pair = try Pair("IMG_0001")
    // The entry of tag 0x0011 in Apple's note (ASCII, 37 bytes) becomes an entry of another tag.
    try pair.replaceInPhoto([0, 0x11, 0, 2, 0, 0, 0, 37], [0, 0x12, 0, 2, 0, 0, 0, 37])
    #expect(try pair.rules() == [.photoIdentifier])
  }

  @Test func metadataWithVersionAndFlagsIsPassedOver() throws {
    var pair = try Pair("IMG_0001")
    try pair.changeMovie { try $0.update("meta") { $0.bytes = [0, 0, 0, 0] + $0.bytes } }
    #expect(try pair.rules() == [.metadataPlain])
  }

  @Test func metadataInUserDataIsPassedOver() throws {
    var pair = try Pair("IMG_0001")
    try pair.changeMovie { moov in
      let meta = try #require(try moov.first("meta"))
      try moov.remove(["meta", "udta"])
      try moov.put(Atom("udta", Atom("meta", [0, 0, 0, 0] + meta.bytes).serialized))
    }
    #expect(try pair.rules() == [.metadataPlain])
    // It is still compared.
    try pair.replaceInPhoto(
      "7D3B2C10-5E0A-4C52-9F6B-0A1D84E3C9F1", "00000000-0000-4000-8000-000000000000")
    #expect(try pair.rules() == [.metadataPlain, .identifiersEqual])
  }

  @Test func theStillTimeLiesInTheMovie() throws {
    var pair = try Pair("IMG_0001")
    try pair.changeTrack(4) { trak in
      // The empty edit before the still, 480 of 1021 ticks.
      try trak.update("edts", "elst") { $0.bytes.replace(at: 8, bigEndian: UInt32(1030)) }
    }
    #expect(try pair.rules() == [.stillTimeInMovie])
    pair = try Pair("IMG_0001")
    try pair.changeMovie { moov in
      try moov.changeChildren { children in
        children.removeAll { $0.kind == "trak" && (try? TrackHeader($0.first("tkhd") ?? $0))?.trackID == 4 }
      }
    }
    #expect(try pair.rules() == [.stillImageTime])
  }

  @Test func aMovieLasts() throws {
    var pair = try Pair("IMG_0001")
    try pair.changeMovie { try $0.update("mvhd") { $0.bytes.replace(at: 16, bigEndian: UInt32(0)) } }
    #expect(try pair.rules() == [.duration])
  }

  @Test(arguments: [UInt32(0x00F0_0000), 304_000])
  func samplesLieInTheMedia(_ offset: UInt32) throws {
    var pair = try Pair("IMG_0001")
    // One offset lies beyond the file, the other among the atoms of `moov`.
    try pair.changeTrack(3) { trak in
      try trak.update("mdia", "minf", "stbl", "stco") { $0.bytes.replace(at: 8, bigEndian: offset) }
    }
    #expect(try pair.rules() == [.sampleTables])
  }

  /// Samples may be stored in the second of several media atoms, but not between the atoms.
  @Test func mediaMayLieInSeveralAtoms() throws {
    var pair = try Pair("IMG_0001")
    let atom: [UInt8] = [0, 0, 0, 40] + Array("mdat".utf8) + [UInt8](repeating: 9, count: 32)
    let start = UInt32(pair.movie.count)
    pair.movie += atom + atom
    // Moves the nine bytes of the still-image-time track.
    func moveStill(to offset: UInt32) throws -> [VerificationRule] {
      var moved = pair
      let place = try #require(try FileAtom.scan(MemoryByteSource(moved.movie)).first { $0.kind == "moov" })
      let (children, tail) = try Atom.parseAll(moved.movie[place.contentOffset..<place.offset + place.size])
      var moov = Atom("moov", children: children, tail: tail)
      try moov.changeAll("trak") { trak in
        guard let tkhd = try trak.first("tkhd"), try TrackHeader(tkhd).trackID == 4 else { return }
        try trak.update("mdia", "minf", "stbl", "stco") { $0.bytes.replace(at: 8, bigEndian: offset) }
      }
      moved.movie.replaceSubrange(place.offset..<place.offset + place.size, with: moov.serialized)
      return try moved.rules()
    }
    #expect(try moveStill(to: start + 8) == [])
    #expect(try moveStill(to: start + 71) == [])
    #expect(try moveStill(to: start + 32) == [.sampleTables])
    #expect(try moveStill(to: start + 40) == [.sampleTables])
    #expect(try moveStill(to: start + 72) == [.sampleTables])
  }

  @Test func sampleTablesAgreeWithEachOther() throws {
    var pair = try Pair("IMG_0001")
    try pair.changeTrack(1) { trak in
      try trak.update("mdia", "minf", "stbl", "stts") { $0.bytes.replace(at: 8, bigEndian: UInt32(1000)) }
    }
    #expect(try pair.rules() == [.sampleTables])
  }

  @Test(arguments: [[1, 9999], [2, 3], [1, 1], []])
  func syncSamplesExist(_ samples: [UInt32]) throws {
    var pair = try Pair("IMG_0001")
    try pair.changeTrack(1) { trak in
      var table: [UInt8] = [0, 0, 0, 0]
      table.append(bigEndian: UInt32(samples.count))
      for sample in samples { table.append(bigEndian: sample) }
      try trak.update("mdia", "minf", "stbl") { try $0.put(Atom("stss", table)) }
    }
    #expect(try pair.rules() == [.syncTable])
  }

  @Test func syncSamplesAreTheKeyFrames() throws {
    let pair = try Pair("IMG_0003")
    let movie = try Movie(MemoryByteSource(pair.movie))
    let table = try #require(try movie.video.samples.syncSamples)
    // ffprobe reports the display order of the frames, and which of them are keyframes.
    let keys = try Tools.ffprobe(
      TestFiles.fixture("IMG_0003.MOV"), "-ignore_editlist", "1", "-select_streams", "v:0", "-show_entries",
      "frame=key_frame"
    ).enumerated().filter { $0.element.hasPrefix("1") }.map(\.offset)
    #expect(keys.count == table.count)
    func rules(_ keys: [Int]) throws -> [VerificationRule] {
      let decoded = PictureCheck.Movie(outcome: .decoded, frameCount: 36, keyFrames: keys)
      return try pair.verify(PictureCheck(movie: decoded)).findings.map(\.rule)
    }
    #expect(try rules(keys) == [])
    #expect(try rules(Array(keys.dropLast())) == [.syncTable])
    #expect(try rules(keys + [1]) == [.syncTable])
  }

  @Test func theMatrixTurnsAtTheOrigin() throws {
    var pair = try Pair("IMG_0001")
    try pair.changeTrack(1) { try $0.changeMatrix { $0[6] = 4284 << 16 } }
    #expect(try pair.rules() == [.matrixOrigin])
    // Uses a rotation without a translation, as Android writes it.
    try pair.changeTrack(1) { try $0.changeMatrix { ($0[6], $0[7]) = (0, 0) } }
    #expect(try pair.rules() == [])
    try pair.changeTrack(1) { try $0.changeMatrix { $0[1] = 1 << 15 } }
    #expect(try pair.rules() == [.matrixTurn])
    pair = try Pair("IMG_0001")
    try pair.changeTrack(1) { trak in
      try trak.changeMatrix { $0 = TrackHeader.Matrix(.up, width: 480 << 16, height: 360 << 16).entries }
    }
    #expect(try pair.rules() == [.displayedShape])
    #expect(try pair.verify().verdict == .valid)
  }

  @Test func aperturesFit() throws {
    var pair = try Pair("IMG_0001")
    try pair.replaceInMovie(try Pair.clap(436), try Pair.clap(482))
    #expect(try pair.rules() == [.cleanAperture])
    pair = try Pair("IMG_0001")
    try pair.changeTrack(1) { trak in
      try trak.update("tapt", "prof") { $0.bytes.replace(at: 4, bigEndian: UInt32(500 << 16)) }
    }
    #expect(try pair.rules() == [.trackApertures])
  }

  @Test func thereIsOneVideoTrackInAKnownFormat() throws {
    var pair = try Pair("IMG_0003")
    try pair.changeTrack(1) { trak in
      try trak.update("mdia", "hdlr") { $0.bytes.replace(at: 8, bigEndian: ("auxv" as FourCC).rawValue) }
    }
    #expect(try pair.rules() == [.oneVideoTrack])
    pair = try Pair("IMG_0003")
    try pair.replaceInMovie("hvc1", "hev1")
    #expect(try pair.rules() == [.videoFormat])
  }

  @Test func metadataTracksSayWhatTheyCarry() throws {
    var pair = try Pair("IMG_0001")
    try pair.changeTrack(3) { trak in
      try trak.update("mdia", "minf", "stbl", "stsd") { stsd in
        let at = 8 + 16 + 4
        stsd.bytes.replace(at: at, bigEndian: ("free" as FourCC).rawValue)
      }
    }
    #expect(try pair.rules() == [.metadataDescriptions])
    try pair.changeTrack(3) { trak in
      // The stated size of the key table exceeds that of its description.
      try trak.update("mdia", "minf", "stbl", "stsd") { $0.bytes.replace(at: 24, bigEndian: UInt32(5000)) }
    }
    #expect(try pair.rules() == [.metadataDescriptions, .notChecked])
    #expect(try pair.verify().verdict == .unverified)
  }

  /// Google's timed metadata states its content as a media type (ISO/IEC 14496-12 section 12.3.3).
  @Test func otherTimedMetadataHasNoKeys() throws {
    var pair = try Pair("IMG_0001")
    try pair.changeTrack(3) { trak in
      try trak.update("mdia", "minf", "stbl", "stsd") {
        $0.bytes.replace(at: 12, bigEndian: ("mett" as FourCC).rawValue)
      }
    }
    #expect(try pair.rules() == [])
  }

  @Test func mediaThatNothingRefersToIsNamed() throws {
    var pair = try Pair("IMG_0001")
    var dead: [UInt8] = []
    dead.append(bigEndian: UInt32(20_008))
    pair.movie += dead + Array("mdat".utf8) + [UInt8](repeating: 7, count: 20_000)
    #expect(try pair.rules() == [.deadMedia])
  }

  @Test func damagedFilesAreNamed() throws {
    var pair = try Pair("IMG_0001")
    pair.movie.removeLast(2000)
    #expect(try pair.rules() == [.movieReadable])
    pair.movie = []
    #expect(try pair.rules() == [.movieReadable])
    pair = try Pair("IMG_0001")
    pair.photo.removeLast(2000)
    #expect(try pair.rules() == [.photoReadable])
    pair.photo = Array("just text".utf8)
    #expect(try pair.rules() == [.photoReadable])
    pair.photo = []
    #expect(try pair.rules() == [.photoReadable])
  }

  @Test func contentAndNameMustAgree() throws {
    var pair = try Pair("IMG_0001")
    #expect(try pair.rules(fileExtension: "HEIC") == [.fileType])
    pair.photo = [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)
    #expect(try pair.rules(fileExtension: "HEIC") == [.photoReadable])
    #expect(try pair.rules(fileExtension: "JPG") == [.photoReadable, .fileType])
  }

  @Test func whatDecodingShowedCounts() throws {
    let pair = try Pair("IMG_0001")
    func rules(_ photo: PictureCheck.Photo?, _ movie: PictureCheck.Movie? = nil) throws -> [VerificationRule]
    {
      try pair.verify(PictureCheck(photo: photo, movie: movie)).findings.map(\.rule)
    }
    #expect(try rules(.init(outcome: .damaged("x"))) == [.photoDecodes])
    #expect(try rules(.init(outcome: .unsupported("x"))) == [.notChecked])
    #expect(try rules(.init(outcome: .decoded, thumbnail: .unreadable)) == [.thumbnail])
    #expect(try rules(.init(outcome: .decoded, thumbnail: .likeness(12))) == [.thumbnail])
    #expect(try rules(.init(outcome: .decoded, thumbnail: .likeness(30))) == [])
    #expect(try rules(nil, .init(outcome: .damaged("x"))) == [.movieDecodes])
    #expect(try rules(nil, .init(outcome: .unsupported("x"))) == [.notChecked])
  }

  @Test func damagedFramesAndSoundAreNamed() throws {
    let pair = try Pair("IMG_0001")
    func findings(_ movie: PictureCheck.Movie) throws -> [VerificationFinding] {
      // Keyframes are not listed here.
      try pair.verify(PictureCheck(movie: movie)).findings.filter { $0.rule != .syncTable }
    }
    var frames = PictureCheck.Movie(outcome: .damaged("it is broken"))
    frames.damage.add(4, at: 0.1334)
    let one = try findings(frames)
    #expect(
      one.map(\.message.description) == [
        "The movie cannot be decoded: it is broken. 1 frame is damaged: frame 5 at 0.133 s. Later frames up to the next "
          + "keyframe may also show the damage."
      ])
    for number in 20...22 { frames.damage.add(number, at: Double(number) / 30) }
    #expect(
      try #require(findings(frames).first).message.contains(
        "4 frames are damaged: frame 5 at 0.133 s, frames 21 to 23 from 0.667 s to 0.733 s."))
    for number in stride(from: 100, to: 140, by: 2) { frames.damage.add(number, at: 9) }
    #expect(try #require(findings(frames).first).message.contains("frame 111 at 9.0 s, and 14 more."))

    var movie = PictureCheck.Movie(outcome: .decoded)
    var sound = PictureCheck.Sound(track: 2, outcome: .decoded)
    movie.sound = [sound]
    #expect(try findings(movie) == [])
    sound.packetCount = 88
    for number in [3, 4, 9] { sound.damage.add(number, at: Double(number) / 43) }
    sound.stop = PictureCheck.Sound.Stop(seconds: 1.5, end: 3)
    movie.sound = [
      sound,
      PictureCheck.Sound(track: 3, outcome: .unsupported("the audio codec is not supported (apac)")),
    ]
    #expect(try pair.verify(PictureCheck(movie: movie)).verdict == .valid)
    let found = try findings(movie)
    #expect(found.map(\.rule) == [.soundDecodes, .soundDecodes, .soundFormat])
    #expect(
      found.map(\.message.description) == [
        "3 of the 88 packets in the movie's audio track 2 cannot be decoded: from 0.07 s to 0.093 s, at 0.209 s.",
        "Audio track 2 in the movie can be decoded only for the first 1.5 s of its 3.0 s.",
        "Audio track 3 in the movie was not decoded: the audio codec is not supported (apac).",
      ])
  }
}
