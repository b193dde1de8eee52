import Basics

extension HEIFComposition {
  /// Takes an item out, and with it what is made of it, what describes it or is auxiliary to it alone, and the tiles
  /// that only it uses. The photo stays.
  mutating func remove(_ id: UInt32) { remove([id]) }

  /// Takes items out, as ``remove(_:)-(UInt32)`` does each.
  mutating func remove(_ ids: [UInt32]) {
    var links = Links(references)
    var (pending, gone) = (ids, Set<UInt32>())
    while let id = pending.popLast() {
      guard id != file.primaryItem, item(id) != nil, gone.insert(id).inserted else { continue }
      properties.setAssociations([], of: id)
      pending += links.take(id)
      for part in links.parts(of: id) where !links.isPart(part) && item(part)?.isHidden ?? false {
        // A gain map is a picture of its own, not a part of what it makes.
        if !links.isAuxiliary(part) { pending.append(part) }
      }
    }
    guard !gone.isEmpty else { return }
    dropItems(gone)
    references = links.left.map { reference in
      guard reference.to.contains(where: gone.contains) else { return reference }
      return HEIFReference(
        kind: reference.kind, from: reference.from, to: reference.to.filter { !gone.contains($0) })
    }
    groups = groups.compactMap { group in
      guard group.members.contains(where: gone.contains) else { return group }
      var smaller = group
      smaller.members = group.members.filter { !gone.contains($0) }
      return smaller.members.count < 2 ? nil : smaller
    }
  }

  /// The links between items, of which some go with their items.
  private struct Links {
    private let references: [HEIFReference]
    /// By the item that refers, and by those referred to, once for each time.
    private var byFrom: [UInt32: [Int]] = [:]
    private var byTo: [UInt32: [Int]] = [:]
    /// How many items each link still leads to; nil for a link that is gone.
    private var counts: [Int?]

    init(_ references: [HEIFReference]) {
      self.references = references
      counts = references.map(\.to.count)
      for (index, reference) in references.enumerated() {
        byFrom[reference.from, default: []].append(index)
        for id in reference.to { byTo[id, default: []].append(index) }
      }
    }

    /// The links that are not gone.
    var left: [HEIFReference] { references.indices.filter { counts[$0] != nil }.map { references[$0] } }

    /// Takes an item's links away.
    ///
    /// - Returns: the items that go with it: what is made of it, and what referred to nothing else.
    mutating func take(_ id: UInt32) -> [UInt32] {
      for index in byFrom[id] ?? [] { counts[index] = nil }
      var others: [UInt32] = []
      for index in byTo[id] ?? [] {
        guard let count = counts[index] else { continue }
        counts[index] = count > 1 ? count - 1 : nil
        if count == 1 || references[index].kind == "dimg" { others.append(references[index].from) }
      }
      return others
    }

    /// The items that an item was made of.
    func parts(of id: UInt32) -> Set<UInt32> {
      Set((byFrom[id] ?? []).lazy.map { references[$0] }.filter { $0.kind == "dimg" }.flatMap(\.to))
    }

    /// True if another item is made of an item.
    func isPart(_ id: UInt32) -> Bool { has("dimg", byTo[id]) }

    /// True if an item is auxiliary to another one.
    func isAuxiliary(_ id: UInt32) -> Bool { has("auxl", byFrom[id]) }

    private func has(_ kind: FourCC, _ indices: [Int]?) -> Bool {
      indices?.contains { counts[$0] ?? 0 > 0 && references[$0].kind == kind } ?? false
    }
  }
}
