/// Finds the tags of an XML text, and the text between them; comments and processing instructions are passed over.
package struct XMLScanner {
  /// A start tag, or an empty element's only tag.
  package struct Tag {
    /// The name as written.
    package let name: String
    /// The attributes: names as written, whole ranges with the white space before them, values without quotes.
    package let attributes: [(name: String, range: Range<Int>, value: Range<Int>)]
    /// From `<` to `>`.
    package let range: Range<Int>
    /// True if it ends in `/>`.
    package let isEmpty: Bool
  }

  /// A piece of XML that `next` finds.
  package enum Token {
    case start(Tag)
    case end(name: String, range: Range<Int>)
  }

  /// True if nothing broken was met so far.
  package private(set) var isWellFormed = true
  /// The pieces of text before the last token; those of CDATA sections have no entities.
  package private(set) var text: [(range: Range<Int>, isCDATA: Bool)] = []
  private let bytes: [UInt8]
  private let allowsDocumentType: Bool
  private var at = 0

  /// - Parameters:
  ///   - bytes: the text in UTF-8.
  ///   - allowsDocumentType: true if a document type may stand there that declares nothing itself.
  package init(_ bytes: [UInt8], allowsDocumentType: Bool = false) {
    self.bytes = bytes
    self.allowsDocumentType = allowsDocumentType
  }

  /// Puts the characters that they mean in place of the entities which XML knows without any declaration.
  ///
  /// - Parameter raw: text as it is written.
  /// - Returns: the text, in which other entities stay as they are; and whether there are none of those.
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

  /// The character of an entity by its name without `&` and `;`.
  private static func character(named name: Substring) -> Character? {
    let predefined: [Substring: Character] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    if let character = predefined[name] { return character }
    let code =
      name.hasPrefix("#x")
      ? UInt32(name.dropFirst(2), radix: 16)
      : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
    return code.flatMap(Unicode.Scalar.init).map(Character.init)
  }

  /// Space, tab, line feed, carriage return.
  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// The characters that no name contains: `< > / = ' " &`.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x3C, 0x3E, 0x2F, 0x3D, 0x27, 0x22, 0x26: true
    default: false
    }
  }

  /// The next tag; nil at the end or where the text is broken.
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
        // A document type could redefine entities.
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
