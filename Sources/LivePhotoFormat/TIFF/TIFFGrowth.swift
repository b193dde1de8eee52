/// Appends data to a TIFF block. A damaged block may refer to bytes beyond its end. Appended bytes must not become the
/// target of such references. For example, if a directory link points beyond the end, newly written bytes could be
/// read, changed and removed as a directory.
extension TIFFBlock {
  /// Appends bytes to the block at an even offset.
  ///
  /// - Returns: The offset of the appended bytes.
  mutating func append(_ data: [UInt8]) -> Int {
    closeEnd()
    bytes += [UInt8](repeating: 0, count: bytes.count % 2) + data
    return bytes.count - data.count
  }

  /// Redirects all references that point beyond the end of the block to offsets that no block can reach. This happens
  /// before the block grows for the first time. Directories that are cut off then end with their last complete entry
  /// and have no next directory. Data that was readable before remains readable.
  mutating func closeEnd() {
    guard cutOff == nil else { return }
    // All directories are listed before a link is added to the first directory, because the data after the first
    // directory may belong to another directory.
    let listings = Directory.allCases.compactMap { directory in listing(directory).map { (directory, $0) } }
    cutOff = Set(listings.filter { $1.nextLink == nil }.map(\.0))
    let end = bytes.count
    let used = usedRanges()
    let shared = Self.sharedBytes(of: used)
    for (directory, listing) in listings {
      for entry in listing.entries where !shared.contains(entry.position + 8) {
        if let inline = inlineValue(of: entry, in: directory, leadingNowhereFrom: end) {
          write(inline, at: entry.position + 8)
        }
      }
      let link = listing.ownRange.upperBound
      if listing.nextLink == nil {
        if !(listing.position...listing.position + 1).contains(where: { shared.contains($0) }) {
          write(order.bytes(of: listing.entries.count, width: 2), at: listing.position)
        }
        // The link overwrites the remains of a truncated entry.
        bytes += [UInt8](repeating: 0, count: max(link + 4 - bytes.count, 0))
        if !used.contains(where: { $0.overlaps(link..<link + 4) }) { write([0, 0, 0, 0], at: link) }
      } else if directory.pointer == nil, listing.next > end - 2, !shared.contains(link) {
        write([0, 0, 0, 0], at: link)
      }
    }
  }

  /// The tags whose value is the offset of a directory, a picture, or a part of a picture.
  private static let positionTags: Set<Int> = [
    Tag.exifDirectory, Tag.gpsDirectory, 0xA005, 0x014A, 0x0111, 0x0144, 0x0201,
  ]

  /// Returns a new inline value for an entry that refers to data beyond the end of the block. The value is either an
  /// offset that no block can reach, or the size of an empty picture. Returns nil if the entry does not refer to data
  /// beyond the end.
  private func inlineValue(
    of entry: Entry, in directory: Directory, leadingNowhereFrom end: Int
  ) -> [UInt8]? {
    let nowhere: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    guard let value = entry.value else { return Self.size(ofType: entry.type) == nil ? nil : nowhere }
    guard entry.isInline, entry.count == 1, let number = numbers(entry)?.first else { return nil }
    // An empty thumbnail has no position.
    if directory == .thumbnail, entry.tag == 0x0201, self.number(0x0202, in: .thumbnail) == 0 { return nil }
    if Self.positionTags.contains(entry.tag) { return number > end - 2 && value.count == 4 ? nowhere : nil }
    guard directory == .thumbnail, entry.tag == 0x0202,
      let start = self.number(0x0201, in: .thumbnail), start <= end, number > end - start
    else { return nil }
    return [0, 0, 0, 0]
  }

  /// Returns the bytes that belong to more than one directory or value.
  private static func sharedBytes(of used: [Range<Int>]) -> RangeSet<Int> {
    var shared: [Range<Int>] = []
    var reach = 0
    for range in used.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound < min(range.upperBound, reach) {
        shared.append(range.lowerBound..<min(range.upperBound, reach))
      }
      reach = max(reach, range.upperBound)
    }
    return RangeSet(shared)
  }
}
