/// The unpacking of DEFLATE data (RFC 1951). It is Swift, since `liveedit` itself unpacks what strangers packed: metadata, adjustments
/// and the tables of movies. Pictures are unpacked by zlib, in the helper.
///
/// What zlib refuses is refused: codes that are incomplete, but for one of a single symbol, codes of too many symbols, and blocks
/// without an end.
struct Inflation {
  private var input: BitReader
  private(set) var output: [UInt8] = []
  /// The most bytes that come out.
  private let limit: Int

  /// Why data cannot be unpacked; whoever asked needs no more.
  struct Damage: Error {}

  /// The codes of blocks that bring none (section 3.2.6).
  private let fixed: (literals: HuffmanCode, distances: HuffmanCode)

  init(_ data: ArraySlice<UInt8>, limit: Int) throws(Damage) {
    input = BitReader(data)
    self.limit = limit
    let lengths: [UInt8] = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    fixed = (
      try HuffmanCode(lengths[...], mayBeIncomplete: false),
      try HuffmanCode([UInt8](repeating: 5, count: 32)[...], mayBeIncomplete: false)
    )
  }

  /// Unpacks all blocks.
  ///
  /// - Returns: the bytes behind the last block.
  mutating func run() throws(Damage) -> ArraySlice<UInt8> {
    var isLast = false
    while !isLast {
      isLast = try input.bits(1) == 1
      switch try input.bits(2) {
      case 0: try copyStored()
      case 1: try unpack(fixed.literals, fixed.distances)
      case 2:
        let (literals, distances) = try codes()
        try unpack(literals, distances)
      default: throw Damage()
      }
    }
    return input.rest()
  }

  /// A block as it is (section 3.2.4).
  private mutating func copyStored() throws(Damage) {
    input.skipToByte()
    let count = try input.bits(16)
    guard try input.bits(16) == ~count & 0xFFFF, count <= limit - output.count else { throw Damage() }
    output += try input.bytes(count)
  }

