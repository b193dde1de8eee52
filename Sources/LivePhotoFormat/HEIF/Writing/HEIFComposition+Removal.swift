import Basics

extension HEIFComposition {
  /// Removes an item and all items that depend on the removed item: items derived from it, items that describe only
  /// this item or are auxiliary only to this item, and tiles that no other item uses. The photo itself is never
  /// removed.
  mutating func remove(_ id: UInt32) { remove([id]) }

  /// Removes several items in the same way as ``remove(_:)-(UInt32)``.
  mutating func remove(_ ids: [UInt32]) {
    var links = Links(references)
    var (pending, gone) = (ids, Set<UInt32>())
    while let id = pending.popLast() {
      guard id != file.primaryItem, item(id) != nil, gone.insert(id).inserted else { continue }
      properties.setAssociations([], of: id)
      pending += links.take(id)
      for part in links.parts(of: id) where !links.isPart(part) && item(part)?.isHidden ?? false {
        // A gain map is a separate picture, even if another picture is derived from the gain map.
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

  /// The references between items. When an item is removed, its references are removed too.
  private struct Links {
    private let references: [HEIFReference]
    /// The indices of the references, grouped by referring item and by referenced item. If a reference contains an item
    /// several times, the reference's index is repeated.
    private var byFrom: [UInt32: [Int]] = [:]
    private var byTo: [UInt32: [Int]] = [:]
    /// The number of items to which each reference still points, or nil for a removed reference.
    private var counts: [Int?]

    init(_ references: [HEIFReference]) {
      self.references = references
      counts = references.map(\.to.count)
      for (index, reference) in references.enumerated() {
        byFrom[reference.from, default: []].append(index)
        for id in reference.to { byTo[id, default: []].append(index) }
      }
    }

    /// The references that have not been removed.
    var left: [HEIFReference] { references.indices.filter { counts[$0] != nil }.map { references[$0] } }

    /// Removes the references of an item.
    ///
    /// - Returns: The items that must also be removed: items derived from the given item, and items that referred only
    ///   to the given item.
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

    /// Returns the items from which an item is derived.
    func parts(of id: UInt32) -> Set<UInt32> {
      Set((byFrom[id] ?? []).lazy.map { references[$0] }.filter { $0.kind == "dimg" }.flatMap(\.to))
    }

    /// Returns whether another item is derived from the given item.
    func isPart(_ id: UInt32) -> Bool { has("dimg", byTo[id]) }

    /// Returns whether an item is auxiliary to another item.
    func isAuxiliary(_ id: UInt32) -> Bool { has("auxl", byFrom[id]) }

    private func has(_ kind: FourCC, _ indices: [Int]?) -> Bool {
      indices?.contains { counts[$0] ?? 0 > 0 && references[$0].kind == kind } ?? false
    }
  }
}
