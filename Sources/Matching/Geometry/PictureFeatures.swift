import CPixelKernels
import EditModel
import Glibc
import Rendering

/// The corners of a picture at several sizes. A descriptor of each corner's surroundings does not depend on their
/// rotation, brightness or contrast.
///
/// The corners are those of J. Shi and C. Tomasi (“Good Features to Track”, 1994). The descriptors are histograms of
/// gradient directions in 4×4 cells according to D. Lowe (“Distinctive Image Features from Scale-Invariant Keypoints”,
/// 2004).
struct PictureFeatures: Sendable {
  /// A corner and the direction of its surroundings.
  struct Corner: Sendable {
    /// The position of the corner, in fractions of the picture's width and height.
    var place: SIMD2<Double>
    /// The predominant direction of the surrounding gradients, as a vector in units of ``unit``. Its length is one
    /// sample at the corner's size.
    var direction: SIMD2<Double>
  }

  /// The size of the picture divided by its longer side.
  let unit: SIMD2<Double>
  /// The corners that were found.
  private(set) var corners: [Corner] = []
  /// The descriptors of the corners. Each has `FEATURE_NUMBERS` numbers and a length of 1.
  private(set) var descriptors: [Float] = []
  /// The descriptors of the corners in the mirrored picture.
  private(set) var mirrored: [Float] = []

  /// The maximum number of picture sizes, and the factor from each size to the next.
  private static let sizes = (most: 8, factor: 0.5.squareRoot())
  /// The minimum length of the shorter side, in samples, at the smallest size.
  private static let leastSide = 40
  /// The maximum number of corners at the largest size. Smaller sizes have fewer corners in proportion to their
  /// samples.
  private static let mostCorners = 900
  /// The number of values in a descriptor.
  private static let numbers = Int(FEATURE_NUMBERS)
  /// The number of samples from the centre of a descriptor to its edge.
  private static let reach = 10

  /// - Parameters:
  ///   - picture: A grey picture with 12 bits.
  init(_ picture: PlanarFrame) {
    let (width, height) = (picture.format.width, picture.format.height)
    unit = SIMD2(Double(width), Double(height)) / Double(max(width, height))
    var scale = 1.0
    for _ in 0..<Self.sizes.most {
      let size = PixelSize(
        width: Int((Double(width) * scale).rounded()), height: Int((Double(height) * scale).rounded()))
      guard min(size.width, size.height) >= Self.leastSide,
        let level = picture.scaled(to: size, sampling: .grey, bitDepth: PlanarFrame.lumaDepth)
      else { break }
      add(GreyPlane(level), most: max(Int(Double(Self.mostCorners) * scale * scale), 40))
      scale *= Self.sizes.factor
    }
  }

  private mutating func add(_ plane: GreyPlane, most: Int) {
    let smooth = plane.blurred(over: 1)
    let unit = 1 / Double(max(plane.width, plane.height))
    for place in Self.corners(smooth, most: most) {
      let middle = SIMD2(Double(place % plane.width), Double(place / plane.width))
      guard let angle = Self.angle(smooth, middle) else { continue }
      let direction = SIMD2(cos(angle), sin(angle))
      guard let descriptor = Self.descriptor(smooth, middle, direction) else { continue }
      corners.append(
        Corner(
          place: (middle + 0.5) / SIMD2(Double(plane.width), Double(plane.height)),
          direction: direction * unit))
      descriptors += descriptor
      mirrored += Self.mirrored(descriptor)
    }
  }

  /// Returns the indices of the samples that are corners. The corners are distributed evenly over the picture.
  private static func corners(_ plane: GreyPlane, most: Int) -> [Int] {
    let (width, height) = (plane.width, plane.height)
    let count = plane.samples.count
    var products = [[Float]](repeating: [Float](repeating: 0, count: count), count: 3)
    for y in 1..<height - 1 {
      for at in y * width + 1..<(y + 1) * width - 1 {
        let slopeX = plane.samples[at + 1] - plane.samples[at - 1]
        let slopeY = plane.samples[at + width] - plane.samples[at - width]
        products[0][at] = slopeX * slopeX
        products[1][at] = slopeY * slopeY
        products[2][at] = slopeX * slopeY
      }
    }
    let sums = products.map { GreyPlane(width: width, height: height, samples: $0).blurred(over: 2).samples }
    var strengths = [Float](repeating: 0, count: count)
    for at in 0..<count {
      let (half, difference) = ((sums[0][at] + sums[1][at]) / 2, (sums[0][at] - sums[1][at]) / 2)
      strengths[at] = half - (difference * difference + sums[2][at] * sums[2][at]).squareRoot()
    }
    let cells = max(1, Int((Double(most) / 4).squareRoot().rounded()))
    var cell: [[(strength: Float, place: Int)]] = Array(repeating: [], count: cells * cells)
    for y in reach..<max(reach, height - reach) {
      for x in reach..<max(reach, width - reach) {
        let at = y * width + x
        let strength = strengths[at]
        guard strength > 0.5, strength >= strengths[at - 1], strength > strengths[at + 1],
          strength >= strengths[at - width], strength > strengths[at + width],
          strength >= strengths[at - width - 1], strength >= strengths[at - width + 1],
          strength > strengths[at + width - 1], strength > strengths[at + width + 1]
        else { continue }
        cell[y * cells / height * cells + x * cells / width].append((strength, at))
      }
    }
    return cell.flatMap { $0.sorted { $0.strength > $1.strength }.prefix(6).map(\.place) }
  }