  /// The order in which the lengths of the code for lengths come (section 3.2.7).
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// The codes that a block has before its data (section 3.2.7).
  private mutating func codes() throws(Damage) -> (literals: HuffmanCode, distances: HuffmanCode) {
    let (literals, distances) = (try input.bits(5) + 257, try input.bits(5) + 1)
    let count = try input.bits(4) + 4
    guard literals <= 286, distances <= 30 else { throw Damage() }
    var lengths = [UInt8](repeating: 0, count: 19)
    for place in Self.order[..<count] { lengths[place] = UInt8(try input.bits(3)) }
    let code = try HuffmanCode(lengths[...], mayBeIncomplete: false)
    lengths = []
    while lengths.count < literals + distances {
      let symbol = try input.symbol(of: code)
      let (value, times): (UInt8, Int)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw Damage() }
        (value, times) = (last, try input.bits(2) + 3)
      case 17: (value, times) = (0, try input.bits(3) + 3)
      case 18: (value, times) = (0, try input.bits(7) + 11)
      default: (value, times) = (UInt8(symbol), 1)
      }
      guard lengths.count + times <= literals + distances else { throw Damage() }
      for _ in 0..<times { lengths.append(value) }
    }
    // Without the symbol that ends a block there is no end.
    guard lengths[256] > 0 else { throw Damage() }
    return (
      try HuffmanCode(lengths[..<literals], mayBeIncomplete: true),
      try HuffmanCode(lengths[literals...], mayBeIncomplete: true)
    )
  }

  // Of the symbols 257 to 285, and of those of distances: the first number that each stands for, and how many bits follow that
  // are added to it (section 3.2.5).
  private static let lengths: [(first: Int, bits: Int)] = [
    (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (15, 1), (17, 1),
    (19, 2),
    (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3), (67, 4), (83, 4), (99, 4), (115, 4),
    (131, 5),
    (163, 5), (195, 5), (227, 5), (258, 0),
  ]
  private static let distances: [(first: Int, bits: Int)] = [
    (1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (7, 1), (9, 2), (13, 2), (17, 3), (25, 3), (33, 4), (49, 4),
    (65, 5),
    (97, 5), (129, 6), (193, 6), (257, 7), (385, 7), (513, 8), (769, 8), (1025, 9), (1537, 9), (2049, 10),
    (3073, 10), (4097, 11), (6145, 11), (8193, 12), (12289, 12), (16385, 13), (24577, 13),
  ]

  /// A block of codes.
  private mutating func unpack(_ literals: HuffmanCode, _ distances: HuffmanCode) throws(Damage) {
    while true {
      let symbol = try input.symbol(of: literals)
      if symbol < 256 {
        guard output.count < limit else { throw Damage() }
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      guard symbol - 257 < Self.lengths.count else { throw Damage() }
      let length = Self.lengths[symbol - 257]
      let count = length.first + (try input.bits(length.bits))
      let place = try input.symbol(of: distances)
      guard place < Self.distances.count else { throw Damage() }
      let distance = Self.distances[place].first + (try input.bits(Self.distances[place].bits))
      guard distance <= output.count, count <= limit - output.count else { throw Damage() }
      // What is copied may reach into the copy.
      for at in output.count - distance..<output.count - distance + count { output.append(output[at]) }
    }
  }
}

/// Bytes, read bit by bit, the lowest one of each first (section 3.1.1).
private struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var held: UInt64 = 0
  private var count = 0

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Takes as many bytes as there is room for, and there are.
  private mutating func fill() {
    while count <= 56, position < bytes.endIndex {
      held |= UInt64(bytes[position]) << UInt64(count)
      position += 1
      count += 8
    }
  }

  private mutating func drop(_ bits: Int) throws(Inflation.Damage) {
    guard bits <= count else { throw Inflation.Damage() }
    held >>= UInt64(bits)
    count -= bits
  }

  /// - Parameter number: at most 16.
  mutating func bits(_ number: Int) throws(Inflation.Damage) -> Int {
    if count < number { fill() }
    let value = Int(held & (1 << UInt64(number) - 1))
    try drop(number)
    return value
  }

  mutating func symbol(of code: HuffmanCode) throws(Inflation.Damage) -> Int {
    if count < HuffmanCode.longest { fill() }
    let (symbol, length) = try code.symbol(Int(held & (1 << UInt64(HuffmanCode.longest) - 1)))
    try drop(length)
    return symbol
  }

  mutating func skipToByte() {
    let spare = count % 8
    held >>= UInt64(spare)
    count -= spare
  }

  /// What was not read, from the next byte on.
  mutating func rest() -> ArraySlice<UInt8> {
    skipToByte()
    position -= count / 8
    (held, count) = (0, 0)
    return bytes[position...]
  }

  /// Whole bytes.
  mutating func bytes(_ number: Int) throws(Inflation.Damage) -> ArraySlice<UInt8> {
    let rest = self.rest()
    guard number <= rest.count else { throw Inflation.Damage() }
    position += number
    return rest.prefix(number)
  }
}

/// A canonical Huffman code (section 3.2.2).
private struct HuffmanCode {
  /// The most bits of a symbol.
  static let longest = 15
  /// How many bits are looked up at once.
  private static let direct = 9

  /// By the next ``direct`` bits: a symbol, shifted by four, and its length; 0 where it is longer, or there is none.
  private var table = [UInt16](repeating: 0, count: 1 << direct)
  /// How many symbols each length has.
  private var counts = [Int](repeating: 0, count: longest + 1)
  /// The symbols by their length, then by their number.
  private var symbols: [UInt16]

  /// - Parameters:
  ///   - lengths: the bits of each symbol; 0 for one that does not occur.
  ///   - mayBeIncomplete: whether the one bit of a single symbol is a code.
  init(_ lengths: ArraySlice<UInt8>, mayBeIncomplete: Bool) throws(Inflation.Damage) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    // How many codes of a length are free; and where its symbols begin.
    var (free, starts) = (1, [Int](repeating: 0, count: Self.longest + 2))
    for length in 1...Self.longest {
      free = 2 * free - counts[length]
      guard free >= 0 else { throw Inflation.Damage() }
      starts[length + 1] = starts[length] + counts[length]
    }
    let (all, isEmpty) = (starts[Self.longest + 1], lengths.allSatisfy { $0 == 0 })
    guard free == 0 || mayBeIncomplete && (isEmpty || all == 1 && counts[1] == 1) else {
      throw Inflation.Damage()
    }
    symbols = [UInt16](repeating: 0, count: all)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[starts[Int(length)]] = UInt16(symbol)
      starts[Int(length)] += 1
    }
    var (code, next) = (0, 0)
    for length in 1...Self.direct {
      for _ in 0..<counts[length] {
        // The first bit of a code comes first, so it is the lowest one.
        var reversed = 0
        for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
        let entry = symbols[next] << 4 | UInt16(length)
        for place in stride(from: reversed, to: 1 << Self.direct, by: 1 << length) { table[place] = entry }
        (code, next) = (code + 1, next + 1)
      }
      code <<= 1
    }
  }

  /// The symbol that the next bits begin with, and its length.
  func symbol(_ bits: Int) throws(Inflation.Damage) -> (symbol: Int, length: Int) {
    let entry = table[bits & (1 << Self.direct - 1)]
    if entry != 0 { return (Int(entry >> 4), Int(entry & 15)) }
    var (code, first, index) = (0, 0, 0)
    for length in 1...Self.longest {
      code |= bits >> (length - 1) & 1
      if code - first < counts[length] { return (Int(symbols[index + code - first]), length) }
      index += counts[length]
      first = (first + counts[length]) << 1
      code <<= 1
    }
    throw Inflation.Damage()
  }
}
