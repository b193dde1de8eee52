import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests of movies whose tables list more sample descriptions than their samples use. Their renders equal those of
/// movies without the extra descriptions.
@Suite struct SampleDescriptionTests {
  private static let unused: [UInt8] = [0, 0, 0, 16] + Array("none".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]

  private static let changes: [(name: String, change: @Sendable (inout [UInt8], inout [UInt8]) -> Void)] = [
    ("twice", { stsd, _ in stsd = [0, 0, 0, 0, 0, 0, 0, 2] + stsd[8...] + stsd[8...] }),
    (
      "twice, the second one in use",
      { stsd, stsc in
        stsd = [0, 0, 0, 0, 0, 0, 0, 2] + stsd[8...] + stsd[8...]
        for at in stride(from: 19, to: stsc.count, by: 12) { stsc[at] = 2 }
      }
    ),
    ("with one that nothing uses", { stsd, _ in stsd = [0, 0, 0, 0, 0, 0, 0, 2] + stsd[8...] + unused }),
  ]

  @Test(arguments: changes.indices, [true, false]) func theyAreReadAsOne(_ index: Int, _ isLossless: Bool)
    throws
  {
    let change = Self.changes[index].change
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let plain = try OddMovie("plain", OddMovie.sound + OddMovie.h264).make(in: folder)
    let (first, second) = (folder.file("first.mov"), folder.file("second.mov"))
    _ = try OddMovie.turn(plain, to: first, lossless: isLossless)
    let listed = try OddMovie("listed", OddMovie.sound + OddMovie.h264) { movie in
      for track in 0...1 {
        var (stsd, stsc): ([UInt8], [UInt8]) = ([], [])
        movie.track(track, "mdia", "minf", "stbl", "stsd") { stsd = $0.bytes }
        movie.track(track, "mdia", "minf", "stbl", "stsc") { stsc = $0.bytes }
        change(&stsd, &stsc)
        movie.track(track, "mdia", "minf", "stbl", "stsd") { $0.bytes = stsd }
        movie.track(track, "mdia", "minf", "stbl", "stsc") { $0.bytes = stsc }
      }
    }.make(in: other)
    _ = try OddMovie.turn(listed, to: second, lossless: isLossless)
    #expect(try Data(contentsOf: second) == Data(contentsOf: first), "\(Self.changes[index].name)")
  }
}

