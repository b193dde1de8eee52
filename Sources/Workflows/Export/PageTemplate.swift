/// A page template in the notation of Mustache's variables and sections. `{{name}}` inserts a value, and
/// `{{#name}}…{{/name}}` encloses a section that appears only if the value exists.
struct PageTemplate: Sendable {
  /// A value that is inserted into a template.
  enum Value: Sendable {
    /// Text that is escaped for HTML (WHATWG HTML, section 13.3, “escaping a string”).
    case text(String)
    /// Bytes that are inserted unchanged.
    case bytes([UInt8])
  }

  private indirect enum Piece: Sendable {
    case literal(ArraySlice<UInt8>)
    case value(String)
    case section(String, [Piece])
  }

  private let pieces: [Piece]

  /// - Parameter source: The template in UTF-8. An unclosed section extends to the end.
  init(_ source: [UInt8]) {
    var rest = source[...]
    pieces = Self.parse(&rest)
  }

  /// Fills the template.
  ///
  /// - Parameter values: The values by name. If a value is missing, its variable is replaced with nothing and its
  ///   section is omitted.
  func filled(_ values: [String: Value]) -> [UInt8] {
    var output: [UInt8] = []
    Self.append(pieces, values, to: &output)
    return output
  }

  private static func parse(_ rest: inout ArraySlice<UInt8>) -> [Piece] {
    var pieces: [Piece] = []
    while let start = place(of: UInt8(ascii: "{"), in: rest),
      let end = place(of: UInt8(ascii: "}"), in: rest[(start + 2)...])
    {
      if start > rest.startIndex { pieces.append(.literal(rest[..<start])) }
      let name = String(decoding: rest[(start + 2)..<end], as: UTF8.self)
      rest = rest[(end + 2)...]
      switch name.first {
      case "#": pieces.append(.section(String(name.dropFirst()), parse(&rest)))
      case "/": return pieces
      default: pieces.append(.value(name))
      }
    }
    if !rest.isEmpty { pieces.append(.literal(rest)) }
    rest = []
    return pieces
  }

  /// Returns the index of two consecutive braces.
  private static func place(of brace: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.dropLast().first { bytes[$0] == brace && bytes[$0 + 1] == brace }
  }

  private static func append(_ pieces: [Piece], _ values: [String: Value], to output: inout [UInt8]) {
    for piece in pieces {
      switch piece {
      case .literal(let bytes): output += bytes
      case .section(let name, let inner): if values[name] != nil { append(inner, values, to: &output) }
      case .value(let name):
        switch values[name] {
        case .text(let text): output += escaped(text)
        case .bytes(let bytes): output += bytes
        case nil: break
        }
      }
    }
  }

  private static func escaped(_ text: String) -> [UInt8] {
    text.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "&"): Array("&amp;".utf8)
      case UInt8(ascii: "<"): Array("&lt;".utf8)
      case UInt8(ascii: ">"): Array("&gt;".utf8)
      case UInt8(ascii: "\""): Array("&quot;".utf8)
      case UInt8(ascii: "'"): Array("&#39;".utf8)
      default: [byte]
      }
    }
  }
}
