import Basics
import EditModel

/// Google's directories of what follows a picture: the one of “Motion Photo format 1.0” and Ultra HDR 1.1, which says what each item
/// is, and the one of Dynamic Depth 1.0, whose items have URIs that other properties call them by.
extension XMPPacket {
  /// A directory.
  struct Directory {
    /// True for Dynamic Depth's.
    let isOfDepth: Bool
    /// Its items, in the order in which they stand in the file.
    let items: [DirectoryItem]
  }

  /// An item of a directory.
  struct DirectoryItem {
    /// The entry of the list that it is.
    let entry: XMLTree.Element
    /// The element that has its fields.
    let element: XMLTree.Element
    /// Its kind where the directory says it: “Primary”, “GainMap”, “MotionPhoto”, …
    let semantic: String?
    /// The URI that Dynamic Depth calls it by.
    let uri: String?
    /// Its media type; empty where nothing says so.
    let mime: String
    /// Its bytes; nil for the primary picture as a rule.
    let length: Int?
    /// The bytes between it and the next one.
    let padding: Int
  }

  /// The directories, in file order.
  var directories: [Directory] {
    func elements(_ properties: [Property]) -> [XMLTree.Element] {
      properties.compactMap { property in
        guard case .element(let element) = property else { return nil }
        return element
      }
    }
    let plain = elements(properties(in: Namespace.container)).map {
      Directory(isOfDepth: false, items: items(of: $0, in: Namespace.containerItem))
    }
    let device = properties(in: DynamicDepth.device).filter { $0.name.local == "Container" }
    return plain
      + elements(device).map { Directory(isOfDepth: true, items: items(of: $0, in: DynamicDepth.item)) }
  }

  /// The most items that a directory may have; phones write six at most.
  private static var mostItems: Int { ReadingLimit.listedPictures.value }

  /// Makes sure that no directory has more items than are looked at.
  ///
  /// - Throws: ``MediaError`` when one has.
  func checkDirectories() throws {
    guard directories.allSatisfy({ $0.items.count <= Self.mostItems }) else {
      throw MediaError(beyond: .listedPictures, "its XMP lists more than \(Self.mostItems) pictures")
    }
  }

  /// The items of a directory, and of one that has too many one more than it may have.
  private func items(of directory: XMLTree.Element, in namespace: String) -> [DirectoryItem] {
    let elements = descendants(of: directory)
    let most = Self.mostItems + 1
    let entries = elements.filter { $0.name == .rdf("li") }.prefix(most)
    return elements.filter { element in
      element.attributes.contains { $0.name.namespace == namespace }
        || tree.children(of: element).contains { $0.name.namespace == namespace }
    }.prefix(most).map { element in
      let fields = fields(of: element)
      func count(_ name: String) -> Int? {
        fields[name].flatMap { Int($0.text) }.flatMap { 0...1 << 40 ~= $0 ? $0 : nil }
      }
      let entry = entries.first {
        $0.range.lowerBound <= element.range.lowerBound && element.range.upperBound <= $0.range.upperBound
      }
      return DirectoryItem(
        entry: entry ?? element, element: element, semantic: fields["Semantic"]?.text,
        uri: fields["DataURI"]?.text, mime: fields["Mime"]?.text ?? "", length: count("Length"),
        padding: count("Padding") ?? 0)
    }
  }

  /// The items of the directories that say what each item is, in order.
  var containerItems: [DirectoryItem] {
    directories.lazy.filter { !$0.isOfDepth }.flatMap(\.items).filter { $0.semantic != nil }
  }

  /// The kinds of the items in Google's container directory: “Primary”, “GainMap”, “MotionPhoto”, “Depth” …
  var containerSemantics: [String] { containerItems.compactMap(\.semantic) }

  /// Sets a field of a structure; one that is missing is written behind another, as that is written.
  ///
  /// - Parameters:
  ///   - local: its name.
  ///   - text: its value, without markup.
  ///   - other: the name of a field that there is.
  mutating func setField(_ local: String, to text: String, behind other: String, in element: XMLTree.Element)
  {
    if let old = fields(of: element)[local] { return replace(old.range, with: text) }
    for holder in holders(of: element) {
      if let known = holder.attributes.first(where: { $0.name.local == other }) {
        return insert(" \(known.prefix):\(local)=\"\(text)\"", at: known.range.upperBound)
      }
      if let known = tree.children(of: holder).first(where: { $0.name.local == other }), !known.prefix.isEmpty
      {
        return insert(
          "<\(known.prefix):\(local)>\(text)</\(known.prefix):\(local)>", at: known.range.upperBound)
      }
    }
  }

  /// Takes fields out of a structure.
  ///
  /// - Parameter isStale: called with the name of each.
  /// - Returns: their names.
  mutating func removeFields(
    of element: XMLTree.Element, where isStale: (XMLTree.Name) -> Bool
  ) -> [XMLTree.Name] {
    let fields = holders(of: element).flatMap { holder in
      holder.attributes.map(Property.attribute) + tree.children(of: holder).map(Property.element)
    }
    let stale = fields.filter { $0.name.namespace != Namespace.rdf && isStale($0.name) }
    for field in stale { remove(field) }
    return stale.map(\.name)
  }

  /// Makes a directory true of other pictures.
  ///
  /// - Parameters:
  ///   - listing: where the old ones stood.
  ///   - pictures: the new ones, in file order: the places of the old ones, and where each begins behind the first picture.
  mutating func rewrite(_ directory: Directory, _ listing: JPEGListing, _ pictures: [JPEGListing.Kept]) {
    let places = listing.places(of: directory)
    var kept: [(item: DirectoryItem, range: Range<Int>)] = []
    for (number, (item, old)) in zip(directory.items, places.ranges).enumerated() {
      if listing.isPrimary(number, directory) {
        kept.append((item, 0..<0))
      } else if item.semantic == "MotionPhoto" {
        continue
      } else if let picture = pictures.first(where: { $0.stands(for: item, at: old) }) {
        kept.append((item, picture.new))
        setField("Length", to: String(picture.new.count), behind: "Mime", in: item.element)
      } else {
        remove(.element(item.entry))
      }
    }
    guard places.isLaidOut else { return }
    for (this, next) in zip(kept, kept.dropFirst()) {
      let gap = max(0, next.range.lowerBound - this.range.upperBound)
      if gap != this.item.padding {
        setField("Padding", to: String(gap), behind: "Mime", in: this.item.element)
      }
    }
  }
}
