import Basics

/// The directories of a TIFF file (TIFF 6.0 section 2), read from the file without loading the picture.
struct TIFFFile {
  /// A directory entry.
  struct Entry {
    /// The tag of the entry.
    let tag: Int
    /// The TIFF type of the values.
    let type: Int
    /// The number of values.
    let count: Int
    /// The four bytes that contain the values, or the offset of the values.
    let inline: [UInt8]

    /// The size of the values in bytes, or nil if the type is unknown.
    var size: Int? { TIFFBlock.size(ofType: type).map { $0 * count } }
  }

  /// The byte order of the file.
  let order: ByteOrder
  /// The entries of IFD0 in file order.
  private(set) var main: [Entry] = []
  private let source: any ByteSource

  /// Reads IFD0.
  ///
  /// - Returns: nil if the file is not a TIFF file.
  /// - Throws: Any error that `source` throws.
  init?(_ source: any ByteSource) throws {
    let head = try source.read(at: 0, count: min(8, source.count))
    let isLittle = head.starts(with: [0x49, 0x49, 0x2A, 0])
    guard isLittle || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }
    (self.source, order) = (source, isLittle ? .little : .big)
    main = try directory(at: order.number(head, at: 4, width: 4) ?? 0)
  }

  /// Returns the entries of a directory. For each tag, only the first entry is included. Entries that extend beyond the
  /// end of the file are excluded.
  func directory(at position: Int) throws -> [Entry] {
    guard position >= 8, position <= source.count - 2,
      let count = order.number(try source.read(at: position, count: 2), at: 0, width: 2)
    else { return [] }
    let whole = min(count, (source.count - position - 2) / 12)
    let bytes = try source.read(at: position + 2, count: 12 * whole)
    var seen: Set<Int> = []
    return (0..<whole).compactMap { index in
      guard let tag = order.number(bytes, at: 12 * index, width: 2),
        let type = order.number(bytes, at: 12 * index + 2, width: 2),
        let count = order.number(bytes, at: 12 * index + 4, width: 4), seen.insert(tag).inserted
      else { return nil }
      return Entry(tag: tag, type: type, count: count, inline: Array(bytes[12 * index + 8..<12 * index + 12]))
    }
  }

  /// Returns the bytes of an entry's values.
  ///
  /// - Parameter limit: The maximum number of bytes to read.
  /// - Returns: nil if the values exceed the limit or if the entry has no values.
  func value(_ entry: Entry, limit: Int) throws -> [UInt8]? {
    guard let size = entry.size, size > 0, size <= limit else { return nil }
    if size <= 4 { return Array(entry.inline.prefix(size)) }
    guard let position = order.number(entry.inline, at: 0, width: 4), position <= source.count - size else {
      return nil
    }
    return try source.read(at: position, count: size)
  }

  /// Returns the first number in an IFD0 entry of type SHORT or LONG, if that number is stored in the entry itself.
  func number(_ tag: Int) -> Int? {
    guard let entry = main.first(where: { $0.tag == tag }), [3, 4, 13].contains(entry.type) else {
      return nil
    }
    let width = entry.type == 3 ? 2 : 4
    guard 1...4 / width ~= entry.count else { return nil }
    return order.number(entry.inline, at: 0, width: width)
  }
}

extension TIFFFile {
  private typealias Tag = TIFFBlock.Tag

  /// The IFD0 tags that contain more than storage parameters: names, descriptive text, resolution, software, date and
  /// rating (Exif 2.32 section 4.6.4; DocumentName in TIFF 6.0; the text and rating tags that Windows uses).
  private static let mainTags: Set<Int> = [
    0x010D, 0x010E, Tag.make, Tag.model, Tag.xResolution, Tag.yResolution, 0x0128, Tag.software,
    Tag.dateTime, 0x013B, 0x013C, 0x4746, 0x4749, 0x8298, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
  ]
  /// The exposure and capture time tags. In TIFF/EP (ISO 12234-2), these tags are in IFD0. In Exif, they are in a
  /// separate directory.
  private static let exposureTags: Set<Int> = [
    0x829A, 0x829D, 0x8822, 0x8827, Tag.dateTimeOriginal, Tag.dateTimeDigitized, 0x9204, 0x9207, 0x9209,
    0x920A,
  ]
  /// The tags that are meaningless outside this file: a directory's offset, and padding.
  private static let placeTags: Set<Int> = [0xA005, 0xEA1C]

