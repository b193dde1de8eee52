import Basics
import EditModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of files that a memory card or a copying program padded with zeros.
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
    // Any other bytes after the last atom are damage.
    #expect(throws: MediaError.self) {
      try Movie(MemoryByteSource(plain + [UInt8](repeating: 0, count: 16) + [1]))
    }
  }

  /// A movie with zeros after it, most of which the source reports as a hole.
  private final class Hollow: ByteSource {
    let movie: [UInt8]
    let count: Int
    let hole: Range<Int>
    let read = Mutex(0)

    init(_ movie: [UInt8], count: Int, hole: Range<Int>) {
      (self.movie, self.count, self.hole) = (movie, count, hole)
    }

    func read(at offset: Int, count: Int) throws -> [UInt8] {
      read.withLock { $0 += count }
      let known = Array(movie.dropFirst(offset).prefix(count))
      return known + [UInt8](repeating: 0, count: count - known.count)
    }

    func skippingHoles(from offset: Int) -> Int { hole.contains(offset) ? hole.upperBound : offset }
  }

  /// Holes after a movie are not read. More than a gigabyte is refused without reading it.
  @Test func holes() throws {
    let plain = try bytes("IMG_0001.MOV")
    let most = plain.count + 1 << 30
    let hollow = Hollow(plain, count: most, hole: plain.count..<most - 100_000)
    #expect(try MovieSummary(hollow).frameCount == MovieSummary(MemoryByteSource(plain)).frameCount)
    #expect(hollow.read.withLock { $0 } < 1 << 20)
    for hole in [0..<0, plain.count..<most + 1] {
      let giant = Hollow(plain, count: most + 1, hole: hole)
      #expect(problem { _ = try MovieSummary(giant) } == "more than 1 GB of data follows the last atom")
      #expect(giant.read.withLock { $0 } < 1 << 20)
    }
  }
}
