/// A page with places for values: `{{name}}` stands for a value, `{{#name}}…{{/name}}` for a part that is there only where
/// the value is. The notation is that of Mustache's variables and sections.
struct PageTemplate: Sendable {
  /// A value of a template.
  enum Value: Sendable {
    /// Text, which is escaped as HTML asks for (WHATWG HTML, section 13.3, “escaping a string”).
    case text(String)
    /// Bytes that stand there as they are.
    case bytes([UInt8])
  }

  private indirect enum Piece: Sendable {
    case literal(ArraySlice<UInt8>)
    case value(String)
    case section(String, [Piece])
  }

  private let pieces: [Piece]

  /// - Parameter source: the template as UTF-8. A section that is not ended reaches to the end.
  init(_ source: [UInt8]) {
    var rest = source[...]
    pieces = Self.parse(&rest)
  }

  /// Fills the template.
  ///
  /// - Parameter values: the values by name; one that is missing leaves its place empty and its section out.
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

  /// The place of two braces.
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
