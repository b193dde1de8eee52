/// A byte order. Its methods read and write integers in byte arrays and check bounds.
enum ByteOrder: Sendable {
  /// Most significant byte first, marked “MM” in TIFF.
  case big
  /// Least significant byte first, marked “II” in TIFF.
  case little

  /// Returns the unsigned integer at an offset, which is up to four bytes wide, or nil if the integer extends beyond
  /// the end of the array.
  func number(_ bytes: [UInt8], at offset: Int, width: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count, width <= bytes.count - offset else { return nil }
    var value = 0
    for index in 0..<width {
      value = value << 8 | Int(bytes[offset + (self == .big ? index : width - 1 - index)])
    }
    return value
  }

  /// Returns an entry of a TIFF directory (TIFF 6.0 section 2).
  ///
  /// - Parameter value: Four bytes: the values, or the offset at which the values are stored.
  func entry(_ tag: Int, type: Int, count: Int, value: [UInt8]) -> [UInt8] {
    bytes(of: tag, width: 2) + bytes(of: type, width: 2) + bytes(of: count, width: 4) + value
  }

  /// Returns the lowest `width` bytes of a number.
  func bytes(of value: Int, width: Int) -> [UInt8] {
    let big = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    return self == .big ? big : big.reversed()
  }
}

extension [UInt8] {
  /// Returns whether the bytes begin with an ASCII string.
  func hasPrefix(_ text: String) -> Bool {
    starts(with: text.utf8)
  }

  /// Returns the index of the first occurrence of an ASCII string in `range`, or nil if the string does not occur in
  /// `range`.
  func firstIndex(of text: String, in range: Range<Int>? = nil) -> Int? {
    firstIndex(of: Array(text.utf8), in: range)
  }

  /// Returns the index of the first occurrence of a byte sequence in `range`, or nil if the sequence does not occur in
  /// `range`.
  func firstIndex(of needle: [UInt8], in range: Range<Int>? = nil) -> Int? {
    let range = (range ?? indices).clamped(to: indices)
    guard let first = needle.first, range.count >= needle.count else { return nil }
    let lastStart = range.upperBound - needle.count
    var start = range.lowerBound
    while start <= lastStart, let index = self[start...lastStart].firstIndex(of: first) {
      if self[index..<index + needle.count].elementsEqual(needle) { return index }
      start = index + 1
    }
    return nil
  }

  /// Whether a JPEG or a PNG begins anywhere in the bytes.
  var holdsPicture: Bool {
    holdsJPEG || firstIndex(of: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) != nil
  }
}
