import Basics
import EditModel

/// The elements of an XML document and the byte ranges of their parts. The byte ranges allow a few bytes to be changed
/// while all other bytes are kept. Namespaces are resolved. The document is validated only as far as parsing requires.
struct XMLTree: Sendable {
  /// A name with its namespace.
  struct Name: Hashable, Sendable {
    /// The namespace's URI, or an empty string if the name has no namespace.
    let namespace: String
    /// The name without its prefix.
    let local: String
  }

  /// An attribute other than a namespace declaration.
  struct Attribute: Sendable {
    let name: Name
    /// The prefix as written, or an empty string if the name has no prefix.
    let prefix: String
    /// The range of the attribute, including the preceding white space.
    let range: Range<Int>
    /// The range of the bytes between the quotes.
    let value: Range<Int>
  }

  /// An element of the XML document.
  struct Element: Sendable {
    let name: Name
    /// The prefix as written, or an empty string if the name has no prefix.
    let prefix: String
    let attributes: [Attribute]
    /// The indices of the element's children, in order.
    fileprivate(set) var children: [Int] = []
    /// The range from the `<` of the start tag up to and including the `>` of the end tag.
    fileprivate(set) var range: Range<Int>
    /// The range of the bytes between the start tag and the end tag.
    fileprivate(set) var content: Range<Int>
  }

  /// The bytes of the XML document.
  let bytes: [UInt8]
  /// The elements, in order of their start tags.
  private(set) var elements: [Element] = []
  /// The indices of the elements that have no parent element.
  private(set) var roots: [Int] = []

  /// The maximum length of a namespace in bytes. Namespaces in real files are shorter than 100 bytes.
  private static let longestNamespace = 1024

  /// Parses an XML document in UTF-8.
  ///
  /// - Returns: nil if the document is not well-formed or contains a document type declaration (DOCTYPE).
  /// - Throws: ``Basics/MediaError`` if the document has too many elements and attributes, is nested too deeply, or
  ///   contains a namespace that is too long.
  init?(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    let (mostParts, deepest) = (ReadingLimit.xmpParts.value, ReadingLimit.xmpNesting.value)
    var scanner = XMLScanner(bytes)
    var open: [(index: Int, rawName: String, prefixes: [String])] = []
    // The namespaces declared for each prefix, from the outermost declaration to the current declaration.
    var namespaces: [String: [String]] = [:]
    func close(_ prefixes: [String]) { for prefix in prefixes { namespaces[prefix]?.removeLast() } }
    func resolve(_ raw: String, isAttribute: Bool) -> (name: Name, prefix: String) {
      let colon = raw.utf8.firstIndex(of: UInt8(ascii: ":"))
      let prefix = colon.map { String(raw[..<$0]) } ?? ""
      let local = colon.map { String(raw[raw.utf8.index(after: $0)...]) } ?? raw
      let isInNone = isAttribute && prefix.isEmpty
      return (Name(namespace: isInNone ? "" : namespaces[prefix]?.last ?? "", local: local), prefix)
    }
    var parts = 0
    while let token = scanner.next() {
      switch token {
      case .start(let tag):
        parts += 1 + tag.attributes.count
        guard parts <= mostParts else {
          throw MediaError(
            beyond: .xmpParts, "the XMP has more than \(mostParts) elements and attributes")
        }
        guard open.count < deepest else {
          throw MediaError(beyond: .xmpNesting, "the XMP is nested more than \(deepest) levels deep")
        }
        let declarations = tag.attributes.filter { Self.isDeclaration($0.name) }
        let prefixes = declarations.map { String($0.name.dropFirst(6)) }
        for (declaration, prefix) in zip(declarations, prefixes) {
          // The limit matters because each property stores its namespace and is compared by namespace.
          guard declaration.value.count <= Self.longestNamespace else {
            throw MediaError(
              "the XMP has a namespace longer than \(Self.longestNamespace) bytes", isUnsupported: true)
          }
          namespaces[prefix, default: []].append(text(declaration.value))
        }
        let attributes = tag.attributes.compactMap { raw -> Attribute? in
          guard !Self.isDeclaration(raw.name) else { return nil }
          let resolved = resolve(raw.name, isAttribute: true)
          return Attribute(name: resolved.name, prefix: resolved.prefix, range: raw.range, value: raw.value)
        }
        let resolved = resolve(tag.name, isAttribute: false)
        let index = elements.count
        elements.append(
          Element(
            name: resolved.name, prefix: resolved.prefix, attributes: attributes, range: tag.range,
            content: tag.range.upperBound..<tag.range.upperBound))
        if let parent = open.last {
          elements[parent.index].children.append(index)
        } else {
          roots.append(index)
        }
        if tag.isEmpty { close(prefixes) } else { open.append((index, tag.name, prefixes)) }
      case .end(let name, let range):
        guard let last = open.popLast(), last.rawName == name else { return nil }
        close(last.prefixes)
        let start = elements[last.index].range.lowerBound
        elements[last.index].content = elements[last.index].content.lowerBound..<range.lowerBound
        elements[last.index].range = start..<range.upperBound
      }
    }
    guard scanner.isWellFormed, open.isEmpty, !roots.isEmpty else { return nil }
  }

  /// Returns whether an attribute's name is `xmlns` or begins with `xmlns:`.
  private static func isDeclaration(_ name: String) -> Bool { name == "xmlns" || name.hasPrefix("xmlns:") }

  /// Returns the text of a range, with entities resolved.
  func text(_ range: Range<Int>) -> String {
    XMLScanner.resolvingEntities(of: String(decoding: bytes[range], as: UTF8.self)).text
  }

  /// Returns the children of an element.
  func children(of element: Element) -> [Element] { element.children.map { elements[$0] } }

  /// Returns an element and all its descendants, in order of their start tags.
  func descendants(of element: Element) -> ArraySlice<Element> {
    elements[firstIndex(from: element.range.lowerBound)..<firstIndex(from: element.range.upperBound)]
  }

  /// Returns the index of the first element that begins at or after a given offset.
  private func firstIndex(from place: Int) -> Int {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if elements[middle].range.lowerBound < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns an element's text without surrounding white space, or nil if the element has child elements.
  func simpleText(of element: Element) -> (text: String, range: Range<Int>)? {
    guard element.children.isEmpty else { return nil }
    var range = element.content
    while let first = bytes[range].first, XMLScanner.isSpace(first) { range.removeFirst() }
    while let last = bytes[range].last, XMLScanner.isSpace(last) { range.removeLast() }
    return (text(range), range)
  }
}
