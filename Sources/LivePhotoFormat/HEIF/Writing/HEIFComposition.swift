import Basics
import EditModel

/// A HEIF file as a list of items that can be changed, and then written: in place, where only some items have other data,
/// or anew. The data of items that are replaced or removed is in no byte of what is written.
struct HEIFComposition {
  /// One item.
  struct Item {
    /// Its entry in the list of items.
    var entry: HEIFItem
    /// Its new data; nil leaves it its own, if it has any.
    var data: [UInt8]?
    /// True if the new data goes to `idat`; only where the file is written anew.
    var isInItemData = false

    var id: UInt32 { entry.id }
  }

  /// The original.
  let file: HEIFFile
  /// The items in file order.
  private(set) var items: [Item]
  /// The places of the items there.
  private var places: [UInt32: Int]
  /// The links between items.
  var references: [HEIFReference]
  /// The groups.
  var groups: [HEIFGroup]
  /// The items' properties.
  var properties: HEIFProperties
  /// True if what is neither the list of items nor their data is left out: padding, other programs' boxes, embedded
  /// movies, and what follows the last box. Only where the file is written in place.
  var dropsOthers = false
  /// Where boxes of the file, or of its `meta`, begin that are left out.
  var droppedAtoms: Set<Int> = []

  /// Other contents of boxes, by their places in the file. Only where the file is written anew.
  var otherContents: [Int: [UInt8]] = [:]
  /// What follows the last box. Only where the file is written anew.
  var rest: [UInt8] = []
  /// Other bytes for ranges outside the list of items and their data. Only where the file is written in place, with all boxes.
  var overwrites: [(range: Range<Int>, bytes: [UInt8])] = []
  /// The turn of the tracks of an image sequence. Only where the file is written in place.
  var sequenceTurn: Orientation = .identity

  static let entangled = MediaError(
    "its items lie over each other in a way that cannot be changed", isUnsupported: true)

  /// The items of a file as they are.
  ///
  /// - Parameters:
  ///   - properties: the properties to begin with; nil for the file's own.
  ///   - groups: the groups to begin with; nil for the file's own.
  init(_ file: HEIFFile, properties: HEIFProperties? = nil, groups: [HEIFGroup]? = nil) {
    self.file = file
    self.properties = properties ?? file.properties
    items = file.itemOrder.compactMap { file.items[$0] }.map { Item(entry: $0) }
    places = Self.places(of: items)
    references = file.references
    self.groups = groups ?? file.groups
  }

  /// The entry of an item; nil for an item that does not exist.
  func item(_ id: UInt32) -> HEIFItem? { places[id].map { items[$0].entry } }

  private static func places(of items: [Item]) -> [UInt32: Int] {
    Dictionary(items.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
  }

  /// Leaves some items out; whatever tells of them stays.
  mutating func dropItems(_ ids: Set<UInt32>) {
    items.removeAll { ids.contains($0.id) }
    places = Self.places(of: items)
  }

  /// The properties of an item, in order, with whether a reader must know them.
  func list(of id: UInt32) -> [(atom: Atom, isEssential: Bool)] {
    associations(of: id).compactMap { association in
      properties.property(association).map { ($0, association.isEssential) }
    }
  }

  /// Gives an item other properties. Those that are there already are shared.
  mutating func setList(_ list: [(atom: Atom, isEssential: Bool)], of id: UInt32) {
    properties.setAssociations(properties.associations(for: list, from: associations(of: id)), of: id)
  }

  private func associations(of id: UInt32) -> [HEIFProperties.Association] {
    properties.associationsByItem[id] ?? []
  }

  /// Gives an item other data, which may make it another kind of picture.
  mutating func replace(_ id: UInt32, with bytes: [UInt8], as type: FourCC? = nil, inItemData: Bool = false) {
    guard let index = places[id] else { return }
    items[index].data = bytes
    items[index].isInItemData = inItemData
    if let type { items[index].entry.setType(type) }
  }

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - contentType: its MIME type; nil for items of other types than `mime`.
  ///   - target: the item that it describes; nil for none.
  ///   - isHidden: whether it is no picture to be shown.
  /// - Throws: ``MediaError`` when there is no number left for it.
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
  /// - Throws: ``MediaError`` when there is no number left for it.
  mutating func group(_ kind: FourCC, _ members: [UInt32]) throws {
    // Groups and items are numbered together.
    let id = try HEIFItem.newNumber(beside: items.map(\.id) + groups.map(\.id))
    groups.append(HEIFGroup(kind: kind, id: id, members: members))
  }

  /// The list of items as a box.
  ///
  /// - Parameter head: its version and flags; from version 1 on items are counted in four bytes.
  func listing(_ head: [UInt8]) -> [UInt8] {
    let count = ByteOrder.big.bytes(of: items.count, width: head.first == 0 ? 2 : 4)
    return Atom("iinf", head + count + items.flatMap { Atom("infe", $0.entry.bytes).serialized }).serialized
  }

  /// The box `meta` with other boxes in it.
  ///
  /// - Parameters:
  ///   - more: boxes behind those of the original.
  ///   - box: called with each box of the original, returns what stands in its place; nil keeps it.
  func metaBox(appending more: [UInt8] = [], _ box: (FileAtom) throws -> [UInt8]?) throws -> [UInt8] {
    var out = try file.source.read(at: file.meta.contentOffset, count: 4)
    for atom in file.metaAtoms where !droppedAtoms.contains(atom.offset) {
      out += try box(atom) ?? file.source.read(at: atom.offset, count: atom.size)
    }
    return Atom("meta", out + more).serialized
  }
}
