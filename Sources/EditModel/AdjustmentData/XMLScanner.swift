/// A scanner that finds tags, and the text between them, in XML. The scanner skips comments and processing
/// instructions.
package struct XMLScanner {
  /// A start tag, or the single tag of an empty element.
  package struct Tag {
    /// The tag's name as written in the file.
    package let name: String
    /// The tag's attributes: the name as written, the range of the whole attribute including leading white space, and
    /// the range of the value without quotes.
    package let attributes: [(name: String, range: Range<Int>, value: Range<Int>)]
    /// The range of the tag, from `<` to `>`.
    package let range: Range<Int>
    /// Whether the tag ends in `/>`.
    package let isEmpty: Bool
  }

  /// A piece of XML that `next` finds.
  package enum Token {
    case start(Tag)
    case end(name: String, range: Range<Int>)
  }

  /// Whether the text was well-formed up to the current position.
  package private(set) var isWellFormed = true
  /// The pieces of text before the last token. A piece from a CDATA section contains no entities.
  package private(set) var text: [(range: Range<Int>, isCDATA: Bool)] = []
  private let bytes: [UInt8]
  private let allowsDocumentType: Bool
  private var at = 0

  /// - Parameters:
  ///   - bytes: The text in UTF-8.
  ///   - allowsDocumentType: Whether the text may contain a document type declaration (DOCTYPE) without an internal
  ///     subset.
  package init(_ bytes: [UInt8], allowsDocumentType: Bool = false) {
    self.bytes = bytes
    self.allowsDocumentType = allowsDocumentType
  }

  /// Replaces XML's predefined entities and numeric references with their characters.
  ///
  /// - Parameter raw: The text as it is written.
  /// - Returns: The text, in which other entities are left unchanged; and whether the text contains no other entities.
  package static func resolvingEntities(of raw: String) -> (text: String, isWhole: Bool) {
    var (text, rest, isWhole) = ("", raw[...], true)
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
      text += rest[..<start]
      rest = rest[start...]
      guard let end = rest.utf8.firstIndex(of: UInt8(ascii: ";")) else { return (text + rest, false) }
      let next = rest.utf8.index(after: end)
      let known = character(named: rest[rest.utf8.index(after: start)..<end]).map { String($0) }
      text += known ?? String(rest[..<next])
      isWhole = isWhole && known != nil
      rest = rest[next...]
    }
    return (text + rest, isWhole)
  }

  /// Returns the character for an entity's name, which is written without `&` and `;`.
  private static func character(named name: Substring) -> Character? {
    let predefined: [Substring: Character] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    if let character = predefined[name] { return character }
    let code =
      name.hasPrefix("#x")
      ? UInt32(name.dropFirst(2), radix: 16)
      : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
    return code.flatMap(Unicode.Scalar.init).map(Character.init)
  }

  /// Returns whether a byte is a space, tab, line feed or carriage return.
  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Returns whether a byte is one of the characters that cannot be part of a name: `< > / = ' " &`.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x3C, 0x3E, 0x2F, 0x3D, 0x27, 0x22, 0x26: true
    default: false
    }
  }

  /// Returns the next tag; nil at the end or if the text is not well-formed.
  package mutating func next() -> Token? {
    text = []
    while isWellFormed, at < bytes.count {
      let start = at
      if bytes[at] != 0x3C {  // <
        at = bytes[at...].firstIndex(of: 0x3C) ?? bytes.count
        text.append((start..<at, false))
      } else if follows("<?") {
        skip(past: "?>")
      } else if follows("<!--") {
        skip(past: "-->")
      } else if follows("<![CDATA[") {
        skip(past: "]]>")
        text.append((start + 9..<max(start + 9, at - 3), true))
      } else if follows("<!") {
        // A document type declaration (DOCTYPE) could redefine entities.
        skip(past: ">")
        let declares = bytes[start..<at].contains(UInt8(ascii: "["))
        isWellFormed = isWellFormed && allowsDocumentType && !declares
      } else if follows("</") {
        return endTag()
      } else {
        return startTag()
      }
    }
    return nil
  }

  private func follows(_ text: String) -> Bool { bytes[at...].starts(with: text.utf8) }

  private mutating func skip(past end: String) {
    let (end, rest) = (Array(end.utf8), bytes[(at + 2)...])
    var start = rest.startIndex
    while let next = rest[start...].firstIndex(of: end[0]) {
      if rest[next...].starts(with: end) {
        at = next + end.count
        return
      }
      start = next + 1
    }
    isWellFormed = false
  }

  private mutating func skipSpace() {
    while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
  }

  private mutating func name() -> String? {
    let start = at
    while at < bytes.count, !Self.isSpace(bytes[at]), !Self.isDelimiter(bytes[at]) { at += 1 }
    return at > start ? String(decoding: bytes[start..<at], as: UTF8.self) : nil
  }

  private mutating func broken() -> Token? {
    isWellFormed = false
    return nil
  }

  private mutating func endTag() -> Token? {
    let start = at
    at += 2
    guard let name = name() else { return broken() }
    skipSpace()
    guard at < bytes.count, bytes[at] == 0x3E else { return broken() }
    at += 1
    return .end(name: name, range: start..<at)
  }

  private mutating func startTag() -> Token? {
    let start = at
    at += 1
    guard let tagName = name() else { return broken() }
    var attributes: [(name: String, range: Range<Int>, value: Range<Int>)] = []
    while true {
      let before = at
      skipSpace()
      if follows("/>") || follows(">") {
        let isEmpty = bytes[at] == 0x2F
        at += isEmpty ? 2 : 1
        return .start(Tag(name: tagName, attributes: attributes, range: start..<at, isEmpty: isEmpty))
      }
      guard at > before, let attributeName = name() else { return broken() }
      skipSpace()
      guard at < bytes.count, bytes[at] == 0x3D else { return broken() }
      at += 1
      skipSpace()
      guard at < bytes.count, bytes[at] == 0x22 || bytes[at] == 0x27 else { return broken() }
      let quote = bytes[at]
      at += 1
      let value = at
      while at < bytes.count, bytes[at] != quote, bytes[at] != 0x3C { at += 1 }
      guard at < bytes.count, bytes[at] == quote else { return broken() }
      at += 1
      attributes.append((attributeName, before..<at, value..<at - 1))
    }
  }
}
