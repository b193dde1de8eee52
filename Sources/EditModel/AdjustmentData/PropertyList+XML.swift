import FoundationEssentials

/// Reads an XML property list in UTF-8 (Apple, PropertyList-1.0.dtd). Document types that declare anything are refused,
/// so that entities are the five of XML and numbers.
struct XMLPropertyListReader {
  private typealias Refusal = PropertyListBudget.Refusal

  private let bytes: [UInt8]
  private var at = 0
  private var budget = PropertyListBudget()

  /// - Parameter bytes: the file, with or without a byte order mark.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  /// The value of the whole list. What follows it is not looked at.
  mutating func value() throws(PropertyListBudget.Refusal) -> StructuredValue {
    var tag = try startTag()
    let isWrapped = tag.name == "plist"
    if isWrapped {
      guard !tag.isEmpty else { throw Refusal() }
      tag = try startTag()
    }
    let value = try value(of: tag, depth: 0)
    if isWrapped {
      try skipMisc()
      try endTag("plist")
    }
    return value
  }

  private struct Tag {
    let name: String
    let isEmpty: Bool
  }

  private mutating func value(of tag: Tag, depth: Int) throws(PropertyListBudget.Refusal) -> StructuredValue {
    switch tag.name {
    case "dict":
      try budget.spend(depth: depth)
      var members: [String: StructuredValue] = [:]
      while !tag.isEmpty, try !isAtEnd(of: "dict") {
        let key = try startTag()
        guard key.name == "key" else { throw Refusal() }
        try budget.spend(depth: depth + 1)
        let name = try text(of: key)
        members[name] = try value(of: try startTag(), depth: depth + 1)
      }
      return .object(members)
    case "array":
      try budget.spend(depth: depth)
      var elements: [StructuredValue] = []
      while !tag.isEmpty, try !isAtEnd(of: "array") {
        elements.append(try value(of: try startTag(), depth: depth + 1))
      }
      return .array(elements)
    default:
      let start = at
      let text = try text(of: tag)
      try budget.spend(bytes: at - start, depth: depth)
      return try Self.scalar(tag.name, text)
    }
  }

  private static func scalar(_ kind: String, _ text: String) throws(PropertyListBudget.Refusal)
    -> StructuredValue
  {
    let bare = text.utf8.filter { !isSpace($0) }
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

  /// A whole number, decimal or hexadecimal.
  private static func integer(_ word: String) -> StructuredValue? {
    let isNegative = word.hasPrefix("-")
    let digits = isNegative || word.hasPrefix("+") ? word.dropFirst() : word[...]
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    guard let magnitude = isHexadecimal ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits) else {
      return nil
    }
    let number = isNegative ? Int64(exactly: 0 - Int128(magnitude)) : Int64(exactly: magnitude)
    return number.map { .integer($0) } ?? .number(isNegative ? -Double(magnitude) : Double(magnitude))
  }

  /// `2001-01-01T00:00:00Z`, as seconds since then.
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

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func follows(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[at...].starts(with: $0) }
  }

  private mutating func skip(past end: StaticString) throws(PropertyListBudget.Refusal) {
    while at < bytes.count, !follows(end) { at += 1 }
    guard at < bytes.count else { throw Refusal() }
    at += end.utf8CodeUnitCount
  }

  /// Passes over white space, comments, processing instructions and a document type that declares nothing itself.
  private mutating func skipMisc() throws(PropertyListBudget.Refusal) {
    while at < bytes.count {
      if Self.isSpace(bytes[at]) {
        at += 1
      } else if follows("<?") {
        try skip(past: "?>")
      } else if follows("<!--") {
        at += 4
        try skip(past: "-->")
      } else if follows("<!DOCTYPE") {
        let start = at
        try skip(past: ">")
        guard !bytes[start..<at].contains(UInt8(ascii: "[")) else { throw Refusal() }
      } else {
        return
      }
    }
  }

  private mutating func name() -> String {
    let start = at
    while at < bytes.count, !Self.isSpace(bytes[at]), ![0x3C, 0x3E, 0x2F].contains(bytes[at]) { at += 1 }
    // No element of a property list has a longer name.
    return String(decoding: bytes[start..<at].prefix(32), as: UTF8.self)
  }

  private mutating func startTag() throws(PropertyListBudget.Refusal) -> Tag {
    try skipMisc()
    guard follows("<"), !follows("</"), !follows("<!") else { throw Refusal() }
    at += 1
    let name = name()
    var quote: UInt8?
    while at < bytes.count, quote != nil || bytes[at] != 0x3E {
      if quote == bytes[at] {
        quote = nil
      } else if quote == nil, bytes[at] == 0x22 || bytes[at] == 0x27 {
        quote = bytes[at]
      }
      at += 1
    }
    guard at < bytes.count else { throw Refusal() }
    at += 1
    return Tag(name: name, isEmpty: bytes[at - 2] == 0x2F)
  }

  private mutating func endTag(_ expected: String) throws(PropertyListBudget.Refusal) {
    guard follows("</") else { throw Refusal() }
    at += 2
    guard name() == expected else { throw Refusal() }
    while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
    guard follows(">") else { throw Refusal() }
    at += 1
  }

  /// Passes over a container's end tag; false where another one comes.
  private mutating func isAtEnd(of container: String) throws(PropertyListBudget.Refusal) -> Bool {
    try skipMisc()
    guard follows("</") else { return false }
    try endTag(container)
    return true
  }

  /// The text between the tags of an element that holds no other.
  private mutating func text(of tag: Tag) throws(PropertyListBudget.Refusal) -> String {
    guard !tag.isEmpty else { return "" }
    var text: [UInt8] = []
    while at < bytes.count {
      switch bytes[at] {
      case 0x3C where follows("<![CDATA["):
        let start = at + 9
        try skip(past: "]]>")
        text += bytes[start..<max(start, at - 3)]
      case 0x3C where follows("<!--"):
        at += 4
        try skip(past: "-->")
      case 0x3C:
        try endTag(tag.name)
        return String(decoding: text, as: UTF8.self)
      case 0x26: text += Array(try entity().utf8)
      default:
        text.append(bytes[at])
        at += 1
      }
    }
    throw Refusal()
  }

  private mutating func entity() throws(PropertyListBudget.Refusal) -> String {
    guard let end = bytes[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw Refusal() }
    let name = String(decoding: bytes[at + 1..<end], as: UTF8.self)
    at = end + 1
    if let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"][name] { return known }
    let code =
      name.hasPrefix("#x")
      ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
    guard let scalar = code.flatMap(Unicode.Scalar.init) else { throw Refusal() }
    return String(Character(scalar))
  }
}
