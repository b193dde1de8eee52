import EditModel
import Glibc

/// The movements of a movie's frames that compensate for camera motion, and the area that all moved frames cover.
package struct Stabilization: Sendable {
  /// The mappings from positions in the stabilised picture to positions in each frame. See ``Similarity``.
  package private(set) var moves: [Similarity]
  /// The area that every frame covers: its left edge, top edge, width and height, as even numbers.
  package private(set) var scene: SIMD4<Double>
  /// Whether the camera is held completely still. False if the camera moves too far, so that only its shake is removed.
  package let isHeld: Bool

  /// The minimum fraction of the picture's width and height that is kept.
  package static let leastShare = 0.8

  /// Creates a stabilisation that holds the camera still. If less than ``leastShare`` of the picture's width and height
  /// would remain, the picture follows the smoothed path of the camera instead. The smoothing is then reduced step by
  /// step until enough of the picture remains.
  ///
  /// - Parameters:
  ///   - path: The mappings from positions in a common frame to positions in each frame, in display order.
  ///   - key: The number of the frame whose position the stabilised picture keeps.
  ///   - scene: The area of the frames that may be visible: its left edge, top edge, width and height, in luma
  ///     samples.
  ///   - width: The width of the frames in luma samples.
  ///   - height: The height of the frames in luma samples.
  package init(_ path: [Similarity], around key: Int, of scene: SIMD4<Double>, width: Int, height: Int) {
    let place = path.indices.contains(key) ? path[key].inverse : .identity
    let middle = SIMD2(Double(width), Double(height)) / 2
    let corner = SIMD2(scene.x, scene.y) - middle
    let part = (first: corner, last: corner + SIMD2(scene.z, scene.w))
    var moves = path.map { place.then($0) }
    var covered = CoveredPart(moves, part.first, part.last)
    var isHeld = true
    var reach = path.count / 2
    while covered.share < Self.leastShare {
      isHeld = false
      let smooth = reach > 0 ? Self.smoothed(path, over: Double(reach) / 2) : path
      moves = zip(smooth, path).map { $0.inverse.then($1) }
      covered = CoveredPart(moves, part.first, part.last)
      if reach == 0 { break }
      reach /= 2
    }
    let half = SIMD2(scene.z, scene.w) / 2 * covered.share
    let first = covered.center - half + middle
    let last = covered.center + half + middle
    func even(_ value: Double, _ rule: FloatingPointRoundingRule) -> Double {
      // The tolerance is larger than the rounding errors of the sums.
      let tolerance = rule == .up ? -1e-6 : 1e-6
      return 2 * ((value + tolerance) / 2).rounded(rule)
    }
    let (left, top) = (even(first.x, .up), even(first.y, .up))
    self.scene = [
      left, top, max(2, even(last.x, .down) - left), max(2, even(last.y, .down) - top),
    ]
    (self.moves, self.isHeld) = (moves, isHeld)
  }

  /// Returns the same stabilisation for rotated or mirrored frames.
  ///
  /// - Parameters:
  ///   - orientation: The rotation.
  ///   - width: The width of the frames, in luma samples, before the rotation.
  ///   - height: The height of the frames, in luma samples, before the rotation.
  package func turned(by orientation: Orientation, width: Int, height: Int) -> Stabilization {
    var turned = self
    turned.moves = moves.map { $0.turned(by: orientation) }
    let size = SIMD2(Double(width), Double(height))
    let one = orientation.apply(x: scene.x, y: scene.y, width: size.x, height: size.y)
    let two = orientation.apply(
      x: scene.x + scene.z, y: scene.y + scene.w, width: size.x, height: size.y)
    turned.scene = [min(one.x, two.x), min(one.y, two.y), abs(one.x - two.x), abs(one.y - two.y)]
    return turned
  }

  /// Returns the camera's path smoothed with bell-shaped weights.
  ///
  /// - Parameter deviation: The standard deviation of the weights, in frames.
  private static func smoothed(_ path: [Similarity], over deviation: Double) -> [Similarity] {
    let reach = Int(3 * deviation)
    return path.indices.map { index in
      var (sum, mean) = (0.0, Similarity.identity)
      for other in max(0, index - reach)...min(path.count - 1, index + reach) {
        let distance = Double(other - index) / deviation
        let weight = exp(-distance * distance / 2)
        let place = path[other]
        sum += weight
        mean.a += weight * place.a
        mean.b += weight * place.b
        mean.x += weight * place.x
        mean.y += weight * place.y
      }
      return Similarity(a: mean.a / sum, b: mean.b / sum, x: mean.x / sum, y: mean.y / sum)
    }
  }
}

/// The largest rectangle that stays within a picture under all given mappings. The rectangle has the aspect ratio of
/// the picture.
private struct CoveredPart {
  /// The centre of the rectangle.
  private(set) var center = SIMD2<Double>.zero
  /// The size of the rectangle as a fraction of the picture's width and height, at most 1. Negative if no such
  /// rectangle exists.
  private(set) var share = 0.0

  /// The bounds for each side of a picture: a rectangle with the centre c can have a size of at most n · c + d.
  private var bounds: [SIMD3<Double>] = []

  /// - Parameters:
  ///   - moves: The mappings.
  ///   - first: The picture's top-left corner.
  ///   - last: The picture's bottom-right corner.
  init(_ moves: [Similarity], _ first: SIMD2<Double>, _ last: SIMD2<Double>) {
    let half = (last - first) / 2
    for move in moves {
      // The extent of the picture's rectangle after moving, measured from its centre.
      let (c, s) = (abs(1 + move.a), abs(move.b))
      let reach = SIMD2(c * half.x + s * half.y, s * half.x + c * half.y)
      let x = SIMD3(1 + move.a, -move.b, move.x)
      let y = SIMD3(move.b, 1 + move.a, move.y)
      bounds.append((SIMD3(0, 0, last.x) - x) / reach.x)
      bounds.append((x - SIMD3(0, 0, first.x)) / reach.x)
      bounds.append((SIMD3(0, 0, last.y) - y) / reach.y)
      bounds.append((y - SIMD3(0, 0, first.y)) / reach.y)
    }
    // A minimum of linear functions is concave. The maximum of a concave function along one axis is concave too.
    let whole = (first + last) / 2
    let x = Self.peak(from: whole.x - half.x, to: whole.x + half.x) { x in
      share(x, Self.peak(from: whole.y - half.y, to: whole.y + half.y) { share(x, $0) })
    }
    let y = Self.peak(from: whole.y - half.y, to: whole.y + half.y) { share(x, $0) }
    center = [x, y]
    share = min(share(x, y), 1)
    // If the rectangle covers the whole picture, several centres are possible.
    if share(whole.x, whole.y) >= share - 1e-9 { center = whole }
  }

  private func share(_ x: Double, _ y: Double) -> Double {
    bounds.reduce(.greatestFiniteMagnitude) { min($0, $1.x * x + $1.y * y + $1.z) }
  }

  /// Returns the position at which a concave function has its maximum, by ternary search.
  private static func peak(from first: Double, to last: Double, of function: (Double) -> Double) -> Double {
    var (low, high) = (first, last)
    for _ in 0..<48 {
      let third = (high - low) / 3
      if function(low + third) < function(high - third) { low += third } else { high -= third }
    }
    return (low + high) / 2
  }
}
