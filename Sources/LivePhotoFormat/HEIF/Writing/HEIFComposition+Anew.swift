import Basics

extension HEIFComposition {
  /// The data of an item in the rewritten file.
  private struct Piece {
    let id: UInt32
    /// The ranges of the item's data in the original, used if the item has no new data.
    let stored: [Range<Int>]
    let new: [UInt8]?
    let isInItemData: Bool
    /// The offset of the item's data in the original file, which determines the order in the new file.
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

  /// Finds the data of all items that are stored in this file.
  ///
  /// - Throws: ``MediaError`` if items share so many bytes that the rewritten file would grow too large, or if data is
  ///   stored outside the data boxes.
  private func pieces() throws -> [Piece] {
    // Data must be in the data boxes, which are rewritten. Otherwise it could remain in another box.
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

  /// Checks that the file's items do not share too many bytes for the file to be rewritten. The check ensures that the
  /// time needed to process all items' data is limited by the file's size.
  ///
  /// - Throws: ``MediaError`` under the same conditions as ``writeAnew(to:)``.
  func checkItemsAreApart() throws { _ = try pieces() }

  /// Writes a new file: the boxes in their original order, including a new `meta`, followed by all data in a single box
  /// at the end.
  ///
  /// - Throws: ``MediaError`` if the number of items or properties exceeds the maximum that the boxes can store, if
  ///   items overlap, or if the file contains an image sequence, or any error that the source or the sink throws.
  func writeAnew(to sink: some ByteSink) throws {
    try file.checkHasNoSequence()
    let pieces = try pieces()
    // Free-space boxes are omitted, because they could contain old data.
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
    // Offsets have a fixed width, so the size of `meta` is known before the offsets are calculated.
    let media = pieces.filter { !$0.isInItemData }.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
    var at = 0
    for piece in media {
      places[piece.id] = (at, piece)
      at += piece.count
    }
    guard at <= 0xFFFF_FFFF - sizes - (1 << 24) else {
      throw MediaError("the new file would be too large for 32-bit offsets", isUnsupported: true)
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

  /// Returns the table of the items' locations.
  ///
  /// - Parameters:
  ///   - places: The items' data. Offsets are counted from the beginning of the content of `idat` or the data box.
  ///   - media: The offset at which the data box's content begins in the file.
  private func table(_ places: [UInt32: (offset: Int, piece: Piece)], media: Int) -> HEIFLocationTable {
    var table = file.locations
    table.entries = items.compactMap { item in
      guard let (offset, piece) = places[item.id] else {
        return file.location(of: item.id).map { (item.id, $0) }
      }
      // An empty item has no extents, because an extent of length 0 would mean all data.
      let (construction, start): (HEIFLocation.Construction, Int) =
        piece.isInItemData ? (.itemData, offset) : (.file, media + offset)
      let extent = HEIFLocation.Extent(offset: start, length: piece.count)
      return (item.id, HEIFLocation(construction: construction, extents: piece.count == 0 ? [] : [extent]))
    }
    return table
  }

  /// Returns the complete `meta` box.
  private func meta(itemData: [UInt8], locations: HEIFLocationTable) throws -> [UInt8] {
    // References from an item to the items that contain its data (`iloc`) are meaningless once each item has its own
    // bytes.
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
        // The references come before the data, as in files from Apple devices.
        let links = references.isEmpty ? [] : Atom("iref", HEIFReference.serialized(references)).serialized
        let data = itemData.isEmpty ? [] : Atom("idat", itemData).serialized
        return links + data + Atom("iloc", try locations.serialized()).serialized
      default: return nil
      }
    }
  }

  /// The list of groups as a box, or no bytes if there are no groups.
  var grouping: [UInt8] {
    groups.isEmpty ? [] : Atom("grpl", groups.flatMap(\.box.serialized)).serialized
  }
}

extension HEIFProperties {
  /// Returns only the properties that an item still uses, and only the association entries of items that have
  /// properties.
  ///
  /// - Parameter original: The original properties. Properties that no item used in the original are kept.
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
        // An association with a nonexistent property is dropped, because its number might now refer to an existing
        // property.
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
