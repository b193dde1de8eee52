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
  private var fixed = (literals: HuffmanCode(), distances: HuffmanCode())
  /// Those of a block that brings its own, and before them the code of their lengths.
  private var own = (lengths: HuffmanCode(), literals: HuffmanCode(), distances: HuffmanCode())
  private var lengths: [UInt8] = []

  init(_ data: ArraySlice<UInt8>, limit: Int) throws(Damage) {
    input = BitReader(data)
    self.limit = limit
    let lengths: [UInt8] = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    try fixed.literals.set(lengths, 0..<288, mayBeIncomplete: false)
    try fixed.distances.set([UInt8](repeating: 5, count: 32), 0..<32, mayBeIncomplete: false)
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
        try readCodes()
        try unpack(own.literals, own.distances)
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

  /// Reads the codes that a block has before its data (section 3.2.7).
  private mutating func readCodes() throws(Damage) {
    let (literals, distances) = (try input.bits(5) + 257, try input.bits(5) + 1)
    let count = try input.bits(4) + 4
    guard literals <= 286, distances <= 30 else { throw Damage() }
    reset(19)
    for place in Self.order[..<count] { lengths[place] = UInt8(try input.bits(3)) }
    try own.lengths.set(lengths, 0..<19, mayBeIncomplete: false)
    reset(0)
    while lengths.count < literals + distances {
      let symbol = try input.symbol(of: own.lengths)
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
    try own.literals.set(lengths, 0..<literals, mayBeIncomplete: true)
    try own.distances.set(lengths, literals..<literals + distances, mayBeIncomplete: true)
  }

  /// Makes so many lengths zero, and no more of them, in the memory that they have.
  private mutating func reset(_ count: Int) {
    lengths.removeAll(keepingCapacity: true)
    for _ in 0..<count { lengths.append(0) }
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

  /// The bytes that were not read, from the next byte on.
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

/// A canonical Huffman code (section 3.2.2). It keeps its memory when it becomes another one, as it may for every few bytes.
private struct HuffmanCode {
  /// The most bits of a symbol.
  static let longest = 15
  /// How many bits are looked up at once: as many as the longest symbol has, and no more than this.
  private static let most = 9
  private var direct = 0

  /// By the next ``direct`` bits: a symbol, shifted by four, and its length; 0 where it is longer, or there is none.
  private var table = [UInt16](repeating: 0, count: 1 << most)
  /// How many symbols each length has, and where they begin.
  private var counts = [Int](repeating: 0, count: longest + 1)
  private var starts = [Int](repeating: 0, count: longest + 2)
  /// The symbols by their length, then by their number.
  private var symbols = [UInt16](repeating: 0, count: 288)

  /// Becomes a code.
  ///
  /// - Parameters:
  ///   - lengths: the bits of each symbol, and of other things; 0 for one that does not occur.
  ///   - range: those of the symbols, at most 288.
  ///   - mayBeIncomplete: whether the one bit of a single symbol is a code.
  mutating func set(_ lengths: [UInt8], _ range: Range<Int>, mayBeIncomplete: Bool) throws(Inflation.Damage) {
    for length in counts.indices { counts[length] = 0 }
    for place in range where lengths[place] > 0 { counts[Int(lengths[place])] += 1 }
    // How many codes of a length are free.
    var free = 1
    for length in 1...Self.longest {
      free = 2 * free - counts[length]
      guard free >= 0 else { throw Inflation.Damage() }
      starts[length + 1] = starts[length] + counts[length]
    }
    let all = starts[Self.longest + 1]
    guard free == 0 || mayBeIncomplete && (all == 0 || all == 1 && counts[1] == 1) else {
      throw Inflation.Damage()
    }
    for place in range where lengths[place] > 0 {
      symbols[starts[Int(lengths[place])]] = UInt16(place - range.lowerBound)
      starts[Int(lengths[place])] += 1
    }
    // Back to where they begin, which the next code needs of the first alone.
    starts[1] = 0
    direct = min(counts.lastIndex { $0 > 0 } ?? 0, Self.most)
    for place in 0..<1 << direct { table[place] = 0 }
    var (code, next) = (0, 0)
    for length in stride(from: 1, through: direct, by: 1) {
      for _ in 0..<counts[length] {
        // The first bit of a code comes first, so it is the lowest one.
        var reversed = 0
        for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
        let entry = symbols[next] << 4 | UInt16(length)
        for place in stride(from: reversed, to: 1 << direct, by: 1 << length) { table[place] = entry }
        (code, next) = (code + 1, next + 1)
      }
      code <<= 1
    }
  }

  /// The symbol that the next bits begin with, and its length.
  func symbol(_ bits: Int) throws(Inflation.Damage) -> (symbol: Int, length: Int) {
    let entry = table[bits & (1 << direct - 1)]
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
