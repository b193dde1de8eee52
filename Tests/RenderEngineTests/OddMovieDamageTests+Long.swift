import Basics
import EditModel
import Foundation
import LivePhotoFormat
import TestSupport
import Testing

@testable import RenderEngine

/// Tests that damaged movies cause an error or a movie, never a crash or a hang.
@Suite struct OddMovieDamageTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A sink that collects a writer's bytes in memory.
  final class Sink: ByteSink {
    var bytes: [UInt8] = []

    func write(_ new: [UInt8]) throws { bytes += new }

    func overwrite(at offset: Int, _ new: [UInt8]) throws {
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    }
  }

  /// Kinds that together have every table and track, small enough for thousands of cases.
  static let kinds: [String] = [
    "MP4 brand", "several sound tracks", "packets of sound in an old table", "chapters", "stz2", "co64",
    "several edits", "version 1 headers", "moov before the media", "reordered HEVC in MP4",
    "non-square pixels", "IMG_0001.MOV", "IMG_0002.MOV", "IMG_0003.MOV",
  ]

  /// Returns the bytes of a kind of movie or of a fixture.
  func movie(_ name: String) throws -> [UInt8] {
    let odd = OddMovie.handled.first { $0.name == name }
    return [UInt8](try Data(contentsOf: odd?.make(in: folder) ?? TestFiles.fixture(name)))
  }

  /// Rewrites a damaged movie in memory, with its own frames and with new frames of another shape.
  ///
  /// - Returns: The number of movies written, at most two.
  func rewrite(_ bytes: [UInt8]) throws -> Int {
    let source = MemoryByteSource(bytes)
    var written = 0
    for isEncoded in [false, true] {
      do {
        let movie = try Movie(source)
        let summary = try MovieSummary(movie)
        let video = EncodedVideo(
          format: "avc1", configuration: [1, 2, 3], width: 96, height: 128, pixelTransform: .right)
        let sink = Sink()
        let writer = try MovieWriter(
          movie: movie, source: source, video: isEncoded ? video : nil, orientation: .up, identifier: nil,
          sink: sink)
        if isEncoded {
          for index in 0..<summary.frameCount {
            try writer.append([0], presentationTime: Int64(index), isSync: index % 3 == 0)
          }
        }
        try writer.finish()
        // The result can be read again, with the same number of frames.
        #expect(try MovieSummary(MemoryByteSource(sink.bytes)).frameCount == summary.frameCount)
        written += 1
      } catch is MediaError {
      }
    }
    return written
  }

  /// Changes one to four bytes within a range to values that typically break number handling.
  func damage(_ bytes: [UInt8], in range: Range<Int>, _ random: inout SeededGenerator) -> [UInt8] {
    var damaged = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
      damaged[Int.random(in: range, using: &random)] = values[Int.random(in: 0..<6, using: &random)]
    }
    return damaged
  }

  /// Returns the range of the `moov` atom in a file.
  func moov(_ bytes: [UInt8]) throws -> Range<Int> {
    var start = 0
    for atom in try AtomTree.read(bytes[...]) {
      let size = Int(AtomTree.number(bytes[start..<start + 4]))
      if atom.kind == "moov" { return start..<start + size }
      start += size == 1 ? Int(AtomTree.number(bytes[start + 8..<start + 16])) : size
    }
    throw ToolFailure("no moov atom")
  }

  @Test(arguments: kinds)
  func damagedTablesAreErrorsOrMovies(_ name: String) throws {
    let bytes = try movie(name)
    #expect(try rewrite(bytes) == 2)
    let range = try moov(bytes)
    var random = SeededGenerator(seed: 3)
    var written = 0
    let rounds = Cases.areAllRun ? 150 : 40
    for _ in 0..<rounds { written += try rewrite(damage(bytes, in: range, &random)) }
    // Both outcomes must occur, otherwise the test would prove nothing.
    #expect(written > 0 && written < 2 * rounds)
    let step = max(1, bytes.count / 40)
    for count in stride(from: 0, to: bytes.count, by: step) {
      // The file may only be truncated in the media, where there are no samples.
      #expect(try rewrite(Array(bytes[..<count])) == 0, "cut at \(count)")
    }
  }

  /// Tests the whole render with decoder and encoder.
  @Test(arguments: [
    "MP4 brand", "reordered HEVC in MP4", "non-square pixels", "10-bit H.264",
  ])
  func damagedMoviesAreErrorsOrMovies(_ name: String) throws {
    let bytes = try movie(name)
    let range = try moov(bytes)
    let media = range.lowerBound > 100 ? 36..<range.lowerBound : range.upperBound..<bytes.count
    var random = SeededGenerator(seed: 4)
    var rendered = 0
    for round in 0..<30 {
      let file = folder.file("damaged-\(round).mov")
      let output = folder.file("out-\(round).mov")
      let damaged =
        round % 3 == 2
        ? Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
        : damage(bytes, in: round % 3 == 0 ? range : media, &random)
      try Data(damaged).write(to: file)
      do {
        _ = try OddMovie.turn(file, to: output, lossless: false)
        rendered += 1
        #expect(try MovieSummary(MemoryByteSource([UInt8](Data(contentsOf: output)))).frameCount > 0)
      } catch let error as EditError {
        #expect(error.file == file.path, "\(error)")
        #expect(!FileManager.default.fileExists(atPath: output.path))
      }
    }
    #expect(rendered < 30)
  }
}
