import Basics

extension HEIFRewriter {
  /// Where rewritten items go, and where all others are then.
  struct Placement {
    /// Changes to the file outside `meta`.
    private(set) var changes: [Change] = []
    /// Changes to the content of `idat`.
    private(set) var itemDataChanges: [Change] = []
    /// What goes to a new box at the end, item by item.
    private(set) var appended: [(id: UInt32, content: [UInt8])] = []

    private let file: HEIFFile
    /// Items that stay in the file and lie at one of its ranges, by item.
    private var ranges: [UInt32: [Range<Int>]] = [:]
    /// Items that have one piece of a new length now, at an old place.
    private var replaced: [UInt32: (start: Int, count: Int)] = [:]

    private static let entangled = MediaError(
      "its items lie over each other in a way that cannot be changed", isUnsupported: true)

    /// Finds a place for each rewritten item: its own, if it alone uses that, otherwise the file's end. No byte of its
    /// old data stays that no other item uses.
    ///
    /// - Parameters:
    ///   - file: the boxes.
    ///   - contents: the new data of items.
    init(_ file: HEIFFile, contents: [UInt32: [UInt8]]) throws {
      self.file = file
      var left = HEIFFile.mostPieces
      for (id, location) in file.locations.entries where location.dataReference == 0 {
        ranges[id] = try file.ranges(of: id, left: &left)
      }
      let meta = file.atoms.first { $0.kind == "meta" }.map { $0.offset..<$0.offset + $0.size } ?? 0..<0
      for (id, location) in file.locations.entries where location.construction == .file {
        guard !(ranges[id] ?? []).contains(where: { $0.overlaps(meta) }) else { throw Self.entangled }
      }
      for (id, content) in contents.sorted(by: { $0.key < $1.key }) { try place(id, content) }
    }

    /// Puts an item's data into the box at the file's end.
    mutating func append(_ id: UInt32, _ content: [UInt8]) {
      appended.append((id, content))
      ranges[id] = nil
    }

    private mutating func place(_ id: UInt32, _ content: [UInt8]) throws {
      guard let location = file.location(of: id), let old = ranges[id] else { throw Self.entangled }
      let isBase = file.references.contains { $0.kind == "iloc" && $0.to.contains(id) }
      guard !isBase else { throw Self.entangled }
      let isAlone = !ranges.contains { other, ranges in
        other != id && ranges.contains { range in old.contains { $0.overlaps(range) } }
      }
      let isWhole = zip(old, old.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }
      guard isAlone, location.construction != .item, let first = old.first, let last = old.last else {
        append(id, content)
        return
      }
      let media = file.atoms.first {
        $0.kind == "mdat" && $0.contentOffset <= first.lowerBound && last.upperBound <= $0.offset + $0.size
      }
      if location.construction == .file, isWhole, media != nil {
        let range = first.lowerBound..<last.upperBound
        changes.append(Change(range: range, bytes: content))
        replaced[id] = (range.lowerBound, content.count)
        return
      }
      let zeroed = old.map { Change(range: $0, bytes: [UInt8](repeating: 0, count: $0.count)) }
      if location.construction == .itemData { itemDataChanges += zeroed } else { changes += zeroed }
      append(id, content)
    }

    /// Whether changes move anything, so that the table of locations is not true any more.
    ///
    /// - Parameter changes: all changes, in file order.
    /// - Throws: ``MediaError`` when a change lies across an item that is not changed.
    func moves(by changes: [Change]) throws -> Bool {
      guard appended.isEmpty else { return true }
      return try file.locations.entries.contains { id, location in
        guard location.construction == .file, let pieces = ranges[id] else { return false }
        if let place = replaced[id] {
          return pieces.map(\.count) != [place.count] || Self.shift(place.start, changes) != 0
        }
        return try pieces.contains { try Self.moved($0, changes) != $0.lowerBound }
      }
    }

    /// The table of locations once everything stands where it will.
    ///
    /// - Parameters:
    ///   - changes: all changes, in file order.
    ///   - end: where the new box is put in.
    /// - Throws: ``MediaError`` when a change lies across an item that is not changed.
    func locations(after changes: [Change], appendedAt end: Int) throws -> HEIFLocationTable {
      var table = file.locations
      for index in table.entries.indices {
        let (id, location) = table.entries[index]
        guard location.construction == .file, let pieces = ranges[id] else { continue }
        if let place = replaced[id] {
          let offset = place.start + Self.shift(place.start, changes)
          table.entries[index].location.extents = [
            HEIFLocation.Extent(index: 0, offset: offset, length: place.count)
          ]
        } else {
          table.entries[index].location.extents = try pieces.map { piece in
            HEIFLocation.Extent(index: 0, offset: try Self.moved(piece, changes), length: piece.count)
          }
        }
      }
      // Behind the new box's header.
      var next = end + Self.shift(end, changes.filter { !$0.range.isEmpty }) + 8
      for (id, content) in appended {
        let extent = HEIFLocation.Extent(index: 0, offset: next, length: content.count)
        let location = HEIFLocation(construction: .file, dataReference: 0, extents: [extent])
        if let index = table.entries.firstIndex(where: { $0.id == id }) {
          table.entries[index].location = location
        } else {
          table.entries.append((id, location))
        }
        next += content.count
      }
      return table
    }

    /// How far a byte moves that stands at a place behind the changes before it.
    private static func shift(_ place: Int, _ changes: [Change]) -> Int {
      changes.lazy.filter { $0.range.upperBound <= place }.reduce(0) { $0 + $1.bytes.count - $1.range.count }
    }

    /// Where a piece begins then.
    private static func moved(_ piece: Range<Int>, _ changes: [Change]) throws -> Int {
      guard !piece.isEmpty, !changes.contains(where: { $0.range.overlaps(piece) }) else { throw entangled }
      return piece.lowerBound + shift(piece.lowerBound, changes)
    }
  }
}
