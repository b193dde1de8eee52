import EditModel

/// An XMP packet (ISO 16684-1) and the changes to be made to it. Only the changed bytes are replaced. The packet is not
/// serialised again.
struct XMPPacket: Sendable {
  /// The namespaces of the properties used in this project.
  enum Namespace {
    static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    static let tiff = "http://ns.adobe.com/tiff/1.0/"
    static let exif = "http://ns.adobe.com/exif/1.0/"
    static let note = "http://ns.adobe.com/xmp/note/"
    static let regions = "http://www.metadataworkinggroup.com/schemas/regions/"
    static let camera = "http://ns.google.com/photos/1.0/camera/"
    static let container = "http://ns.google.com/photos/1.0/container/"
    static let containerItem = "http://ns.google.com/photos/1.0/container/item/"
    static let gainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
    static let appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
    static let pixelData = "http://ns.apple.com/pixeldatainfo/1.0/"
    static let panorama = "http://ns.google.com/photos/1.0/panorama/"
  }

  /// A property of the packet's subject, in either of the two RDF forms.
  enum Property {
    case attribute(XMLTree.Attribute)
    case element(XMLTree.Element)

    var name: XMLTree.Name {
      switch self {
      case .attribute(let attribute): attribute.name
      case .element(let element): element.name
      }
    }

    /// The range of the property in the packet.
    var range: Range<Int> {
      switch self {
      case .attribute(let attribute): attribute.range
      case .element(let element): element.range
      }
    }

    var prefix: String {
      switch self {
      case .attribute(let attribute): attribute.prefix
      case .element(let element): element.prefix
      }
    }
  }

  /// The packet as it was read.
  let tree: XMLTree
  /// The properties of the packet's subject, in file order.
  let properties: [Property]
  private var changes: [(range: Range<Int>, text: [UInt8])] = []
  /// The elements that contain the properties, in file order.
  private let descriptions: [XMLTree.Element]
  /// The ranges of the removed properties.
  private var removed: Set<Range<Int>> = []

  /// The processing instructions by which programs find XMP packets in files (XMP specification part 1, section 7.3.2).
  private static let wrapper = (
    begin: "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n", end: "\n<?xpacket end=\"w\"?>"
  )

  /// Returns a new packet in its wrapper.
  ///
  /// - Parameter descriptions: The `rdf:Description` elements.
  static func wrapped(_ descriptions: String) -> [UInt8] {
    let packet =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(Namespace.rdf)\">"
      + descriptions + "</rdf:RDF></x:xmpmeta>"
    return inWrapper(Array(packet.utf8))
  }

  /// Returns a packet with its wrapper, which may be missing from packets in HEIC photos. If the packet does not begin
  /// with an element, it is returned unchanged.
  static func inWrapper(_ packet: [UInt8]) -> [UInt8] {
    guard packet.first == UInt8(ascii: "<"), packet.count > 1, packet[1] != UInt8(ascii: "?") else {
      return packet
    }
    return Array(wrapper.begin.utf8) + packet + Array(wrapper.end.utf8)
  }

  /// A packet without properties.
  static let empty = wrapped("")

  /// Reads an XMP packet.
  ///
  /// - Returns: nil if the bytes are not UTF-8 XML.
  /// - Throws: ``Basics/MediaError`` if the packet has too many elements and attributes, is nested too deeply, or
  ///   contains a namespace that is too long.
  init?(_ bytes: [UInt8]) throws {
    guard let tree = try XMLTree(bytes) else { return nil }
    self.tree = tree
    descriptions = tree.elements
      .filter { $0.name == .rdf("RDF") }
      .flatMap { tree.children(of: $0) }
    properties = descriptions.flatMap { Self.properties(of: $0, in: tree) }
  }

  /// Returns the properties that an element contains.
  private static func properties(of description: XMLTree.Element, in tree: XMLTree) -> [Property] {
    description.attributes.filter { $0.name.namespace != Namespace.rdf }.map(Property.attribute)
      + tree.children(of: description).map(Property.element)
  }

  /// Returns the properties in a given namespace.
  func properties(in namespace: String) -> [Property] { properties.filter { $0.name.namespace == namespace } }

  /// Returns the text of a property and the range of that text, or nil if the property is a structure.
  func text(of property: Property) -> (text: String, range: Range<Int>)? {
    switch property {
    case .attribute(let attribute): (tree.text(attribute.value), attribute.value)
    case .element(let element): tree.simpleText(of: element)
    }
  }

  /// Returns the text of the first property with a given name, and the range of that text.
  func text(_ local: String, in namespace: String) -> (text: String, range: Range<Int>)? {
    properties(in: namespace).first { $0.name.local == local }.flatMap(text)
  }

