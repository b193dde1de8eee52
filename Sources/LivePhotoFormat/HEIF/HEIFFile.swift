import Basics

/// The list of a HEIF file's items, read from `ftyp` and `meta` (ISO/IEC 14496-12 section 8.11, ISO/IEC 23008-12). The
/// items' data remains in the file.
package struct HEIFFile: Sendable {
  /// The source of the file's bytes.
  package let source: any ByteSource
  /// The major brand, which is usually “heic”.
  package let brand: String
  /// The ID of the item that is the photo.
  package let primaryItem: UInt32
  /// The top-level boxes of the file.
  let atoms: [FileAtom]
  /// The box `meta`.
  let meta: FileAtom
  /// The boxes in `meta`, with their offsets in the file.
  let metaAtoms: [FileAtom]
  /// All items, by ID.
  let items: [UInt32: HEIFItem]
  /// The IDs of the items in file order.
  let itemOrder: [UInt32]
  /// The references between items.
  let references: [HEIFReference]
  /// The groups of entities that belong together.
  let groups: [HEIFGroup]
  /// The table of the locations of the items' data.
  let locations: HEIFLocationTable
  /// The properties of the items, and their association with the items.
  let properties: HEIFProperties

  private let locationsByItem: [UInt32: HEIFLocation]
  private let referencesByItem: [UInt32: [HEIFReference]]
  private let associationsByItem: [UInt32: [HEIFProperties.Association]]
  private let itemData: Range<Int>

  /// The maximum size of `meta` in bytes. In real files `meta` has about 30 kB.
  private static let largestMeta = 1 << 23
  /// The maximum number of data pieces for items that are requested together.
  static let mostPieces = 1 << 18
  /// The maximum nesting depth of items stored inside other items.
  private static let deepest = 4

  /// Reads the boxes of a HEIF file.
  ///
  /// - Throws: ``MediaError`` if the file is not a HEIF file or its boxes contradict each other, or any error that
  ///   `source` throws.
  package init(reading source: any ByteSource) throws {
    self.source = source
    atoms = try FileAtom.scan(source, allowsTrailer: true)
    guard let type = atoms.first, type.kind == "ftyp", type.contentSize >= 4 else {
      throw MediaError("the file is not a HEIC photo")
    }
    brand = String(decoding: try source.read(at: type.contentOffset, count: 4), as: UTF8.self)
    let metas = atoms.filter { $0.kind == "meta" }
    guard !metas.isEmpty || !atoms.contains(where: { $0.kind == "moov" }) else {
      throw MediaError("the file is an image sequence without a still picture", isUnsupported: true)
    }
    guard metas.count == 1, let meta = metas.first, meta.contentSize >= 4 else {
      throw MediaError("the file has \(metas.count) item lists instead of one")
    }
    guard meta.size <= Self.largestMeta else {
      throw MediaError(
        "the item list is larger than \(Self.largestMeta >> 20) MB", isUnsupported: true)
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
      guard found.count <= 1 else {
        throw MediaError("the file has \(found.count) “\(kind)” boxes; only one is allowed")
      }
      return found.first
    }
    func bytes(_ kind: FourCC) throws -> [UInt8]? {
      try only(kind).map { atom in
        let from = atom.contentOffset - start
        return Array(content[from..<from + atom.contentSize])
      }
    }
    func needed(_ kind: FourCC) throws -> [UInt8] {
      guard let bytes = try bytes(kind) else { throw MediaError("the file has no “\(kind)” box") }
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
      throw MediaError("the main picture, item \(primaryItem), does not exist")
    }
  }

  /// Returns the declared location of an item's data, or nil if the item has no data.
  func location(of id: UInt32) -> HEIFLocation? { locationsByItem[id] }

  /// Returns an item's property associations in order. Each association states whether a reader must support the
  /// property.
  func associations(of id: UInt32) -> [HEIFProperties.Association] { associationsByItem[id] ?? [] }

  /// Returns the properties of an item in order.
  func properties(of id: UInt32) -> [Atom] {
    associations(of: id).compactMap(properties.property)
  }

  /// Returns the references from an item.
  func references(from id: UInt32) -> [HEIFReference] { referencesByItem[id] ?? [] }

  /// Returns, in order, the items to which an item refers by references of a given type.
  func targets(_ kind: FourCC, from id: UInt32) -> [UInt32] {
    references(from: id).targets(kind, from: id)
  }

  /// Returns the items that refer to an item by references of a given type.
  func sources(_ kind: FourCC, to id: UInt32) -> [UInt32] {
    references.sources(kind, to: id)
  }

  /// Whether the file contains Samsung's box for an embedded movie.
  var hasEmbeddedMovie: Bool { atoms.contains { $0.kind == "mpvd" } }

  /// Returns the ranges of the file that contain the data of several items. Each item's ranges are in order.
  ///
  /// - Throws: ``MediaError`` if an item has no data, or if an item's data is not in this file.
  func ranges(of ids: [UInt32]) throws -> [[Range<Int>]] {
    var left = Self.mostPieces
    return try ids.map { try ranges(of: $0, left: &left) }
  }

  /// The size of the file in bytes.
  var size: Int { source.count }

  /// Returns an item's data.
  ///
  /// - Parameter most: The maximum size of the data in bytes. Metadata items in real files do not exceed the default.
  func data(of id: UInt32, most: Int = 1 << 24) throws -> [UInt8] {
    let ranges = try ranges(of: [id]).joined()
    guard ranges.reduce(0, { $0 + $1.count }) <= most else {
      throw MediaError("item \(id) is larger than \(most) bytes")
    }
    return try ranges.flatMap { try source.read(at: $0.lowerBound, count: $0.count) }
  }

  /// Returns the ranges of the file that contain an item's data, in order.
  ///
  /// - Parameters:
  ///   - depth: The nesting depth: the number of items that enclose the item.
  ///   - left: The number of pieces that may still be examined.
  func ranges(of id: UInt32, depth: Int = 0, left: inout Int) throws -> [Range<Int>] {
    guard let location = locationsByItem[id] else { throw MediaError("item \(id) has no data") }
    guard location.dataReference == 0 else {
      throw MediaError("item \(id) is stored in another file", isUnsupported: true)
    }
    guard depth < Self.deepest else { throw MediaError("the items contain each other in a cycle") }
    left -= location.extents.count
    guard left >= 0 else { throw MediaError("item \(id) is split into too many pieces", isUnsupported: true) }
    let owners = location.construction == .item ? targets("iloc", from: id) : []
    var ranges: [Range<Int>] = []
    var total = 0
    let outside = MediaError(
      "item \(id) extends beyond the end of the file", remedy: "copy the file from the phone again")
    for extent in location.extents {
      var pieces: [Range<Int>]
      switch location.construction {
      case .file: pieces = [0..<size]
      case .itemData: pieces = [itemData]
      case .item:
        let index = max(extent.index, 1) - 1
        guard owners.indices.contains(index) else {
          throw MediaError("item \(id) does not state which item contains its data")
        }
        pieces = try self.ranges(of: owners[index], depth: depth + 1, left: &left)
        left -= pieces.count
      }
      let available = pieces.reduce(0) { $0 + $1.count }
      guard extent.offset <= available else { throw outside }
      let length = extent.length == 0 ? available - extent.offset : extent.length
      guard length <= available - extent.offset else { throw outside }
      let (sum, overflows) = total.addingReportingOverflow(length)
      guard !overflows, sum <= size else { throw MediaError("item \(id) is larger than the file") }
      total = sum
      ranges += Self.slice(pieces, from: extent.offset, count: length)
    }
    return ranges
  }

  /// Treats several ranges as a contiguous sequence, and returns the ranges that form a given part of the sequence.
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
