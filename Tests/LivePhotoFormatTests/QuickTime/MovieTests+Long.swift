import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension MovieTests {
  @Test(arguments: ["IMG_0001.MOV", "IMG_0002.MOV", "IMG_0003.MOV"])
  func damagedMoviesNeverCrash(_ name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture(name)))
    let movie = try Movie(MemoryByteSource(bytes))
    let moov = try #require(movie.fileAtoms.first { $0.kind == "moov" })
    var random = SeededGenerator(seed: 1)
    var read = 0
    let rounds = Cases.areAllRun ? 400 : 100
    for _ in 0..<rounds {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: moov.offset..<moov.offset + moov.size, using: &random)
        damaged[place] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)
          ?? 0
      }
      let source = MemoryByteSource(damaged)
      do {
        let movie = try Movie(source)
        _ = try MovieSummary(movie)
        let writer = try MovieWriter(
          movie: movie, source: source, video: nil, orientation: .right, identifier: "X", sink: MemorySink())
        try writer.finish()
        read += 1
      } catch is MediaError {
      }
    }
    // Both outcomes must occur, otherwise the test would prove nothing.
    #expect(read > 0 && read < rounds)
  }

  @Test(arguments: sampleMovies()) func realOnesAgreeWithFFprobe(_ file: URL) throws {
    try agreesWithFFprobe(file)
    try presentationTimesAreThoseOfFFprobe(file)
    try atomsComeBackByteForByte(file)
  }
}
