import Basics

/// Changes a TIFF block. A value that fits into its old position is written to that position. Larger values, new
/// entries and the directories that contain new entries are written into holes or at the end of the block. Other data
/// does not move.
extension TIFFBlock {
  /// Overwrites bytes if the complete range is within the block.
  mutating func write(_ data: [UInt8], at position: Int) {
    guard position >= 0, position <= bytes.count, data.count <= bytes.count - position else { return }
    bytes.replaceSubrange(position..<position + data.count, with: data)
  }

  /// Sets the number in an existing entry of type BYTE, SHORT or LONG. If the number does not fit the entry's type, the
  /// entry gets a larger type.
  ///
  /// - Returns: Whether the entry exists and contains a number, as found by ``number(_:in:)``.
  @discardableResult
  mutating func setNumber(_ value: Int, _ tag: Int, in directory: Directory) -> Bool {
    guard let entry = listing(directory)?.entry(tag), let first = numbers(entry)?.first,
      0...0xFFFF_FFFF ~= value
    else { return false }
    guard first != value else { return true }
    let needed = value > 0xFFFF ? 4 : value > 0xFF ? 3 : 1
    let type = min(max(entry.type, needed), 4)
    let width = type == 1 ? 1 : type == 3 ? 2 : 4
    // Some files contain several numbers in an entry that may contain only one.
    return set(tag, type: type, count: 1, data: order.bytes(of: value, width: width), in: directory)
  }

  /// Sets the numbers in an existing entry of type SHORT or LONG in place.
  ///
  /// - Returns: Whether the entry has the right number of values and its type can store the new numbers.
  mutating func setNumbers(_ values: [Int], _ tag: Int, in directory: Directory) -> Bool {
    guard let entry = listing(directory)?.entry(tag), [3, 4].contains(entry.type),
      entry.count == values.count, let value = entry.value, let width = Self.size(ofType: entry.type),
      values.allSatisfy({ $0 >= 0 && $0 < 1 << (8 * width) }), isUnshared(entry)
    else { return false }
    write(values.flatMap { order.bytes(of: $0, width: width) }, at: value.lowerBound)
    return true
  }

  /// Exchanges the values of two tags if they differ. Both tags must have the same type and count.
  mutating func swapValues(_ first: Int, _ second: Int, in directory: Directory) {
    guard let listing = listing(directory), let a = listing.entry(first), let b = listing.entry(second),
      a.type == b.type, a.count == b.count, let from = a.value, let to = b.value, isUnshared(a), isUnshared(b)
    else { return }
    let (one, other) = (Array(bytes[from]), Array(bytes[to]))
    guard one != other else { return }
    write(other, at: from.lowerBound)
    write(one, at: to.lowerBound)
  }

  /// Sets a tag. If the tag is new, an entry is added and the directory moves to the end of the block.
  ///
  /// - Returns: Whether the directory exists and can store the entry.
  mutating func set(_ tag: Int, type: Int, count: Int, data: [UInt8], in directory: Directory) -> Bool {
    guard let listing = listing(directory) else { return false }
    guard let entry = listing.entry(tag) else {
      return add([NewEntry(tag: tag, type: type, count: count, data: data)], in: directory)
    }
    let head = order.bytes(of: type, width: 2) + order.bytes(of: count, width: 4)
    if data.count > 4, let old = entry.value, !entry.isInline, old.count >= data.count, isUnshared(entry) {
      write(data + [UInt8](repeating: 0, count: old.count - data.count), at: old.lowerBound)
      write(head, at: entry.position + 2)
    } else {
      write(head + inline(data), at: entry.position + 2)
      if let old = entry.value, !entry.isInline { release([old]) }
    }
    return true
  }

  /// Removes an entry and its value from a directory, which keeps its position. If other data overlaps the directory,
  /// for example because the directory's count is damaged or its link is missing, no data moves and the entry becomes
  /// padding.
  mutating func remove(_ tag: Int, from directory: Directory) {
    guard let listing = listing(directory), let entry = listing.entry(tag) else { return }
    remove([entry], from: listing)
  }

  /// Removes several entries of a directory in a single pass, in the same way as ``remove(_:from:)``.
  ///
  /// - Parameter isGone: A function that receives the tag of each entry, and returns whether the entry is removed.
  /// - Returns: The tags of the removed entries.
  mutating func remove(from directory: Directory, where isGone: (Int) -> Bool) -> [Int] {
    guard let listing = listing(directory) else { return [] }
    let gone = listing.entries.filter { isGone($0.tag) }
    if !gone.isEmpty { remove(gone, from: listing) }
    return gone.map(\.tag)
  }

