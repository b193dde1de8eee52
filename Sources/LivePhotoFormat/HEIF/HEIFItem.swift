import Basics

/// One item of a HEIF file (`infe`, ISO/IEC 14496-12 section 8.11.6.2).
struct HEIFItem: Hashable, Sendable {
  /// The box `infe` that lists it, without its header.
  private(set) var bytes: [UInt8]
  /// Its number, by which everything refers to it.
  let id: UInt32
  /// Its type: `hvc1`, `grid`, `Exif`, `mime`, …
  private(set) var type: FourCC
  /// The MIME type of an item of type `mime`.
  let contentType: String?
  /// The index of its protection scheme; 0 for none.
  let protection: UInt16
  /// True if it is not meant to be shown by itself.
  let isHidden: Bool

  /// True if it is a picture that stands in the file as coded data.
  var isCodedImage: Bool { Self.codedTypes.contains(type) }
  /// True if it is a picture that other items make.
  var isDerivedImage: Bool { Self.derivedTypes.contains(type) }
  /// True if it is a packet of XMP.
  var isXMP: Bool { type == "mime" && contentType == "application/rdf+xml" }

  private static let codedTypes: Set<FourCC> = [
    "hvc1", "av01", "avc1", "lhv1", "vvc1", "jpeg", "j2k1", "unci",
  ]
  private static let derivedTypes: Set<FourCC> = ["grid", "iden", "iovl", "tmap"]

  /// Real files have some hundred; what is done for each item may look at all of them.
  private static var most: Int { ReadingLimit.items.value }
  private static var tooMany: MediaError {
    MediaError(beyond: .items, "it has more than \(most) items")
  }

  /// Reads the item information box (`iinf`).
  ///
  /// - Parameter bytes: the box without its header.
  /// - Returns: the items in file order. Entries of versions 0 and 1, which HEIF does not use, have no type.
  static func table(_ bytes: [UInt8]) throws -> [HEIFItem] {
    var reader = BigEndianReader(bytes)
    let version = try reader.uint32() >> 24
    // An entry is at least a box header, version and flags.
    let most = max(0, reader.remaining - 2) / 12
    let count = version == 0 ? Int(try reader.uint16()) : Int(try reader.uint32())
    guard count <= most else {
      throw MediaError("it says that it has \(count) items and lists fewer")
    }
    guard count <= Self.most else { throw Self.tooMany }
    var items: [HEIFItem] = []
    var seen: Set<UInt32> = []
    for box in try Atom.parseAll(reader.read(reader.remaining)).atoms where box.kind == "infe" {
      let item = try HEIFItem(entry: box.bytes)
      guard seen.insert(item.id).inserted else {
        throw MediaError("two of its items have the number \(item.id)")
      }
      items.append(item)
      guard items.count <= Self.most else { throw Self.tooMany }
    }
    guard items.count >= count else {
      throw MediaError("it says that it has \(count) items and lists \(items.count)")
    }
    return items
  }

  /// A number of two bytes for another item, which all tables can hold: behind those that are in use, or else between
  /// them.
  ///
  /// - Parameter used: the numbers of all items.
  /// - Throws: ``MediaError`` when there is none left, or the file can list no more items.
  static func newNumber(beside used: some Collection<UInt32>) throws -> UInt32 {
    let last: UInt32 = 0xFFFF
    let greatest = used.lazy.filter { $0 <= last }.max() ?? 0
    if used.count < last {
      if greatest < last { return greatest + 1 }
      let taken = Set(used)
      if let free = (1...last).first(where: { !taken.contains($0) }) { return free }
    }
    throw MediaError("it has no room for another item", isUnsupported: true)
  }

  /// An entry for a new item that is not shown by itself: `infe` without its header.
  ///
  /// - Parameters:
  ///   - id: its number, of two bytes.
  ///   - contentType: its MIME type; nil for items of other types than “mime”.
  static func entry(
    _ id: UInt32, _ type: FourCC, contentType: String? = nil, isHidden: Bool = true
  ) -> [UInt8] {
    // Version 2, flags; number, no protection, type, no name.
    var entry: [UInt8] = [2, 0, 0, isHidden ? 1 : 0] + ByteOrder.big.bytes(of: Int(id), width: 2) + [0, 0]
    entry += type.bytes + [0]
    if let contentType { entry += Array(contentType.utf8) + [0] }
    return entry
  }

  /// Reads one entry.
  ///
  /// - Parameter bytes: the box `infe` without its header.
  init(entry bytes: [UInt8]) throws {
    self.bytes = bytes
    var reader = BigEndianReader(bytes)
    let versionAndFlags = try reader.uint32()
    isHidden = versionAndFlags & 1 != 0
    let version = versionAndFlags >> 24
    id = version >= 3 ? try reader.uint32() : UInt32(try reader.uint16())
    protection = try reader.uint16()
    guard version >= 2 else {
      (type, contentType) = (FourCC(rawValue: 0), nil)
      return
    }
    type = try reader.fourCC()
    // The item's name, then its MIME type.
    let strings = try reader.read(reader.remaining).split(separator: 0, omittingEmptySubsequences: false)
    contentType = type == "mime" ? strings.dropFirst().first.map { String(decoding: $0, as: UTF8.self) } : nil
  }

  /// Makes it another kind of picture.
  mutating func setType(_ type: FourCC) {
    // Version and flags, a number of two or four bytes, two bytes of protection, the type.
    let at = 4 + ((bytes.first ?? 2) >= 3 ? 4 : 2) + 2
    guard bytes.count >= at + 4 else { return }
    bytes.replace(at: at, bigEndian: type.rawValue)
    self.type = type
  }
}
