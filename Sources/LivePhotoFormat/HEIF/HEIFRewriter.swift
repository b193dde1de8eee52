import Basics

/// Writes a HEIF file with some of its items' data, its properties and its list of items changed. Everything else is
/// copied, and every offset into the file that moves is made true.
struct HEIFRewriter {
  private let file: HEIFFile
  private let properties: HEIFProperties
  private var contents: [UInt32: [UInt8]] = [:]
  private var dropped: [Range<Int>] = []
  private var added: [Addition] = []

  /// A new item.
  private struct Addition {
    let id: UInt32
    let type: FourCC
    let content: [UInt8]
    /// Its MIME type; nil for items of other types than «mime».
    let contentType: String?
    /// The item that it describes.
    let describing: UInt32
  }

  /// A range of the original, and what stands there instead.
  struct Change {
    var range: Range<Int>
    var bytes: [UInt8]
  }

  init(_ file: HEIFFile, properties: HEIFProperties) {
    self.file = file
    self.properties = properties
  }

  /// Gives an item other data.
  mutating func replace(_ id: UInt32, with content: [UInt8]) {
    contents[id] = content
  }

  /// Adds a hidden item that describes another one.
  ///
  /// - Throws: ``MediaError`` when the file's tables count items in two bytes and have no number left.
  mutating func add(
    _ type: FourCC, _ content: [UInt8], contentType: String? = nil, describing target: UInt32
  ) throws {
    let id = try HEIFItem.newNumber(beside: file.itemOrder + added.map(\.id))
    added.append(
      Addition(id: id, type: type, content: content, contentType: contentType, describing: target))
  }

  /// Leaves out what is neither the list of items nor their data: padding, other programs' boxes, embedded movies, and
  /// what follows the last box.
  mutating func dropOthers() {
    let kept: Set<FourCC> = ["ftyp", "meta", "mdat"]
    dropped = file.atoms.filter { !kept.contains($0.kind) }.map { $0.offset..<$0.offset + $0.size }
    let end = file.atoms.last.map { $0.offset + $0.size } ?? file.size
    if end < file.size { dropped.append(end..<file.size) }
  }

  private static let outside = MediaError(
    "its items lie over each other in a way that cannot be changed", isUnsupported: true)

  /// Writes the file.
  func write(from source: some ByteSource, to sink: some ByteSink) throws {
    var at = 0
    func copy(upTo end: Int) throws {
      guard at < end else { return }
      try source.copy(at..<end, to: sink)
      at = end
    }
    for change in try changes(source) {
      try copy(upTo: change.range.lowerBound)
      try sink.write(change.bytes)
      at = change.range.upperBound
    }
    try copy(upTo: file.size)
  }

  /// All changes in file order, the rewritten `meta` among them.
  private func changes(_ source: some ByteSource) throws -> [Change] {
    guard let meta = file.atoms.first(where: { $0.kind == "meta" }) else {
      throw MediaError("it has no items")
    }
    var placement = try Placement(file, contents: contents)
    for item in added { placement.append(item.id, item.content) }
    let end = file.atoms.last.map { $0.offset + $0.size } ?? file.size
    var changes = try Self.resized(file, placement.changes, hasAppendix: !placement.appended.isEmpty, source)
    changes += dropped.map { Change(range: $0, bytes: []) }
    if !placement.appended.isEmpty {
      let bytes = Atom("mdat", placement.appended.flatMap(\.content)).serialized
      changes.append(Change(range: end..<end, bytes: bytes))
    }
    func whole(_ content: [UInt8]) throws -> [Change] {
      let all = (changes + [Change(range: meta.offset..<meta.offset + meta.size, bytes: content)]).inFileOrder
      guard zip(all, all.dropFirst()).allSatisfy({ $0.range.upperBound <= $1.range.lowerBound }) else {
        throw Self.outside
      }
      return all
    }
    var content = try metaContent(source, placement, locations: nil)
    var all = try whole(content)
    guard try placement.moves(by: all) else { return all }
    // The size of meta depends on how wide offsets are, and offsets on its size.
    for _ in 0..<4 {
      let locations = try placement.locations(after: all, appendedAt: end)
      let next = try metaContent(source, placement, locations: locations)
      let isSettled = next.count == content.count
      content = next
      all = try whole(content)
      if isSettled { return all }
    }
    throw Self.outside
  }

