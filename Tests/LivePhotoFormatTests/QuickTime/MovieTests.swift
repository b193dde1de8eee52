import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

@Suite struct MovieTests {
  @Test(arguments: movieFiles())
  func agreesWithFFprobe(_ file: URL) throws {
    let summary = try MovieSummary(try source(file))
    let stream = try Tools.ffprobe(
      file, "-select_streams", "v:0", "-show_entries", "stream=codec_tag_string,width,height,nb_frames")
    #expect(
      stream.first.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
        == "\(summary.videoFormat),\(summary.storedWidth),\(summary.storedHeight),\(summary.frameCount)")
    let tags = try Tools.exiftool(file)
    #expect(tags["Keys:ContentIdentifier"] == summary.contentIdentifier)
    let index = try #require(Movie(source(file)).tracks.firstIndex { $0.handler == "vide" })
    let matrix = try #require(tags["Track\(index + 1):MatrixStructure"])
      .split(separator: " ").compactMap { Double($0) }
    let m = summary.orientation.matrix
    #expect([m.a, m.b, m.c, m.d].map(Double.init) == [matrix[0], matrix[1], matrix[3], matrix[4]])
  }

  @Test(arguments: movieFiles())
  func presentationTimesAreThoseOfFFprobe(_ file: URL) throws {
    let movie = try Movie(try source(file))
    let track = try movie.video
    let ours = track.samples.compositionTimes
      .map { track.presentationTime(of: $0, movieTimeScale: movie.timeScale) }.sorted()
    let theirs = try Tools.ffprobe(file, "-select_streams", "v:0", "-show_entries", "packet=pts_time")
      .compactMap { Double($0.replacingOccurrences(of: ",", with: "")) }.sorted()
    #expect(ours.count == theirs.count)
    for (a, b) in zip(ours, theirs) { #expect(abs(a - b) < 1e-5) }
  }

  @Test(arguments: movieFiles())
  func atomsComeBackByteForByte(_ file: URL) throws {
    let source = try source(file)
    let movie = try Movie(source)
    let place = try #require(movie.fileAtoms.first { $0.kind == "moov" })
    #expect(movie.moov.serialized == (try source.read(at: place.offset, count: place.size)))
  }

  /// An atom that was not parsed must not appear to have no children.
  @Test func childrenOfAnUnparsedAtomAreNotNone() throws {
    let name: [UInt8] = [0, 0, 0, 12] + Array("name".utf8) + [1, 2, 3, 4]
    var moov = Atom("moov", children: [Atom("udta", name), Atom("mdia", children: [])])
    #expect(throws: MediaError.self) { try moov.first("udta", "name") }
    #expect(throws: MediaError.self) { try moov.first("udta")?.children }
    #expect(throws: MediaError.self) { try moov.update("udta", "name") { $0.bytes = [] } }
    #expect(throws: MediaError.self) { try moov.update("udta") { try $0.remove(["name"]) } }
    #expect(throws: MediaError.self) { try moov.update("udta") { try $0.put(Atom("name", [])) } }
    #expect(try moov.first("udta")?.bytes == name)
    #expect(try moov.first("mdia")?.children == [] && moov.first("mdia", "minf") == nil)
    #expect(moov.bytes == [0, 0, 0, 20] + Array("udta".utf8) + name + [0, 0, 0, 8] + Array("mdia".utf8))
  }

  @Test func wideChunkOffsetsAreRead() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
    let movie = try Movie(MemoryByteSource(bytes))
    // The `moov` atom is last, so that it can grow without moving any media.
    let place = try #require(movie.fileAtoms.last)
    try #require(place.kind == "moov")
    var moov = movie.moov
    try moov.changeAll("trak") { trak in
      try trak.update("mdia", "minf", "stbl") { stbl in
        guard let old = try stbl.first("stco")?.bytes else { return }
        let entries = stride(from: 8, to: old.count, by: 4).flatMap { [0, 0, 0, 0] + old[$0..<$0 + 4] }
        try stbl.remove(["stco"])
        try stbl.put(Atom("co64", Array(old[..<8]) + entries))
      }
    }
    let wide = try Movie(MemoryByteSource(Array(bytes[..<place.offset]) + moov.serialized))
    #expect(wide.tracks.map(\.samples.chunks) == movie.tracks.map(\.samples.chunks))
  }

  @Test(arguments: ["IMG_0001.MOV", "IMG_0002.MOV", "IMG_0003.MOV"])
  func truncatedMoviesAreRefused(_ name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture(name)))
    let step = max(1, bytes.count / 400)
    for count in stride(from: 0, to: bytes.count - 1, by: step) {
      #expect(throws: MediaError.self) { try Movie(MemoryByteSource(Array(bytes[..<count]))) }
    }
  }
}
