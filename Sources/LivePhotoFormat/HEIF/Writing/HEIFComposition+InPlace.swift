import Basics

/// Writes a file in place. Only the item list and the data and properties of some items change. All other bytes are
/// copied, and the offsets of moved data are updated.
extension HEIFComposition {
  private typealias Change = HEIFChanges.Change

  /// The items that are not in the original file.
  private var added: [Item] { items.filter { file.items[$0.id] == nil } }

  /// Writes the file. Items keep their positions if possible.
  ///
  /// - Throws: ``MediaError`` if items overlap, or if the structure of an image sequence's tracks is not supported, or
  ///   any error that the source or the sink throws.
  func writeInPlace(to sink: some ByteSink) throws {
    var at = 0
    func copy(upTo end: Int) throws {
      guard at < end else { return }
      try file.source.copy(at..<end, to: sink)
      at = end
    }
    for change in try changes() {
      try copy(upTo: change.range.lowerBound)
      try sink.write(change.bytes)
      at = change.range.upperBound
    }
    try copy(upTo: file.size)
  }

  /// Returns all changes in file order, including those to `meta` and `moov`.
  private func changes() throws -> [Change] {
    guard var sequence = try file.sequence() else { return try changes(beside: nil).all }
    guard !dropsOthers else {
      throw MediaError(
        "the file is an image sequence, and its tracks would not be removed with the other data",
        isUnsupported: true)
    }
    try sequence.turn(by: sequenceTurn)
    let all = try changes(beside: sequence)
    // Samples may move, but their bytes must not change.
    let content = try sequence.content(moving: all.moved)
    let place = sequence.place
    let moov = Change(range: place.contentOffset..<place.range.upperBound, bytes: content)
    return try HEIFChanges(all.all + [moov]).all
  }

  /// Returns all changes in file order, except for the changes to the tracks.
  private func changes(beside sequence: HEIFSequence?) throws -> HEIFChanges {
    try sequence?.checkIsFollowed(in: file)
    var placement = try Placement(file, items.filter { file.items[$0.id] != nil }, beside: sequence)
    for item in added { placement.append(item.id, item.data ?? []) }
    let end = file.atoms.last?.range.upperBound ?? file.size
    let inside = placement.changes + overwrites.map { Change(range: $0.range, bytes: $0.bytes) }
    var changes = try resized(inside, hasAppendix: !placement.appended.isEmpty)
    let known: Set<FourCC> = ["ftyp", "meta", "mdat"]
    let dropped = file.atoms.filter {
      droppedAtoms.contains($0.offset) || dropsOthers && !known.contains($0.kind)
    }
    changes += dropped.map { Change(range: $0.range, bytes: []) }
    if dropsOthers {
      if end < file.size { changes.append(Change(range: end..<file.size, bytes: [])) }
    }
    if !placement.appended.isEmpty {
      let bytes = Atom("mdat", placement.appended.flatMap(\.content)).serialized
      changes.append(Change(range: end..<end, bytes: bytes))
    }
    func whole(_ content: [UInt8]) throws -> HEIFChanges {
      try HEIFChanges(changes + [Change(range: file.meta.range, bytes: content)])
    }
    var content = try metaBox(placement, locations: nil)
    var all = try whole(content)
    guard try placement.moves(by: all) else { return all }
    // The size of `meta` depends on the width of the offsets, and the offsets in turn depend on the size of `meta`.
    for _ in 0..<4 {
      let locations = try placement.locations(after: all, appendedAt: end)
      let next = try metaBox(placement, locations: locations)
      let isSettled = next.count == content.count
      content = next
      all = try whole(content)
      if isSettled { return all }
    }
    throw Self.entangled
  }

