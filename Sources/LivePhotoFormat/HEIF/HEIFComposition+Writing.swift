import Basics

extension HEIFComposition {
  /// Writes the file: the boxes in their order, `meta` among them, and all data in one box at the end.
  ///
  /// - Throws: ``MediaError`` when there are more items or properties than the boxes can count; what source and sink
  ///   throw.
  func write(from source: some ByteSource, to sink: some ByteSink) throws {
    // Room that is free could hold what was there before.
    let kept = file.atoms.filter { !["mdat", "free", "skip", "wide"].contains($0.kind) }
    var sizes = 0
    for atom in kept where atom.kind != "meta" { sizes += atom.size }
    var (itemData, media) = ([Item](), [Item]())
    for item in items where item.content != nil {
      if item.isInItemData { itemData.append(item) } else { media.append(item) }
    }
    media.sort { ($0.place, $0.id) < ($1.place, $1.id) }
    var data: [UInt8] = []
    var places: [UInt32: Int] = [:]
    for item in itemData {
      places[item.id] = data.count
      data += try bytes(of: item, source)
    }
    // Offsets are of one width whatever they are, so the size of meta is known before they are.
    var at = 0
    for item in media {
      places[item.id] = at
      at += item.content?.count ?? 0
    }
    guard at <= 0xFFFF_FFFF - sizes - (1 << 24) else {
      throw MediaError("it is larger than its boxes can say", isUnsupported: true)
    }
    let draft = try meta(source, itemData: data, locations: table(places, media: 0))
    let start = sizes + draft.count + 8
    let meta = try meta(source, itemData: data, locations: table(places, media: start))
    guard meta.count == draft.count else { throw Self.entangled }
    for atom in kept {
      if atom.kind == "meta" {
        try sink.write(meta)
      } else {
        try source.copy(atom.offset..<atom.offset + atom.size, to: sink)
      }
    }
    try sink.write(ByteOrder.big.bytes(of: at + 8, width: 4) + Array("mdat".utf8))
    for item in media {
      switch item.content {
      case .new(let bytes): try sink.write(bytes)
      case .stored(let ranges): for range in ranges { try source.copy(range, to: sink) }
      case nil: break
      }
    }
  }

  private func bytes(of item: Item, _ source: some ByteSource) throws -> [UInt8] {
    switch item.content {
    case .new(let bytes): bytes
    case .stored(let ranges): try ranges.flatMap { try source.read(at: $0.lowerBound, count: $0.count) }
    case nil: []
    }
  }

  /// Where the items lie.
  ///
  /// - Parameters:
  ///   - places: distances from the beginning of `idat` or of the data.
  ///   - media: where the data begins in the file.
  private func table(_ places: [UInt32: Int], media: Int) -> HEIFLocationTable {
    var table = file.locations
    let old = Dictionary(table.entries.map { ($0.id, $0.location) }) { first, _ in first }
    table.entries = items.compactMap { item in
      guard let content = item.content, let place = places[item.id] else {
        return old[item.id].map { (item.id, $0) }
      }
      // A length of 0 would mean all of it.
      let extents =
        content.count == 0
        ? []
        : [
          HEIFLocation.Extent(
            index: 0, offset: item.isInItemData ? place : media + place, length: content.count)
        ]
      return (
        item.id,
        HEIFLocation(
          construction: item.isInItemData ? .itemData : .file, dataReference: 0, extents: extents)
      )
    }
    return table
  }

  /// The whole `meta` box.
  private func meta(
    _ source: some ByteSource, itemData: [UInt8], locations: HEIFLocationTable
  ) throws -> [UInt8] {
    guard let meta = file.atoms.first(where: { $0.kind == "meta" }) else { throw Self.entangled }
    var out = try source.read(at: meta.contentOffset, count: 4)
    for atom in file.metaAtoms {
      switch atom.kind {
      case "iinf": out += Atom("iinf", try listing()).serialized
      case "iref": break
      case "iprp":
        out +=
          Atom("iprp", try properties.withoutUnused(comparedWith: file.properties).serialized()).serialized
      case "grpl": if !groups.isEmpty { out += try grouping(atom, source) }
      case "idat": break
      case "free", "skip": break
      case "iloc":
        // References, then data, as Apple writes them.
        if !references.isEmpty { out += Atom("iref", HEIFReference.serialized(references)).serialized }
        if !itemData.isEmpty { out += Atom("idat", itemData).serialized }
        out += Atom("iloc", try locations.serialized()).serialized
      default: out += try source.read(at: atom.offset, count: atom.size)
      }
    }
    return Atom("meta", out).serialized
  }

  private func listing() throws -> [UInt8] {
    let isWide = items.count > 0xFFFF
    var out: [UInt8] = [isWide ? 1 : 0, 0, 0, 0]
    out += ByteOrder.big.bytes(of: items.count, width: isWide ? 4 : 2)
    for item in items { out += Atom("infe", item.entry).serialized }
    return out
  }

  private func grouping(_ atom: FileAtom, _ source: some ByteSource) throws -> [UInt8] {
    if groups == file.groups { return try source.read(at: atom.offset, count: atom.size) }
    let boxes = groups.flatMap { group in
      var bytes: [UInt8] = [0, 0, 0, 0]
      bytes.append(bigEndian: group.id)
      bytes += ByteOrder.big.bytes(of: group.members.count, width: 4)
      for member in group.members { bytes.append(bigEndian: member) }
      return Atom(group.kind, bytes).serialized
    }
    return Atom("grpl", boxes).serialized
  }
}

extension HEIFProperties {
  /// The properties without those that lost their last item, and without items that have none.
  ///
  /// - Parameter original: the properties as they were; what had no item there stays.
  func withoutUnused(comparedWith original: HEIFProperties) -> HEIFProperties {
    func used(_ properties: HEIFProperties) -> Set<Int> {
      Set(properties.boxes.flatMap(\.entries).flatMap { $0.associations.map(\.index) })
    }
    let (now, before) = (used(self), used(original))
    var numbers: [Int: Int] = [:]
    var result = self
    result.properties = []
    for (index, property) in properties.enumerated() {
      let isKept =
        now.contains(index + 1) || (index < original.properties.count && !before.contains(index + 1))
      guard isKept else { continue }
      result.properties.append(property)
      numbers[index + 1] = result.properties.count
    }
    for box in result.boxes.indices {
      result.boxes[box].entries = boxes[box].entries.compactMap { id, associations in
        guard !associations.isEmpty else { return nil }
        // A number that stands for no property must not stand for one now.
        return (
          id,
          associations.compactMap { association in
            numbers[association.index].map { Association(index: $0, isEssential: association.isEssential) }
          }
        )
      }
    }
    return result
  }
}