  /// Returns the file's metadata as an Exif block in the file's byte order. The block contains IFD0 without storage
  /// parameters, the Exif directory and the GPS directory. Maker notes are copied byte for byte. If the data exceeds
  /// the limit, the largest values are omitted.
  ///
  /// - Parameter room: The maximum size of the block in bytes.
  func exif(room: Int) throws -> [UInt8] {
    func pointed(by tag: Int) throws -> [Entry] { try directory(at: number(tag) ?? 0) }
    var exif = try pointed(by: Tag.exifDirectory).filter { !Self.placeTags.contains($0.tag) && $0.type != 13 }
    let known = Set(exif.map(\.tag))
    exif += main.filter { Self.exposureTags.contains($0.tag) && !known.contains($0.tag) }
    let directories = [
      main.filter { Self.mainTags.contains($0.tag) }, exif, try pointed(by: Tag.gpsDirectory),
    ]
    // The fixed parts are the header, three directories without entries, and three entries in the first directory (the
    // orientation and two directory offsets).
    var left = room - 8 - 3 * 6 - 3 * 12
    var values: [[ExifEntry]] = [[], [], []]
    let all = directories.enumerated().flatMap { place, entries in entries.map { (place: place, entry: $0) } }
    // The values are read in order of size until the available space is filled.
    for (place, entry) in all.sorted(by: { ($0.entry.size ?? 0, $0.place) < ($1.entry.size ?? 0, $1.place) })
    {
      guard let data = try value(entry, limit: left - 13) else { continue }
      left -= 12 + (data.count > 4 ? data.count + data.count % 2 : 0)
      values[place].append(ExifEntry(tag: entry.tag, type: entry.type, count: entry.count, data: data))
    }
    let orientation = number(Tag.orientation).flatMap { 1...8 ~= $0 ? $0 : nil } ?? 1
    values[0].append(
      ExifEntry(tag: Tag.orientation, type: 3, count: 1, data: order.bytes(of: orientation, width: 2)))
    return laidOut(main: values[0], exif: values[1], gps: values[2])
  }

  /// An entry in a new block.
  private struct ExifEntry {
    let tag: Int
    let type: Int
    let count: Int
    let data: [UInt8]
  }

  /// Returns the header, followed by the directories and then by the values that do not fit into their entries.
  private func laidOut(main: [ExifEntry], exif: [ExifEntry], gps: [ExifEntry]) -> [UInt8] {
    func size(_ entries: [ExifEntry], further: Int = 0) -> Int {
      entries.isEmpty ? 0 : 6 + 12 * (entries.count + further)
    }
    let further = (exif.isEmpty ? 0 : 1) + (gps.isEmpty ? 0 : 1)
    let exifPlace = 8 + size(main, further: further)
    let gpsPlace = exifPlace + size(exif)
    func pointer(_ tag: Int, to place: Int) -> ExifEntry {
      ExifEntry(tag: tag, type: 4, count: 1, data: order.bytes(of: place, width: 4))
    }
    let pointers =
      (exif.isEmpty ? [] : [pointer(Tag.exifDirectory, to: exifPlace)])
      + (gps.isEmpty ? [] : [pointer(Tag.gpsDirectory, to: gpsPlace)])
    var valuePlace = gpsPlace + size(gps)
    var values: [UInt8] = []
    var block: [UInt8] = order == .little ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]
    block += order.bytes(of: 8, width: 4)
    for entries in [main + pointers, exif, gps] where !entries.isEmpty {
      block += order.bytes(of: entries.count, width: 2)
      for entry in entries.sorted(by: { $0.tag < $1.tag }) {
        var inline = entry.data + [UInt8](repeating: 0, count: max(0, 4 - entry.data.count))
        if entry.data.count > 4 {
          inline = order.bytes(of: valuePlace, width: 4)
          let padded = entry.data + [UInt8](repeating: 0, count: entry.data.count % 2)
          values += padded
          valuePlace += padded.count
        }
        block += order.entry(entry.tag, type: entry.type, count: entry.count, value: inline)
      }
      block += [0, 0, 0, 0]
    }
    return block + values
  }
}
