import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Image sequences: an AVIF by ffmpeg as it is, and a HEIC photo with tracks that ffmpeg encoded.
struct HEIFSequenceTests {
  /// The kinds of sequences.
  enum Kind: String, CaseIterable, Sendable {
    /// ffmpeg's own, whose item and track share bytes.
    case avif
    /// A photo with a track of pictures, and one that is auxiliary to it.
    case heic
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func made(_ kind: Kind) throws -> [UInt8] {
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

  /// A photo with the tracks of a movie behind it, whose offsets are moved.
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
    // A reference in the place of the second track's edit list.
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

  private func turned(_ bytes: [UInt8], _ turn: Orientation, identifier: String? = nil) throws -> [UInt8] {
    let sink = MemoryByteSink()
    _ = try HEIFFile(Photo(MemoryByteSource(bytes))).write(turn: turn, identifier: identifier, to: sink)
    return sink.bytes
  }

  /// What ffmpeg shows of the first track, frame by frame.
  private func frames(_ file: URL, _ options: [String]) throws -> [String] {
    let before = options.isEmpty ? [] : ["-noautorotate"]
    let answer = try Tools.run(
      ["ffmpeg", "-v", "error"] + before + ["-i", file.path, "-map", "0:v:0"] + options
        + ["-f", "framemd5", "-"])
    return answer.text.split(separator: "\n").filter { !$0.hasPrefix("#") || $0.hasPrefix("#dimensions") }
      .map(String.init)
  }

  /// The coded samples of all tracks, as ffprobe finds them by the tables.
  private func packets(_ file: URL) throws -> String {
    try Tools.run(
      ["ffprobe", "-v", "error", "-show_packets", "-show_data_hash", "md5"]
        + ["-show_entries", "packet=stream_index,pts,duration,data_hash", "-of", "csv", file.path]
    ).text
  }

  private static let filters: [Orientation: String] = [
    .up: "null", .upMirrored: "hflip", .down: "hflip,vflip", .downMirrored: "vflip",
    .leftMirrored: "transpose=cclock_flip", .right: "transpose=clock", .rightMirrored: "transpose=clock_flip",
    .left: "transpose=cclock",
  ]

  /// Each kind with each turn, in a quick run each turn of one of them.
  static let turns: [(kind: Kind, turn: Orientation)] = Kind.allCases.enumerated().flatMap { row, kind in
    Cases.chosen(Orientation.allCases) { column, _ in (row + column) % 2 == 0 }.map { (kind, $0) }
  }

  /// ffmpeg shows the frames as its own filters turn them, and finds the very samples.
  @Test(arguments: turns)
  func tracksTurn(kind: Kind, turn: Orientation) throws {
    let bytes = try made(kind)
    let old = try folder.write(bytes, to: "old.heic")
    // Longer than the one that it has, so that Exif grows and everything behind it moves.
    let identifier = kind == .heic ? "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0-AND-MORE" : nil
    let output = try turned(bytes, turn, identifier: identifier)
    let new = try folder.write(output, to: "new.heic")
    #expect(output.count > bytes.count || kind == .avif && turn == .up)

    let shown = try frames(new, [])
    #expect(shown.count == 6)
    #expect(shown == (try frames(old, ["-vf", Self.filters[turn] ?? "null"])))
    let samples = try packets(old)
    #expect(samples.split(separator: "\n").count == (kind == .heic ? 10 : 5))
    #expect(samples == (try packets(new)))
    let tags = try Tools.exiftool(new)
    if kind == .heic { #expect(tags["Track1:MatrixStructure"] == tags["Track2:MatrixStructure"]) }

    // The items turn as those of a photo without tracks do, and keep their data.
    let (before, after) = (try WalkedHEIF.read(old), try WalkedHEIF.read(new))
    for (number, item) in before.items where item.type != "Exif" && item.contentType == nil {
      #expect(after.items[number]?.sha == item.sha)
    }
    let file = try HEIFFile(Photo(MemoryByteSource(output)))
    let tracks = try #require(try file.sequence()).tracks
    #expect(tracks.allSatisfy { $0.header.matrix.orientation == turn })
    let first = try HEIFFile(Photo(MemoryByteSource(bytes))).photoOrientation
    #expect(file.photoOrientation == first.then(turn))
    #expect(!(try file.findings()).contains { [.itemData, .auxiliaryPictures].contains($0.rule) })
    let back = try folder.write(turned(output, turn.inverse), to: "back.heic")
    #expect(try frames(back, []) == frames(old, ["-vf", "null"]))
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

  /// An auxiliary track that lies otherwise is found.
  @Test func verificationComparesTracks() throws {
    var bytes = try turned(made(.heic), .down)
    let places = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual("tkhd".utf8) }
    let second = try #require(places.last)
    // The matrix stands behind 40 bytes of other fields.
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
    expect(bytes + Atom("moof", words: [0, 0]).serialized, "fragments")
    let handler = try #require(Data(bytes).range(of: Data("auxv".utf8))?.lowerBound)
    var movie = bytes
    movie.replaceSubrange(handler..<handler + 4, with: Array("vide".utf8))
    expect(movie, "movie beside")
    let place = try #require(Data(bytes).range(of: Data("meta".utf8))?.lowerBound)
    var bare = bytes
    bare.replaceSubrange(place..<place + 4, with: Array("free".utf8))
    expect(bare, "without a picture")

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

  /// Tables cut anywhere are refused or written, and never trap.
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
