import Basics
import FoundationEssentials

/// A reader for XML property lists in UTF-8 (Apple, PropertyList-1.0.dtd). Document type declarations (DOCTYPE) with an
/// internal subset are rejected, so the only entities are XML's five predefined entities and numeric references.
struct XMLPropertyListReader {
  private typealias Refusal = ReadingBudget.Refusal

  private let bytes: [UInt8]
  private var scanner: XMLScanner
  private var budget = ReadingBudget()

  /// - Parameter bytes: The content of the file, with or without a byte order mark.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
    scanner = XMLScanner(self.bytes, allowsDocumentType: true)
  }

  /// Reads the value of the whole list. Anything after the list is ignored.
  mutating func value() throws(ReadingBudget.Refusal) -> JSONValue {
    guard let tag = try child(of: nil) else { throw Refusal() }
    guard tag.name == "plist" else { return try value(of: tag, depth: 0) }
    guard !tag.isEmpty, let inner = try child(of: tag) else { throw Refusal() }
    let value = try value(of: inner, depth: 0)
    guard try child(of: tag) == nil else { throw Refusal() }
    return value
  }

  private mutating func value(
    of tag: XMLScanner.Tag, depth: Int
  ) throws(ReadingBudget.Refusal) -> JSONValue {
    switch tag.name {
    case "dict":
      try budget.spend(depth: depth)
      var members: [String: JSONValue] = [:]
      while let key = try child(of: tag) {
        guard key.name == "key" else { throw Refusal() }
        let name = try text(of: key, depth: depth + 1)
        guard let next = try child(of: tag) else { throw Refusal() }
        members[name] = try value(of: next, depth: depth + 1)
      }
      return .object(members)
    case "array":
      try budget.spend(depth: depth)
      var elements: [JSONValue] = []
      while let next = try child(of: tag) { elements.append(try value(of: next, depth: depth + 1)) }
      return .array(elements)
    default: return try Self.scalar(tag.name, try text(of: tag, depth: depth))
    }
  }

  /// Returns the next child of an element, or the next element of the file.
  ///
  /// - Returns: nil at the end of the parent element.
  private mutating func child(
    of parent: XMLScanner.Tag?
  ) throws(ReadingBudget.Refusal) -> XMLScanner.Tag? {
    if let parent, parent.isEmpty { return nil }
    let token = scanner.next()
    guard scanner.text.allSatisfy({ !$0.isCDATA && bytes[$0.range].allSatisfy(XMLScanner.isSpace) }) else {
      throw Refusal()
    }
    switch token {
    case .start(let tag): return tag
    case .end(let name, _) where name == parent?.name: return nil
    default: throw Refusal()
    }
  }

  /// Returns the text of an element without child elements.
  private mutating func text(
    of tag: XMLScanner.Tag, depth: Int
  ) throws(ReadingBudget.Refusal) -> String {
    guard !tag.isEmpty else {
      try budget.spend(depth: depth)
      return ""
    }
    guard case .end(let name, let end)? = scanner.next(), name == tag.name else { throw Refusal() }
    try budget.spend(bytes: end.lowerBound - tag.range.upperBound, depth: depth)
    var text = ""
    for piece in scanner.text {
      let raw = String(decoding: bytes[piece.range], as: UTF8.self)
      let resolved = XMLScanner.resolvingEntities(of: raw)
      guard piece.isCDATA || resolved.isWhole else { throw Refusal() }
      text += piece.isCDATA ? raw : resolved.text
    }
    return text
  }

  private static func scalar(_ kind: String, _ text: String) throws(ReadingBudget.Refusal)
    -> JSONValue
  {
    let bare = text.utf8.filter { !XMLScanner.isSpace($0) }
    let word = String(decoding: bare, as: UTF8.self)
    switch kind {
    case "string": return .string(text)
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "integer":
      guard let number = integer(word) else { throw Refusal() }
      return number
    case "real":
      guard bare.count <= 400, let number = Double(word) else { throw Refusal() }
      return .finite(number)
    case "date":
      guard let seconds = seconds(bare) else { throw Refusal() }
      return .moment(seconds)
    case "data":
      guard let data = Data(base64Encoded: Data(bare)) else { throw Refusal() }
      return .data(Array(data))
    default: throw Refusal()
    }
  }

  /// Reads a decimal or hexadecimal integer.
  private static func integer(_ word: String) -> JSONValue? {
    let isNegative = word.hasPrefix("-")
    let digits = isNegative || word.hasPrefix("+") ? word.dropFirst() : word[...]
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    guard let magnitude = isHexadecimal ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits) else {
      return nil
    }
    let number = isNegative ? Int(exactly: 0 - Int128(magnitude)) : Int(exactly: magnitude)
    return number.map { .integer($0) } ?? .number(isNegative ? -Double(magnitude) : Double(magnitude))
  }

  /// Reads a date such as `2001-01-01T00:00:00Z`. Returns the number of seconds since `2001-01-01T00:00:00Z`.
  private static func seconds(_ text: [UInt8]) -> Double? {
    guard text.count == 20, text[4] == 0x2D, text[7] == 0x2D, text[10] == 0x54, text[13] == 0x3A,
      text[16] == 0x3A,
      text[19] == 0x5A
    else { return nil }
    let parts = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].compactMap {
      Int(String(decoding: text[$0], as: UTF8.self))
    }
    guard parts.count == 6,
      let date = CivilDate(
        year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5])
    else { return nil }
    return Double(date.secondsSince1970 - 978_307_200)
  }
}
