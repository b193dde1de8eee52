import Basics

/// The location of an item's data (`iloc`, ISO/IEC 14496-12 section 8.11.3).
struct HEIFLocation: Hashable, Sendable {
  /// A piece of an item's data.
  struct Extent: Hashable, Sendable {
    /// The 1-based index of an `iloc` reference, which points to the item that contains this piece. Used only if the
    /// construction method is ``Construction/item``.
    var index = 0
    /// The offset of the piece, including the item's base offset.
    var offset: Int
    /// The length of the piece in bytes. 0 means all data from the offset to the end of the file or item.
    var length: Int
  }

  /// The position from which offsets are counted.
  enum Construction: Int, Sendable {
    /// Offsets are counted from the first byte of the file.
    case file = 0
    /// Offsets are counted from the first byte of the `idat` box content.
    case itemData = 1
    /// Offsets are counted from the first byte of another item's data.
    case item = 2
  }

  /// The position from which offsets are counted.
  var construction: Construction
  /// The index of the file that contains the data. 0 means this file, and any other value means another file.
  var dataReference: UInt16 = 0
  /// The pieces of the item's data, in order.
  var extents: [Extent]
}

/// The item location box (`iloc`).
struct HEIFLocationTable: Sendable {
  /// The version of the box: 0, 1 or 2.
  var version: UInt32
  /// The items and their locations in file order.
  var entries: [(id: UInt32, location: HEIFLocation)]

  /// Reads the item location box.
  ///
  /// - Parameter bytes: The content of the box, without its header.
  init(_ bytes: [UInt8]) throws {
    var reader = BigEndianReader(bytes)
    version = try reader.uint32() >> 24
    guard version <= 2 else {
      throw MediaError("the item location table has an unknown version", isUnsupported: true)
    }
    let sizes = try reader.uint16()
    let widths = [12, 8, 4, 0].map { (shift: UInt16) in Int(sizes >> shift & 15) }
    let (offsetSize, lengthSize, baseSize) = (widths[0], widths[1], widths[2])
    let indexSize = version == 0 ? 0 : widths[3]
    guard widths.prefix(3).allSatisfy({ $0 <= 8 }), indexSize <= 8 else {
      throw MediaError("the item location table uses numbers longer than eight bytes")
    }
    let extentSize = indexSize + offsetSize + lengthSize
    let count = version < 2 ? Int(try reader.uint16()) : Int(try reader.uint32())
    let entrySize = (version < 2 ? 2 : 4) + (version == 0 ? 0 : 2) + 2 + baseSize + 2
    guard count <= reader.remaining / entrySize else {
      throw MediaError("the item location table declares \(count) items but lists fewer")
    }
    entries = []
    var seen: Set<UInt32> = []
    for _ in 0..<count {
      let id = version < 2 ? UInt32(try reader.uint16()) : try reader.uint32()
      let method = version == 0 ? 0 : Int(try reader.uint16() & 15)
      guard let construction = HEIFLocation.Construction(rawValue: method) else {
        throw MediaError("item \(id) is stored by an unknown method", isUnsupported: true)
      }
      let dataReference = try reader.uint16()
      let base = try reader.number(width: baseSize)
      let extentCount = Int(try reader.uint16())
      guard extentSize == 0 ? extentCount <= 1 : extentCount <= reader.remaining / extentSize else {
        throw MediaError("item \(id) declares \(extentCount) pieces but lists fewer")
      }
      guard seen.insert(id).inserted else { throw MediaError("item \(id) has two locations") }
      let extents = try (0..<extentCount).map { _ in
        let index = try reader.number(width: indexSize)
        let (offset, overflows) = base.addingReportingOverflow(try reader.number(width: offsetSize))
        guard !overflows else { throw MediaError("item \(id) extends beyond the end of the file") }
        return HEIFLocation.Extent(index: index, offset: offset, length: try reader.number(width: lengthSize))
      }
      let location = HEIFLocation(construction: construction, dataReference: dataReference, extents: extents)
      entries.append((id, location))
    }
  }

  /// Returns the content of the box, without its header. Each offset includes the base offset, and is four bytes wide
  /// if the value fits.
  ///
  /// - Throws: ``MediaError`` if the number of items or extents exceeds the maximum that the box can store.
  func serialized() throws -> [UInt8] {
    let extents = entries.flatMap(\.location.extents)
    func width(_ values: [Int]) -> Int { values.allSatisfy { $0 <= 0xFFFF_FFFF } ? 4 : 8 }
    let offsetSize = width(extents.map(\.offset))
    let lengthSize = width(extents.map(\.length))
    let indexSize = extents.contains { $0.index != 0 } ? width(extents.map(\.index)) : 0
    let needed: UInt32 =
      entries.count > 0xFFFF || entries.contains { $0.id > 0xFFFF }
      ? 2 : entries.contains { $0.location.construction != .file } || indexSize > 0 ? 1 : 0
    let version = max(version, needed)
    var out: [UInt8] = []
    out.append(bigEndian: version << 24)
    out.append(UInt8(offsetSize << 4 | lengthSize))
    out.append(UInt8(indexSize))
    func append(count: Int, wide: Bool) throws {
      guard count <= (wide ? 0xFFFF_FFFF : 0xFFFF) else {
        throw MediaError("the file has too many items or pieces of items", isUnsupported: true)
      }
      out += ByteOrder.big.bytes(of: count, width: wide ? 4 : 2)
    }
    try append(count: entries.count, wide: version == 2)
    for (id, location) in entries {
      try append(count: Int(id), wide: version == 2)
      if version > 0 { out.append(bigEndian: UInt16(location.construction.rawValue)) }
      out.append(bigEndian: location.dataReference)
      try append(count: location.extents.count, wide: false)
      for extent in location.extents {
        out += ByteOrder.big.bytes(of: extent.index, width: indexSize)
        out += ByteOrder.big.bytes(of: extent.offset, width: offsetSize)
        out += ByteOrder.big.bytes(of: extent.length, width: lengthSize)
      }
    }
    return out
  }
}

extension BigEndianReader {
  /// Reads a number that is 0 to 8 bytes wide.
  mutating func number(width: Int) throws -> Int {
    let value = try read(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let value = Int(exactly: value) else {
      throw MediaError("a number in the file is impossibly large")
    }
    return value
  }
}
