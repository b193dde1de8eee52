import EditModel

/// Finds pictures that show the same photo in other files: encoded again, made smaller, turned, cropped by a little, or with
/// light and colours changed a little.
///
/// An index of hashes proposes what to compare, a bounded number for each picture, so that the work grows with the number
/// of pictures and not with its square.
package enum SimilarPictures {
  /// Two pictures that are alike, by their places in the list, the smaller first.
  package struct Pair: Sendable {
    /// The place of the first.
    package let one: Int
    /// The place of the second.
    package let other: Int
    /// The correlation of what is fine in them; at least ``SimilarPictures/threshold``.
    package let likeness: Double
  }

  /// The least likeness of copies. Of 396 copies of 22 photos (`Tests/Long/pairs/check-similar`: encoded again down to quality 50, reduced
  /// to 320 pixels, cropped by up to 4 %, turned, with brightness, contrast, warmth or saturation changed by 10 to 30 %) 395 were
  /// found, with a likeness of 0.980 at least. In a reference of the same comparison in numpy other photos reached 0.2, and
  /// frames of a movie that were a second apart 0.961.
  package static let threshold = 0.98

  /// A picture is compared with so many others at most, those whose hashes are nearest.
  private static let mostCandidates = 16
  /// Of pictures under one key so many are looked at.
  private static let mostOfKey = 256

  /// - Parameters:
  ///   - grids: the pictures; nil for those that cannot be compared.
  ///   - isCandidate: false for two pictures of which something else says that they are no copies.
  ///   - isCancelled: asked before every picture; true ends the search with what it has found.
  /// - Returns: the pairs that are alike.
  package static func pairs(
    of grids: [ComparedGrid?], isCandidate: (Int, Int) -> Bool, isCancelled: () -> Bool = { false }
  ) -> [Pair] {
    var hashes: [GridHash?] = []
    var kept: [UInt32: [Int]] = [:]
    for (index, grid) in grids.enumerated() {
      if isCancelled() { return [] }
      let hash = grid.map { GridHash($0) }
      hashes.append(hash)
      for key in hash?.keys ?? [] where kept[key, default: []].count < mostOfKey {
        kept[key, default: []].append(index)
      }
    }
    var compared: Set<[Int]> = []
    var pairs: [Pair] = []
    for (index, grid) in grids.enumerated() {
      if isCancelled() { return pairs }
      guard let grid else { continue }
      let views = Orientation.allCases.map { grid.turned(by: $0) }
      for candidate in candidates(for: index, views.map { GridHash($0) }, hashes, kept, isCandidate) {
        let places = [min(index, candidate.index), max(index, candidate.index)]
        guard let other = grids[candidate.index], compared.insert(places).inserted else { continue }
        let likeness = Double(views[candidate.view].likeness(to: other, enough: Float(threshold)))
        if likeness >= threshold {
          pairs.append(Pair(one: places[0], other: places[1], likeness: min(likeness, 1)))
        }
      }
    }
    return pairs
  }

  /// The pictures to compare one with, the nearest first, each in the view in which it is nearest.
  private static func candidates(
    for index: Int, _ views: [GridHash], _ hashes: [GridHash?], _ kept: [UInt32: [Int]],
    _ isCandidate: (Int, Int) -> Bool
  ) -> [(index: Int, view: Int)] {
    var nearest: [Int: (distance: Int, view: Int)] = [:]
    for (view, hash) in views.enumerated() {
      var seen: Set<Int> = [index]
      for key in hash.probes {
        for other in kept[key] ?? [] where seen.insert(other).inserted {
          guard let distance = hashes[other]?.distance(to: hash),
            distance < nearest[other]?.distance ?? .max
          else { continue }
          nearest[other] = (distance, view)
        }
      }
    }
    return nearest.filter { isCandidate(index, $0.key) }.sorted {
      ($0.value.distance, $0.key) < ($1.value.distance, $1.key)
    }
    .prefix(mostCandidates).map { ($0.key, $0.value.view) }
  }
}
