import Basics

/// The list of a HEIF file's items: `ftyp` and `meta` (ISO/IEC 14496-12 section 8.11, ISO/IEC 23008-12).
/// The items' data stays in the file.
package struct HEIFFile: Sendable {
  /// The file.
  package let source: any ByteSource
  /// The major brand: “heic” as a rule.
  package let brand: String
  /// The number of the item that is the photo.
  package let primaryItem: UInt32
  /// The boxes of the file.
  let atoms: [FileAtom]
  /// The box `meta`.
  let meta: FileAtom
  /// The boxes in it, by their places in the file.
  let metaAtoms: [FileAtom]
  /// All items.
  let items: [UInt32: HEIFItem]
  /// The items' numbers in file order.
  let itemOrder: [UInt32]
  /// The links between items.
  let references: [HEIFReference]
  /// Entities that belong together.
  let groups: [HEIFGroup]
  /// Where the items' data lies.
  let locations: HEIFLocationTable
  /// The items' properties.
  let properties: HEIFProperties

  private let locationsByItem: [UInt32: HEIFLocation]
  private let referencesByItem: [UInt32: [HEIFReference]]
  private let associationsByItem: [UInt32: [HEIFProperties.Association]]
  private let itemData: Range<Int>

  /// Real ones have 30 kilobytes.
  private static let largestMeta = 1 << 23
  /// Pieces that the data of items that are asked for together may lie in.
  static let mostPieces = 1 << 18
  /// How far items may lie in items that lie in items.
  private static let deepest = 4

  /// Reads the boxes.
  ///
  /// - Throws: ``MediaError`` when it is no HEIF file or its boxes contradict themselves; what `source` throws.
  package init(reading source: any ByteSource) throws {
    self.source = source
    atoms = try FileAtom.scan(source, allowsTrailer: true)
    guard let type = atoms.first, type.kind == "ftyp", type.contentSize >= 4 else {
      throw MediaError("it is not a HEIC photo")
    }
    brand = String(decoding: try source.read(at: type.contentOffset, count: 4), as: UTF8.self)
    let metas = atoms.filter { $0.kind == "meta" }
    guard !metas.isEmpty || !atoms.contains(where: { $0.kind == "moov" }) else {
      throw MediaError("it is an image sequence without a picture of its own", isUnsupported: true)
    }
    guard metas.count == 1, let meta = metas.first, meta.contentSize >= 4 else {
      throw MediaError("it has \(metas.count) boxes that list its items")
    }
    guard meta.size <= Self.largestMeta else {
      throw MediaError(
        "the list of its items is larger than \(Self.largestMeta >> 20) MB", isUnsupported: true)
    }
    self.meta = meta
    let start = meta.contentOffset + 4
    let content = try source.read(at: start, count: meta.contentSize - 4)
    metaAtoms = try FileAtom.scan(MemoryByteSource(content)).map { atom in
      var atom = atom
      atom.offset += start
      return atom
    }
    let parts = Dictionary(grouping: metaAtoms, by: \.kind)
    func only(_ kind: FourCC) throws -> FileAtom? {
      let found = parts[kind] ?? []
      guard found.count <= 1 else { throw MediaError("it has \(found.count) boxes “\(kind)”") }
      return found.first
    }
    func bytes(_ kind: FourCC) throws -> [UInt8]? {
      try only(kind).map { atom in
        let from = atom.contentOffset - start
        return Array(content[from..<from + atom.contentSize])
      }
    }
    func needed(_ kind: FourCC) throws -> [UInt8] {
      guard let bytes = try bytes(kind) else { throw MediaError("it has no box “\(kind)”") }
      return bytes
    }
    var primary = BigEndianReader(try needed("pitm"))
    primaryItem = try primary.uint32() >> 24 == 0 ? UInt32(primary.uint16()) : primary.uint32()
    let list = try HEIFItem.table(needed("iinf"))
    itemOrder = list.map(\.id)
    items = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
    references = try bytes("iref").map(HEIFReference.table) ?? []
    referencesByItem = Dictionary(grouping: references, by: \.from)
    groups = try bytes("grpl").map(HEIFGroup.table) ?? []
    locations = try HEIFLocationTable(needed("iloc"))
    locationsByItem = Dictionary(locations.entries.map { ($0.id, $0.location) }) { first, _ in first }
    properties = try HEIFProperties(needed("iprp"))
    associationsByItem = properties.associationsByItem
    itemData = try only("idat").map { $0.contentOffset..<$0.range.upperBound } ?? 0..<0
    guard items[primaryItem] != nil else {
      throw MediaError("its picture, item \(primaryItem), does not exist")
    }
  }

  /// Where an item's data is said to lie; nil for an item without data.
  func location(of id: UInt32) -> HEIFLocation? { locationsByItem[id] }

  /// The properties of an item in order, with whether a reader must know them.
  func associations(of id: UInt32) -> [HEIFProperties.Association] { associationsByItem[id] ?? [] }

  /// The properties of an item in order.
  func properties(of id: UInt32) -> [Atom] {
    associations(of: id).compactMap(properties.property)
  }

  /// The links from an item.
  func references(from id: UInt32) -> [HEIFReference] { referencesByItem[id] ?? [] }

  /// The items that an item refers to by links of one kind, in order.
  func targets(_ kind: FourCC, from id: UInt32) -> [UInt32] {
    references(from: id).targets(kind, from: id)
  }

  /// The items that refer to an item by links of one kind.
  func sources(_ kind: FourCC, to id: UInt32) -> [UInt32] {
    references.sources(kind, to: id)
  }

  /// True if Samsung's box with a movie is in the file.
  var hasEmbeddedMovie: Bool { atoms.contains { $0.kind == "mpvd" } }

  /// The bytes of the file that are the data of some items, in order, item by item.
  ///
  /// - Throws: ``MediaError`` when an item has no data, or data that is not in this file.
  func ranges(of ids: [UInt32]) throws -> [[Range<Int>]] {
    var left = Self.mostPieces
    return try ids.map { try ranges(of: $0, left: &left) }
  }

  /// Bytes of the file.
  var size: Int { source.count }

  /// An item's data.
  ///
  /// - Parameter most: the most bytes that it may have; no real metadata item has more.
  func data(of id: UInt32, most: Int = 1 << 24) throws -> [UInt8] {
    let ranges = try ranges(of: [id]).joined()
    guard ranges.reduce(0, { $0 + $1.count }) <= most else {
      throw MediaError("its item \(id) is larger than \(most) bytes")
    }
    return try ranges.flatMap { try source.read(at: $0.lowerBound, count: $0.count) }
  }

  /// The bytes of the file that are an item's data, in order.
  ///
  /// - Parameters:
  ///   - depth: in how many items it lies.
  ///   - left: how many pieces may still be looked at.
  func ranges(of id: UInt32, depth: Int = 0, left: inout Int) throws -> [Range<Int>] {
    guard let location = locationsByItem[id] else { throw MediaError("its item \(id) has no data") }
    guard location.dataReference == 0 else {
      throw MediaError("its item \(id) lies in another file", isUnsupported: true)
    }
    guard depth < Self.deepest else { throw MediaError("its items lie in each other in a circle") }
    left -= location.extents.count
    guard left >= 0 else { throw MediaError("its item \(id) is in too many pieces", isUnsupported: true) }
    let owners = location.construction == .item ? targets("iloc", from: id) : []
    var ranges: [Range<Int>] = []
    var total = 0
    let outside = MediaError(
      "its item \(id) lies beyond the file's end", remedy: "copy it again from the phone")
    for extent in location.extents {
      var pieces: [Range<Int>]
      switch location.construction {
      case .file: pieces = [0..<size]
      case .itemData: pieces = [itemData]
      case .item:
        let index = max(extent.index, 1) - 1
        guard owners.indices.contains(index) else { throw MediaError("its item \(id) lies in no item") }
        pieces = try self.ranges(of: owners[index], depth: depth + 1, left: &left)
        left -= pieces.count
      }
      let available = pieces.reduce(0) { $0 + $1.count }
      guard extent.offset <= available else { throw outside }
      let length = extent.length == 0 ? available - extent.offset : extent.length
      guard length <= available - extent.offset else { throw outside }
      let (sum, overflows) = total.addingReportingOverflow(length)
      guard !overflows, sum <= size else { throw MediaError("its item \(id) is larger than the file") }
      total = sum
      ranges += Self.slice(pieces, from: extent.offset, count: length)
    }
    return ranges
  }

  /// Part of what some ranges hold together.
  private static func slice(_ pieces: [Range<Int>], from offset: Int, count: Int) -> [Range<Int>] {
    var skipped = offset
    var left = count
    var result: [Range<Int>] = []
    for piece in pieces where left > 0 {
      guard skipped < piece.count else {
        skipped -= piece.count
        continue
      }
      let taken = min(left, piece.count - skipped)
      result.append(piece.lowerBound + skipped..<piece.lowerBound + skipped + taken)
      (skipped, left) = (0, left - taken)
    }
    return result
  }
}
