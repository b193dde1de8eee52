/// A TIFF structure in memory, as Exif stores it (TIFF 6.0 section 2, Exif 2.32 section 4.5): directories
/// of entries whose values stand anywhere in the block. Nothing in it ever changes its place, because
/// maker notes may refer to absolute positions.
struct TIFFBlock: Sendable {
  /// The directories that Exif knows.
  enum Directory: CaseIterable {
    /// IFD0: the picture.
    case main
    /// The Exif IFD.
    case exif
    /// The GPS IFD.
    case gps
    /// The interoperability IFD.
    case interoperability
    /// IFD1: the thumbnail.
    case thumbnail

    /// The directory and the tag of the entry that says where it stands; nil for IFD0 and IFD1.
    var pointer: (parent: Directory, tag: Int)? {
      switch self {
      case .exif: (.main, Tag.exifDirectory)
      case .gps: (.main, Tag.gpsDirectory)
      case .interoperability: (.exif, 0xA005)
      case .main, .thumbnail: nil
      }
    }
  }

  /// One entry of a directory.
  struct Entry {
    /// Where its twelve bytes stand.
    let position: Int
    /// Its tag.
    let tag: Int
    /// TIFF type of its values.
    let type: Int
    /// How many values.
    let count: Int
    /// Where the values stand; nil when their type is unknown or the block ends before they do.
    let value: Range<Int>?

    /// True if the values stand within the entry.
    var isInline: Bool { value?.lowerBound == position + 8 }
  }

  /// One directory as it stands in the block.
  struct Listing {
    /// Where its entry count stands.
    let position: Int
    /// Its entries in file order.
    let entries: [Entry]
    /// Where the link to the next directory stands; nil when the block ends before it.
    let nextLink: Int?
    /// The link's value; 0 for none.
    let next: Int

    /// The bytes that it occupies, values that stand elsewhere not included.
    var range: Range<Int> { position..<ownRange.upperBound + (nextLink == nil ? 0 : 4) }

    /// The same without the link, which some writers leave out.
    var ownRange: Range<Int> { position..<position + 2 + 12 * entries.count }

    /// The first entry with a tag.
    func entry(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }
  }

  /// The block.
  var bytes: [UInt8]
  /// Its byte order.
  let order: ByteOrder
  /// Where the link to IFD0 stands; nil when IFD0 has a fixed position.
  var mainLink: Int? = 4
  /// The position of IFD0 when it has no link.
  var mainPosition = 0
  /// Where nothing stands any more; zeroed.
  var holes: [Range<Int>] = []
  /// The directories that the block's end cut off, or whose count is damaged so that they reach it; nil until the block grows.
  var cutOff: Set<Directory>?

