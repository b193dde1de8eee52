import Glibc

/// Estimates how far a picture is from being level, by the long straight edges in it that are nearly level or plumb.
public enum HorizonEstimate {
  /// Samples along the longer side that is looked at.
  private static let side = 512
  /// Degrees that are looked for on either side, in steps.
  private static let largest = 8.0
  private static let step = 0.2
  /// The most that an edge's own direction may be off the line that it votes for, in steps.
  private static let tolerance = 8
  /// An angle less than this is left alone, and one beyond this was meant.
  private static let proposed = 0.4...6.0
  /// The least by which the best angle must stand out from the middle one of all.
  private static let prominence = 2.0
  /// The shortest line that counts, as a share of the longer side.
  private static let shortest = 0.25

  /// - Parameter frame: an upright picture.
  /// - Returns: the clockwise turn that would level it, in degrees; 0 where nothing says so clearly.
  public static func degrees(of frame: PlanarFrame) -> Double {
    let longest = max(frame.format.width, frame.format.height)
    let share = min(1, Double(side) / Double(longest))
    let small =
      frame.reduced(
        toWidth: max(1, Int(Double(frame.format.width) * share)),
        height: max(1, Int(Double(frame.format.height) * share))) ?? frame
    let (width, height) = (small.format.width, small.format.height)
    guard width >= 64, height >= 64 else { return 0 }
    let scale = Float(1 << (small.format.bitDepth - 8))
    let luma = smoothed(small.samples(ofPlane: 0).map { Float($0) / scale }, width, height)
    let votes = votes(luma, width, height)
    let scores = votes.map { line in line.reduce(0) { $0 + $1 * $1 } }
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), best > 0, best < scores.count - 1,
      (votes[best].max() ?? 0) >= Float(Self.shortest) * Float(max(width, height))
    else { return 0 }
    let middle = scores.sorted()[scores.count / 2]
    guard scores[best] > Float(prominence) * middle else { return 0 }
    // The top of the parabola through the best three.
    let (before, top, after) = (scores[best - 1], scores[best], scores[best + 1])
    let bend = before - 2 * top + after
    let part = bend < 0 ? 0.5 * (before - after) / bend : 0
    let tilt = (Double(best) + Double(part)) * step - largest
    return proposed.contains(abs(tilt)) ? -tilt : 0
  }

  /// For each angle the number of edge samples on each line of that angle: level lines first, then plumb ones.
  private static func votes(_ luma: [Float], _ width: Int, _ height: Int) -> [[Float]] {
    let count = Int((2 * largest / step).rounded()) + 1
    let turns = (0..<count).map { index in
      let angle = (Double(index) * step - largest) * Double.pi / 180
      return (sine: Float(sin(angle)), cosine: Float(cos(angle)))
    }
    let room = width + height
    var votes = [[Float]](repeating: [Float](repeating: 0, count: 4 * room), count: count)
    let least = threshold(luma, width, height)
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        let (right, down) = gradient(luma, width, x, y)
        guard right * right + down * down > least else { continue }
        let isLevel = abs(down) > abs(right)
        // A clockwise tilt by t makes the gradient of a level edge (-sin t, cos t) and of a plumb one (cos t, sin t).
        let tangent = isLevel ? -right / down : down / right
        let own = Int(((Double(atan(tangent)) * 180 / .pi + largest) / step).rounded())
        let (px, py) = (Float(x), Float(y))
        let (low, high) = (max(0, own - tolerance), min(count - 1, own + tolerance))
        guard low <= high else { continue }
        for index in low...high {
          let turn = turns[index]
          let line =
            isLevel ? py * turn.cosine - px * turn.sine : px * turn.cosine + py * turn.sine + Float(2 * room)
          let place = Int(line) + room
          if votes[index].indices.contains(place) { votes[index][place] += 1 }
        }
      }
    }
    return votes
  }

  /// The square of the gradient that one in ten samples has.
  private static func threshold(_ luma: [Float], _ width: Int, _ height: Int) -> Float {
    var squares: [Float] = []
    for y in stride(from: 1, to: height - 1, by: 3) {
      for x in stride(from: 1, to: width - 1, by: 3) {
        let (right, down) = gradient(luma, width, x, y)
        squares.append(right * right + down * down)
      }
    }
    squares.sort()
    // Less than this is noise: four codes from sample to sample, by the eight of the kernel.
    return max(squares.isEmpty ? 0 : squares[squares.count * 9 / 10], 32 * 32)
  }

  /// Sobel's.
  private static func gradient(_ luma: [Float], _ width: Int, _ x: Int, _ y: Int) -> (
    right: Float, down: Float
  ) {
    func at(_ dx: Int, _ dy: Int) -> Float { luma[(y &+ dy) &* width &+ x &+ dx] }
    let right = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
    let down = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)
    return (right, down)
  }

  /// Means of three, along columns and rows, so that steps of single samples have a direction.
  private static func smoothed(_ luma: [Float], _ width: Int, _ height: Int) -> [Float] {
    func pass(_ luma: [Float], _ distance: Int, _ isEnd: (Int) -> Bool) -> [Float] {
      luma.indices.map { index in
        isEnd(index) ? luma[index] : (luma[index - distance] + 2 * luma[index] + luma[index + distance]) / 4
      }
    }
    let across = pass(luma, 1) { $0 % width == 0 || $0 % width == width - 1 }
    return pass(across, width) { $0 < width || $0 >= width * (height - 1) }
  }
}
