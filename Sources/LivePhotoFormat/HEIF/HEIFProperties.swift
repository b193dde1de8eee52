import Basics

/// The item properties box (`iprp`, ISO/IEC 23008-12 section 9.3), which contains the items' properties and associates
/// each property with items.
struct HEIFProperties: Sendable {
  /// An association of an item with a property.
  struct Association: Hashable, Sendable {
    /// The property's number, counted from 1.
    var index: Int
    /// Whether a reader that does not support the property must ignore the item.
    var isEssential: Bool
  }

  /// An item property association box (`ipma`).
  struct AssociationBox: Sendable {
    /// The version of the box. From version 1 on, item IDs are four bytes wide.
    var version: UInt8
    /// The flags of the box. If bit 0 is set, property numbers are 15 bits wide.
    var flags: UInt32
    /// The items and their property associations in file order.
    var entries: [(id: UInt32, associations: [Association])]
  }

  /// The highest property number, limited by its width of 15 bits.
  static let most = 0x7FFF

  /// All properties. Property number n is at index n − 1.
  var properties: [Atom] { didSet { numbers = nil } }
  /// All property associations by item.
  private(set) var associationsByItem: [UInt32: [Association]] = [:]
  /// The association boxes as they were read.
  private var readBoxes: [AssociationBox]
  /// The items that have associations but are not listed in any of the original boxes.
  private var newItems: [UInt32] = []
  /// The boxes in `iprp` other than property containers and association boxes.
  private var others: [Atom]
  /// An index of property numbers, created for the first lookup.
  private var numbers: Numbers?

  /// The numbers by which associations refer to properties. Equal properties share a single number: the number of the
  /// first of these properties.
  private struct Numbers {
    var byProperty: [Atom: Int] = [:]
    /// The number of each property, in file order.
    var inOrder: [Int] = []
    /// The property that was looked up last, which is likely to be looked up again.
    var last: (property: Atom, number: Int)?

    init(_ properties: [Atom]) {
      byProperty.reserveCapacity(properties.count)
      for property in properties { add(property) }
    }

    mutating func add(_ property: Atom) {
      let number = inOrder.count + 1
      if let first = byProperty[property] {
        inOrder.append(first)
      } else {
        byProperty[property] = number
        inOrder.append(number)
      }
    }
  }

  /// Reads the item properties box.
  ///
  /// - Parameter bytes: The content of the box, without its header.
  init(_ bytes: [UInt8]) throws {
    properties = []
    readBoxes = []
    others = []
    var hasContainer = false
    for box in try Atom.parseAll(bytes[...]).atoms {
      switch box.kind {
      case "ipco":
        guard !hasContainer else { throw MediaError("the file has two lists of properties") }
        hasContainer = true
        properties = try Atom.parseAll(box.bytes[...]).atoms
        guard properties.count <= Self.most else {
          throw MediaError("the file has \(properties.count) properties, more than the format allows")
        }
      case "ipma":
        let associations = try AssociationBox(box.bytes)
        for (id, list) in associations.entries where associationsByItem.updateValue(list, forKey: id) != nil {
          throw MediaError("item \(id) has two lists of properties")
        }
        readBoxes.append(associations)
      default: others.append(box)
      }
    }
    guard hasContainer else { throw MediaError("the file has no list of properties") }
  }

  /// Returns the property to which an association refers, or nil if that property does not exist.
  func property(_ association: Association) -> Atom? {
    properties.indices.contains(association.index - 1) ? properties[association.index - 1] : nil
  }

  /// Returns the number of a property. If the property does not exist yet, it is added.
  mutating func number(of property: Atom) -> Int {
    var numbers = self.numbers ?? Numbers(properties)
    self.numbers = nil
    defer { self.numbers = numbers }
    // Comparing arrays that share storage takes constant time, but hashing an array takes time proportional to its
    // length.
    if let last = numbers.last, last.property == property { return last.number }
    let number: Int
    if let known = numbers.byProperty[property] {
      number = known
    } else {
      properties.append(property)
      numbers.add(property)
      number = properties.count
    }
    numbers.last = (property, number)
    return number
  }

  /// Returns the associations that give an item a list of properties. Properties that do not exist yet are added.
  ///
  /// - Parameters:
  ///   - list: The properties, and whether a reader must support each property.
  ///   - old: Existing associations that contain most of the properties in the same order.
  mutating func associations(
    for list: [(atom: Atom, isEssential: Bool)], from old: [Association]
  ) -> [Association] {
    var next = 0
    return list.map { atom, isEssential in
      // A property from an old association shares its storage with the stored property, which avoids a search through
      // all properties.
      let place = old[next...].firstIndex { property($0) == atom }
      guard let place else { return Association(index: number(of: atom), isEssential: isEssential) }
      next = place + 1
      return Association(index: firstNumber(old[place].index), isEssential: isEssential)
    }
  }

