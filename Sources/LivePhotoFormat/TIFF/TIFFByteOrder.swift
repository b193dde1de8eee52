import Basics

extension Photo {
  /// Returns whether the photo's Exif block is little-endian. Apple's LivePhotosKit JS does not display photos with a
  /// little-endian Exif block.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
  package func hasLittleEndianExif() throws -> Bool { try container.exif()?.order == .little }
}

/// Changes the byte order of a TIFF block in place. Directories and values keep their positions. Unknown data does not
/// change.
extension TIFFBlock {
  /// Converts a block to big-endian, the byte order that iPhones write and Apple's LivePhotosKit JS reads. Apple's
  /// maker note has its own byte order. The block is not converted if it contains another manufacturer's maker note, a
  /// private directory, an undefined value of an unknown tag, or overlapping values, because such data cannot be
  /// converted reliably.
  ///
  /// - Returns: Whether the block is big-endian now.
  @discardableResult
  mutating func makeBigEndian() -> Bool {
    guard order == .little else { return true }
    guard let numbers = numberPlaces() else { return false }
    write([0x4D, 0x4D, 0, 0x2A], at: 0)
    for place in numbers where place.width > 1 {
      for start in stride(from: place.range.lowerBound, to: place.range.upperBound, by: place.width) {
        write(bytes[start..<start + place.width].reversed(), at: start)
      }
    }
    self = TIFFBlock(
      bytes: bytes, order: .big, mainLink: mainLink, mainPosition: mainPosition, holes: holes, cutOff: cutOff)
    return true
  }

  /// A run of numbers that have the same width. A width of 1 means bytes, which do not depend on the byte order.
  private struct Numbers: Hashable {
    let range: Range<Int>
    let width: Int
  }

  /// Returns the positions of all numbers in the block, or nil if these positions cannot be determined reliably.
  private func numberPlaces() -> [Numbers]? {
    guard mainLink == 4 else { return nil }
    var places: Set<Numbers> = [Numbers(range: 0..<4, width: 1), Numbers(range: 4..<8, width: 4)]
    func add(_ start: Int, _ count: Int, _ width: Int) {
      places.insert(Numbers(range: start..<start + count, width: width))
    }
    for directory in Directory.allCases {
      guard let listing = listing(directory) else { continue }
      // Each tag must occur only once in a directory. Otherwise, a value could be converted repeatedly.
      guard number(at: listing.position, width: 2) == listing.entries.count, let link = listing.nextLink,
        directory == .main || listing.next == 0,
        Set(listing.entries.map(\.tag)).count == listing.entries.count
      else { return nil }
      add(listing.position, 2, 2)
      add(link, 4, 4)
      for entry in listing.entries {
        guard let value = entry.value, let numbers = numbers(of: entry, at: value, in: directory) else {
          return nil
        }
        add(entry.position, 4, 2)
        add(entry.position + 4, 4, 4)
        // The unused bytes of an entry's four-byte value field are treated as individual bytes.
        if entry.isInline { add(value.upperBound, entry.position + 12 - value.upperBound, 1) }
        if !entry.isInline { add(entry.position + 8, 4, 4) }
        places.formUnion(numbers)
      }
    }
    if let thumbnail = thumbnailRange { add(thumbnail.lowerBound, thumbnail.count, 1) }
    let sorted = places.filter { !$0.range.isEmpty }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    let areApart = zip(sorted, sorted.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound }
    return areApart ? sorted : nil
  }

  /// The tags whose undefined values consist of bytes: versions, components, file and scene types, and Windows'
  /// padding.
  private static let bytesAlone: Set<Int> = [0x0002, 0x9000, 0x9101, 0xA000, 0xA300, 0xA301, 0xEA1C]
  /// The tags that refer to other directories, or to data whose numbers are unknown or stored elsewhere: SubIFDs and
  /// DNG's private data.
  private static let unknown: Set<Int> = [0x014A, 0xC634]
  /// The tags of XMP, IPTC datasets and Photoshop resources, which consist of bytes regardless of their declared type.
  private static let streams: Set<Int> = [0x02BC, 0x83BB, 0x8649]

  /// Returns the numbers in an entry's value, or nil if the positions of the numbers are unknown.
  private func numbers(of entry: Entry, at value: Range<Int>, in directory: Directory) -> [Numbers]? {
    let all = { (width: Int) in [Numbers(range: value, width: width)] }
    if directory == .main, Self.streams.contains(entry.tag) { return all(1) }
    if Self.unknown.contains(entry.tag) { return nil }
    // The samples of picture strips are also numbers.
    if directory == .thumbnail, entry.tag == 0x0102, numbers(entry)?.allSatisfy({ $0 <= 8 }) != true {
      return nil
    }
    switch entry.type {
    case 1, 2, 6, 129: return all(1)
    case 3, 8: return all(2)
    // A fraction consists of two numbers.
    case 4, 5, 9, 10, 11: return all(4)
    case 12, 16, 17: return all(8)
    case 7: return undefined(entry.tag, at: value, in: directory)
    default: return nil
    }
  }

  /// Returns the numbers in a value of type UNDEFINED (CIPA DC-008-2019 sections 4.6.5 and 4.6.6).
  private func undefined(_ tag: Int, at value: Range<Int>, in directory: Directory) -> [Numbers]? {
    func places(_ parts: [(count: Int, width: Int)]) -> [Numbers]? {
      var at = value.lowerBound
      var numbers: [Numbers] = []
      for part in parts {
        guard part.count >= 0, part.count <= value.upperBound - at, part.count % part.width == 0 else {
          return nil
        }
        numbers.append(Numbers(range: at..<at + part.count, width: part.width))
        at += part.count
      }
      return numbers + [Numbers(range: at..<value.upperBound, width: 1)]
    }
    switch (directory, tag) {
    case (.exif, Tag.makerNote): return AppleMakerNote(Array(bytes[value])) == nil ? nil : places([])
    // UserComment, GPSProcessingMethod and GPSAreaInformation consist of an eight-byte character code and the text.
    case (.exif, Tag.userComment), (.gps, 0x001B), (.gps, 0x001C):
      let isUnicode = value.count > 8 && bytes[value].starts(with: Array("UNICODE".utf8) + [0])
      return isUnicode ? places([(8, 1), ((value.count - 8) / 2 * 2, 2)]) : places([])
    // CFAPattern consists of the number of columns, the number of rows, and a byte for each cell.
    case (.exif, 0xA302): return places([(4, 2)])
    // SourceExposureTimesOfCompositeImage consists of seven fractions, two counts, and a fraction for each exposure.
    case (.exif, 0xA462): return places([(56, 4), (4, 2), ((value.count - 60) / 8 * 8, 4)])
    // PrintIM consists of a name, a version, a count, and numbers of two and four bytes.
    case (.main, 0xC4A5):
      let count = number(at: value.lowerBound + 14, width: 2) ?? 0
      guard value.count >= 16, bytes[value].starts(with: Array("PrintIM".utf8)) else { return nil }
      return places([(14, 1), (2, 2)] + (0..<count).flatMap { _ in [(2, 2), (4, 4)] })
    default: return value.count == 1 || Self.bytesAlone.contains(tag) ? places([]) : nil
    }
  }
}
