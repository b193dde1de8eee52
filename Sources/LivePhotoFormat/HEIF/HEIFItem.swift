import Basics

/// An item of a HEIF file (`infe`, ISO/IEC 14496-12 section 8.11.6.2).
struct HEIFItem: Hashable, Sendable {
  /// The content of the item's `infe` box, without the box header.
  private(set) var bytes: [UInt8]
  /// The ID by which other parts of the file refer to the item.
  let id: UInt32
  /// The item's type: `hvc1`, `grid`, `Exif`, `mime`, …
  private(set) var type: FourCC
  /// The MIME type of an item whose type is `mime`.
  let contentType: String?
  /// The index of the item's protection scheme, or 0 if the item is not protected.
  let protection: UInt16
  /// Whether the item is not intended to be displayed on its own.
  let isHidden: Bool

  /// Whether the item is a picture that is stored as coded data.
  var isCodedImage: Bool { Self.codedTypes.contains(type) }
  /// Whether the item is a picture that is derived from other items.
  var isDerivedImage: Bool { Self.derivedTypes.contains(type) }
  /// Whether the item is an XMP packet.
  var isXMP: Bool { type == "mime" && contentType == "application/rdf+xml" }

  private static let codedTypes: Set<FourCC> = [
    "hvc1", "av01", "avc1", "lhv1", "vvc1", "jpeg", "j2k1", "unci",
  ]
  private static let derivedTypes: Set<FourCC> = ["grid", "iden", "iovl", "tmap"]

  /// The maximum number of items. Real files have a few hundred items. The limit matters because processing an item may
  /// require a search through all items.
  private static var most: Int { ReadingLimit.items.value }
  private static var tooMany: MediaError {
    MediaError(beyond: .items, "the file has more than \(most) items")
  }

  /// Reads the item information box (`iinf`).
  ///
  /// - Parameter bytes: The content of the box, without its header.
  /// - Returns: The items in file order. Entries of versions 0 and 1, which HEIF does not use, have no type.
  static func table(_ bytes: [UInt8]) throws -> [HEIFItem] {
    var reader = BigEndianReader(bytes)
    let version = try reader.uint32() >> 24
    // An entry contains at least a box header, a version and flags.
    let most = max(0, reader.remaining - 2) / 12
    let count = version == 0 ? Int(try reader.uint16()) : Int(try reader.uint32())
    guard count <= most else {
      throw MediaError("the file declares \(count) items but lists fewer")
    }
    guard count <= Self.most else { throw Self.tooMany }
    var items: [HEIFItem] = []
    var seen: Set<UInt32> = []
    for box in try Atom.parseAll(reader.read(reader.remaining)).atoms where box.kind == "infe" {
      let item = try HEIFItem(entry: box.bytes)
      guard seen.insert(item.id).inserted else {
        throw MediaError("two items have the number \(item.id)")
      }
      items.append(item)
      guard items.count <= Self.most else { throw Self.tooMany }
    }
    guard items.count >= count else {
      throw MediaError("the file declares \(count) items but lists \(items.count)")
    }
    return items
  }

  /// Returns an ID for a new item: the ID after the highest used ID, or a lower unused ID. The ID is two bytes wide and
  /// therefore fits into all tables.
  ///
  /// - Parameter used: The IDs of all items.
  /// - Throws: ``MediaError`` if all IDs are used, or if the file already has the maximum number of items.
  static func newNumber(beside used: some Collection<UInt32>) throws -> UInt32 {
    let last: UInt32 = 0xFFFF
    let greatest = used.lazy.filter { $0 <= last }.max() ?? 0
    if used.count < last {
      if greatest < last { return greatest + 1 }
      let taken = Set(used)
      if let free = (1...last).first(where: { !taken.contains($0) }) { return free }
    }
    throw MediaError("the file has no free number for another item", isUnsupported: true)
  }

  /// Returns the `infe` content, without the box header, for a new item that is hidden by default.
  ///
  /// - Parameters:
  ///   - id: The item's two-byte ID.
  ///   - contentType: The item's MIME type, or nil if the item's type is not `mime`.
  static func entry(
    _ id: UInt32, _ type: FourCC, contentType: String? = nil, isHidden: Bool = true
  ) -> [UInt8] {
    // The fields are version 2, flags, ID, no protection, type and an empty name.
    var entry: [UInt8] = [2, 0, 0, isHidden ? 1 : 0] + ByteOrder.big.bytes(of: Int(id), width: 2) + [0, 0]
    entry += type.bytes + [0]
    if let contentType { entry += Array(contentType.utf8) + [0] }
    return entry
  }

  /// Reads an entry of the item list.
  ///
  /// - Parameter bytes: The content of the `infe` box, without the box header.
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
    // The item's name, followed by its MIME type.
    let strings = try reader.read(reader.remaining).split(separator: 0, omittingEmptySubsequences: false)
    contentType = type == "mime" ? strings.dropFirst().first.map { String(decoding: $0, as: UTF8.self) } : nil
  }

  /// Changes the item's type to another kind of picture.
  mutating func setType(_ type: FourCC) {
    // The type follows the version and flags, a two-byte or four-byte ID, and a two-byte protection index.
    let at = 4 + ((bytes.first ?? 2) >= 3 ? 4 : 2) + 2
    guard bytes.count >= at + 4 else { return }
    bytes.replace(at: at, bigEndian: type.rawValue)
    self.type = type
  }
}
