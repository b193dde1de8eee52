/// Finds the tags of an XML text; comments, processing instructions, CDATA and text are passed over.
struct XMLScanner {
  /// A start tag, or an empty element's only tag.
  struct Tag {
    /// The name as written.
    let name: String
    /// The attributes: names as written, whole ranges with the white space before them, values without quotes.
    let attributes: [(name: String, range: Range<Int>, value: Range<Int>)]
    /// From `<` to `>`.
    let range: Range<Int>
    /// True if it ends in `/>`.
    let isEmpty: Bool
  }

  /// A piece of XML that `next` finds.
  enum Token {
    case start(Tag)
    case end(name: String, range: Range<Int>)
  }

  /// True if nothing broken was met so far.
  private(set) var isWellFormed = true
  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Space, tab, line feed, carriage return.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// The characters that no name contains: `< > / = ' " &`.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x3C, 0x3E, 0x2F, 0x3D, 0x27, 0x22, 0x26: true
    default: false
    }
  }

  /// The next tag; nil at the end or where the text is broken.
  mutating func next() -> Token? {
    while isWellFormed, at < bytes.count {
      guard bytes[at] == 0x3C else {  // <
        at += 1
        continue
      }
      if follows("<?") {
        skip(past: "?>")
      } else if follows("<!--") {
        skip(past: "-->")
      } else if follows("<![CDATA[") {
        skip(past: "]]>")
      } else if follows("<!") {
        isWellFormed = false  // a document type could redefine entities
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
    guard let found = bytes.firstIndex(of: end, in: at + 2..<bytes.count) else {
      isWellFormed = false
      return
    }
    at = found + end.utf8.count
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
