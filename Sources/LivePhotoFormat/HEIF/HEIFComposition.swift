import Basics

/// A HEIF file as a list of items that can be changed, and then written anew: the data of items that are replaced or
/// removed is in no byte of what is written.
struct HEIFComposition {
  /// Where an item's data comes from.
  enum Content: Hashable {
    /// Bytes of the original.
    case stored([Range<Int>])
    /// Other bytes.
    case new([UInt8])

    var count: Int {
      switch self {
      case .stored(let ranges): ranges.reduce(0) { $0 + $1.count }
      case .new(let bytes): bytes.count
      }
    }
  }

  /// One item.
  struct Item {
    let id: UInt32
    /// Its entry in the list of items: `infe` without header.
    var entry: [UInt8]
    /// Its data; nil for an item without data, or with data in another file.
    var content: Content?
    /// Whether the data lies in `idat`.
    var isInItemData: Bool
    /// Where its data lay, for the order of the data.
    let place: Int
  }

  /// The original.
  let file: HEIFFile
  /// The items in file order.
  private(set) var items: [Item]
  /// The links between items.
  var references: [HEIFReference]
  /// The groups.
  private(set) var groups: [HEIFGroup]
  /// The items' properties.
  var properties: HEIFProperties

  static let entangled = MediaError(
    "its items lie over each other in a way that cannot be changed", isUnsupported: true)

  /// - Parameters:
  ///   - file: the boxes.
  ///   - properties: the properties to begin with.
  ///   - source: the file.
  /// - Throws: ``MediaError`` when items share so many bytes that the file would become larger without reason, or lie
  ///   where they cannot be taken from.
  init(_ file: HEIFFile, properties: HEIFProperties, from source: some ByteSource) throws {
    self.file = file
    self.properties = properties
    // Links to the items that other items lie in have no meaning once each item has bytes of its own.
    references = file.references.filter { $0.kind != "iloc" }
    groups = file.groups
    guard let list = file.metaAtoms.first(where: { $0.kind == "iinf" }) else { throw Self.entangled }
    let head = try source.read(at: list.contentOffset, count: 1).first == 0 ? 6 : 8
    guard list.contentSize >= head else { throw Self.entangled }
    let entries = try source.read(at: list.contentOffset + head, count: list.contentSize - head)
    var left = HEIFFile.mostPieces
    var total = 0
    items = []
    for box in try Atom.parseAll(entries[...]).atoms where box.kind == "infe" {
      let id = try HEIFItem(entry: box.bytes).id
      let location = file.location(of: id)
      var ranges: [Range<Int>]?
      if let location, location.dataReference == 0 {
        ranges = try file.ranges(of: id, left: &left)
        total += ranges?.reduce(0) { $0 + $1.count } ?? 0
        guard total <= file.size else { throw Self.entangled }
      }
      items.append(
        Item(
          id: id, entry: box.bytes, content: ranges.map { .stored($0) },
          isInItemData: location?.construction == .itemData, place: ranges?.first?.lowerBound ?? Int.max))
    }
    for item in items { try checkPlace(item) }
  }

  /// Data stands in the boxes for data, which are written anew, or it could stay behind in another box.
  private func checkPlace(_ item: Item) throws {
    guard case .stored(let ranges) = item.content else { return }
    let boxes = file.atoms.filter { $0.kind == "mdat" || $0.kind == "meta" }
    for range in ranges where !range.isEmpty {
      let isHeld = boxes.contains {
        $0.contentOffset <= range.lowerBound && range.upperBound <= $0.offset + $0.size
      }
      guard isHeld else { throw Self.entangled }
    }
  }

  /// The items that refer to an item by links of one kind.
  func sources(_ kind: FourCC, to id: UInt32) -> [UInt32] {
    references.filter { $0.kind == kind && $0.to.contains(id) }.map(\.from)
  }

