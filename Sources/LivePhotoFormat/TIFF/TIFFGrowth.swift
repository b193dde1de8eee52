/// The end of a TIFF block. What a damaged block says of bytes behind its end is about nothing; it must not come to be about
/// bytes that are added there, as a link to a directory would that is read, changed and cut out of what was just written.
extension TIFFBlock {
  /// Adds bytes at an even position at the block's end.
  ///
  /// - Returns: where they stand.
  mutating func append(_ data: [UInt8]) -> Int {
    closeEnd()
    bytes += [UInt8](repeating: 0, count: bytes.count % 2) + data
    return bytes.count - data.count
  }

  /// Lets all that leads behind the block's end lead to where no block has anything, before the block grows for the first time, and
  /// ends directories there with their last whole entry and no next directory. What could be read reads as before.
  mutating func closeEnd() {
    guard cutOff == nil else { return }
    // All are listed before the first one's link is added, behind which another one may go on.
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
        // The link, over what there is of an entry that is cut off.
        bytes += [UInt8](repeating: 0, count: max(link + 4 - bytes.count, 0))
        if !used.contains(where: { $0.overlaps(link..<link + 4) }) { write([0, 0, 0, 0], at: link) }
      } else if directory.pointer == nil, listing.next > end - 2, !shared.contains(link) {
        write([0, 0, 0, 0], at: link)
      }
    }
  }

  /// Tags whose number is the position of a directory, of a picture or of a part of one.
  private static let positionTags: Set<Int> = [
    Tag.exifDirectory, Tag.gpsDirectory, 0xA005, 0x014A, 0x0111, 0x0144, 0x0201,
  ]

  /// Returns what an entry has to say in place of something behind the block's end: a position that no block reaches, or a picture
  /// of no bytes; nil where it leads to nothing there.
  private func inlineValue(
    of entry: Entry, in directory: Directory, leadingNowhereFrom end: Int
  ) -> [UInt8]? {
    let nowhere: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    guard let value = entry.value else { return Self.size(ofType: entry.type) == nil ? nil : nowhere }
    guard entry.isInline, entry.count == 1, let number = numbers(entry)?.first else { return nil }
    // A thumbnail of no bytes is nowhere.
    if directory == .thumbnail, entry.tag == 0x0201, self.number(0x0202, in: .thumbnail) == 0 { return nil }
    if Self.positionTags.contains(entry.tag) { return number > end - 2 && value.count == 4 ? nowhere : nil }
    guard directory == .thumbnail, entry.tag == 0x0202,
      let start = self.number(0x0201, in: .thumbnail), start <= end, number > end - start
    else { return nil }
    return [0, 0, 0, 0]
  }

  /// The bytes that more than one directory or value lies over.
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
