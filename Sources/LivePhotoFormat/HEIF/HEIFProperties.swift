import Basics

/// The item properties box (`iprp`, ISO/IEC 23008-12 section 9.3): properties, and which items have them.
struct HEIFProperties: Sendable {
  /// That an item has a property.
  struct Association: Hashable, Sendable {
    /// The property's number, from 1.
    var index: Int
    /// True if a reader that does not know the property must pass the item over.
    var isEssential: Bool
  }

  /// One association box (`ipma`).
  struct AssociationBox: Sendable {
    /// The box's version; from 1 on item numbers have four bytes.
    var version: UInt8
    /// The box's flags; bit 0 makes property numbers 15 bits wide.
    var flags: UInt32
    /// Items and their properties in file order.
    var entries: [(id: UInt32, associations: [Association])]
  }

  /// Numbers of properties have 15 bits at most.
  static let most = 0x7FFF

  /// All properties; property number n is at index n − 1.
  var properties: [Atom] { didSet { numbers = nil } }
  /// All associations by item.
  private(set) var associationsByItem: [UInt32: [Association]] = [:]
  /// The association boxes as they were read.
  private var readBoxes: [AssociationBox]
  /// The items that have associations and stand in none of these boxes.
  private var newItems: [UInt32] = []
  /// Boxes of other kinds in `iprp`.
  private var others: [Atom]
  /// The numbers of properties, once one was looked for.
  private var numbers: Numbers?

  /// The numbers by which properties are referred to; of equal ones the first.
  private struct Numbers {
    var byProperty: [Atom: Int] = [:]
    /// The number of each property in their order.
    var inOrder: [Int] = []
    /// The property that was asked for last, which is often asked for again.
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

  /// Reads the box.
  ///
  /// - Parameter bytes: the box without its header.
  init(_ bytes: [UInt8]) throws {
    properties = []
    readBoxes = []
    others = []
    var hasContainer = false
    for box in try Atom.parseAll(bytes[...]).atoms {
      switch box.kind {
      case "ipco":
        guard !hasContainer else { throw MediaError("it has two lists of properties") }
        hasContainer = true
        properties = try Atom.parseAll(box.bytes[...]).atoms
        guard properties.count <= Self.most else {
          throw MediaError("it has \(properties.count) properties, more than can be referred to")
        }
      case "ipma":
        let associations = try AssociationBox(box.bytes)
        for (id, list) in associations.entries where associationsByItem.updateValue(list, forKey: id) != nil {
          throw MediaError("its item \(id) has two lists of properties")
        }
        readBoxes.append(associations)
      default: others.append(box)
      }
    }
    guard hasContainer else { throw MediaError("it has no list of properties") }
  }

  /// The property of an association; nil for a number that stands for none.
  func property(_ association: Association) -> Atom? {
    properties.indices.contains(association.index - 1) ? properties[association.index - 1] : nil
  }

  /// The number of a property, which is added where it is not there yet.
  mutating func number(of property: Atom) -> Int {
    var numbers = self.numbers ?? Numbers(properties)
    self.numbers = nil
    defer { self.numbers = numbers }
    // Arrays that share their bytes are equal at a glance; to hash them takes as long as they are.
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

  /// The associations of an item that is to have some properties; those that are not there yet are added.
  ///
  /// - Parameters:
  ///   - list: the properties, and whether a reader must know each.
  ///   - old: associations that most of them come from, in the same order.
  mutating func associations(
    for list: [(atom: Atom, isEssential: Bool)], from old: [Association]
  ) -> [Association] {
    var next = 0
    return list.map { atom, isEssential in
      // What came from there shares its bytes, and need not be looked for among all.
      let place = old[next...].firstIndex { property($0) == atom }
      guard let place else { return Association(index: number(of: atom), isEssential: isEssential) }
      next = place + 1
      return Association(index: firstNumber(old[place].index), isEssential: isEssential)
    }
  }

  /// The number of the first property that equals one with a number.
  private mutating func firstNumber(_ number: Int) -> Int {
    if numbers == nil { numbers = Numbers(properties) }
    return numbers?.inOrder[number - 1] ?? number
  }

  /// The association boxes.
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
      // Entries are sorted by item number: a new one stands before the first with a larger one.
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

  /// Sets the properties of an item, in the box where it has some already.
  mutating func setAssociations(_ associations: [Association], of id: UInt32) {
    if associationsByItem.updateValue(associations, forKey: id) == nil { newItems.append(id) }
  }

  /// The box without its header.
  ///
  /// - Throws: ``MediaError`` when an item has more properties, or a property a larger number, than the box
  ///   can say.
  func serialized() throws -> [UInt8] {
    var out = Atom("ipco", properties.flatMap(\.serialized)).serialized
    for box in boxes { out += Atom("ipma", try box.serialized()).serialized }
    return out + others.flatMap(\.serialized)
  }
}

extension HEIFProperties.AssociationBox {
  /// Reads the box (ISO/IEC 23008-12 section 9.3.1).
  ///
  /// - Parameter bytes: the box without its header.
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
      guard Int(many) <= most else { throw MediaError("its item \(id) has fewer properties than it says") }
      let associations = try (0..<many).map { _ in
        let value = isWide ? Int(try reader.uint16()) : Int(try reader.integer(UInt8.self))
        let top = isWide ? 0x8000 : 0x80
        return HEIFProperties.Association(index: value & (top - 1), isEssential: value & top != 0)
      }
      entries.append((id, associations))
    }
  }

  /// The box without its header, wide where a property's number or an item's needs it.
  func serialized() throws -> [UInt8] {
    let tooMany = MediaError("it has more properties than a HEIC file can hold", isUnsupported: true)
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
