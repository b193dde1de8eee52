import EditModel

/// An XMP packet (ISO 16684-1) and the changes to be made to it. Only the bytes that change are touched:
/// there is no serialiser.
struct XMPPacket: Sendable {
  /// Namespaces of the properties used here.
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

  /// A property of the packet's subject, in either of its RDF forms.
  enum Property {
    case attribute(XMLTree.Attribute)
    case element(XMLTree.Element)

    var name: XMLTree.Name {
      switch self {
      case .attribute(let attribute): attribute.name
      case .element(let element): element.name
      }
    }

    /// The bytes of the packet that it takes up.
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
  /// The properties of its subject, in file order.
  let properties: [Property]
  private var changes: [(range: Range<Int>, text: [UInt8])] = []
  /// The elements that hold the properties, in file order.
  private let descriptions: [XMLTree.Element]
  /// Where the properties stood that were taken out.
  private var removed: Set<Range<Int>> = []

  /// The processing instructions by which programs find packets in files (XMP specification part 1, section 7.3.2).
  private static let wrapper = (
    begin: "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n", end: "\n<?xpacket end=\"w\"?>"
  )

  /// A new packet in its wrapper.
  ///
  /// - Parameter descriptions: the elements `rdf:Description`.
  static func wrapped(_ descriptions: String) -> [UInt8] {
    let packet =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(Namespace.rdf)\">"
      + descriptions + "</rdf:RDF></x:xmpmeta>"
    return inWrapper(Array(packet.utf8))
  }

  /// A packet with its wrapper, which those in HEIC photos may lack. A packet that begins with anything but an element stays.
  static func inWrapper(_ packet: [UInt8]) -> [UInt8] {
    guard packet.first == UInt8(ascii: "<"), packet.count > 1, packet[1] != UInt8(ascii: "?") else {
      return packet
    }
    return Array(wrapper.begin.utf8) + packet + Array(wrapper.end.utf8)
  }

  /// A packet that says nothing yet.
  static let empty = wrapped("")

  /// - Returns: nil when the bytes are not XML in UTF-8.
  /// - Throws: ``Basics/MediaError`` when they have more parts than are read, nest deeper, or have a namespace that is too long.
  init?(_ bytes: [UInt8]) throws {
    guard let tree = try XMLTree(bytes) else { return nil }
    self.tree = tree
    descriptions = tree.elements
      .filter { $0.name == .rdf("RDF") }
      .flatMap { tree.children(of: $0) }
    properties = descriptions.flatMap { Self.properties(of: $0, in: tree) }
  }

  /// The properties that an element holds.
  private static func properties(of description: XMLTree.Element, in tree: XMLTree) -> [Property] {
    description.attributes.filter { $0.name.namespace != Namespace.rdf }.map(Property.attribute)
      + tree.children(of: description).map(Property.element)
  }

  /// The properties of a namespace.
  func properties(in namespace: String) -> [Property] { properties.filter { $0.name.namespace == namespace } }

  /// A property's text and its place; nil for a structure.
  func text(of property: Property) -> (text: String, range: Range<Int>)? {
    switch property {
    case .attribute(let attribute): (tree.text(attribute.value), attribute.value)
    case .element(let element): tree.simpleText(of: element)
    }
  }

  /// Text and place of the first property with this name.
  func text(_ local: String, in namespace: String) -> (text: String, range: Range<Int>)? {
    properties(in: namespace).first { $0.name.local == local }.flatMap(text)
  }

  /// The fields of a structure, by local name, in any of its RDF forms.
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

  /// The elements whose attributes and children are a structure's fields.
  func holders(of element: XMLTree.Element) -> [XMLTree.Element] {
    [element] + tree.children(of: element).filter { $0.name == .rdf("Description") }
  }

  /// The element and everything in it, depth first.
  func descendants(of element: XMLTree.Element) -> [XMLTree.Element] { Array(tree.descendants(of: element)) }

  /// Puts plain text (no markup characters) in place of a range.
  mutating func replace(_ range: Range<Int>, with text: String) {
    guard !tree.bytes[range].elementsEqual(text.utf8) else { return }
    changes.append((range, Array(text.utf8)))
  }

  /// Puts markup at a place.
  mutating func insert(_ markup: String, at place: Int) {
    changes.append((place..<place, Array(markup.utf8)))
  }

  /// Sets a property that exists.
  mutating func set(_ local: String, in namespace: String, to text: String) {
    for property in properties(in: namespace) where property.name.local == local {
      if let old = self.text(of: property) { replace(old.range, with: text) }
    }
  }

  /// Takes a property out, with the white space before it.
  mutating func remove(_ property: Property) {
    removed.insert(property.range)
    changes.append((rangeWithSpace(property.range), []))
  }

  /// A range with the white space before it.
  private func rangeWithSpace(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start > 0, XMLScanner.isSpace(tree.bytes[start - 1]) { start -= 1 }
    return start..<range.upperBound
  }

  /// The elements whose properties were all taken out, with the white space before them. Those that held none before stay.
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

  /// The packet with its changes.
  func rewritten() -> [UInt8] {
    var bytes: [UInt8] = []
    var at = 0
    // What is put in at a place comes before what is taken out from there on.
    let sorted = (changes + emptied.map { ($0, []) }).sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    for change in sorted where change.range.lowerBound >= at {
      bytes += tree.bytes[at..<change.range.lowerBound] + change.text
      at = change.range.upperBound
    }
    return bytes + tree.bytes[at...]
  }

  /// The packet with its changes, in a limited room.
  ///
  /// - Parameter limit: the most bytes that it may have; padding before the packet's end gives way.
  /// - Returns: nil when it does not fit.
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

  /// True if the packet says that a movie is embedded behind the picture (Google's Motion Photo 1.0, and
  /// MicroVideo before it).
  var isMotionPhoto: Bool {
    ["MotionPhoto", "MicroVideo"].contains { (text($0, in: Namespace.camera)?.text ?? "0") != "0" }
      || containerSemantics.contains("MotionPhoto")
  }
}

extension XMLTree.Name {
  /// A name of RDF itself.
  static func rdf(_ local: String) -> Self { Self(namespace: XMPPacket.Namespace.rdf, local: local) }

  /// A name of the Metadata Working Group's regions.
  static func regions(_ local: String) -> Self { Self(namespace: XMPPacket.Namespace.regions, local: local) }
}