  /// Returns the predominant direction of the gradients around a position.
  private static func angle(_ plane: GreyPlane, _ place: SIMD2<Double>) -> Double? {
    let bins = 36
    var histogram = [Float](repeating: 0, count: bins)
    let (column, row) = (Int(place.x), Int(place.y))
    for y in -8...8 {
      for x in -8...8 where x * x + y * y <= 64 {
        let at = (row + y) * plane.width + column + x
        let slopeX = plane.samples[at + 1] - plane.samples[at - 1]
        let slopeY = plane.samples[at + plane.width] - plane.samples[at - plane.width]
        let length = (slopeX * slopeX + slopeY * slopeY).squareRoot()
        let weight = length * expf(-Float(x * x + y * y) / 32)
        let turn = (atan2f(slopeY, slopeX) / (2 * .pi) + 1) * Float(bins)
        histogram[Int(turn) % bins] += weight
      }
    }
    for _ in 0..<3 {
      histogram = (0..<bins).map {
        (histogram[($0 + bins - 1) % bins] + histogram[$0] + histogram[($0 + 1) % bins]) / 3
      }
    }
    guard let best = histogram.indices.max(by: { histogram[$0] < histogram[$1] }), histogram[best] > 0
    else { return nil }
    let (before, after) = (histogram[(best + bins - 1) % bins], histogram[(best + 1) % bins])
    let curve = before - 2 * histogram[best] + after
    let shift = curve < 0 ? 0.5 * (before - after) / curve : 0
    return Double((Float(best) + 0.5 + shift) / Float(bins)) * 2 * .pi
  }

  /// Returns the histograms for the surroundings of a position, or nil if the surroundings have no detail.
  private static func descriptor(
    _ plane: GreyPlane, _ place: SIMD2<Double>, _ direction: SIMD2<Double>
  ) -> [Float]? {
    // The surroundings are sampled at 18×18 points along the direction and perpendicular to it, 1.25 samples apart.
    let side = 18
    let step = 1.25
    var patch = [Float](repeating: 0, count: side * side)
    let last = (Double(plane.width - 1), Double(plane.height - 1))
    for v in 0..<side {
      for u in 0..<side {
        let offset = SIMD2(Double(u) - 8.5, Double(v) - 8.5) * step
        let x = min(max(place.x + offset.x * direction.x - offset.y * direction.y, 0), last.0)
        let y = min(max(place.y + offset.x * direction.y + offset.y * direction.x, 0), last.1)
        let (column, row) = (min(Int(x), plane.width - 2), min(Int(y), plane.height - 2))
        let (shareX, shareY) = (Float(x - Double(column)), Float(y - Double(row)))
        let at = row * plane.width + column
        let upper = plane.samples[at] + (plane.samples[at + 1] - plane.samples[at]) * shareX
        let lower =
          plane.samples[at + plane.width]
          + (plane.samples[at + plane.width + 1] - plane.samples[at + plane.width]) * shareX
        patch[v * side + u] = upper + (lower - upper) * shareY
      }
    }
    var sums = [Float](repeating: 0, count: numbers)
    for v in 0..<16 {
      for u in 0..<16 {
        let at = (v + 1) * side + u + 1
        let (slopeX, slopeY) = (patch[at + 1] - patch[at - 1], patch[at + side] - patch[at - side])
        let (x, y) = (Float(u) - 7.5, Float(v) - 7.5)
        let length = (slopeX * slopeX + slopeY * slopeY).squareRoot() * expf(-(x * x + y * y) / 128)
        // The weights of the two nearest columns of cells, the two nearest rows of cells, and the two nearest of eight
        // directions.
        let columns = Self.shares((Float(u) + 0.5) / 4 - 0.5)
        let rows = Self.shares((Float(v) + 0.5) / 4 - 0.5)
        let bins = Self.shares((atan2f(slopeY, slopeX) / (2 * .pi) + 1) * 8)
        for row in rows where 0...3 ~= row.number {
          for column in columns where 0...3 ~= column.number {
            let first = (row.number * 4 + column.number) * 8
            let weight = length * row.share * column.share
            for bin in bins { sums[first + bin.number % 8] += weight * bin.share }
          }
        }
      }
    }
    // Limit the influence of single gradients. Strong gradients are affected most by colour changes.
    for _ in 0..<2 {
      let length = sums.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard length > 1e-3 else { return nil }
      for at in sums.indices { sums[at] = min(sums[at] / length, 0.2) }
    }
    let length = sums.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return sums.map { $0 / length }
  }

  /// Returns the two whole numbers between which a position lies, and their weights.
  private static func shares(_ place: Float) -> [(number: Int, share: Float)] {
    let first = place.rounded(.down)
    return [(Int(first), 1 - place + first), (Int(first) + 1, place - first)]
  }

  /// Returns the histograms of the mirrored picture. The rows of cells along the direction are swapped, and so are the
  /// directions on the two sides.
  private static func mirrored(_ descriptor: [Float]) -> [Float] {
    descriptor.indices.map { at in
      let (row, column, bin) = (at / 32, at / 8 % 4, at % 8)
      return descriptor[((3 - row) * 4 + column) * 8 + (8 - bin) % 8]
    }
  }
}