  private mutating func remove(_ gone: [Entry], from listing: Listing) {
    if isUnshared(listing.range) {
      let positions = Set(gone.map(\.position))
      var rest: [UInt8] = []
      for entry in listing.entries where !positions.contains(entry.position) {
        rest += bytes[entry.position..<entry.position + 12]
      }
      rest += bytes[listing.ownRange.upperBound..<listing.range.upperBound]
      write(rest + [UInt8](repeating: 0, count: 12 * gone.count), at: listing.position + 2)
      let count = number(at: listing.position, width: 2) ?? 0
      write(order.bytes(of: max(count - gone.count, 0), width: 2), at: listing.position)
    } else {
      for entry in gone {
        write(order.entry(Self.padding, type: 7, count: 4, value: [0, 0, 0, 0]), at: entry.position)
      }
    }
    releaseInTurn(gone.compactMap { $0.isInline ? nil : $0.value })
  }

  /// Returns the four bytes that an entry stores for its value. If the value does not fit, the bytes contain the offset
  /// at which the value is now stored.
  private mutating func inline(_ data: [UInt8]) -> [UInt8] {
    guard data.count > 4 else { return data + [UInt8](repeating: 0, count: 4 - data.count) }
    return order.bytes(of: store(data), width: 4)
  }

  /// Writes bytes into the first hole that is large enough, or at the end of the block.
  ///
  /// - Returns: The offset of the written bytes.
  private mutating func store(_ data: [UInt8]) -> Int {
    for (index, hole) in holes.enumerated() {
      let start = hole.lowerBound + hole.lowerBound % 2
      if start + data.count <= min(hole.upperBound, bytes.count) {
        holes[index] = start + data.count..<hole.upperBound
        write(data, at: start)
        return start
      }
    }
    return append(data)
  }

  /// An entry that is to be added to a directory.
  struct NewEntry {
    /// The tag of the entry.
    let tag: Int
    /// The TIFF type of the values.
    let type: Int
    /// The number of values.
    let count: Int
    /// The bytes of the values.
    let data: [UInt8]
  }

  /// Adds entries to a directory. Each new entry is inserted before the first entry with a higher tag. The directory is
  /// moved.
  ///
  /// - Returns: Whether the directory exists and can store the entries.
  mutating func add(_ new: [NewEntry], in directory: Directory) -> Bool {
    guard listing(directory)?.nextLink != nil, cutOff?.contains(directory) != true else { return false }
    closeEnd()
    guard let listing = listing(directory), let link = link(to: directory),
      listing.entries.count + new.count <= 0xFFFF
    else { return false }
    var added: [(tag: Int, bytes: [UInt8])] = []
    for entry in new {
      let value = inline(entry.data)
      added.append((entry.tag, order.entry(entry.tag, type: entry.type, count: entry.count, value: value)))
    }
    added.sort { $0.tag < $1.tag }
    var rebuilt = order.bytes(of: listing.entries.count + new.count, width: 2)
    var next = 0
    for entry in listing.entries {
      while next < added.count, added[next].tag <= entry.tag {
        rebuilt += added[next].bytes
        next += 1
      }
      rebuilt += bytes[entry.position..<entry.position + 12]
    }
    for entry in added[next...] { rebuilt += entry.bytes }
    rebuilt += order.bytes(of: listing.next, width: 4)
    write(order.bytes(of: store(rebuilt), width: 4), at: link)
    release([listing.range])
    return true
  }

  /// Replaces the thumbnail in IFD1 with another JPEG. No byte of the old thumbnail remains.
  ///
  /// - Returns: Whether the thumbnail was replaced, which requires a valid IFD1.
  mutating func replaceThumbnail(_ image: [UInt8]) -> Bool {
    guard let old = thumbnailRange else { return false }
    setNumber(0, 0x0201, in: .thumbnail)
    setNumber(0, 0x0202, in: .thumbnail)
    release([old])
    setNumber(store(image), 0x0201, in: .thumbnail)
    setNumber(image.count, 0x0202, in: .thumbnail)
    if let size = try? JPEGHeader(reading: MemoryByteSource(image)).frame.size {
      setNumber(size.width, 0x0100, in: .thumbnail)
      setNumber(size.height, 0x0101, in: .thumbnail)
    }
    return thumbnail == image
  }

  /// Replaces the thumbnail with another JPEG. If a replacement is not possible, IFD1 is removed.
  ///
  /// - Parameter image: The JPEG, or nil if no replacement exists.
  /// - Returns: Whether a thumbnail was removed without replacement.
  mutating func putThumbnail(_ image: [UInt8]?) -> Bool {
    if let image, thumbnail != nil, replaceThumbnail(image) { return false }
    return removeThumbnail()
  }

