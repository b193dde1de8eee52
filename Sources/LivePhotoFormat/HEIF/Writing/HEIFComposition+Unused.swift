import Basics

/// Removes unused data and unknown boxes from a file that is written in place.
extension HEIFComposition {
  /// The known boxes. Their content is either harmless or examined elsewhere.
  private static let known: Set<FourCC> = [
    "ftyp", "styp", "pdin", "meta", "mdat", "moov", "mvex", "moof", "mfra", "sidx", "mpvd", "sefd", "free",
    "skip",
    "wide",
  ]
  /// The boxes for data and padding. Bytes in these boxes that do not belong to an item are not part of the photo.
  private static let data: Set<FourCC> = ["mdat", "free", "skip", "wide"]

  /// Overwrites unused bytes with zeros. Unused bytes are bytes in data and padding boxes that do not belong to an item
  /// or a sample, such as the remains of an old Exif block. Padding in `meta` is removed if it contains data.
  ///
  /// - Throws: ``MediaError`` if an item or the tracks are damaged.
  mutating func clearUnused() throws {
    // From the first box of another embedded file onwards, data may belong to that file's tracks.
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

  /// Returns whether any byte in a range of the file is not zero.
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
  /// - Parameter isGone: A function that returns whether a box is omitted.
  /// - Returns: The names of the omitted boxes.
  mutating func removeUnknownBoxes(_ isGone: (FileAtom) throws -> Bool) rethrows -> [String] {
    let gone = try file.atoms.filter {
      try !Self.known.contains($0.kind) && !droppedAtoms.contains($0.offset) && isGone($0)
    }
    droppedAtoms.formUnion(gone.map(\.offset))
    return gone.map { "box \($0.kind)" }.unique
  }

  /// Removes locations stored outside the photo's own Exif and XMP. Such locations can be in the GPS directories of
  /// further Exif items, in unknown boxes, and in bytes that no item uses.
  ///
  /// - Parameter own: The item that contains the photo's Exif.
  /// - Returns: The names of the parts that were removed completely.
  /// - Throws: ``MediaError`` if any of the parts is damaged.
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