  /// Returns the fields of a structure, by local name. The structure may be in any RDF form.
  func fields(of element: XMLTree.Element) -> [String: (text: String, range: Range<Int>)] {
    var fields: [String: (text: String, range: Range<Int>)] = [:]
    for holder in holders(of: element) {
      for attribute in holder.attributes where attribute.name.namespace != Namespace.rdf {
        fields[attribute.name.local] = (tree.text(attribute.value), attribute.value)
      }
      for child in tree.children(of: holder) where child.name.namespace != Namespace.rdf {
        fields[child.name.local] = tree.simpleText(of: child)
      }
    }
    return fields
  }

  /// Returns the elements whose attributes and children are the fields of a structure.
  func holders(of element: XMLTree.Element) -> [XMLTree.Element] {
    [element] + tree.children(of: element).filter { $0.name == .rdf("Description") }
  }

  /// Returns an element and all its descendants, depth first.
  func descendants(of element: XMLTree.Element) -> [XMLTree.Element] { Array(tree.descendants(of: element)) }

  /// Replaces a range with plain text that contains no markup characters.
  mutating func replace(_ range: Range<Int>, with text: String) {
    guard !tree.bytes[range].elementsEqual(text.utf8) else { return }
    changes.append((range, Array(text.utf8)))
  }

  /// Inserts markup at an offset.
  mutating func insert(_ markup: String, at place: Int) {
    changes.append((place..<place, Array(markup.utf8)))
  }

  /// Sets the text of an existing property.
  mutating func set(_ local: String, in namespace: String, to text: String) {
    for property in properties(in: namespace) where property.name.local == local {
      if let old = self.text(of: property) { replace(old.range, with: text) }
    }
  }

  /// Removes a property and the white space before it.
  mutating func remove(_ property: Property) {
    removed.insert(property.range)
    changes.append((rangeWithSpace(property.range), []))
  }

  /// Returns a range that is extended to include the preceding white space.
  private func rangeWithSpace(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start > 0, XMLScanner.isSpace(tree.bytes[start - 1]) { start -= 1 }
    return start..<range.upperBound
  }

  /// The ranges of the elements from which all properties were removed, including the preceding white space. Elements
  /// that were originally empty are kept.
  private var emptied: [Range<Int>] {
    guard !removed.isEmpty else { return [] }
    let insertions = changes.filter { !$0.text.isEmpty }.map(\.range.lowerBound).sorted()
    return descriptions.filter { description in
      let old = Self.properties(of: description, in: tree)
      return !old.isEmpty && old.allSatisfy { removed.contains($0.range) }
        && !(insertions.first(notBefore: description.range.lowerBound).map(description.range.contains)
          ?? false)
    }.map { rangeWithSpace($0.range) }
  }

  /// Returns the packet with all changes applied.
  func rewritten() -> [UInt8] {
    var bytes: [UInt8] = []
    var at = 0
    // If an insertion and a removal begin at the same offset, the insertion comes first.
    let sorted = (changes + emptied.map { ($0, []) }).sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    for change in sorted where change.range.lowerBound >= at {
      bytes += tree.bytes[at..<change.range.lowerBound] + change.text
      at = change.range.upperBound
    }
    return bytes + tree.bytes[at...]
  }

  /// Returns the packet with all changes applied, limited to a maximum size.
  ///
  /// - Parameter limit: The maximum number of bytes. If necessary, the padding at the end of the packet is reduced.
  /// - Returns: nil if the packet does not fit.
  func rewritten(limit: Int) -> [UInt8]? {
    var bytes = rewritten()
    let excess = bytes.count - limit
    guard excess > 0 else { return bytes }
    guard let end = bytes.firstIndex(of: "<?xpacket end") else { return nil }
    var start = end
    while start > 0, end - start < excess, XMLScanner.isSpace(bytes[start - 1]) { start -= 1 }
    guard end - start == excess else { return nil }
    bytes.removeSubrange(start..<end)
    return bytes
  }

  /// Whether the packet states that a movie is embedded after the picture, by means of Google's Motion Photo 1.0 or its
  /// predecessor MicroVideo.
  var isMotionPhoto: Bool {
    ["MotionPhoto", "MicroVideo"].contains { (text($0, in: Namespace.camera)?.text ?? "0") != "0" }
      || containerSemantics.contains("MotionPhoto")
  }
}

extension XMLTree.Name {
  /// Returns a name in the RDF namespace.
  static func rdf(_ local: String) -> Self { Self(namespace: XMPPacket.Namespace.rdf, local: local) }

  /// Returns a name in the Metadata Working Group's regions namespace.
  static func regions(_ local: String) -> Self { Self(namespace: XMPPacket.Namespace.regions, local: local) }
}
