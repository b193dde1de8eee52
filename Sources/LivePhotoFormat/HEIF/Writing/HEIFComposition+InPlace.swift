import Basics

/// Writing a file in which only some items' data, properties and the list of items change. Everything else is copied, and
/// every offset into the file that moves is made true.
extension HEIFComposition {
  private typealias Change = HEIFChanges.Change

  /// The items that the original has not.
  private var added: [Item] { items.filter { file.items[$0.id] == nil } }

  /// Writes the file: items keep their places where they can.
  ///
  /// - Throws: ``MediaError`` when items lie over each other, or when the tracks of an image sequence cannot be followed;
  ///   what source and sink throw.
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

  /// All changes in file order, the rewritten `meta` and `moov` among them.
  private func changes() throws -> [Change] {
    guard var sequence = try file.sequence() else { return try changes(beside: nil).all }
    guard !dropsOthers else {
      throw MediaError(
        "it is an image sequence, whose tracks would not be taken out with the rest", isUnsupported: true)
    }
    try sequence.turn(by: sequenceTurn)
    let all = try changes(beside: sequence)
    // Samples may only move: none of their bytes changes.
    let content = try sequence.content(moving: all.moved)
    let place = sequence.place
    let moov = Change(range: place.contentOffset..<place.range.upperBound, bytes: content)
    return try HEIFChanges(all.all + [moov]).all
  }

  /// All changes in file order besides those to the tracks.
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
    // The size of meta depends on how wide offsets are, and offsets on its size.
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

  /// The whole `meta` box.
  ///
  /// - Parameter locations: where items lie; nil for the original's table.
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

  /// The changes, with those to the sizes of the boxes that they lie in.
  private func resized(_ changes: [Change], hasAppendix: Bool) throws -> [Change] {
    var result = changes
    var growths: [Int: Int] = [:]
    for change in changes {
      if let atom = file.atoms.holder(of: change.range) { growths[atom.offset, default: 0] += change.growth }
    }
    for atom in file.atoms where atom.kind != "meta" {
      let growth = growths[atom.offset] ?? 0
      let header = try file.source.read(at: atom.offset, count: 4)
      // A size of 0 reaches to the file's end, wherever that is.
      let isOpen = header.allSatisfy { $0 == 0 }
      guard isOpen ? hasAppendix : growth != 0 else { continue }
      let isWide = atom.headerSize == 16
      guard isWide || atom.size + growth <= 0xFFFF_FFFF else {
        throw MediaError("it is larger than its boxes can say", isUnsupported: true)
      }
      let (start, width) = isWide ? (atom.offset + 8, 8) : (atom.offset, 4)
      result.append(
        Change(range: start..<start + width, bytes: ByteOrder.big.bytes(of: atom.size + growth, width: width))
      )
    }
    return result
  }

  /// The places of rewritten items, and of all others then.
  private struct Placement {
    /// Changes to the file outside `meta`.
    private(set) var changes: [Change] = []
    /// Changes to the content of `idat`.
    private(set) var itemDataChanges: [Change] = []
    /// The data that goes to a new box at the end, item by item.
    private(set) var appended: [(id: UInt32, content: [UInt8])] = []

    private let file: HEIFFile
    /// Items that stay in the file and lie at one of its ranges, by item.
    private var ranges: [UInt32: [Range<Int>]] = [:]
    /// Items that have one piece of a new length now, at an old place.
    private var replaced: [UInt32: (start: Int, count: Int)] = [:]
    /// The data of all items whose new place is not yet looked for.
    private var coverage: HEIFCoverage
    /// Bytes that are samples of tracks, too.
    private let samples: HEIFCoverage
    /// Items that others lie in.
    private let bases: Set<UInt32>

    /// Finds a place for each rewritten item: its own, if it alone uses that, otherwise the file's end. No byte of its
    /// old data stays that no other item uses.
    ///
    /// - Parameters:
    ///   - items: the file's items, some of them with new data.
    ///   - sequence: the file's tracks, if it has some.
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

    /// Puts an item's data into the box at the file's end.
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

    /// True if changes move anything, so that the table of locations is not true any more.
    ///
    /// - Parameter changes: all changes, in file order.
    /// - Throws: ``MediaError`` when a change lies across an item that is not changed.
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

    /// The table of locations once everything stands where it will.
    ///
    /// - Parameters:
    ///   - changes: all changes, in file order.
    ///   - end: where the new box is put in.
    /// - Throws: ``MediaError`` when a change lies across an item that is not changed.
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
      // Behind the new box's header.
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

    /// Where a piece of an item begins then; without bytes it would begin anywhere.
    private static func moved(ofItem piece: Range<Int>, _ changes: HEIFChanges) throws -> Int {
      guard !piece.isEmpty else { throw HEIFComposition.entangled }
      return try changes.moved(piece)
    }
  }
}