  /// Returns the complete `meta` box.
  ///
  /// - Parameter locations: The locations of the items, or nil to keep the original location table.
  private func metaBox(_ placement: Placement, locations: HEIFLocationTable?) throws -> [UInt8] {
    let hasNew = references.count > file.references.count
    let links = hasNew ? Atom("iref", HEIFReference.serialized(references)).serialized : []
    let isListed = file.metaAtoms.contains { $0.kind == "iref" }
    return try metaBox(appending: isListed ? [] : links) { atom in
      let old = try file.source.read(at: atom.contentOffset, count: atom.contentSize)
      var new = old
      switch atom.kind {
      case "iinf" where !added.isEmpty: return listing(Array(old.prefix(4)))
      case "iref" where hasNew: return links
      case "grpl" where groups != file.groups: return grouping
      case "iprp": new = try properties.serialized()
      case "iloc": new = try locations?.serialized() ?? old
      case "idat":
        for change in placement.itemDataChanges {
          let start = change.range.lowerBound - atom.contentOffset
          new.replaceSubrange(start..<start + change.range.count, with: change.bytes)
        }
      default: break
      }
      return new == old ? nil : Atom(atom.kind, new).serialized
    }
  }

  /// Returns the changes, together with changes to the sizes of the boxes that contain the changed bytes.
  private func resized(_ changes: [Change], hasAppendix: Bool) throws -> [Change] {
    var result = changes
    var growths: [Int: Int] = [:]
    for change in changes {
      if let atom = file.atoms.holder(of: change.range) { growths[atom.offset, default: 0] += change.growth }
    }
    for atom in file.atoms where atom.kind != "meta" {
      let growth = growths[atom.offset] ?? 0
      let header = try file.source.read(at: atom.offset, count: 4)
      // A size of 0 means that the box extends to the end of the file.
      let isOpen = header.allSatisfy { $0 == 0 }
      guard isOpen ? hasAppendix : growth != 0 else { continue }
      let isWide = atom.headerSize == 16
      guard isWide || atom.size + growth <= 0xFFFF_FFFF else {
        throw MediaError("a box would become too large for its 32-bit size field", isUnsupported: true)
      }
      let (start, width) = isWide ? (atom.offset + 8, 8) : (atom.offset, 4)
      result.append(
        Change(range: start..<start + width, bytes: ByteOrder.big.bytes(of: atom.size + growth, width: width))
      )
    }
    return result
  }

  /// The new positions of all items, whether rewritten or not.
  private struct Placement {
    /// The changes to the file outside `meta`.
    private(set) var changes: [Change] = []
    /// The changes to the content of `idat`.
    private(set) var itemDataChanges: [Change] = []
    /// The data that is appended to the file in a new box, item by item.
    private(set) var appended: [(id: UInt32, content: [UInt8])] = []

    private let file: HEIFFile
    /// For each item that is not appended, the file ranges that contain the item's data.
    private var ranges: [UInt32: [Range<Int>]] = [:]
    /// The items whose new data is stored as a single piece at the old position, with a new length.
    private var replaced: [UInt32: (start: Int, count: Int)] = [:]
    /// The data of all items whose new positions have not been determined yet.
    private var coverage: HEIFCoverage
    /// The bytes that also belong to track samples.
    private let samples: HEIFCoverage
    /// The items that contain other items.
    private let bases: Set<UInt32>

    /// Finds a position for the data of each rewritten item. The data keeps its old position if no other item uses the
    /// old bytes, and otherwise moves to the end of the file. No byte of the old data remains unless another item uses
    /// that byte.
    ///
    /// - Parameters:
    ///   - items: The file's items, some of which have new data.
    ///   - sequence: The file's image sequence, if any.
    init(_ file: HEIFFile, _ items: [Item], beside sequence: HEIFSequence?) throws {
      self.file = file
      samples = HEIFCoverage(sequence?.chunks ?? [])
      bases = Set(file.references.lazy.filter { $0.kind == "iloc" }.flatMap(\.to))
      coverage = HEIFCoverage([])
      var left = HEIFFile.mostPieces
      for (id, location) in file.locations.entries where location.dataReference == 0 {
        ranges[id] = try file.ranges(of: id, left: &left)
      }
      coverage = HEIFCoverage(ranges.values.joined())
      for (id, location) in file.locations.entries where location.construction == .file {
        let boxes = [file.meta.range] + (sequence.map { [$0.place.range] } ?? [])
        guard !(ranges[id] ?? []).contains(where: { range in boxes.contains { $0.overlaps(range) } }) else {
          throw HEIFComposition.entangled
        }
      }
      for item in items.sorted(by: { $0.id < $1.id }) { if let data = item.data { try place(item.id, data) } }
    }

