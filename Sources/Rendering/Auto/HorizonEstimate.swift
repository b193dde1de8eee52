import Glibc

/// Estimates how far a picture is from level, from its nearly horizontal and nearly vertical straight edges.
///
/// Every edge votes for the tilt that would explain its slope, and long edges count most. Vertical edges may converge,
/// as in a house seen from below: their tilt at the centre of the picture counts. No rotation is proposed if few edges
/// agree, as in a picture of rocks, or if the picture contains only a slope or a leaning mast.
package enum HorizonEstimate {
  /// The number of samples along the longer side that are analysed, and the smallest size that is worth analysing.
  private static let side = 768
  private static let smallest = 256
  /// The search range in either direction, in degrees, and its step.
  private static let largest = 12.0
  private static let step = 0.1
  /// Smaller angles are left alone. Larger angles are considered intended.
  private static let proposed = 0.7...8.5
  /// The shortest edge that counts, and the margin that may contain the border of a scan, as fractions of the longer
  /// side.
  private static let shortest = 0.02
  private static let margin = 0.02
  /// The maximum number of edges of each kind that are analysed.
  private static let mostEdges = 800
  /// The convergences of vertical lines that are tried, in degrees over the longer side.
  private static let convergences = stride(from: -20.0, through: 20, by: 2)

  /// The minimum agreement: the sum of squared lengths, with lengths as fractions of the longer side, and the ratio of
  /// this sum to the sum for all edges.
  private typealias Evidence = (sum: Double, share: Double)
  private static let levelEvidence: Evidence = (0.1, 0.23)
  private static let plumbEvidence: Evidence = (0.3, 0.5)

  /// The largest error of the accelerometer caused by camera shake, in degrees.
  private static let shaking = 2.0

  /// - Parameters:
  ///   - frame: An upright picture.
  ///   - lean: The picture's clockwise tilt measured by the accelerometer, in degrees, or nil if unknown. Lines that
  ///     agree with the accelerometer refine the angle. Without lines, the measured tilt is used alone if it exceeds
  ///     camera shake.
  /// - Returns: The clockwise rotation that levels the picture, in degrees, or 0 if the evidence is unclear.
  package static func degrees(of frame: PlanarFrame, lean: Double? = nil) -> Double {
    let tilt = tilt(of: frame, lean) ?? lean.flatMap { abs($0) > shaking ? $0 : nil } ?? 0
    return proposed.contains(abs(tilt)) ? -tilt : 0
  }

  /// Returns the clockwise tilt indicated by the edges, or nil if they are inconclusive.
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
    // The accelerometer excludes tilts that camera shake cannot explain. The remaining tilts need fewer edges.
    let tilts = level.sums.indices.filter { index in lean.map { abs(angle(index) - $0) <= shaking } ?? true }
    let needed = lean == nil ? 1 : 0.5
    func best(_ sums: [Double]) -> Int? { tilts.max { sums[$0] < sums[$1] } }
    func suffices(_ votes: Votes, _ index: Int, _ evidence: Evidence) -> Bool {
      votes.sums[index] >= evidence.sum * needed && votes.sums[index] >= evidence.share * needed * votes.all
    }
    // Distant houses and the sea are level, while many vertical edges are only nearly vertical. Level lines therefore
    // take precedence unless the vertical evidence is stronger.
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

  /// For each angle, the sum of squared lengths of the edges that agree with it; and the sum for all edges.
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
      // Strong convergence is rare.
      let likelihood = exp(-(convergence / 12) * (convergence / 12))
      var sums = [Double](repeating: 0, count: votes.sums.count)
      for (edge, weight) in zip(edges, weights) {
        let place = ((edge.start.across + edge.end.across) / 2 - Double(height) / 2) / longer
        let tilt = atan(edge.slope) * 180 / .pi * (isLevel ? 1 : -1) - convergence * place
        // The shorter an edge, the less exact its slope.
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

  /// Returns the peak of the parabola through three sums.
  private static func peak(_ sums: [Double], _ index: Int) -> Double {
    guard index > 0, index < sums.count - 1 else { return angle(index) }
    let bend = sums[index - 1] - 2 * sums[index] + sums[index + 1]
    return angle(index) + (bend < 0 ? 0.5 * (sums[index - 1] - sums[index + 1]) / bend * step : 0)
  }

  // MARK: Samples

  /// Returns means of three samples along rows and columns, so that single-sample steps have a direction.
  private static func smoothed(_ luma: [Float], _ width: Int, _ height: Int) -> [Float] {
    func pass(_ luma: [Float], _ distance: Int, _ isEnd: (Int) -> Bool) -> [Float] {
      luma.indices.map { index in
        isEnd(index) ? luma[index] : (luma[index - distance] + 2 * luma[index] + luma[index + distance]) / 4
      }
    }
    let across = pass(luma, 1) { $0 % width == 0 || $0 % width == width - 1 }
    return pass(across, width) { $0 < width || $0 >= width * (height - 1) }
  }

  /// Exchanges rows and columns.
  private static func transposed(_ luma: [Float], _ width: Int, _ height: Int) -> [Float] {
    (0..<width).flatMap { x in (0..<height).map { y in luma[y * width + x] } }
  }
}
