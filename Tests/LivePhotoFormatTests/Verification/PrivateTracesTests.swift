import Basics
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of the search for private data, compared with a simple search.
@Suite struct PrivateTracesTests {
  /// Returns the traces found for texts in a movie's user data.
  private static func traces(of texts: [String]) throws -> PrivateTraces {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
    let movie = try Movie(MemoryByteSource(bytes))
    let place = try #require(movie.fileAtoms.first { $0.kind == "moov" })
    var moov = movie.moov
    try moov.remove(["udta"])
    let entries = texts.map {
      // The type begins with “©”. Length and language precede the text.
      Atom(FourCC(rawValue: 0xA963_6D74), [UInt8](words: [$0.utf8.count << 16 | 0x55C4]) + Array($0.utf8))
    }
    try moov.changeChildren { $0.append(Atom("udta", children: entries)) }
    var traces = PrivateTraces()
    let changed = bytes[..<place.offset] + moov.serialized + bytes[place.range.upperBound...]
    try traces.add(movie: MemoryByteSource(Array(changed)), .all)
    return traces
  }

  /// Thousands of facts with the same beginning, in a file where that beginning occurs everywhere.
  @Test func manyTracesThatBeginAlike() throws {
    let texts = (0..<5000).map { String(repeating: "a", count: 40) + String(10_000 + $0) }
    let traces = try Self.traces(of: texts)
    let bytes = [UInt8](repeating: 0x61, count: 100_000)
    #expect(try traces.found(in: MemoryByteSource(bytes)) == nil)
    for number in [0, 1234, 4999] {
      let found = try traces.found(in: MemoryByteSource(bytes + Array(texts[number].utf8)))
      #expect(found == texts[number])
    }
  }

  @Test func whatIsFoundIsThere() throws {
    var random = SeededGenerator(seed: 5)
    func text(_ count: Int) -> String {
      String((0..<count).map { _ in Bool.random(using: &random) ? "a" : "b" })
    }
    var found = 0
    for _ in 0..<20 {
      let texts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        text(Int.random(in: 5...9, using: &random))
      }
      let traces = try Self.traces(of: texts)
      for _ in 0..<20 {
        let file = text(40)
        let answer = try traces.found(in: MemoryByteSource(Array(file.utf8)))
        // Shorter facts are not searched for.
        #expect((answer != nil) == texts.contains { $0.count >= 6 && file.contains($0) }, "\(texts) \(file)")
        if let answer {
          found += 1
          #expect(texts.contains(answer) && file.contains(answer))
        }
      }
    }
    #expect(found > 20 && found < 380)
  }

  /// The search reads one megabyte at a time. A trace may span two blocks, or be longer than the part that is compared.
  @Test(arguments: [8, 300]) func atTheEndOfWhatIsRead(_ count: Int) throws {
    let text = String((0..<count).map { Character(UnicodeScalar(UInt8(0x61 + $0 % 26))) })
    let traces = try Self.traces(of: [text])
    for before in [(1 << 20) - 3, (1 << 20) - count, 1 << 20] {
      let bytes = [UInt8](repeating: 0x61, count: before) + Array(text.utf8)
      #expect(try traces.found(in: MemoryByteSource(bytes)).map { text.hasPrefix($0) } == true)
    }
    #expect(try traces.found(in: MemoryByteSource([UInt8](repeating: 0x61, count: 1000))) == nil)
  }
}
