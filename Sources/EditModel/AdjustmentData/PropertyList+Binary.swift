import Basics

/// A reader for binary property lists. A binary property list contains numbered objects and a table of their offsets.
/// The table precedes the final 32 bytes (Apple, CFBinaryPList.c). An object with several references counts towards the
/// limits once per reference.
struct BinaryPropertyListReader {
  private typealias Refusal = ReadingBudget.Refusal

  private let bytes: [UInt8]
  private let objectCount: Int
  private let top: Int
  private let table: Int
  private let offsetWidth: Int
  private let referenceWidth: Int
  private var budget = ReadingBudget()

  private static let headerSize = 8
  private static let trailerSize = 32

  /// - Parameter bytes: The content of the file, which begins with `bplist`.
  init(_ bytes: [UInt8]) throws(ReadingBudget.Refusal) {
    guard bytes.count > Self.headerSize + Self.trailerSize else { throw Refusal() }
    self.bytes = bytes
    let trailer = bytes.count - Self.trailerSize
    offsetWidth = Int(bytes[trailer + 6])
    referenceWidth = Int(bytes[trailer + 7])
    guard 1...8 ~= offsetWidth, 1...8 ~= referenceWidth,
      let count = Self.number(bytes[trailer + 8..<trailer + 16]),
      let top = Self.number(bytes[trailer + 16..<trailer + 24]),
      let table = Self.number(bytes[trailer + 24..<trailer + 32]),
      top < count, table >= Self.headerSize, table <= trailer, count <= (trailer - table) / offsetWidth
    else { throw Refusal() }
    (objectCount, self.top, self.table) = (count, top, table)
  }

  /// Reads the value of the whole list.
  mutating func value() throws(ReadingBudget.Refusal) -> JSONValue {
    try object(top, depth: 0)
  }

  /// Reads a big-endian number of up to eight bytes. Returns nil if the number exceeds the range of `Int`.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Returns a range of bytes from the objects, which are stored between the header and the offset table.
  private func slice(_ start: Int, _ count: Int) throws(ReadingBudget.Refusal) -> ArraySlice<UInt8> {
    guard start >= Self.headerSize, start <= table, count >= 0, count <= table - start else {
      throw Refusal()
    }
    return bytes[start..<start + count]
  }

  private func offset(of object: Int) throws(ReadingBudget.Refusal) -> Int {
    guard object < objectCount else { throw Refusal() }
    let entry = table + object * offsetWidth
    guard let offset = Self.number(bytes[entry..<entry + offsetWidth]) else { throw Refusal() }
    return offset
  }

  private mutating func object(_ number: Int, depth: Int) throws(ReadingBudget.Refusal)
    -> JSONValue
  {
    let start = try offset(of: number)
    let marker = Int(try slice(start, 1)[start])
    let (kind, low) = (marker >> 4, marker & 15)
    // Numbers and similar objects have no count. Their length in bytes is 2 to the power of the marker byte's low half.
    guard kind >= 4, kind != 8 else {
      try budget.spend(depth: depth)
      return try scalar(kind, low, at: start + 1)
    }
    let (count, body) = try count(low, after: start + 1)
    switch kind {
    case 0x4:
      try budget.spend(bytes: count, depth: depth)
      return .data(Array(try slice(body, count)))
    case 0x5, 0x7:
      try budget.spend(bytes: count, depth: depth)
      return .string(String(decoding: try slice(body, count), as: UTF8.self))
    case 0x6:
      guard count <= bytes.count else { throw Refusal() }
      try budget.spend(bytes: 2 * count, depth: depth)
      let text = Array(try slice(body, 2 * count))
      let units = (0..<count).map { (index: Int) -> UInt16 in
        UInt16(text[2 * index]) << 8 | UInt16(text[2 * index + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    case 0xA, 0xB, 0xC:
      try budget.spend(depth: depth)
      var elements: [JSONValue] = []
      for reference in try references(count, at: body) {
        elements.append(try object(reference, depth: depth + 1))
      }
      return .array(elements)
    case 0xD:
      try budget.spend(depth: depth)
      guard count <= bytes.count else { throw Refusal() }
      let both = try references(2 * count, at: body)
      var members: [String: JSONValue] = [:]
      for (name, value) in zip(both[..<count], both[count...]) {
        guard case .string(let name) = try object(name, depth: depth + 1) else { throw Refusal() }
        members[name] = try object(value, depth: depth + 1)
      }
      return .object(members)
    default: throw Refusal()
    }
  }

  private func scalar(
    _ kind: Int, _ low: Int, at start: Int
  ) throws(ReadingBudget.Refusal) -> JSONValue {
    switch (kind, low) {
    case (0, 0): return .null
    case (0, 8): return .boolean(false)
    case (0, 9): return .boolean(true)
    case (1, 0...4): break
    case (2, 2...3), (3, 3): break
    // A reference in a keyed archive.
    case (8, 0...7): return .integer(Int(try unsigned(start, low + 1) & 0x7FFF_FFFF_FFFF_FFFF))
    default: throw Refusal()
    }
    if (kind, low) == (1, 4) {
      // 16 bytes are used only for numbers that exceed the range of an 8-byte signed integer.
      let (high, rest) = (try unsigned(start, 8), try unsigned(start + 8, 8))
      if high == 0 { return Int(exactly: rest).map { .integer($0) } ?? .number(Double(rest)) }
      return .number(Double(Int64(bitPattern: high)) * 0x1p64 + Double(rest))
    }
    let value = try unsigned(start, 1 << low)
    switch kind {
    case 1: return .integer(Int(Int64(bitPattern: value)))
    case 2 where low == 2: return .finite(Double(Float(bitPattern: UInt32(truncatingIfNeeded: value))))
    case 2: return .finite(Double(bitPattern: value))
    default: return .moment(Double(bitPattern: value))
    }
  }

  private func unsigned(_ start: Int, _ width: Int) throws(ReadingBudget.Refusal) -> UInt64 {
    try slice(start, width).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the number of an object's elements, and the position of the first element. If the low half of the marker
  /// byte is 15, an integer object that contains the number follows.
  private func count(_ low: Int, after start: Int) throws(ReadingBudget.Refusal) -> (Int, Int) {
    guard low == 15 else { return (low, start) }
    let marker = try slice(start, 1)[start]
    guard marker >> 4 == 1, marker & 15 <= 3 else { throw Refusal() }
    let width = 1 << Int(marker & 15)
    guard let count = Self.number(try slice(start + 1, width)) else { throw Refusal() }
    return (count, start + 1 + width)
  }

  private func references(_ count: Int, at start: Int) throws(ReadingBudget.Refusal) -> [Int] {
    guard count <= bytes.count else { throw Refusal() }
    let raw = try slice(start, count * referenceWidth)
    var numbers: [Int] = []
    for index in 0..<count {
      let at = raw.startIndex + index * referenceWidth
      guard let number = Self.number(raw[at..<at + referenceWidth]) else { throw Refusal() }
      numbers.append(number)
    }
    return numbers
  }
}
