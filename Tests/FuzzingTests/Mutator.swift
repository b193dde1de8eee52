import TestSupport

/// Changes inputs at random like libFuzzer, but with a seed and without feedback from the results.
struct Mutator {
  private var generator: SeededGenerator
  private let words: [[UInt8]]

  /// - Parameters:
  ///   - seed: The seed. Equal seeds make equal changes.
  ///   - words: Words that mean something to the reader.
  init(seed: UInt64, words: [String]) {
    generator = SeededGenerator(seed: seed)
    self.words =
      words.map { Array($0.utf8) } + [
        [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0x80, 0, 0, 0],
      ]
  }

  /// Returns an input with one to four changes.
  ///
  /// - Parameter others: Inputs from which pieces may be inserted.
  mutating func mutated(_ input: [UInt8], with others: [[UInt8]]) -> [UInt8] {
    var bytes = input
    for _ in 0..<Int.random(in: 1...4, using: &generator) { change(&bytes, others) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8], _ others: [[UInt8]]) {
    let start = Int.random(in: 0...bytes.count, using: &generator)
    let end = min(start + Int.random(in: 1...64, using: &generator), bytes.count)
    switch Int.random(in: 0..<7, using: &generator) {
    case 0 where start < bytes.count: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1 where start < bytes.count: bytes[start] = UInt8.random(in: 0...255, using: &generator)
    case 2: bytes.removeSubrange(start..<end)
    case 3: bytes.insert(contentsOf: bytes[start..<end], at: start)
    case 4:
      guard let word = words.randomElement(using: &generator) else { return }
      bytes.replaceSubrange(start..<min(start + word.count, bytes.count), with: word)
    case 5:
      guard let other = others.randomElement(using: &generator), !other.isEmpty else { return }
      let from = Int.random(in: 0..<other.count, using: &generator)
      bytes.replaceSubrange(start..<end, with: other[from..<min(from + 64, other.count)])
    default: bytes.removeLast(min(bytes.count, Int.random(in: 1...256, using: &generator)))
    }
  }
}
