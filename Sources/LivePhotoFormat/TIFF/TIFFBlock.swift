/// A TIFF structure in memory, as used by Exif (TIFF 6.0 section 2, Exif 2.32 section 4.5). Directories contain
/// entries, whose values may be stored anywhere in the block. Existing data never moves, because maker notes may refer
/// to absolute positions.
struct TIFFBlock: Sendable {
  /// The directories that Exif defines.
  enum Directory: CaseIterable {
    /// IFD0, which describes the picture.
    case main
    /// The Exif IFD.
    case exif
    /// The GPS IFD.
    case gps
    /// The interoperability IFD.
    case interoperability
    /// IFD1, which contains the thumbnail.
    case thumbnail

    /// The parent directory and the tag of its entry that contains this directory's offset, or nil for IFD0 and IFD1.
    var pointer: (parent: Directory, tag: Int)? {
      switch self {
      case .exif: (.main, Tag.exifDirectory)
      case .gps: (.main, Tag.gpsDirectory)
      case .interoperability: (.exif, 0xA005)
      case .main, .thumbnail: nil
      }
    }
  }

  /// A directory entry.
  struct Entry {
    /// The offset of the entry, which is twelve bytes long.
    let position: Int
    /// The tag of the entry.
    let tag: Int
    /// The TIFF type of the values.
    let type: Int
    /// The number of values.
    let count: Int
    /// The range of the values, or nil if their type is unknown or if they extend beyond the end of the block.
    let value: Range<Int>?

    /// Whether the values are stored in the entry itself.
    var isInline: Bool { value?.lowerBound == position + 8 }
  }

  /// A directory as stored in the block.
  struct Listing {
    /// The offset of the directory's entry count.
    let position: Int
    /// The entries in file order.
    let entries: [Entry]
    /// The offset of the link to the next directory, or nil if the block ends before that link.
    let nextLink: Int?
    /// The offset of the next directory, or 0 if no next directory exists.
    let next: Int

    /// The range of the directory, excluding values that are stored outside the directory.
    var range: Range<Int> { position..<ownRange.upperBound + (nextLink == nil ? 0 : 4) }

    /// The range of the directory, excluding the link to the next directory, which some programs omit.
    var ownRange: Range<Int> { position..<position + 2 + 12 * entries.count }

    /// Returns the first entry with a given tag.
    func entry(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }
  }

  /// The bytes of the block.
  var bytes: [UInt8]
  /// The byte order of the block.
  let order: ByteOrder
  /// The offset of the link to IFD0, or nil if IFD0 has a fixed position.
  var mainLink: Int? = 4
  /// The position of IFD0 if the block has no link to IFD0.
  var mainPosition = 0
  /// The unused ranges of the block, which are filled with zeros.
  var holes: [Range<Int>] = []
  /// The directories that are cut off by the end of the block, or that extend to the end because their entry count is
  /// damaged. The value is nil until the block grows.
  var cutOff: Set<Directory>?

  /// Returns the size in bytes of a value of the given TIFF type, or nil if the type is unknown (TIFF 6.0 page 15,
  /// BigTIFF, Exif 3.0 for type 129).
  static func size(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  /// Returns the offset of the four bytes that contain a directory's offset, or nil if nothing refers to the directory.
  func link(to directory: Directory) -> Int? {
    guard let (parent, tag) = directory.pointer else {
      return directory == .main ? mainLink : position(of: .main).flatMap(nextLink)
    }
    guard let entry = entry(tag, in: parent), entry.type == 4 || entry.type == 13, entry.count == 1
    else { return nil }
    return entry.position + 8
  }

  /// Returns a directory with its entries, or nil if the directory does not exist.
  func listing(_ directory: Directory) -> Listing? {
    guard let position = position(of: directory), let places = entryPlaces(at: position) else { return nil }
    let link = nextLink(at: position)
    return Listing(
      position: position, entries: places.compactMap(entry), nextLink: link,
      next: link.flatMap { number(at: $0, width: 4) } ?? 0)
  }

  /// Returns the first entry with a given tag in a directory, without reading the other entries.
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

  /// Returns the offsets of a directory's entries. If the end of the block cuts off the directory, only complete
  /// entries are included.
  private func entryPlaces(at position: Int) -> StrideTo<Int>? {
    guard let count = number(at: position, width: 2) else { return nil }
    let whole = min(count, (bytes.count - position - 2) / 12)
    return stride(from: position + 2, to: position + 2 + 12 * whole, by: 12)
  }

  /// Returns the offset of a directory's link to the next directory, or nil if the block ends before the link.
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

  /// Returns the number at an offset, or nil if the number extends beyond the block.
  func number(at position: Int, width: Int) -> Int? { order.number(bytes, at: position, width: width) }

  /// Returns the integers in an entry of type BYTE, SHORT or LONG.
  func numbers(_ entry: Entry) -> [Int]? {
    guard [1, 3, 4, 13].contains(entry.type), let size = Self.size(ofType: entry.type),
      let value = entry.value
    else { return nil }
    return (0..<entry.count).compactMap { number(at: value.lowerBound + $0 * size, width: size) }
  }

  /// Returns the first integer in the value of a tag.
  func number(_ tag: Int, in directory: Directory) -> Int? {
    entry(tag, in: directory).flatMap(numbers)?.first
  }

  /// Returns the bytes of a tag's value.
  func data(_ tag: Int, in directory: Directory) -> [UInt8]? {
    entry(tag, in: directory)?.value.map { Array(bytes[$0]) }
  }

  /// Returns the text of an ASCII tag up to the first NUL, without trailing spaces, or nil if the text is empty.
  func text(_ tag: Int, in directory: Directory) -> String? { entry(tag, in: directory).flatMap(text) }

  /// Returns the text of an ASCII entry.
  func text(_ entry: Entry) -> String? {
    guard entry.type == 2 || entry.type == 129, let value = entry.value else { return nil }
    var text = String(decoding: bytes[value].prefix { $0 != 0 }, as: UTF8.self)
    while text.last == " " { text.removeLast() }
    return text.isEmpty ? nil : text
  }

  /// The range of the JPEG thumbnail in IFD1 (Exif 2.32 tags 0x0201 and 0x0202).
  var thumbnailRange: Range<Int>? {
    guard let start = number(0x0201, in: .thumbnail), let count = number(0x0202, in: .thumbnail), count > 0,
      start >= 8, count <= bytes.count - start
    else { return nil }
    return start..<start + count
  }
}

extension TIFFBlock {
  /// Reads an Exif block, which begins with “II” or “MM”, followed by 42 and the offset of IFD0.
  ///
  /// - Returns: nil if the bytes do not begin with this header.
  init?(exif bytes: [UInt8]) {
    let isLittle = bytes.starts(with: [0x49, 0x49, 0x2A, 0x00])
    guard isLittle || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) else { return nil }
    self.init(bytes: bytes, order: isLittle ? .little : .big)
    guard listing(.main) != nil else { return nil }
  }
}
