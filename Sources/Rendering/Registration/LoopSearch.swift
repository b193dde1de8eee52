/// Finds the part of a movie whose end leads most smoothly into its own beginning.
package struct LoopSearch: Sendable {
  /// A part of a movie that is played repeatedly. The last frames of the loop are cross-faded with the frames before
  /// the first frame of the loop.
  package struct Loop: Hashable, Sendable {
    /// The numbers of the loop's frames.
    package var frames: ClosedRange<Int>
    /// The number of frames at the end that are cross-faded.
    package var fade: Int
    /// The number of the frame that is displayed first. The frames before it follow the last frame.
    package var start: Int
  }

  /// The stabilised frames at a very small size, all sampled at the same positions.
  private let pictures: [[Float]]
  /// The subject motion between each frame and the previous frame.
  private let steps: [Float]

  /// The width and height, in samples, of the pictures that are compared.
  private static let grid = (columns: 64, rows: 48)
  /// The minimum length of a loop, as a fraction of the number of frames.
  private static let leastShare = 0.5

  /// - Parameters:
  ///   - tracking: The camera tracking of the frames.
  ///   - stabilization: The stabilisation that moves the frames.
  ///   - width: The width of the frames in luma samples.
  ///   - height: The height of the frames in luma samples.
  package init(_ tracking: CameraTracking, _ stabilization: Stabilization, width: Int, height: Int) {
    steps = tracking.steps
    let scene = stabilization.scene
    let middle = SIMD2(Double(width), Double(height)) / 2
    let cells = SIMD2(Double(Self.grid.columns), Double(Self.grid.rows))
    let (corner, size) = (SIMD2(scene.x, scene.y) - middle, SIMD2(scene.z, scene.w))
    var places: [SIMD2<Double>] = []
    for row in 0..<Self.grid.rows {
      for column in 0..<Self.grid.columns {
        places.append(corner + size * (SIMD2(Double(column), Double(row)) + 0.5) / cells)
      }
    }
    pictures = zip(tracking.small, stabilization.moves).map { level, move in
      places.map { level.sample(at: move.apply($0) / Double(tracking.smallStep)) }
    }
  }

  /// Returns the best loop.
  ///
  /// - Parameters:
  ///   - fade: The number of frames to cross-fade, if enough frames are available.
  ///   - key: The number of a frame that must appear unchanged, or nil.
  package func best(fade: Int, key: Int?) -> Loop {
    let count = pictures.count
    let fade = max(0, min(fade, count / 4, key ?? .max, count - 1 - (key ?? 0)))
    let least = max(2 * fade + 1, Int(Double(count) * Self.leastShare), 2)
    let differences = differences()
    var best = (cost: Float.greatestFiniteMagnitude, frames: 0...max(count - 1, 0))
    for first in fade..<max(fade + 1, min(count, (key ?? count) + 1)) {
      let lowest = max(first + least - 1, (key ?? 0) + fade)
      for last in lowest..<max(lowest, count) {
        var sum: Float = 0
        // Compare the last frame with the frame before the first frame, and so on. Without a cross-fade, compare the
        // last frame with the first frame.
        for back in 0..<max(fade, 1) {
          let other = fade > 0 ? first - 1 - back : first
          sum += differences[(last - back) * count + other]
        }
        let length = Float(last - first + 1) / Float(count)
        let cost = sum * (2 - length)
        if cost < best.cost { best = (cost, first...last) }
      }
    }
    // A loop can begin at any of its frames. Players pause briefly before they restart, and the pause is least visible
    // where little moves.
    let (first, last) = (best.frames.lowerBound, best.frames.upperBound)
    let steady = (first + 1..<max(first + 2, last - fade + 1)).filter { $0 < count }
    let start = steady.min { steps[$0] < steps[$1] }
    return Loop(frames: best.frames, fade: fade, start: start ?? first)
  }

  /// Returns the differences between all pairs of frames.
  private func differences() -> [Float] {
    let count = pictures.count
    var differences = [Float](repeating: 0, count: count * count)
    for first in 0..<count {
      for second in 0..<first {
        let (one, other) = (pictures[first], pictures[second])
        var sum: Float = 0
        for index in one.indices { sum += abs(one[index] - other[index]) }
        differences[first * count + second] = sum
        differences[second * count + first] = sum
      }
    }
    return differences
  }
}
