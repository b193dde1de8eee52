import CPixelKernels
import EditModel
import Glibc

/// Points of one picture that were found in another picture, and the approximate mapping on which most of these points
/// agree.
struct FeatureMatch: Sendable {
  /// A point in the edited picture and its position in the original, both in fractions of width and height.
  struct Pair: Sendable {
    var edited: SIMD2<Double>
    var original: SIMD2<Double>
  }

  /// The pairs that agree on the mapping.
  let pairs: [Pair]
  /// Whether one of the two pictures is mirrored relative to the other.
  let isMirrored: Bool
  /// The clockwise rotation of the edited picture relative to the original, in radians. If the pictures are mirrored,
  /// the edited picture is first mirrored horizontally.
  let angle: Double

  /// The minimum similarity of corners that form a pair.
  private static let leastLikeness: Float = 0.75
  /// The maximum distance between a point and its position as predicted from another pair, as a fraction of the
  /// original's longer side.
  private static let tolerance = 0.05

  /// A pair of corners, and the similarity transformation that follows from the directions of both corners.
  private struct Candidate {
    var pair: Pair
    var isMirrored: Bool
    /// The positions in the edited picture and in the original, measured from the top-left corner as fractions of the
    /// longer side.
    var from: SIMD2<Double>
    var to: SIMD2<Double>
    /// The complex factor by which the similarity transformation multiplies the position in the edited picture
    /// (conjugated if mirrored).
    var factor: SIMD2<Double>
  }

  /// Finds matching pairs.
  ///
  /// - Parameters:
  ///   - original: The corners of the original.
  ///   - edited: The corners of the edited picture.
  /// - Returns: The matches with the most pairs, at most `most`, with the best match first.
  static func all(_ original: PictureFeatures, _ edited: PictureFeatures, most: Int = 4) -> [FeatureMatch] {
    var candidates: [Candidate] = []
    for isMirrored in [false, true] {
      let count = edited.corners.count
      var best = [Int32](repeating: -1, count: count)
      var likeness = [Float](repeating: 0, count: count)
      feature_nearest(
        isMirrored ? edited.mirrored : edited.descriptors, Int64(count), original.descriptors,
        Int64(original.corners.count), &best, &likeness)
      for index in 0..<count where best[index] >= 0 && likeness[index] >= leastLikeness {
        let (one, other) = (edited.corners[index], original.corners[Int(best[index])])
        let direction = isMirrored ? SIMD2(one.direction.x, -one.direction.y) : one.direction
        let square = (direction * direction).sum()
        candidates.append(
          Candidate(
            pair: Pair(edited: one.place, original: other.place), isMirrored: isMirrored,
            from: one.place * edited.unit, to: other.place * original.unit,
            factor: [
              (other.direction * direction).sum() / square,
              (other.direction.y * direction.x - other.direction.x * direction.y) / square,
            ]))
      }
    }
    var taken = [Bool](repeating: false, count: candidates.count)
    var found: [FeatureMatch] = []
    for _ in 0..<most {
      var best: (members: [Int], leader: Int) = ([], 0)
      for leader in candidates.indices where !taken[leader] {
        let members = members(of: leader, candidates)
        if members.count > best.members.count { best = (members, leader) }
      }
      guard best.members.count >= 4 else { break }
      for member in best.members { taken[member] = true }
      let leader = candidates[best.leader]
      // The factor leads from the edited picture to the original, so the edit rotates in the opposite direction.
      // Mirroring reverses the direction again.
      let turn = atan2(leader.factor.y, leader.factor.x)
      found.append(
        FeatureMatch(
          pairs: best.members.map { candidates[$0].pair }, isMirrored: leader.isMirrored,
          angle: leader.isMirrored ? turn + .pi : -turn))
    }
    return found
  }

  /// Returns the candidates that lie approximately at the positions predicted by the leader's transformation.
  private static func members(of leader: Int, _ candidates: [Candidate]) -> [Int] {
    let one = candidates[leader]
    let (cosine, sine) = (one.factor.x, one.factor.y)
    let size = (one.factor * one.factor).sum()
    let mirror = one.isMirrored ? -1.0 : 1.0
    return candidates.indices.filter { index in
      let other = candidates[index]
      guard other.isMirrored == one.isMirrored else { return false }
      let x = other.from.x - one.from.x
      let y = mirror * (other.from.y - one.from.y)
      let place = one.to + SIMD2(cosine * x - sine * y, sine * x + cosine * y)
      let distance = place - other.to
      // Perspective increases the difference for distant points.
      let reach = Self.tolerance + 0.15 * (size * (x * x + y * y)).squareRoot()
      guard (distance * distance).sum() <= reach * reach * min(1, size) else { return false }
      let otherSize = (other.factor * other.factor).sum()
      let dot = (other.factor * one.factor).sum()
      return otherSize > size / 4 && otherSize < size * 4 && dot > 0.75 * (size * otherSize).squareRoot()
    }
  }
}