  /// The whole `meta` box.
  ///
  /// - Parameter locations: where items lie; nil for the original's table.
  private func metaContent(
    _ source: some ByteSource, _ placement: Placement, locations: HEIFLocationTable?
  ) throws -> [UInt8] {
    guard let meta = file.atoms.first(where: { $0.kind == "meta" }) else {
      throw MediaError("it has no items")
    }
    var out = try source.read(at: meta.contentOffset, count: 4)
    for atom in file.metaAtoms {
      let old = try source.read(at: atom.contentOffset, count: atom.contentSize)
      var new = old
      switch atom.kind {
      case "iprp": new = try properties.serialized()
      case "iloc": new = try locations?.serialized() ?? old
      case "iinf": new = try listing(old)
      case "iref" where !added.isEmpty: new = HEIFReference.serialized(file.references + addedReferences)
      case "idat":
        for change in placement.itemDataChanges {
          let start = change.range.lowerBound - atom.contentOffset
          new.replaceSubrange(start..<start + change.range.count, with: change.bytes)
        }
      default: break
      }
      if new == old {
        out += try source.read(at: atom.offset, count: atom.size)
      } else {
        out += Atom(atom.kind, new).serialized
      }
    }
    if !added.isEmpty, !file.metaAtoms.contains(where: { $0.kind == "iref" }) {
      out += Atom("iref", HEIFReference.serialized(addedReferences)).serialized
    }
    return Atom("meta", out).serialized
  }

  private var addedReferences: [HEIFReference] {
    added.map { HEIFReference(kind: "cdsc", from: $0.id, to: [$0.describing]) }
  }

  /// The list of items with those that are new.
  private func listing(_ old: [UInt8]) throws -> [UInt8] {
    guard !added.isEmpty else { return old }
    let width = old.first == 0 ? 2 : 4
    guard let count = ByteOrder.big.number(old, at: 4, width: width) else { throw Self.outside }
    var new = old
    new.replaceSubrange(4..<4 + width, with: ByteOrder.big.bytes(of: count + added.count, width: width))
    for item in added {
      let entry = HEIFItem.hiddenEntry(item.id, item.type, contentType: item.contentType)
      new += Atom("infe", entry).serialized
    }
    return new
  }

  /// The changes, with those to the sizes of the boxes that they lie in.
  private static func resized(
    _ file: HEIFFile, _ changes: [Change], hasAppendix: Bool, _ source: some ByteSource
  ) throws -> [Change] {
    var result = changes
    for atom in file.atoms where atom.kind != "meta" {
      let inside = changes.filter {
        $0.range.lowerBound >= atom.contentOffset && $0.range.upperBound <= atom.offset + atom.size
      }
      let growth = inside.reduce(0) { $0 + $1.bytes.count - $1.range.count }
      let header = try source.read(at: atom.offset, count: 4)
      // A size of 0 reaches to the file's end, wherever that is.
      let isOpen = header.allSatisfy { $0 == 0 }
      guard isOpen ? hasAppendix : growth != 0 else { continue }
      let isWide = atom.headerSize == 16
      guard isWide || atom.size + growth <= 0xFFFF_FFFF else {
        throw MediaError("it is larger than its boxes can say", isUnsupported: true)
      }
      let start = atom.offset + (isWide ? 8 : 0)
      let width = isWide ? 8 : 4
      result.append(
        Change(range: start..<start + width, bytes: ByteOrder.big.bytes(of: atom.size + growth, width: width))
      )
    }
    return result
  }
}

extension [HEIFRewriter.Change] {
  /// Sorted by place.
  var inFileOrder: Self {
    sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
  }
}
