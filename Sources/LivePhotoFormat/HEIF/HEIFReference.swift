import Basics

/// A typed reference from an item to one or more other items (`iref`, ISO/IEC 14496-12 section 8.11.12).
struct HEIFReference: Hashable, Sendable {
  /// The type of the reference: `dimg` (is derived from), `thmb` (is a thumbnail of), `auxl` (is auxiliary to), `cdsc`
  /// (describes), …
  let kind: FourCC
  /// The item that refers to the other items.
  let from: UInt32
  /// The items to which the reference points, in order.
  let to: [UInt32]

  /// The maximum number of references. Real files have one or two references per item. The limit matters because
  /// looking up an item's references may require a search through all references.
  private static var most: Int { ReadingLimit.references.value }

  /// Reads the item reference box.
  ///
  /// - Parameter bytes: The content of the box, without its header.
  static func table(_ bytes: [UInt8]) throws -> [HEIFReference] {
    var reader = BigEndianReader(bytes)
    let isWide = try reader.uint32() >> 24 > 0
    var left = Self.most
    return try Atom.parseAll(reader.read(reader.remaining)).atoms.map { box in
      var reader = BigEndianReader(box.bytes)
      func id() throws -> UInt32 { isWide ? try reader.uint32() : UInt32(try reader.uint16()) }
      let from = try id()
      let count = Int(try reader.uint16())
      guard count <= reader.remaining / (isWide ? 4 : 2) else {
        throw MediaError("item \(from) declares \(count) references but lists fewer")
      }
      left -= 1 + count
      guard left >= 0 else {
        throw MediaError(
          beyond: .references, "the items have more than \(Self.most) references to each other")
      }
      return HEIFReference(kind: box.kind, from: from, to: try (0..<count).map { _ in try id() })
    }
  }

  /// Returns the content of an item reference box with the given references, without its header. IDs are four bytes
  /// wide if an ID requires that width.
  static func serialized(_ references: [HEIFReference]) -> [UInt8] {
    let isWide = references.contains { $0.from > 0xFFFF || $0.to.contains { $0 > 0xFFFF } }
    let width = isWide ? 4 : 2
    var out: [UInt8] = [isWide ? 1 : 0, 0, 0, 0]
    for reference in references {
      var bytes = ByteOrder.big.bytes(of: Int(reference.from), width: width)
      bytes += ByteOrder.big.bytes(of: reference.to.count, width: 2)
      bytes += reference.to.flatMap { ByteOrder.big.bytes(of: Int($0), width: width) }
      out += Atom(reference.kind, bytes).serialized
    }
    return out
  }
}

extension [HEIFReference] {
  /// Returns the items that refer to an item by references of a given type.
  func sources(_ kind: FourCC, to id: UInt32) -> [UInt32] {
    filter { $0.kind == kind && $0.to.contains(id) }.map(\.from)
  }

  /// Returns, in order, the items to which an item refers by references of a given type.
  func targets(_ kind: FourCC, from id: UInt32) -> [UInt32] {
    filter { $0.kind == kind && $0.from == id }.flatMap(\.to)
  }
}

extension HEIFFile {
  /// The index of the group that pairs the photo with the other eye's picture (`ster`, a spatial photo), or nil if the
  /// photo is not part of a stereo pair.
  var stereoPair: Int? {
    groups.firstIndex {
      $0.kind == "ster" && ($0.members.contains(primaryItem) || $0.members.contains(pixelItem))
    }
  }
}

/// A group of entities that belong together (`grpl`, ISO/IEC 14496-12 section 8.18): `altr` for alternatives, `ster`
/// for a stereo pair, …
struct HEIFGroup: Hashable, Sendable {
  /// The type of the group.
  let kind: FourCC
  /// The ID of the group.
  let id: UInt32
  /// The IDs of the items, tracks or groups in the group.
  var members: [UInt32]
  /// The version and flags of the group's box.
  private let head: UInt32
  /// The bytes after the list of members.
  private let rest: [UInt8]

  /// Reads the groups list box.
  ///
  /// - Parameter bytes: The content of the box, without its header.
  static func table(_ bytes: [UInt8]) throws -> [HEIFGroup] {
    try Atom.parseAll(bytes[...]).atoms.map { box in
      var reader = BigEndianReader(box.bytes)
      let head = try reader.uint32()
      let id = try reader.uint32()
      let count = try reader.count(entrySize: 4)
      let members = try (0..<count).map { _ in try reader.uint32() }
      return HEIFGroup(
        kind: box.kind, id: id, members: members, head: head, rest: Array(try reader.read(reader.remaining)))
    }
  }

  /// Creates a group of a given kind. The group's box contains no data after the list of members.
  init(kind: FourCC, id: UInt32, members: [UInt32]) {
    (self.kind, self.id, self.members, head, rest) = (kind, id, members, 0, [])
  }

  private init(kind: FourCC, id: UInt32, members: [UInt32], head: UInt32, rest: [UInt8]) {
    (self.kind, self.id, self.members, self.head, self.rest) = (kind, id, members, head, rest)
  }

  /// The group as a box.
  var box: Atom {
    let words = [head, id, UInt32(members.count)] + members
    return Atom(kind, words.flatMap { ByteOrder.big.bytes(of: Int($0), width: 4) } + rest)
  }
}