  /// The bytes of one value by TIFF type; nil for a type that is unknown (TIFF 6.0 page 15, BigTIFF,
  /// Exif 3.0 for 129).
  static func size(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  /// Where the four bytes that say where a directory stands are; nil when nothing refers to it.
  func link(to directory: Directory) -> Int? {
    guard let (parent, tag) = directory.pointer else {
      return directory == .main ? mainLink : position(of: .main).flatMap(nextLink)
    }
    guard let entry = entry(tag, in: parent), entry.type == 4 || entry.type == 13, entry.count == 1
    else { return nil }
    return entry.position + 8
  }

  /// A directory; nil when there is none.
  func listing(_ directory: Directory) -> Listing? {
    guard let position = position(of: directory), let places = entryPlaces(at: position) else { return nil }
    let link = nextLink(at: position)
    return Listing(
      position: position, entries: places.compactMap(entry), nextLink: link,
      next: link.flatMap { number(at: $0, width: 4) } ?? 0)
  }

  /// The first entry with a tag in a directory. The others are not listed.
  func entry(_ tag: Int, in directory: Directory) -> Entry? {
    position(of: directory).flatMap(entryPlaces)?.first { number(at: $0, width: 2) == tag }.flatMap(entry)
  }

  private func position(of directory: Directory) -> Int? {
    if directory == .main, mainLink == nil { return mainPosition }
    guard let link = link(to: directory), let position = number(at: link, width: 4), position >= 8 else {
      return nil
    }
    return position
  }

  /// Where the entries of a directory stand. One that the block's end cuts off keeps those that are whole.
  private func entryPlaces(at position: Int) -> StrideTo<Int>? {
    guard let count = number(at: position, width: 2) else { return nil }
    let whole = min(count, (bytes.count - position - 2) / 12)
    return stride(from: position + 2, to: position + 2 + 12 * whole, by: 12)
  }

  /// Where a directory's link to the next one stands; nil when the block ends before it.
  private func nextLink(at position: Int) -> Int? {
    guard let count = number(at: position, width: 2) else { return nil }
    let end = position + 2 + 12 * count
    return number(at: end, width: 4) == nil ? nil : end
  }

  private func entry(at position: Int) -> Entry? {
    guard let tag = number(at: position, width: 2), let type = number(at: position + 2, width: 2),
      let count = number(at: position + 4, width: 4), let inline = number(at: position + 8, width: 4)
    else { return nil }
    var value: Range<Int>?
    if let size = Self.size(ofType: type) {
      let start = size * count <= 4 ? position + 8 : inline
      if size * count <= bytes.count - start { value = start..<start + size * count }
    }
    return Entry(position: position, tag: tag, type: type, count: count, value: value)
  }

  /// The number at a position; nil beyond the block.
  func number(at position: Int, width: Int) -> Int? { order.number(bytes, at: position, width: width) }

  /// The whole numbers of an entry of type BYTE, SHORT or LONG.
  func numbers(_ entry: Entry) -> [Int]? {
    guard [1, 3, 4, 13].contains(entry.type), let size = Self.size(ofType: entry.type),
      let value = entry.value
    else { return nil }
    return (0..<entry.count).compactMap { number(at: value.lowerBound + $0 * size, width: size) }
  }

  /// The first whole number of a tag.
  func number(_ tag: Int, in directory: Directory) -> Int? {
    entry(tag, in: directory).flatMap(numbers)?.first
  }

  /// The value's bytes of a tag.
  func data(_ tag: Int, in directory: Directory) -> [UInt8]? {
    entry(tag, in: directory)?.value.map { Array(bytes[$0]) }
  }

  /// The text of an ASCII tag, up to its first NUL, without spaces at its end; nil when empty.
  func text(_ tag: Int, in directory: Directory) -> String? { entry(tag, in: directory).flatMap(text) }

  /// The text of an ASCII entry.
  func text(_ entry: Entry) -> String? {
    guard entry.type == 2 || entry.type == 129, let value = entry.value else { return nil }
    var text = String(decoding: bytes[value].prefix { $0 != 0 }, as: UTF8.self)
    while text.last == " " { text.removeLast() }
    return text.isEmpty ? nil : text
  }

  /// Where the JPEG thumbnail of IFD1 stands (Exif 2.32 tags 0x0201 and 0x0202).
  var thumbnailRange: Range<Int>? {
    guard let start = number(0x0201, in: .thumbnail), let count = number(0x0202, in: .thumbnail), count > 0,
      start >= 8, count <= bytes.count - start
    else { return nil }
    return start..<start + count
  }
}

extension TIFFBlock {
  /// An Exif block: “II” or “MM”, 42, and the position of IFD0.
  ///
  /// - Returns: nil when it does not begin so.
  init?(exif bytes: [UInt8]) {
    let isLittle = bytes.starts(with: [0x49, 0x49, 0x2A, 0x00])
    guard isLittle || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) else { return nil }
    self.init(bytes: bytes, order: isLittle ? .little : .big)
    guard listing(.main) != nil else { return nil }
  }
}
