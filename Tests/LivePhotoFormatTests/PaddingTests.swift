import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Files that a card or a copying program filled up with zeros.
@Suite struct PaddingTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: TestFiles.fixture(name)))
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"], [1, 8, 4096]) func photos(_ name: String, _ zeros: Int)
    throws
  {
    let plain = try bytes(name)
    let padded = try Photo(MemoryByteSource(plain + [UInt8](repeating: 0, count: zeros)))
    let other = try Photo(MemoryByteSource(plain))
    #expect(try padded.metadata() == other.metadata())
    try padded.checkPicture()
    let (sink, clean) = (MemoryByteSink(), MemoryByteSink())
    _ = try padded.write(tiedBy: secondIdentifier, to: sink)
    _ = try other.write(tiedBy: secondIdentifier, to: clean)
    #expect(sink.bytes.starts(with: clean.bytes))
    let evidence = try PhotoEvidence(reading: padded.source, fileExtension: String(name.suffix(4)))
    #expect(evidence.isSound)
  }

  @Test(arguments: [1, 7, 8, 12, 4096, 200_000]) func movies(_ zeros: Int) throws {
    let plain = try bytes("IMG_0001.MOV")
    let padded = MemoryByteSource(plain + [UInt8](repeating: 0, count: zeros))
    let (movie, other) = (try MovieSummary(padded), try MovieSummary(MemoryByteSource(plain)))
    #expect(movie.contentIdentifier == other.contentIdentifier && movie.frameCount == other.frameCount)
    let (sink, clean) = (MemoryByteSink(), MemoryByteSink())
    try MovieSurgery(padded).write(to: sink)
    try MovieSurgery(MemoryByteSource(plain)).write(to: clean)
    #expect(sink.bytes == clean.bytes)
    // Anything else behind the last atom is damage.
    #expect(throws: MediaError.self) {
      try Movie(MemoryByteSource(plain + [UInt8](repeating: 0, count: 16) + [1]))
    }
  }
}
