import Basics
import EditModel

/// Google's directories, which list the data after a picture. The directory of “Motion Photo format 1.0” and Ultra HDR
/// 1.1 states the kind of each item. The directory of Dynamic Depth 1.0 identifies items by URIs, to which other
/// properties refer.
extension XMPPacket {
  /// A directory that lists the data after a picture.
  struct Directory {
    /// Whether the directory belongs to Dynamic Depth.
    let isOfDepth: Bool
    /// The items, in the order in which their data is stored in the file.
    let items: [DirectoryItem]
  }

  /// An item in a directory.
  struct DirectoryItem {
    /// The item's entry in the list.
    let entry: XMLTree.Element
    /// The element that contains the item's fields.
    let element: XMLTree.Element
    /// The kind of the item: “Primary”, “GainMap”, “MotionPhoto”, …, or nil if the directory does not state the kind.
    let semantic: String?
    /// The URI by which Dynamic Depth identifies the item.
    let uri: String?
    /// The media type of the item, or an empty string if the directory does not state the media type.
    let mime: String
    /// The length of the item in bytes, which is usually nil for the primary picture.
    let length: Int?
    /// The number of bytes between this item and the next item.
    let padding: Int
  }

  /// The directories in file order.
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

  /// The maximum number of items in a directory. Phones write at most six items.
  private static var mostItems: Int { ReadingLimit.listedPictures.value }

  /// Checks that the number of items in each directory does not exceed the limit.
  ///
  /// - Throws: ``MediaError`` if a directory has too many items.
  func checkDirectories() throws {
    guard directories.allSatisfy({ $0.items.count <= Self.mostItems }) else {
      throw MediaError(beyond: .listedPictures, "the XMP lists more than \(Self.mostItems) pictures")
    }
  }

  /// Returns the items of a directory. If the directory has too many items, the number of returned items is one above
  /// the limit.
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

  /// The items of the directories that state each item's kind, in order.
  var containerItems: [DirectoryItem] {
    directories.lazy.filter { !$0.isOfDepth }.flatMap(\.items).filter { $0.semantic != nil }
  }

  /// The kinds of the items in Google's container directory: “Primary”, “GainMap”, “MotionPhoto”, “Depth” …
  var containerSemantics: [String] { containerItems.compactMap(\.semantic) }

  /// Sets a field of a structure. If the field is missing, it is added after another field and in the same RDF form as
  /// that field.
  ///
  /// - Parameters:
  ///   - local: The local name of the field.
  ///   - text: The value of the field, without markup.
  ///   - other: The name of an existing field.
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

  /// Removes fields from a structure.
  ///
  /// - Parameter isStale: A function that receives the name of each field, and returns whether the field is removed.
  /// - Returns: The names of the removed fields.
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

  /// Updates a directory to describe other pictures.
  ///
  /// - Parameters:
  ///   - listing: The positions of the old pictures.
  ///   - pictures: The new pictures in file order, each with its old range and with its new range after the first
  ///     picture.
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
