import Basics

extension HEIFComposition {
  /// The place of an item's data in the file that is written anew.
  private struct Piece {
    let id: UInt32
    /// Its data in the original, where it has no other.
    let stored: [Range<Int>]
    let new: [UInt8]?
    let isInItemData: Bool
    /// Where its data lay, for the order of the data.
    let place: Int

    var count: Int { new?.count ?? stored.reduce(0) { $0 + $1.count } }

    func write(from source: any ByteSource, to sink: some ByteSink) throws {
      if let new { return try sink.write(new) }
      for range in stored { try source.copy(range, to: sink) }
    }

    func bytes(from source: any ByteSource) throws -> [UInt8] {
      try new ?? stored.flatMap { try source.read(at: $0.lowerBound, count: $0.count) }
    }
  }

  /// Finds the data of all items that have some in this file.
  ///
  /// - Throws: ``MediaError`` when items share so many bytes that the file would become larger without reason, or lie
  ///   where they cannot be taken from.
  private func pieces() throws -> [Piece] {
    // Data stands in the boxes for data, which are written anew, or it could stay behind in another box.
    let boxes = file.atoms.filter { $0.kind == "mdat" || $0.kind == "meta" }
    var left = HEIFFile.mostPieces
    var total = 0
    var stored: [UInt32: [Range<Int>]] = [:]
    for id in file.itemOrder where file.location(of: id)?.dataReference == 0 {
      let ranges = try file.ranges(of: id, left: &left)
      total += ranges.reduce(0) { $0 + $1.count }
      let areHeld = ranges.allSatisfy { $0.isEmpty || boxes.holder(of: $0) != nil }
      guard total <= file.size, areHeld else { throw Self.entangled }
      stored[id] = ranges
    }
    return items.compactMap { item in
      let ranges = stored[item.id]
      guard item.data != nil || ranges != nil else { return nil }
      let wasInItemData = file.location(of: item.id)?.construction == .itemData
      return Piece(
        id: item.id, stored: ranges ?? [], new: item.data,
        isInItemData: item.data == nil ? wasInItemData : item.isInItemData,
        place: ranges?.first?.lowerBound ?? Int.max)
    }
  }

  /// Makes sure that the file's items do not share so many bytes that it cannot be written anew: what is done with the data of
  /// each takes no longer then than the file is large.
  ///
  /// - Throws: ``MediaError`` as ``writeAnew(to:)``.
  func checkItemsAreApart() throws { _ = try pieces() }

  /// Writes the file with new boxes and all data behind them: the boxes in their order, `meta` among them, and all data
  /// in one box at the end.
  ///
  /// - Throws: ``MediaError`` when there are more items or properties than the boxes can count, when items lie over
  ///   each other, or for an image sequence; what source and sink throw.
  func writeAnew(to sink: some ByteSink) throws {
    try file.checkHasNoSequence()
    let pieces = try pieces()
    // Room that is free could hold what was there before.
    let kept = file.atoms.filter {
      !["mdat", "free", "skip", "wide"].contains($0.kind) && !droppedAtoms.contains($0.offset)
    }
    let sizes = kept.lazy.filter { $0.kind != "meta" }.reduce(0) { sum, atom in
      sum + (otherContents[atom.offset].map { $0.count + 8 } ?? atom.size)
    }
    var data: [UInt8] = []
    var places: [UInt32: (offset: Int, piece: Piece)] = [:]
    for piece in pieces where piece.isInItemData {
      places[piece.id] = (data.count, piece)
      data += try piece.bytes(from: file.source)
    }
    // Offsets are of one width whatever they are, so the size of meta is known before they are.
    let media = pieces.filter { !$0.isInItemData }.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
    var at = 0
    for piece in media {
      places[piece.id] = (at, piece)
      at += piece.count
    }
    guard at <= 0xFFFF_FFFF - sizes - (1 << 24) else {
      throw MediaError("it is larger than its boxes can say", isUnsupported: true)
    }
    let draft = try meta(itemData: data, locations: table(places, media: 0))
    let meta = try meta(itemData: data, locations: table(places, media: sizes + draft.count + 8))
    guard meta.count == draft.count else { throw Self.entangled }
    for atom in kept {
      if atom.kind == "meta" {
        try sink.write(meta)
      } else if let content = otherContents[atom.offset] {
        try sink.write(Atom(atom.kind, content).serialized)
      } else {
        try file.source.copy(atom.range, to: sink)
      }
    }
    try sink.write(ByteOrder.big.bytes(of: at + 8, width: 4) + Array("mdat".utf8))
    for piece in media { try piece.write(from: file.source, to: sink) }
    try sink.write(rest)
  }

  /// The table of the items' locations.
  ///
  /// - Parameters:
  ///   - places: the items' data, by distance from the beginning of `idat` or of the data.
  ///   - media: where the data begins in the file.
  private func table(_ places: [UInt32: (offset: Int, piece: Piece)], media: Int) -> HEIFLocationTable {
    var table = file.locations
    table.entries = items.compactMap { item in
      guard let (offset, piece) = places[item.id] else {
        return file.location(of: item.id).map { (item.id, $0) }
      }
      // A length of 0 would mean all of it.
      let (construction, start): (HEIFLocation.Construction, Int) =
        piece.isInItemData ? (.itemData, offset) : (.file, media + offset)
      let extent = HEIFLocation.Extent(offset: start, length: piece.count)
      return (item.id, HEIFLocation(construction: construction, extents: piece.count == 0 ? [] : [extent]))
    }
    return table
  }

  /// The whole `meta` box.
  private func meta(itemData: [UInt8], locations: HEIFLocationTable) throws -> [UInt8] {
    // Links to the items that other items lie in have no meaning once each item has bytes of its own.
    let references = references.filter { $0.kind != "iloc" }
    return try metaBox { atom in
      switch atom.kind {
      case "iinf": return listing([0, 0, 0, 0])
      case "iprp":
        return Atom("iprp", try properties.withoutUnused(comparedWith: file.properties).serialized())
          .serialized
      case "grpl": return groups == file.groups && !groups.isEmpty ? nil : grouping
      case "iref", "idat", "free", "skip": return []
      case "iloc":
        // References, then data, as Apple writes them.
        let links = references.isEmpty ? [] : Atom("iref", HEIFReference.serialized(references)).serialized
        let data = itemData.isEmpty ? [] : Atom("idat", itemData).serialized
        return links + data + Atom("iloc", try locations.serialized()).serialized
      default: return nil
      }
    }
  }

  /// The list of groups as a box; nothing without groups.
  var grouping: [UInt8] {
    groups.isEmpty ? [] : Atom("grpl", groups.flatMap(\.box.serialized)).serialized
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
    var boxes = boxes
    for box in boxes.indices {
      boxes[box].entries = boxes[box].entries.compactMap { id, associations in
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
    result.boxes = boxes
    return result
  }
}
