import Basics
import EditModel

/// The elements of an XML text with the places of all their parts, so that a change can be made to a few
/// bytes and all others stay. Namespaces are resolved; nothing is validated beyond what that needs.
struct XMLTree: Sendable {
  /// A name with its namespace.
  struct Name: Hashable, Sendable {
    /// The namespace's URI; empty for none.
    let namespace: String
    /// The name without its prefix.
    let local: String
  }

  /// An attribute other than a namespace declaration.
  struct Attribute: Sendable {
    let name: Name
    /// The prefix as written; empty for none.
    let prefix: String
    /// The attribute with the white space before it.
    let range: Range<Int>
    /// The bytes between the quotes.
    let value: Range<Int>
  }

  /// An element.
  struct Element: Sendable {
    let name: Name
    /// The prefix as written; empty for none.
    let prefix: String
    let attributes: [Attribute]
    /// Indices of the elements in it, in order.
    fileprivate(set) var children: [Int] = []
    /// From the `<` of its start tag to the `>` of its end tag.
    fileprivate(set) var range: Range<Int>
    /// The bytes between its tags.
    fileprivate(set) var content: Range<Int>
  }

  /// The text.
  let bytes: [UInt8]
  /// The elements in the order of their start tags.
  private(set) var elements: [Element] = []
  /// Indices of the elements that lie in no other.
  private(set) var roots: [Int] = []

  /// Reads a text in UTF-8.
  ///
  /// - Returns: nil when it is not well-formed, or declares a document type.
  /// - Throws: ``Basics/MediaError`` when it has more parts than are read, or nests deeper.
  init?(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    let (mostParts, deepest) = (ReadingLimit.xmpParts.value, ReadingLimit.xmpNesting.value)
    var scanner = XMLScanner(bytes)
    var open: [(index: Int, rawName: String, namespaces: [String: String])] = []
    var parts = 0
    while let token = scanner.next() {
      switch token {
      case .start(let tag):
        parts += 1 + tag.attributes.count
        guard parts <= mostParts else {
          throw MediaError(
            beyond: .xmpParts, "its XMP has more than \(mostParts) elements and attributes")
        }
        guard open.count < deepest else {
          throw MediaError(beyond: .xmpNesting, "its XMP is nested deeper than \(deepest) levels")
        }
        var declared: [String: String] = [:]
        for attribute in tag.attributes {
          if attribute.name == "xmlns" {
            declared[""] = text(attribute.value)
          } else if attribute.name.hasPrefix("xmlns:") {
            declared[String(attribute.name.dropFirst(6))] = text(attribute.value)
          }
        }
        func resolve(_ raw: String, isAttribute: Bool) -> (name: Name, prefix: String) {
          let parts = raw.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
          let (prefix, local) = parts.count == 2 ? (parts[0], parts[1]) : ("", raw)
          if isAttribute, prefix.isEmpty { return (Name(namespace: "", local: local), prefix) }
          let scope = declared[prefix] ?? open.last { $0.namespaces[prefix] != nil }?.namespaces[prefix]
          return (Name(namespace: scope ?? "", local: local), prefix)
        }
        let attributes = tag.attributes.compactMap { raw -> Attribute? in
          guard raw.name != "xmlns", !raw.name.hasPrefix("xmlns:") else { return nil }
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
        if !tag.isEmpty { open.append((index, tag.name, declared)) }
      case .end(let name, let range):
        guard let last = open.popLast(), last.rawName == name else { return nil }
        let start = elements[last.index].range.lowerBound
        elements[last.index].content = elements[last.index].content.lowerBound..<range.lowerBound
        elements[last.index].range = start..<range.upperBound
      }
    }
    guard scanner.isWellFormed, open.isEmpty, !roots.isEmpty else { return nil }
  }

  /// The text of a range with its entities resolved.
  func text(_ range: Range<Int>) -> String {
    XMLScanner.resolvingEntities(of: String(decoding: bytes[range], as: UTF8.self)).text
  }

  /// The children of an element.
  func children(of element: Element) -> [Element] { element.children.map { elements[$0] } }

  /// The text of an element without elements in it, white space at its ends left off.
  func simpleText(of element: Element) -> (text: String, range: Range<Int>)? {
    guard element.children.isEmpty else { return nil }
    var range = element.content
    while let first = bytes[range].first, XMLScanner.isSpace(first) { range.removeFirst() }
    while let last = bytes[range].last, XMLScanner.isSpace(last) { range.removeLast() }
    return (text(range), range)
  }
}
