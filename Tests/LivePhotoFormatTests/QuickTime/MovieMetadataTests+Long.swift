import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension MovieMetadataTests {
  @Test(.enabled(if: TestFiles.samples != nil, "LIVEEDIT_SAMPLES names no samples"))
  func samples() throws {
    let samples = try #require(TestFiles.samples)
    let names = try #require(FileManager.default.enumerator(at: samples, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in names where file.pathExtension.lowercased() == "mov" {
      try Self.compare(file)
      count += 1
    }
    #expect(count > 4)
  }

  @Test func damagedMovies() throws {
    let sound = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
    let start = try #require(Data(sound).range(of: Data("moov".utf8))).lowerBound - 4
    var generator = SeededGenerator(seed: 12)
    var read = 0
    for round in 0..<1500 {
      var bytes = Array(sound[start...])
      if round % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      if (try? MovieMetadata(reading: MemoryByteSource(bytes))) != nil { read += 1 }
    }
    #expect(read > 100)
  }
}