  /// Returns the first property number whose property equals the property with a given number.
  private mutating func firstNumber(_ number: Int) -> Int {
    if numbers == nil { numbers = Numbers(properties) }
    return numbers?.inOrder[number - 1] ?? number
  }

  /// The association boxes with all current associations.
  var boxes: [AssociationBox] {
    get {
      var boxes = readBoxes
      for box in boxes.indices {
        for place in boxes[box].entries.indices {
          boxes[box].entries[place].associations = associationsByItem[boxes[box].entries[place].id] ?? []
        }
      }
      guard !newItems.isEmpty else { return boxes }
      if boxes.isEmpty { boxes.append(AssociationBox(version: 0, flags: 0, entries: [])) }
      // Entries are sorted by item ID, so a new entry is inserted before the first entry with a higher ID.
      var left = newItems.sorted(by: >)
      var entries: [(id: UInt32, associations: [Association])] = []
      for entry in boxes[0].entries {
        while let id = left.last, id < entry.id {
          entries.append((id, associationsByItem[id] ?? []))
          left.removeLast()
        }
        entries.append(entry)
      }
      boxes[0].entries = entries + left.reversed().map { ($0, associationsByItem[$0] ?? []) }
      return boxes
    }
    set {
      (readBoxes, newItems) = (newValue, [])
      associationsByItem = Dictionary(newValue.flatMap { $0.entries.map { ($0.id, $0.associations) } }) {
        first, _ in first
      }
    }
  }

  /// Sets the property associations of an item. If an existing box lists the item, the associations are set in that
  /// box.
  mutating func setAssociations(_ associations: [Association], of id: UInt32) {
    if associationsByItem.updateValue(associations, forKey: id) == nil { newItems.append(id) }
  }

  /// Returns the content of the item properties box, without its header.
  ///
  /// - Throws: ``MediaError`` if an item has too many properties for the box, or if a property number is too high.
  func serialized() throws -> [UInt8] {
    var out = Atom("ipco", properties.flatMap(\.serialized)).serialized
    for box in boxes { out += Atom("ipma", try box.serialized()).serialized }
    return out + others.flatMap(\.serialized)
  }
}

extension HEIFProperties.AssociationBox {
  /// Reads an association box (ISO/IEC 23008-12 section 9.3.1).
  ///
  /// - Parameter bytes: The content of the box, without its header.
  init(_ bytes: [UInt8]) throws {
    var reader = BigEndianReader(bytes)
    let versionAndFlags = try reader.uint32()
    version = UInt8(truncatingIfNeeded: versionAndFlags >> 24)
    flags = versionAndFlags & 0xFF_FFFF
    let isWide = flags & 1 != 0
    let count = try reader.count(entrySize: version < 1 ? 3 : 5)
    entries = []
    for _ in 0..<count {
      let id = version < 1 ? UInt32(try reader.uint16()) : try reader.uint32()
      let (many, most): (UInt8, Int) = (try reader.integer(), reader.remaining / (isWide ? 2 : 1))
      guard Int(many) <= most else { throw MediaError("item \(id) has fewer properties than it declares") }
      let associations = try (0..<many).map { _ in
        let value = isWide ? Int(try reader.uint16()) : Int(try reader.integer(UInt8.self))
        let top = isWide ? 0x8000 : 0x80
        return HEIFProperties.Association(index: value & (top - 1), isEssential: value & top != 0)
      }
      entries.append((id, associations))
    }
  }

  /// Returns the content of the box, without its header. The content uses wide fields if a property number or an item
  /// ID requires them.
  func serialized() throws -> [UInt8] {
    let tooMany = MediaError("the file has more properties than the HEIC format allows", isUnsupported: true)
    let largest = entries.flatMap(\.associations).map(\.index).max() ?? 0
    guard largest <= HEIFProperties.most else { throw tooMany }
    let isWide = flags & 1 != 0 || largest > 0x7F
    let version = entries.contains { $0.id > 0xFFFF } ? max(version, 1) : version
    var out = [version] + ByteOrder.big.bytes(of: Int(flags) | (isWide ? 1 : 0), width: 3)
    out += ByteOrder.big.bytes(of: entries.count, width: 4)
    for (id, associations) in entries {
      guard let count = UInt8(exactly: associations.count) else { throw tooMany }
      out += ByteOrder.big.bytes(of: Int(id), width: version < 1 ? 2 : 4)
      out.append(count)
      for association in associations {
        let top = association.isEssential ? (isWide ? 0x8000 : 0x80) : 0
        out += ByteOrder.big.bytes(of: association.index | top, width: isWide ? 2 : 1)
      }
    }
    return out
  }
}
