import Basics

/// Removing data that no item uses and boxes that this project does not read, in a file that is written in place.
extension HEIFComposition {
  /// The known boxes, whose content is either harmless or examined elsewhere.
  private static let known: Set<FourCC> = [
    "ftyp", "styp", "pdin", "meta", "mdat", "moov", "mvex", "moof", "mfra", "sidx", "mpvd", "sefd", "free",
    "skip",
    "wide",
  ]
  /// The boxes for data and padding. Any data in them that does not belong to an item is not part of the photo.
  private static let data: Set<FourCC> = ["mdat", "free", "skip", "wide"]

  /// Overwrites with zeros all bytes in boxes for data and padding that belong to no item and no sample. Such bytes are
  /// remains of replaced data, for example of an old Exif block. Padding in `meta` that contains data is removed.
  ///
  /// - Throws: ``MediaError`` if an item or the tracks are damaged.
  mutating func clearUnused() throws {
    // After the first box of another file, that file's own tracks apply.
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
      throw MediaError(
        "the data outside the file's pictures is too large to be searched", isUnsupported: true)
    }
    for range in unused where try holdsData(range) {
      overwrites.append((range, [UInt8](repeating: 0, count: range.count)))
    }
    for atom in file.metaAtoms where ["free", "skip"].contains(atom.kind) {
      if try holdsData(atom.contentOffset..<atom.range.upperBound) { droppedAtoms.insert(atom.offset) }
    }
  }

  /// Returns whether a range of the file contains anything other than zeros.
  func holdsData(_ range: Range<Int>) throws -> Bool {
    var at = range.lowerBound
    while at < range.upperBound {
      let bytes = try file.source.read(at: at, count: min(1 << 20, range.upperBound - at))
      if bytes.contains(where: { $0 != 0 }) { return true }
      at += bytes.count
    }
    return false
  }

  /// Omits boxes of unknown kinds.
  ///
  /// - Parameter isGone: Returns whether a box is to be omitted.
  /// - Returns: The names of the omitted boxes.
  mutating func removeUnknownBoxes(_ isGone: (FileAtom) throws -> Bool) rethrows -> [String] {
    let gone = try file.atoms.filter {
      try !Self.known.contains($0.kind) && !droppedAtoms.contains($0.offset) && isGone($0)
    }
    droppedAtoms.formUnion(gone.map(\.offset))
    return gone.map { "box \($0.kind)" }.unique
  }

  /// Removes locations stored outside the photo's own Exif and XMP: the GPS directory of further Exif items, boxes of
  /// unknown kinds that may reveal a location, and bytes that no item uses.
  ///
  /// - Parameter own: The item with the photo's Exif.
  /// - Returns: The names of the parts that were removed completely.
  /// - Throws: ``MediaError`` if one of the parts is damaged.
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
