import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension PhotoMetadataTests {
  @Test(.enabled(if: TestFiles.samples != nil, "LIVEEDIT_SAMPLES names no samples"))
  func samples() throws {
    let samples = try #require(TestFiles.samples)
    let names = try #require(FileManager.default.enumerator(at: samples, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in names where ["jpg", "heic"].contains(file.pathExtension.lowercased()) {
      try Self.compare(file)
      count += 1
    }
    #expect(count > 4)
  }

  /// No truncation and no flipped byte of a header may cause a crash, and all locations that are read are valid.
  @Test func damagedPhotos() throws {
    let sound = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")).prefix(10_000))
    var generator = SeededGenerator(seed: 11)
    var read = 0
    for round in 0..<1500 {
      var bytes = sound
      if round % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
      for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      guard let metadata = try? Photo(MemoryByteSource(bytes)).metadata() else { continue }
      read += 1
      if let place = metadata.location { #expect(-90...90 ~= place.latitude) }
    }
    #expect(read > 100)
  }
}
