#if DEBUG || TESTABLE
  @testable import EditLibrary

  /// The table cells that an input describes.
  struct Cells {
    private var rest: ArraySlice<UInt8>
    private let words: [String]

    /// - Parameters:
    ///   - input: The fuzzer's input.
    ///   - words: The texts that single bytes stand for.
    init(_ input: [UInt8], words: [String]) {
      (rest, self.words) = (input[...], words)
    }

    /// Returns the next byte, or nil at the end.
    mutating func next() -> UInt8? { rest.popFirst() }

    /// Returns a small number encoded in one byte, or any number encoded in nine.
    mutating func number() -> Int64 {
      guard let kind = rest.popFirst() else { return 0 }
      if kind < 250 { return Int64(kind) - 1 }
      return Int64(bitPattern: bits())
    }

    /// Returns a word encoded in one byte, a text of up to 126 bytes, or null.
    mutating func text() -> DatabaseValue {
      guard let kind = rest.popFirst() else { return .null }
      if kind == 255 { return .null }
      if kind < 128 { return .text(words[Int(kind) % words.count]) }
      return .text(String(decoding: take(Int(kind) - 128), as: UTF8.self))
    }

    /// Returns a cell of any type.
    mutating func value() -> DatabaseValue {
      switch rest.popFirst() {
      case 0: .integer(number())
      case 1: .real(Double(bitPattern: bits()))
      case 2: .real(Double(number()) / 8)
      case 3: .blob(Array(take(8)))
      case 4: .null
      default: text()
      }
    }

    private mutating func bits() -> UInt64 { take(8).reduce(0) { $0 << 8 | UInt64($1) } }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }
#endif
