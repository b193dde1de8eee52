import EditModel

/// Changes a photo's description in an XMP packet: dc:title, dc:description, dc:subject and xmp:Rating (XMP
/// specification part 1, section 8), PersonInImage (IPTC Extension), and the copies that other programs maintain.
extension XMPPacket {
  static let dublinCore = "http://purl.org/dc/elements/1.1/"
  private static let extended = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
  private static let microsoft = "http://ns.microsoft.com/photo/1.0/"
  static let digiKam = "http://www.digikam.org/ns/1.0/"
  private static let lightroom = "http://ns.adobe.com/lightroom/1.0/"

  /// Returns whether bytes of a packet, or of part of a packet, may contain a description.
  static func mayDescribe(_ bytes: [UInt8]) -> Bool {
    [dublinCore, "PersonInImage", "Rating", "ImageDescription"].contains { bytes.firstIndex(of: $0) != nil }
  }

  /// Changes the description.
  ///
  /// - Parameter keywords: The keywords in the photo's other metadata, used if the packet has no keywords.
  mutating func change(description change: DescriptionChange, keywords: [String]) {
    var new = ""
    func text(_ words: String, _ name: String) -> String {
      words.isEmpty
        ? ""
        : "<\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped(words))</rdf:li></rdf:Alt></\(name)>"
    }
    func list(_ words: [String], _ name: String, _ kind: String = "Bag") -> String {
      if words.isEmpty { return "" }
      let items = words.map { "<rdf:li>\(Self.escaped($0))</rdf:li>" }.joined()
      return "<\(name)><rdf:\(kind)>\(items)</rdf:\(kind)></\(name)>"
    }
    if let title = change.title {
      removeAll("title", in: Self.dublinCore)
      new += text(title, "dc:title")
    }
    if let caption = change.caption {
      removeAll("description", in: Self.dublinCore)
      new += text(caption, "dc:description")
      if has("ImageDescription", in: Namespace.tiff) {
        removeAll("ImageDescription", in: Namespace.tiff)
        new += text(caption, "tiff:ImageDescription")
      }
    }
    if !change.keywords.isNeutral {
      let old = words("subject", in: Self.dublinCore) ?? keywords
      removeAll("subject", in: Self.dublinCore)
      new += list(change.keywords.applied(to: old), "dc:subject")
      for (namespace, name, prefix, joint) in [
        (Self.digiKam, "TagsList", "digiKam", "/"), (Self.lightroom, "hierarchicalSubject", "lr", "|"),
        (Self.microsoft, "LastKeywordXMP", "MicrosoftPhoto", "/"),
      ] {
        // In a hierarchical keyword, only the last part is the keyword itself.
        guard let paths = words(name, in: namespace) else { continue }
        let kept = paths.filter { path in
          !change.keywords.removed.contains(String(path.split(separator: joint).last ?? ""))
        }
        let last = Set(kept.map { String($0.split(separator: joint).last ?? "") })
        let all = kept + change.keywords.added.filter { !last.contains($0) }
        removeAll(name, in: namespace)
        new += list(all, "\(prefix):\(name)", name == "TagsList" ? "Seq" : "Bag")
      }
    }
    if !change.persons.isNeutral {
      let old = words("PersonInImage", in: Self.extended) ?? []
      removeAll("PersonInImage", in: Self.extended)
      new += list(change.persons.applied(to: old), "Iptc4xmpExt:PersonInImage")
    }
    if let rating = change.rating {
      removeAll("Rating", in: Self.basic)
      new += "<xmp:Rating>\(rating)</xmp:Rating>"
      if has("Rating", in: Self.microsoft) {
        // Windows uses a scale of 0 to 99, with these values for one to five stars.
        set("Rating", in: Self.microsoft, to: String([0, 1, 25, 50, 75, 99][min(max(rating, 0), 5)]))
      }
    }
    if !new.isEmpty { addDescription(new) }
  }

  /// Limits a description change to the properties that already exist in the packet.
  func known(of change: DescriptionChange) -> DescriptionChange {
    var change = change
    if !has("title", in: Self.dublinCore) { change.title = nil }
    let copies = ["description": Self.dublinCore, "ImageDescription": Namespace.tiff]
    if !copies.contains(where: { has($0.key, in: $0.value) }) { change.caption = nil }
    if !has("subject", in: Self.dublinCore) { change.keywords = WordChange() }
    if !has("PersonInImage", in: Self.extended) { change.persons = WordChange() }
    if !has("Rating", in: Self.basic) { change.rating = nil }
    return change
  }

  private func has(_ local: String, in namespace: String) -> Bool {
    properties.contains { $0.name.local == local && $0.name.namespace == namespace }
  }

  /// Returns the strings in a list property, or nil if the property does not exist.
  func words(_ local: String, in namespace: String) -> [String]? {
    let found = properties(in: namespace).filter { $0.name.local == local }
    guard !found.isEmpty else { return nil }
    return found.flatMap { property -> [String] in
      guard case .element(let element) = property, !element.children.isEmpty else {
        return [text(of: property)?.text].compactMap { $0 }
      }
      return descendants(of: element).filter { $0.name == .rdf("li") }.compactMap {
        tree.simpleText(of: $0)?.text
      }
    }.unique
  }

  private mutating func removeAll(_ local: String, in namespace: String) {
    for property in properties(in: namespace) where property.name.local == local { remove(property) }
  }

  /// Adds properties that describe the packet's subject.
  mutating func addDescription(_ content: String) {
    guard let list = tree.elements.first(where: { $0.name == .rdf("RDF") }) else { return }
    let about =
      tree.children(of: list).lazy.flatMap(\.attributes).first { $0.name == .rdf("about") }
      .map { String(decoding: tree.bytes[$0.value], as: UTF8.self) } ?? ""
    // A quotation mark would end the new attribute's value, even if the old value was enclosed in quotation marks of
    // the other kind.
    let subject = about.contains("\"") || about.contains("<") ? "" : about
    let namespaces = [
      "rdf": Namespace.rdf, "dc": Self.dublinCore, "xmp": Self.basic, "Iptc4xmpExt": Self.extended,
      "digiKam": Self.digiKam, "lr": Self.lightroom, "MicrosoftPhoto": Self.microsoft,
      "exif": Namespace.exif, "photoshop": Self.photoshop, "tiff": Namespace.tiff,
    ]
    let declared = namespaces.filter { $0.key == "rdf" || content.contains("<\($0.key):") }
      .sorted { $0.key < $1.key }.map { " xmlns:\($0.key)=\"\($0.value)\"" }.joined()
    let description =
      "<rdf:Description\(declared) rdf:about=\"\(subject)\">\(content)</rdf:Description>"
    if tree.bytes[list.range].suffix(2).elementsEqual("/>".utf8) {
      let end = list.range.upperBound
      let name = list.prefix.isEmpty ? "RDF" : list.prefix + ":RDF"
      replace(end - 2..<end, with: ">" + description + "</\(name)>")
    } else {
      replace(list.content.upperBound..<list.content.upperBound, with: description)
    }
  }

  /// Escapes a string for XML, and removes characters that XML does not allow.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\u{9}", "\u{A}", "\u{D}": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
