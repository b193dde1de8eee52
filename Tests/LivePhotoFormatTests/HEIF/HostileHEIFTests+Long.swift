import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension HostileHEIFTests {
  @Test(arguments: HEICPhotos.fixtures) func survivesTruncation(name: String) throws {
    let bytes = try HEICPhotos.bytes(name)
    let file = try HEIFFile(reading: MemoryByteSource(bytes))
    var cuts = Set(0..<64).union(bytes.count - 40..<bytes.count)
    for atom in file.atoms + file.metaAtoms {
      cuts.formUnion([atom.offset, atom.contentOffset, atom.offset + atom.size].flatMap { $0 - 1...$0 + 1 })
    }
    let end = file.metaAtoms.map { $0.offset + $0.size }.max() ?? 0
    cuts.formUnion(stride(from: 64, to: end, by: 7))
    for cut in cuts where 0..<bytes.count ~= cut {
      let piece = Array(bytes[..<cut])
      #expect(throws: MediaError.self) {
        let surgery = try HEIFFile(Photo(MemoryByteSource(piece)))
        _ = try surgery.write(turn: .right, to: MemoryByteSink())
      }
      Self.use(piece)
    }
  }

  @Test(arguments: HEICPhotos.fixtures, [1, 2, 3]) func survivesChangedBytes(name: String, seed: Int) throws {
    let bytes = try HEICPhotos.bytes(name)
    let file = try HEIFFile(reading: MemoryByteSource(bytes))
    let end = file.metaAtoms.map { $0.offset + $0.size }.max() ?? 0
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<(Cases.areAllRun ? 250 : 60) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let at = Int.random(in: 0..<end, using: &generator)
        damaged[at] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      Self.use(damaged)
    }
  }
}
