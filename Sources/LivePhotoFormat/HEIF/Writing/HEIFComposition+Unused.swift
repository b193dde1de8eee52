import Basics

/// What no item uses, and what nothing here reads, in a file that is written in place.
extension HEIFComposition {
  /// Boxes that are known, and hold nothing beside what is looked through elsewhere.
  private static let known: Set<FourCC> = [
    "ftyp", "styp", "pdin", "meta", "mdat", "moov", "mvex", "moof", "mfra", "sidx", "mpvd", "sefd", "free",
    "skip",
    "wide",
  ]
  /// Boxes for data, and for padding: what is in them and belongs to no item is in no way part of the photo.
  private static let data: Set<FourCC> = ["mdat", "free", "skip", "wide"]

  /// Puts zeros in the place of all bytes of boxes for data and for padding that belong to no item and to no sample: what is left
  /// there is what programs replaced, as an old Exif block. Padding in `meta` that is not zero goes.
  ///
  /// - Throws: ``MediaError`` when an item or the tracks are damaged.
  mutating func clearUnused() throws {
    // Behind another file's first box its own tracks count.
    let end = file.atoms.dropFirst().first { $0.kind == "ftyp" }?.offset ?? file.size
    let boxes = file.atoms.filter { atom in
      Self.data.contains(atom.kind) && atom.contentSize > 0 && atom.offset < end
        && !droppedAtoms.contains(atom.offset) && !(dropsOthers && atom.kind != "mdat")
    }
    var left = HEIFFile.mostPieces
    var used = try file.sequence()?.chunks ?? []
    for (id, location) in file.locations.entries where location.dataReference == 0 {
      used += try file.ranges(of: id, left: &left)
    }
    used += overwrites.map(\.range)
    let places = RangeSet(boxes.map { $0.contentOffset..<$0.range.upperBound })
    let unused = places.subtracting(RangeSet(used.sorted { $0.lowerBound < $1.lowerBound })).ranges
    guard unused.reduce(0, { $0 + $1.count }) <= file.source.largestPhoto else {
      throw MediaError("it has more bytes outside its pictures than are looked through", isUnsupported: true)
    }
    for range in unused where try holdsData(range) {
      overwrites.append((range, [UInt8](repeating: 0, count: range.count)))
    }
    for atom in file.metaAtoms where ["free", "skip"].contains(atom.kind) {
      if try holdsData(atom.contentOffset..<atom.range.upperBound) { droppedAtoms.insert(atom.offset) }
    }
  }

  /// True if a range of the file holds anything but zeros.
  func holdsData(_ range: Range<Int>) throws -> Bool {
    var at = range.lowerBound
    while at < range.upperBound {
      let bytes = try file.source.read(at: at, count: min(1 << 20, range.upperBound - at))
      if bytes.contains(where: { $0 != 0 }) { return true }
      at += bytes.count
    }
    return false
  }

  /// Leaves out boxes of unknown kinds.
  ///
  /// - Parameter isGone: returns whether one goes.
  /// - Returns: their names.
  mutating func removeUnknownBoxes(_ isGone: (FileAtom) throws -> Bool) rethrows -> [String] {
    let gone = try file.atoms.filter {
      try !Self.known.contains($0.kind) && !droppedAtoms.contains($0.offset) && isGone($0)
    }
    droppedAtoms.formUnion(gone.map(\.offset))
    return gone.map { "box \($0.kind)" }.unique
  }

  /// Takes places out beside the photo's own Exif and XMP: of further Exif items the GPS directory, boxes of unknown kinds that may tell
  /// one, and what no item uses.
  ///
  /// - Parameter own: the item with the photo's Exif.
  /// - Returns: names of what is gone as a whole.
  /// - Throws: ``MediaError`` when one of them is damaged.
  mutating func removePlaces(besideItem own: UInt32?) throws -> [String] {
    for id in file.itemOrder where id != own && file.items[id]?.type == "Exif" && file.location(of: id) != nil
    {
      let data = try file.data(of: id)
      guard var exif = HEIFExif(data), exif.block.removeDirectory(.gps) else {
        throw FactsRewrite.damagedExif
      }
      if exif.bytes != data { replace(id, with: exif.bytes) }
    }
    try clearUnused()
    let file = file
    return try removeUnknownBoxes { box in
      try file.source.read(at: box.contentOffset, count: min(box.contentSize, 1 << 24)).mayTellPlace
    }
  }
}