  /// The items that an item refers to by links of one kind, in order.
  func targets(_ kind: FourCC, from id: UInt32) -> [UInt32] {
    references.filter { $0.kind == kind && $0.from == id }.flatMap(\.to)
  }

  /// What an item is.
  func item(_ id: UInt32) -> HEIFItem? {
    items.first { $0.id == id }.flatMap { try? HEIFItem(entry: $0.entry) }
  }

  /// The properties of an item, in order, with whether a reader must know them.
  func list(of id: UInt32) -> [(atom: Atom, isEssential: Bool)] {
    let associations = properties.boxes.flatMap(\.entries).first { $0.id == id }?.associations ?? []
    return associations.compactMap { association in
      properties.properties.indices.contains(association.index - 1)
        ? (properties.properties[association.index - 1], association.isEssential) : nil
    }
  }

  /// Gives an item other properties. Those that are there already are shared.
  mutating func setList(_ list: [(atom: Atom, isEssential: Bool)], of id: UInt32) {
    let associations = list.map { atom, isEssential in
      let known = properties.properties.firstIndex(of: atom) ?? properties.properties.count
      if known == properties.properties.count { properties.properties.append(atom) }
      return HEIFProperties.Association(index: known + 1, isEssential: isEssential)
    }
    properties.setAssociations(associations, of: id)
  }

  /// Gives an item other data.
  mutating func replace(_ id: UInt32, with bytes: [UInt8], inItemData: Bool = false) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return }
    items[index].content = .new(bytes)
    items[index].isInItemData = inItemData
  }

  /// Makes an item another kind of picture.
  mutating func setType(_ type: FourCC, of id: UInt32) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return }
    // Version and flags, a number of two or four bytes, two bytes of protection, the type.
    let at = 4 + ((items[index].entry.first ?? 2) >= 3 ? 4 : 2) + 2
    guard items[index].entry.count >= at + 4 else { return }
    items[index].entry.replace(at: at, bigEndian: type.rawValue)
  }

  /// Adds a hidden item.
  ///
  /// - Throws: ``MediaError`` when there is no number left for it.
  mutating func add(_ type: FourCC, _ bytes: [UInt8]) throws -> UInt32 {
    let id = try HEIFItem.newNumber(beside: items.lazy.map(\.id))
    items.append(
      Item(
        id: id, entry: HEIFItem.hiddenEntry(id, type), content: .new(bytes), isInItemData: false,
        place: Int.max))
    return id
  }

  /// Takes an item out, and with it what is made of it, what describes it or is auxiliary to it alone, and the tiles
  /// that only it uses. The photo stays.
  mutating func remove(_ id: UInt32) {
    var pending = [id]
    while let id = pending.popLast() {
      guard id != file.primaryItem, items.contains(where: { $0.id == id }) else { continue }
      items.removeAll { $0.id == id }
      properties.setAssociations([], of: id)
      let parts = targets("dimg", from: id)
      pending += references.filter { $0.kind == "dimg" && $0.to.contains(id) }.map(\.from)
      references = references.compactMap { reference in
        guard reference.from != id else { return nil }
        guard reference.to.contains(id) else { return reference }
        let rest = reference.to.filter { $0 != id }
        if rest.isEmpty, reference.kind != "dimg" { pending.append(reference.from) }
        return rest.isEmpty ? nil : HEIFReference(kind: reference.kind, from: reference.from, to: rest)
      }
      for part in parts where sources("dimg", to: part).isEmpty && item(part)?.isHidden ?? false {
        // A gain map is a picture of its own, not a part of what it makes.
        if targets("auxl", from: part).isEmpty { pending.append(part) }
      }
      groups = groups.compactMap { group in
        guard group.members.contains(id) else { return group }
        let rest = group.members.filter { $0 != id }
        return rest.count < 2 ? nil : HEIFGroup(kind: group.kind, id: group.id, members: rest)
      }
    }
  }
}