  /// Removes IFD1 and its thumbnail from the block, whether the thumbnail is a JPEG or consists of strips. No byte of
  /// IFD1 or the thumbnail remains.
  ///
  /// - Returns: Whether the block had an IFD1.
  mutating func removeThumbnail() -> Bool {
    guard let link = link(to: .thumbnail), let listing = listing(.thumbnail) else { return false }
    var freed = listing.entries.compactMap { $0.isInline ? nil : $0.value }
    freed += pictureRanges(.thumbnail)
    write(order.bytes(of: listing.next, width: 4), at: link)
    freed.append(listing.range)
    release(freed)
    return true
  }

  /// The tag Padding (0xEA1C), with which Windows fills directories.
  private static let padding = 0xEA1C

  /// Removes an Exif directory and its values. No byte of the directory or its values remains.
  ///
  /// - Returns: False if bytes remain because other data overlaps the directory, or if the block contains a second
  ///   directory of the same kind. A damaged count, for example, can cause such an overlap.
  mutating func removeDirectory(_ directory: Directory) -> Bool {
    guard let listing = listing(directory), let (parent, tag) = directory.pointer else { return true }
    remove(tag, from: parent)
    let values = listing.entries.compactMap { $0.isInline ? nil : $0.value }
    release(values + [listing.range])
    // Values that overlap other directories also belong to these directories.
    let others = Directory.allCases.compactMap { self.listing($0)?.ownRange }
    return self.listing(directory) == nil && !usedRanges().contains { $0.overlaps(listing.ownRange) }
      && !others.contains { range in values.contains { $0.overlaps(range) } }
  }

  /// Returns the ranges of the header, the known directories and their values.
  func usedRanges() -> [Range<Int>] {
    var used = [0..<min(mainLink == nil ? 14 : 8, bytes.count)]
    for directory in Directory.allCases {
      guard let listing = listing(directory) else { continue }
      used.append(listing.range)
      used += listing.entries.compactMap { $0.isInline ? nil : $0.value }
    }
    if let thumbnail = thumbnailRange { used.append(thumbnail) }
    return used
  }

  /// Returns whether an entry's value may be overwritten because no other data overlaps it.
  private func isUnshared(_ entry: Entry) -> Bool {
    guard let value = entry.value, !entry.isInline else { return entry.isInline }
    return isUnshared(value)
  }

  /// Returns whether only a single directory or value overlaps a range.
  private func isUnshared(_ range: Range<Int>) -> Bool { usedRanges().count { $0.overlaps(range) } == 1 }

  /// Overwrites with zeros all parts of the ranges that known data no longer uses. Parts at the end of the block are
  /// cut off.
  mutating func release(_ ranges: [Range<Int>]) {
    for piece in unused(ranges).reversed() {
      if piece.upperBound == bytes.count {
        bytes.removeLast(piece.count)
      } else {
        write([UInt8](repeating: 0, count: piece.count), at: piece.lowerBound)
        holes.append(piece)
      }
    }
    // Cuts off a hole that is now at the end of the block.
    while let last = holes.firstIndex(where: { !$0.isEmpty && $0.upperBound == bytes.count }) {
      bytes.removeLast(holes.remove(at: last).count)
    }
  }

  /// Releases several values, with the same result as releasing them one after another. A value is cut off only if it
  /// is at the end of the block when it is released.
  private mutating func releaseInTurn(_ values: [Range<Int>]) {
    let pieces = unused(values).reversed()
    for piece in pieces { write([UInt8](repeating: 0, count: piece.count), at: piece.lowerBound) }
    let end = (usedRanges() + holes).map(\.upperBound).max() ?? 0
    for value in values where value.upperBound == bytes.count && end < bytes.count {
      bytes.removeLast(bytes.count - max(value.lowerBound, end))
    }
    holes += pieces.map { $0.clamped(to: 0..<bytes.count) }.filter { !$0.isEmpty }
  }

  /// Returns, in order, the pieces of the ranges that known data does not use and that are not yet free.
  private func unused(_ ranges: [Range<Int>]) -> [Range<Int>] {
    // Sorted ranges are combined in a single pass.
    func union(_ ranges: [Range<Int>]) -> RangeSet<Int> {
      RangeSet(ranges.sorted { $0.lowerBound < $1.lowerBound })
    }
    let freed = union(ranges.map { $0.clamped(to: 0..<bytes.count) })
    return Array(freed.subtracting(union(usedRanges() + holes)).ranges)
  }
}