/// Tests of movies that really change their sample description midway, like two recordings joined without re-encoding.
@Suite struct ChangingDescriptionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns a movie of six frames without reordering, in one chunk.
  private func part(_ name: String, _ options: [String], size: String = "128x96") throws -> MovieFile {
    let made = try Tools.run(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=12:duration=0.5",
      ] + OddMovie.h264 + ["-bf", "0"] + options + [name], in: folder.url)
    try #require(made.status == 0, "\(made.standardError)")
    return try MovieFile(folder.file(name))
  }

  /// Joins two movies without re-encoding: the second movie's frames follow the first one's, with their own
  /// description.
  private func joined(_ first: MovieFile, _ second: MovieFile, as name: String) throws -> URL {
    func table(_ movie: MovieFile, _ kind: String) throws -> AtomTree {
      let track = try #require(movie.moov.children.first { $0.handler == "vide" })
      return try #require(track["mdia", "minf", "stbl", kind])
    }
    let sizes = try (table(first, "stsz").numbers(after: 12), table(second, "stsz").numbers(after: 12))
    let places = try (table(first, "stco").numbers(after: 8), table(second, "stco").numbers(after: 8))
    try #require(sizes.0.count == 6 && sizes.1.count == 6 && places.0.count == 1 && places.1.count == 1)
    let start = Int(places.1[0])
    let media = Array(second.before[start..<start + Int(sizes.1.reduce(0, +))])
    var movie = first
    let end = UInt32(movie.before.count)
    movie.before += AtomTree(kind: "mdat", bytes: media).serialized
    let descriptions = try table(first, "stsd").bytes[8...] + table(second, "stsd").bytes[8...]
    func list(_ numbers: [UInt32]) -> [UInt8] { numbers.flatMap { AtomTree.big($0) } }
    movie.track(0, "mdia", "minf", "stbl") { stbl in
      stbl.change(["stsd"]) { $0.bytes = list([0, 2]) + descriptions }
      stbl.change(["stsc"]) { $0.bytes = list([0, 2, 1, 6, 1, 2, 6, 2]) }
      stbl.change(["stco"]) { $0.bytes = list([0, 2, places.0[0], end + 8]) }
      stbl.change(["stsz"]) { $0.bytes = list([0, 0, 12] + sizes.0 + sizes.1) }
      stbl.change(["stts"]) { $0.bytes.replaceSubrange(8..<12, with: list([12])) }
      stbl.change(["stss"]) { $0.bytes = list([0, 2, 1, 7]) }
    }
    // Doubles the duration in all headers of version 0.
    func double(_ atom: inout AtomTree, _ at: Int) {
      let old = UInt32(AtomTree.number(atom.bytes[at..<at + 4]))
      atom.bytes.replaceSubrange(at..<at + 4, with: list([2 * old]))
    }
    movie.moov.change(["mvhd"]) { double(&$0, 16) }
    movie.track(0, "tkhd") { double(&$0, 20) }
    movie.track(0, "mdia", "mdhd") { double(&$0, 16) }
    movie.track(0, "edts", "elst") { double(&$0, 8) }
    try movie.write(folder.file(name))
    return folder.file(name)
  }

  /// Returns the description of each sample according to the `stsd` and `stsc` tables of a movie.
  private func tables(_ movie: URL) throws -> (descriptions: [UInt8], chunks: [UInt32]) {
    let moov = try #require(AtomTree.read(movie).first { $0.kind == "moov" })
    let track = try #require(moov.children.first { $0.handler == "vide" })
    let (stsd, stsc) = (track["mdia", "minf", "stbl", "stsd"], track["mdia", "minf", "stbl", "stsc"])
    return (try #require(stsd).bytes, try #require(stsc).numbers(after: 8))
  }

  @Test func theyAreTurned() throws {
    let first = try part("first.mov", [])
    let second = try part("second.mov", ["-profile:v", "baseline", "-refs", "3", "-level", "4.0"])
    let movie = try joined(first, second, as: "joined.mov")
    let before = try (ProbedMovie(movie), tables(movie))
    try #require(before.0.packets(ofVideo: true, ["pts"]).count == 12)

    let lossless = folder.file("lossless.mov")
    _ = try OddMovie.turn(movie, to: lossless, lossless: true)
    #expect(try tables(lossless) == before.1)
    let media = ["pts", "flags", "size", "data_hash"]
    #expect(try ProbedMovie(lossless).packets(ofVideo: true, media) == before.0.packets(ofVideo: true, media))
    #expect(try OddMovieTests().leastPSNR(lossless, movie) >= 99)

    let baked = folder.file("baked.mov")
    _ = try OddMovie.turn(movie, to: baked, lossless: false)
    let after = try tables(baked)
    #expect(Array(after.descriptions[4..<8]) == [0, 0, 0, 1])
    #expect(stride(from: 2, to: after.chunks.count, by: 3).allSatisfy { after.chunks[$0] == 1 })
    #expect(
      try ProbedMovie(baked).packets(ofVideo: true, ["pts"]) == before.0.packets(ofVideo: true, ["pts"]))
    #expect(try OddMovieTests().leastPSNR(baked, movie) > 30)
  }

  /// Frames of another size need a different edit.
  @Test func framesOfAnotherSizeAreTurnedByTheMatrixOnly() throws {
    let movie = try joined(part("first.mov", []), part("second.mov", [], size: "96x96"), as: "joined.mov")
    let before = try tables(movie)
    let lossless = folder.file("lossless.mov")
    _ = try OddMovie.turn(movie, to: lossless, lossless: true)
    #expect(try tables(lossless) == before)
    let error = #expect(throws: EditError.self) {
      try OddMovie.turn(movie, to: folder.file("baked.mov"), lossless: false)
    }
    #expect(
      error?.description.contains(
        "change codec, size or colours partway through the movie; rotate the movie with --lossless") == true)
  }

  /// No sample can use a number without a description.
  @Test func descriptionsThatAreMissingAreRefused() throws {
    var movie = try part("first.mov", [])
    movie.track(0, "mdia", "minf", "stbl", "stsc") { $0.bytes[19] = 2 }
    try movie.write(folder.file("broken.mov"))
    let error = #expect(throws: EditError.self) {
      try OddMovie.turn(folder.file("broken.mov"), to: folder.file("out.mov"), lossless: true)
    }
    #expect(
      error?.description.contains("has no sample description 2") == true, "\(String(describing: error))")
  }
}
