import Glibc

/// Estimates how far a picture is tilted, from straight edges that are nearly horizontal or nearly vertical.
///
/// Every edge votes for the tilt that would explain its slope, and long edges count most. Vertical edges may converge,
/// as in a house seen from below; their tilt at the centre of the picture counts. No rotation is proposed if few edges
/// agree, as in a picture of rocks, or if the only evidence is a slope or a leaning mast.
package enum HorizonEstimate {
  /// The length of the longer side, in samples, to which pictures are reduced for analysis. Pictures below the smallest
  /// size are not analysed.
  private static let side = 768
  private static let smallest = 256
  /// The maximum tilt in either direction that is searched for, and the step of the search, both in degrees.
  private static let largest = 12.0
  private static let step = 0.1
  /// The range of tilts that are corrected, in degrees. Smaller tilts are left alone. Larger tilts are considered
  /// intended.
  private static let proposed = 0.7...8.5
  /// The minimum length of an edge, and the width of the margin that may contain the border of a scan. Both are
  /// fractions of the longer side.
  private static let shortest = 0.02
  private static let margin = 0.02
  /// The maximum number of nearly horizontal edges, and of nearly vertical edges, that are analysed.
  private static let mostEdges = 800
  /// The convergence angles that are tried for vertical lines, in degrees over the longer side.
  private static let convergences = stride(from: -20.0, through: 20, by: 2)

  /// The minimum agreement between edges: the sum of their squared lengths, with lengths as fractions of the longer
  /// side, and the ratio of this sum to the sum for all edges.
  private typealias Evidence = (sum: Double, share: Double)
  private static let levelEvidence: Evidence = (0.1, 0.23)
  private static let plumbEvidence: Evidence = (0.3, 0.5)

  /// The largest error of the accelerometer caused by camera shake, in degrees.
  private static let shaking = 2.0

  /// - Parameters:
  ///   - frame: An upright picture.
  ///   - lean: The picture's clockwise tilt as measured by the accelerometer, in degrees, or nil if unknown. Lines that
  ///     agree with the accelerometer refine the angle. Without such lines, the measured tilt is used by itself if it
  ///     is too large to be caused by camera shake.
  /// - Returns: The clockwise rotation that levels the picture, in degrees, or 0 if the evidence is unclear.
  package static func degrees(of frame: PlanarFrame, lean: Double? = nil) -> Double {
    let tilt = tilt(of: frame, lean) ?? lean.flatMap { abs($0) > shaking ? $0 : nil } ?? 0
    return proposed.contains(abs(tilt)) ? -tilt : 0
  }

  /// Returns the clockwise tilt indicated by the edges, or nil if the evidence is inconclusive.
  private static func tilt(of frame: PlanarFrame, _ lean: Double?) -> Double? {
    let longest = max(frame.format.width, frame.format.height)
    let share = min(1, Double(side) / Double(longest))
    let small =
      frame.reduced(
        toWidth: max(1, Int((Double(frame.format.width) * share).rounded())),
        height: max(1, Int((Double(frame.format.height) * share).rounded()))) ?? frame
    let (width, height) = (small.format.width, small.format.height)
    guard max(width, height) >= smallest, min(width, height) >= 64 else { return nil }
    let scale = Float(1 << (small.format.bitDepth - 8))
    let luma = smoothed(small.samples(ofPlane: 0).map { Float($0) / scale }, width, height)
    let level = votes(luma, width, height, isLevel: true)
    let plumb = votes(transposed(luma, width, height), height, width, isLevel: false)
    // Camera shake limits the error of the accelerometer, so other tilts are excluded. The remaining tilts need less
    // evidence from edges.
    let tilts = level.sums.indices.filter { index in lean.map { abs(angle(index) - $0) <= shaking } ?? true }
    let needed = lean == nil ? 1 : 0.5
    func best(_ sums: [Double]) -> Int? { tilts.max { sums[$0] < sums[$1] } }
    func suffices(_ votes: Votes, _ index: Int, _ evidence: Evidence) -> Bool {
      votes.sums[index] >= evidence.sum * needed && votes.sums[index] >= evidence.share * needed * votes.all
    }
    // Distant houses and the sea are level, while many vertical edges are only nearly vertical. Horizontal lines
    // therefore take precedence unless the vertical evidence is stronger.
    guard let byLevel = best(level.sums), let byPlumb = best(plumb.sums) else { return nil }
    let isLevel = suffices(level, byLevel, levelEvidence)
    let isPlumb = suffices(plumb, byPlumb, plumbEvidence)
    switch (isLevel, isPlumb) {
    case (true, true):
      return level.sums[byLevel] > plumb.sums[byPlumb] ? peak(level.sums, byLevel) : peak(plumb.sums, byPlumb)
    case (true, false): return peak(level.sums, byLevel)
    case (false, true): return peak(plumb.sums, byPlumb)
    case (false, false): return nil
    }
  }

  // MARK: Votes

  /// For each angle, the sum of the squared lengths of all edges that agree with this angle; and the sum for all edges.
  private typealias Votes = (sums: [Double], all: Double)

  private static func angle(_ index: Int) -> Double { Double(index) * step - largest }

  private static func votes(_ luma: [Float], _ width: Int, _ height: Int, isLevel: Bool) -> Votes {
    let longer = Double(max(width, height))
    let found = StraightEdge.level(in: luma, width, height, shortest: Int((shortest * longer).rounded(.up)))
    let inner = margin * longer...Double(height) - margin * longer
    let edges = StraightEdge.joined(
      Array(
        found.filter { inner.contains(($0.start.across + $0.end.across) / 2) && abs($0.slope) < 0.25 }
          .sorted { $0.length > $1.length }.prefix(mostEdges)))
    var votes: Votes = ([Double](repeating: 0, count: Int((2 * largest / step).rounded()) + 1), 0)
    let weights = edges.map { ($0.length / longer) * ($0.length / longer) }
    votes.all = weights.reduce(0, +)
    for convergence in convergences where isLevel ? convergence == 0 : true {
      // Strong convergence of vertical lines is rare.
      let likelihood = exp(-(convergence / 12) * (convergence / 12))
      var sums = [Double](repeating: 0, count: votes.sums.count)
      for (edge, weight) in zip(edges, weights) {
        let place = ((edge.start.across + edge.end.across) / 2 - Double(height) / 2) / longer
        let tilt = atan(edge.slope) * 180 / .pi * (isLevel ? 1 : -1) - convergence * place
        // The slope of a short edge is less exact.
        let deviation = (0.0625 + 100 / (edge.length * edge.length)).squareRoot()
        let middle = (tilt + largest) / step
        let reach = 3 * deviation / step
        let (low, high) = (max(0, Int(middle - reach)), min(sums.count - 1, Int(middle + reach)))
        guard low <= high else { continue }
        for index in low...high {
          let off = (angle(index) - tilt) / deviation
          sums[index] += weight * exp(-off * off / 2)
        }
      }
      for index in sums.indices { votes.sums[index] = max(votes.sums[index], likelihood * sums[index]) }
    }
    return votes
  }

  /// Returns the position of the maximum of the parabola through three neighbouring sums.
  private static func peak(_ sums: [Double], _ index: Int) -> Double {
    guard index > 0, index < sums.count - 1 else { return angle(index) }
    let bend = sums[index - 1] - 2 * sums[index] + sums[index + 1]
    return angle(index) + (bend < 0 ? 0.5 * (sums[index - 1] - sums[index + 1]) / bend * step : 0)
  }

  // MARK: Samples

  /// Returns means of three samples along rows and columns, so that an edge only one sample wide has a measurable
  /// direction.
  private static func smoothed(_ luma: [Float], _ width: Int, _ height: Int) -> [Float] {
    func pass(_ luma: [Float], _ distance: Int, _ isEnd: (Int) -> Bool) -> [Float] {
      luma.indices.map { index in
        isEnd(index) ? luma[index] : (luma[index - distance] + 2 * luma[index] + luma[index + distance]) / 4
      }
    }
    let across = pass(luma, 1) { $0 % width == 0 || $0 % width == width - 1 }
    return pass(across, width) { $0 < width || $0 >= width * (height - 1) }
  }

  /// Swaps rows and columns.
  private static func transposed(_ luma: [Float], _ width: Int, _ height: Int) -> [Float] {
    (0..<width).flatMap { x in (0..<height).map { y in luma[y * width + x] } }
  }
}
