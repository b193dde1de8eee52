import EditModel
import Glibc

/// The way in which the frames of a movie are moved so that the camera holds still, and the part of the picture that all of
/// them cover then.
package struct Stabilization: Sendable {
  /// From places of the new picture to those of each frame, see ``Similarity``.
  package private(set) var moves: [Similarity]
  /// Left edge, upper edge, width and height of the part of the picture that every frame covers: even numbers.
  package private(set) var scene: SIMD4<Double>
  /// True if the camera is held still; false where it moves too far, and only its shake is taken out.
  package let isHeld: Bool

  /// The share of the picture's sides that is kept at least.
  package static let leastShare = 0.8

  /// Holds the camera still. Where less than ``leastShare`` of the picture's sides would be left, it follows its own way
  /// instead, smoothed over ever fewer frames until enough is left.
  ///
  /// - Parameters:
  ///   - path: from places of some frame to those of each, in the order of showing.
  ///   - key: the number of the frame in whose place the picture is held.
  ///   - scene: left edge, upper edge, width and height of the part of the frames that may be seen, in luma samples.
  ///   - width: columns of the frames.
  ///   - height: their rows.
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
      // Sums of what was found are wrong by less.
      let tolerance = rule == .up ? -1e-6 : 1e-6
      return 2 * ((value + tolerance) / 2).rounded(rule)
    }
    let (left, top) = (even(first.x, .up), even(first.y, .up))
    self.scene = [
      left, top, max(2, even(last.x, .down) - left), max(2, even(last.y, .down) - top),
    ]
    (self.moves, self.isHeld) = (moves, isHeld)
  }

  /// The same for frames that were turned.
  ///
  /// - Parameters:
  ///   - orientation: the turn.
  ///   - width: columns of the frames before it.
  ///   - height: their rows.
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

  /// The way of the camera, each place the mean of those around it with the weights of a bell.
  ///
  /// - Parameter deviation: the bell's standard deviation, in frames.
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

/// The largest rectangle of a picture's shape that lies within the picture under every one of some maps.
private struct CoveredPart {
  /// Its middle.
  private(set) var center = SIMD2<Double>.zero
  /// The share of the picture's sides that it has, at most 1; negative where there is none.
  private(set) var share = 0.0

  /// For a side of a picture: the share of a rectangle around c is at most n · c + d.
  private var bounds: [SIMD3<Double>] = []

  /// - Parameters:
  ///   - moves: the maps.
  ///   - first: the picture's upper left corner.
  ///   - last: its lower right corner.
  init(_ moves: [Similarity], _ first: SIMD2<Double>, _ last: SIMD2<Double>) {
    let half = (last - first) / 2
    for move in moves {
      // How far a rectangle as large as the picture reaches from its middle when it is moved.
      let (c, s) = (abs(1 + move.a), abs(move.b))
      let reach = SIMD2(c * half.x + s * half.y, s * half.x + c * half.y)
      let x = SIMD3(1 + move.a, -move.b, move.x)
      let y = SIMD3(move.b, 1 + move.a, move.y)
      bounds.append((SIMD3(0, 0, last.x) - x) / reach.x)
      bounds.append((x - SIMD3(0, 0, first.x)) / reach.x)
      bounds.append((SIMD3(0, 0, last.y) - y) / reach.y)
      bounds.append((y - SIMD3(0, 0, first.y)) / reach.y)
    }
    // The least of linear functions is concave, and so is its greatest value along one axis.
    let whole = (first + last) / 2
    let x = Self.peak(from: whole.x - half.x, to: whole.x + half.x) { x in
      share(x, Self.peak(from: whole.y - half.y, to: whole.y + half.y) { share(x, $0) })
    }
    let y = Self.peak(from: whole.y - half.y, to: whole.y + half.y) { share(x, $0) }
    center = [x, y]
    share = min(share(x, y), 1)
    // Where everything is covered there is a choice.
    if share(whole.x, whole.y) >= share - 1e-9 { center = whole }
  }

  private func share(_ x: Double, _ y: Double) -> Double {
    bounds.reduce(.greatestFiniteMagnitude) { min($0, $1.x * x + $1.y * y + $1.z) }
  }

  /// Where a concave function is greatest, by ternary search.
  private static func peak(from first: Double, to last: Double, of function: (Double) -> Double) -> Double {
    var (low, high) = (first, last)
    for _ in 0..<48 {
      let third = (high - low) / 3
      if function(low + third) < function(high - third) { low += third } else { high -= third }
    }
    return (low + high) / 2
  }
}
