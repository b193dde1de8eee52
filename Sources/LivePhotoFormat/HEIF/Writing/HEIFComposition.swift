import Basics
import EditModel

/// A HEIF file, represented by a list of items that can be changed before the file is written. If the only changes are
/// new data for some items, the file is written in place. Otherwise, the complete file is rewritten. The output does
/// not contain any data of replaced or removed items.
struct HEIFComposition {
  /// An item of the file.
  struct Item {
    /// The item's entry in the list of items.
    var entry: HEIFItem
    /// The item's new data, or nil to keep its existing data, if any.
    var data: [UInt8]?
    /// Whether the new data is stored in `idat`. Ignored unless the complete file is rewritten.
    var isInItemData = false

    var id: UInt32 { entry.id }
  }

  /// The original file.
  let file: HEIFFile
  /// The items in file order.
  private(set) var items: [Item]
  /// The index of each item in `items`, by item ID.
  private var places: [UInt32: Int]
  /// The references between items.
  var references: [HEIFReference]
  /// The groups of items.
  var groups: [HEIFGroup]
  /// The properties of the items.
  var properties: HEIFProperties
  /// Whether everything except the items and their data is omitted: padding, boxes from other programs, embedded
  /// movies, and data after the last box. Ignored unless the file is written in place.
  var dropsOthers = false
  /// The offsets of the omitted boxes at the top level or in `meta`.
  var droppedAtoms: Set<Int> = []

  /// New contents of boxes, by offset in the file. Ignored unless the complete file is rewritten.
  var otherContents: [Int: [UInt8]] = [:]
  /// The data to write after the last box. Ignored unless the complete file is rewritten.
  var rest: [UInt8] = []
  /// New bytes for ranges outside the items and their data. Ignored unless the file is written in place with all its
  /// boxes.
  var overwrites: [(range: Range<Int>, bytes: [UInt8])] = []
  /// The rotation applied to the tracks of an image sequence. Ignored unless the file is written in place.
  var sequenceTurn: Orientation = .identity

  static let entangled = MediaError(
    "the items overlap in a way that prevents changes", isUnsupported: true)

  /// Creates a composition with the unchanged items of a file.
  ///
  /// - Parameters:
  ///   - properties: The initial properties, or nil for the properties in the file.
  ///   - groups: The initial groups, or nil for the groups in the file.
  init(_ file: HEIFFile, properties: HEIFProperties? = nil, groups: [HEIFGroup]? = nil) {
    self.file = file
    self.properties = properties ?? file.properties
    items = file.itemOrder.compactMap { file.items[$0] }.map { Item(entry: $0) }
    places = Self.places(of: items)
    references = file.references
    self.groups = groups ?? file.groups
  }

  /// Returns the entry of an item, or nil if the item does not exist.
  func item(_ id: UInt32) -> HEIFItem? { places[id].map { items[$0].entry } }

  private static func places(of items: [Item]) -> [UInt32: Int] {
    Dictionary(items.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
  }

  /// Removes items from the item list but keeps all references, groups and properties that mention these items.
  mutating func dropItems(_ ids: Set<UInt32>) {
    items.removeAll { ids.contains($0.id) }
    places = Self.places(of: items)
  }

  /// Returns the properties of an item in order, and whether a reader must support each property.
  func list(of id: UInt32) -> [(atom: Atom, isEssential: Bool)] {
    associations(of: id).compactMap { association in
      properties.property(association).map { ($0, association.isEssential) }
    }
  }

  /// Sets the properties of an item. Properties that already exist in the file are shared.
  mutating func setList(_ list: [(atom: Atom, isEssential: Bool)], of id: UInt32) {
    properties.setAssociations(properties.associations(for: list, from: associations(of: id)), of: id)
  }

  private func associations(of id: UInt32) -> [HEIFProperties.Association] {
    properties.associationsByItem[id] ?? []
  }

  /// Sets the data of an item, and optionally its type.
  mutating func replace(_ id: UInt32, with bytes: [UInt8], as type: FourCC? = nil, inItemData: Bool = false) {
    guard let index = places[id] else { return }
    items[index].data = bytes
    items[index].isInItemData = inItemData
    if let type { items[index].entry.setType(type) }
  }

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - contentType: The item's MIME type, or nil if the item's type is not `mime`.
  ///   - target: The item that the new item describes, or nil if the new item does not describe another item.
  ///   - isHidden: Whether the item is not intended to be displayed.
  /// - Throws: ``MediaError`` if no unused ID exists for the item.
  @discardableResult
  mutating func add(
    _ type: FourCC, _ data: [UInt8], contentType: String? = nil, describing target: UInt32? = nil,
    isHidden: Bool = true
  ) throws -> UInt32 {
    let id = try HEIFItem.newNumber(beside: items.lazy.map(\.id))
    let entry = HEIFItem.entry(id, type, contentType: contentType, isHidden: isHidden)
    places[id] = items.count
    items.append(Item(entry: try HEIFItem(entry: entry), data: data))
    if let target { references.append(HEIFReference(kind: "cdsc", from: id, to: [target])) }
    return id
  }

  /// Adds a group of items.
  ///
  /// - Throws: ``MediaError`` if no unused ID exists for the group.
  mutating func group(_ kind: FourCC, _ members: [UInt32]) throws {
    // Groups and items use the same ID space, so their IDs must differ.
    let id = try HEIFItem.newNumber(beside: items.map(\.id) + groups.map(\.id))
    groups.append(HEIFGroup(kind: kind, id: id, members: members))
  }

  /// Returns the item information box (`iinf`).
  ///
  /// - Parameter head: The version and flags of the box. From version 1 on, the item count is four bytes wide.
  func listing(_ head: [UInt8]) -> [UInt8] {
    let count = ByteOrder.big.bytes(of: items.count, width: head.first == 0 ? 2 : 4)
    return Atom("iinf", head + count + items.flatMap { Atom("infe", $0.entry.bytes).serialized }).serialized
  }

  /// Returns the `meta` box with replaced and added child boxes.
  ///
  /// - Parameters:
  ///   - more: The boxes to add after the original child boxes.
  ///   - box: A function that receives each original child box, and returns the bytes that replace the box, or nil to
  ///     keep the box.
  func metaBox(appending more: [UInt8] = [], _ box: (FileAtom) throws -> [UInt8]?) throws -> [UInt8] {
    var out = try file.source.read(at: file.meta.contentOffset, count: 4)
    for atom in file.metaAtoms where !droppedAtoms.contains(atom.offset) {
      out += try box(atom) ?? file.source.read(at: atom.offset, count: atom.size)
    }
    return Atom("meta", out + more).serialized
  }
}
