import EditModel

/// Finds different files that show the same photo, even if the photo was re-encoded, reduced, rotated or slightly
/// cropped, or if its light and colours were slightly changed.
///
/// An index of hashes selects a limited number of candidates for each picture, so that the amount of work grows in
/// proportion to the number of pictures and not to its square.
package enum SimilarPictures {
  /// Two similar pictures, identified by their indices in the list, with the smaller index first.
  package struct Pair: Sendable {
    /// The index of the first picture.
    package let one: Int
    /// The index of the second picture.
    package let other: Int
    /// The correlation of the pictures' fine detail, at least ``SimilarPictures/threshold``.
    package let likeness: Double
  }

  /// The minimum similarity of copies. In a test with 396 copies of 22 photos (`Tests/Long/pairs/check-similar`:
  /// re-encoded down to quality 50, reduced to 320 pixels, cropped by up to 4%, rotated, or with brightness, contrast,
  /// warmth or saturation changed by 10 to 30%), 395 copies were found, with a similarity of at least 0.980. A
  /// reference implementation of this comparison in numpy measured at most 0.2 for other photos, and at most 0.961 for
  /// movie frames one second apart.
  package static let threshold = 0.98

  /// The maximum number of candidates with which a picture is compared. The candidates are the pictures with the
  /// nearest hashes.
  private static let mostCandidates = 16
  /// The maximum number of pictures that are considered under one key.
  private static let mostOfKey = 256

  /// - Parameters:
  ///   - grids: The reduced pictures; nil for pictures that cannot be compared.
  ///   - isCandidate: A function that returns false if other information rules out that two pictures are copies of each
  ///     other.
  ///   - isCancelled: A function that is called before each picture. If it returns true, the search ends with the pairs
  ///     found so far.
  /// - Returns: The pairs of similar pictures.
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

  /// Returns the candidates for a picture, the nearest first. For each candidate, also returns the orientation in which
  /// its hash is nearest.
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
