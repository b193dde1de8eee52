import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of image sequences: an unchanged AVIF from ffmpeg, and a HEIC photo with tracks encoded by ffmpeg.
struct HEIFSequenceTests {
  /// The kind of sequence.
  enum Kind: String, CaseIterable, Sendable {
    /// An AVIF from ffmpeg, whose item and track share bytes.
    case avif
    /// A photo with a picture track and a track auxiliary to it.
    case heic
  }

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func made(_ kind: Kind) throws -> [UInt8] {
    let encoder =
      kind == .avif
      ? ["-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "40", "made.avif"]
      : ["-map", "0", "-map", "0", "-c:v", "libx265", "-x265-params", "log-level=error", "-tag:v", "hvc1"]
        + ["-movflags", "faststart", "made.mp4"]
    let source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1", "-pix_fmt", "yuv420p"]
    let answer = try Tools.run(["ffmpeg", "-v", "error", "-y"] + source + encoder, in: folder.url)
    guard answer.status == 0 else { throw ToolFailure("ffmpeg said: \(answer.standardError)") }
    let bytes = try folder.read("made.\(kind == .avif ? "avif" : "mp4")")
    return kind == .avif ? bytes : try Self.joined(HEICPhotos.bytes("IMG_0004.HEIC"), tracks: bytes)
  }

  /// Returns a photo followed by the tracks of a movie, with adjusted offsets.
  private static func joined(_ photo: [UInt8], tracks movie: [UInt8]) throws -> [UInt8] {
    var bytes = movie
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    func places(_ word: String) -> [Int] {
      let end = Data(bytes).firstRange(of: Data("mdat".utf8))?.lowerBound ?? bytes.count
      return (0..<end).filter { bytes[$0..<min($0 + 4, bytes.count)].elementsEqual(word.utf8) }
    }
    let start = number(0)
    let handlers = places("hdlr").map { $0 + 12 }.filter { bytes[$0..<$0 + 4].elementsEqual("vide".utf8) }
    guard handlers.count == 2 else { throw ToolFailure("ffmpeg wrote other tracks") }
    for (place, handler) in zip(handlers, ["pict", "auxv"]) {
      bytes.replaceSubrange(place..<place + 4, with: Array(handler.utf8))
    }
    // Replaces the second track's edit list by a reference.
    let edits = places("edts")
    guard edits.count == 2, number(edits[1] - 4) == 36 else { throw ToolFailure("ffmpeg wrote other edits") }
    let reference = Atom(
      "tref", Atom("auxl", words: [1]).serialized + Atom("free", words: [0, 0]).serialized)
    bytes.replaceSubrange(edits[1] - 4..<edits[1] + 32, with: reference.serialized)
    for table in places("stco") {
      for entry in 0..<number(table + 8) {
        let place = table + 12 + 4 * entry
        let offset = number(place) + photo.count - start
        bytes.replaceSubrange(place..<place + 4, with: ByteOrder.big.bytes(of: offset, width: 4))
      }
    }
    return photo + bytes[start...]
  }

  func turned(_ bytes: [UInt8], _ turn: Orientation, identifier: String? = nil) throws -> [UInt8] {
    let sink = MemoryByteSink()
    _ = try HEIFFile(Photo(MemoryByteSource(bytes))).write(turn: turn, identifier: identifier, to: sink)
    return sink.bytes
  }

  @Test func inspectionListsTracks() throws {
    let bytes = try turned(made(.heic), .right)
    let heif = try #require(try PhotoInspection(Photo(MemoryByteSource(bytes))).heif)
    let tracks = try #require(heif.tracks)
    #expect(tracks.map(\.handler) == ["pict", "auxv"])
    #expect(tracks.map(\.format) == ["hvc1", "hvc1"])
    #expect(tracks.compactMap(\.orientation) == [6, 6])
    #expect(tracks.map(\.sampleCount) == [5, 5])
    #expect(tracks.map(\.seconds) == [1.0, 1.0])
    #expect(tracks.map(\.width) == [64, 64] && tracks.map(\.height) == [48, 48])
    #expect(tracks.last?.references.first?.kind == "auxl")
    #expect(tracks.last?.references.first?.items == [UInt32(1)])
    let plain = try HEICPhotos.bytes("IMG_0004.HEIC")
    #expect(try PhotoInspection(Photo(MemoryByteSource(plain))).heif?.tracks?.count == nil)
  }

  /// An auxiliary track with a different orientation is found.
  @Test func verificationComparesTracks() throws {
    var bytes = try turned(made(.heic), .down)
    let places = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual("tkhd".utf8) }
    let second = try #require(places.last)
    // The matrix follows 40 bytes of other fields.
    bytes.replaceSubrange(second + 44..<second + 48, with: [0, 1, 0, 0])
    let findings = try HEIFFile(Photo(MemoryByteSource(bytes))).findings()
    #expect(findings.contains { $0.rule == .auxiliaryPictures })
  }

  @Test func refusesWhatWouldNotBeTrue() throws {
    let bytes = try made(.heic)
    func expect(_ bytes: [UInt8], _ word: String) {
      let error = #expect(throws: MediaError.self) { try turned(bytes, .right) }
      #expect(error?.problem.contains(word) ?? false, "\(String(describing: error))")
      #expect(error?.isUnsupported ?? false)
    }
    expect(bytes + Atom("moof", words: [0, 0]).serialized, "fragmented")
    let handler = try #require(Data(bytes).range(of: Data("auxv".utf8))?.lowerBound)
    var movie = bytes
    movie.replaceSubrange(handler..<handler + 4, with: Array("vide".utf8))
    expect(movie, "also contains a movie")
    let place = try #require(Data(bytes).range(of: Data("meta".utf8))?.lowerBound)
    var bare = bytes
    bare.replaceSubrange(place..<place + 4, with: Array("free".utf8))
    expect(bare, "without a still picture")

    let file = try HEIFFile(Photo(MemoryByteSource(bytes)))
    let edited = #expect(throws: MediaError.self) { try file.checkIsOnePicture() }
    #expect(edited?.problem.contains("image sequence") ?? false)
    for what in PrivateMetadata.allCases {
      let stripped = #expect(throws: MediaError.self) {
        try file.write(without: what, identifier: nil, to: MemoryByteSink())
      }
      #expect(stripped?.problem.contains("image sequence") ?? false)
    }
  }

  /// Tables truncated at any point are refused or written, and never cause a trap.
  @Test func hostileTracksDoNotTrap() throws {
    let bytes = try made(.heic)
    let moov = try #require(Data(bytes).range(of: Data("moov".utf8))?.lowerBound)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<3 {
        let place = Int.random(in: moov..<moov + 3000, using: &generator)
        damaged[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
      }
      do { _ = try turned(damaged, .right) } catch is MediaError { continue }
    }
  }
}