    /// Adds an item's data to the new box at the end of the file.
    mutating func append(_ id: UInt32, _ content: [UInt8]) {
      appended.append((id, content))
      ranges[id] = nil
    }

    private mutating func place(_ id: UInt32, _ content: [UInt8]) throws {
      guard let location = file.location(of: id), let old = ranges[id] else {
        throw HEIFComposition.entangled
      }
      guard !bases.contains(id) else { throw HEIFComposition.entangled }
      for range in old { coverage.remove(range) }
      let isAlone = !old.contains(where: coverage.overlaps)
      let isSample = old.contains(where: samples.overlaps)
      let isWhole = zip(old, old.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }
      guard isAlone, !isSample, location.construction != .item, let first = old.first, let last = old.last
      else {
        append(id, content)
        return
      }
      let isMedia = file.atoms.contains { $0.kind == "mdat" && $0.holds(first) && $0.holds(last) }
      if location.construction == .file, isWhole, isMedia {
        let range = first.lowerBound..<last.upperBound
        changes.append(Change(range: range, bytes: content))
        replaced[id] = (range.lowerBound, content.count)
        return
      }
      let zeroed = old.map { Change(range: $0, bytes: [UInt8](repeating: 0, count: $0.count)) }
      if location.construction == .itemData { itemDataChanges += zeroed } else { changes += zeroed }
      append(id, content)
    }

    /// Returns whether the changes move any data, which makes an update of the location table necessary.
    ///
    /// - Parameter changes: All changes, in file order.
    /// - Throws: ``MediaError`` if a change overlaps an unchanged item.
    func moves(by changes: HEIFChanges) throws -> Bool {
      guard appended.isEmpty else { return true }
      return try file.locations.entries.contains { id, location in
        guard location.construction == .file, let pieces = ranges[id] else { return false }
        if let place = replaced[id] {
          return pieces.map(\.count) != [place.count] || changes.shift(place.start) != 0
        }
        return try pieces.contains { try Self.moved(ofItem: $0, changes) != $0.lowerBound }
      }
    }

    /// Returns the location table after all changes.
    ///
    /// - Parameters:
    ///   - changes: All changes, in file order.
    ///   - end: The offset at which the new box with appended data is inserted.
    /// - Throws: ``MediaError`` if a change overlaps an unchanged item.
    func locations(after changes: HEIFChanges, appendedAt end: Int) throws -> HEIFLocationTable {
      var table = file.locations
      var places: [UInt32: Int] = [:]
      for index in table.entries.indices {
        let (id, location) = table.entries[index]
        places[id] = index
        guard location.construction == .file, let pieces = ranges[id] else { continue }
        if let place = replaced[id] {
          let offset = place.start + changes.shift(place.start)
          table.entries[index].location.extents = [
            HEIFLocation.Extent(offset: offset, length: place.count)
          ]
        } else {
          table.entries[index].location.extents = try pieces.map { piece in
            HEIFLocation.Extent(offset: try Self.moved(ofItem: piece, changes), length: piece.count)
          }
        }
      }
      // The appended data begins after the new box's header.
      let before = changes.all.lazy.filter { !$0.range.isEmpty && $0.range.upperBound <= end }
      var next = end + before.reduce(0) { $0 + $1.growth } + 8
      for (id, content) in appended {
        let extent = HEIFLocation.Extent(offset: next, length: content.count)
        let location = HEIFLocation(construction: .file, extents: [extent])
        if let index = places[id] {
          table.entries[index].location = location
        } else {
          table.entries.append((id, location))
        }
        next += content.count
      }
      return table
    }

    /// Returns the new start of a piece of an item. The piece must not be empty, because the position of an empty piece
    /// is ambiguous.
    private static func moved(ofItem piece: Range<Int>, _ changes: HEIFChanges) throws -> Int {
      guard !piece.isEmpty else { throw HEIFComposition.entangled }
      return try changes.moved(piece)
    }
  }
}
