import EditModel
import Glibc
import Rendering

/// Squares at the same places of two pictures, in pixels of the smaller one, and how flat and light they are there.
struct GrainPlaces {
  /// A place.
  struct Place {
    /// First column and row.
    var first: (x: Int, y: Int)
    /// The mean of luma in both pictures, from 0 to 255.
    var original: Double
    var edited: Double
    /// The variance of the original's luma in cells, around a plane in each.
    var roughness: Double

    /// The share of its deviation that grain has in such a tone: see `Parameter.grain`.
    var weight: Double {
      let v = min(max(edited / 255, 0), 1)
      return 4 * v * (1 - v)
    }
  }

  /// Pixels of the longer side.
  let longerSide: Int
  private let original: Luma
  private let edited: Luma
  private let side: Int
  private let places: [Place]

  /// Places along an axis, at most.
  private static let most = (across: 32, down: 32)
  /// Pixels around all places.
  private static let border = 8
  /// The tones of both pictures, where nothing is cut off, and the least share of grain's deviation.
  private static let tones = 8.0...247.0
  private static let leastWeight = 0.4
  /// The deviation, in codes, of the tones that tell how steep the way from one to the other picture is.
  private static let tone = 10.0

  /// - Parameters:
  ///   - original: the one picture.
  ///   - edited: the other, which shows the same and may be larger or smaller.
  /// - Returns: nil where a picture has no room for places.
  init?(original: PlanarFrame, edited: PlanarFrame) {
    let sizes = [original.format.size, edited.format.size]
    let width = sizes.map(\.width).min() ?? 0
    let height = sizes.map(\.height).min() ?? 0
    longerSide = max(width, height)
    let side = min(max(longerSide / 64, 24), 64)
    let room = (x: width - side - 2 * Self.border, y: height - side - 2 * Self.border)
    guard room.x > 0, room.y > 0 else { return nil }
    let (one, other) = (Luma(original, width, height), Luma(edited, width, height))
    let columns = min(room.x / side + 1, Self.most.across)
    let rows = min(room.y / side + 1, Self.most.down)
    var places: [Place] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let first = (
          x: Self.border + column * room.x / max(columns - 1, 1),
          y: Self.border + row * room.y / max(rows - 1, 1)
        )
        guard let square = one.square(first, side), let seen = other.square(first, side) else { continue }
        let (mean, roughness) = square.roughness
        let place = Place(first: first, original: mean, edited: seen.roughness.mean, roughness: roughness)
        if Self.tones ~= mean, place.weight >= Self.leastWeight { places.append(place) }
      }
    }
    (self.original, self.edited, self.side, self.places) = (one, other, side, places)
  }

  /// The flattest places of the original.
  ///
  /// - Parameters:
  ///   - count: how many, at most.
  ///   - share: the share of all places, at most.
  func flattest(_ count: Int, of share: Double) -> [Place] {
    let sorted = places.sorted { $0.roughness < $1.roughness }
    return Array(sorted.prefix(min(count, Int(Double(places.count) * share))))
  }

  /// Both pictures at a place and around it.
  func squares(_ place: Place, margin: Int) -> (original: GreyPlane, edited: GreyPlane)? {
    let first = (x: place.first.x - margin, y: place.first.y - margin)
    guard let one = original.square(first, side + 2 * margin),
      let other = edited.square(first, side + 2 * margin)
    else { return nil }
    return (one, other)
  }

  /// By how many codes the edited picture gets lighter where the original gets lighter by one, around the tone of a place:
  /// so much was its noise raised, too.
  func slope(at place: Place) -> Double {
    var (sum, mean) = (0.0, SIMD2<Double>.zero)
    let weights = places.map { other in
      let distance = (other.original - place.original) / Self.tone
      return exp(-distance * distance / 2)
    }
    for (weight, other) in zip(weights, places) {
      sum += weight
      mean += weight * SIMD2(other.original, other.edited)
    }
    mean /= sum
    var (square, product) = (1e-3 * sum, 0.0)
    for (weight, other) in zip(weights, places) {
      let step = SIMD2(other.original, other.edited) - mean
      square += weight * step.x * step.x
      product += weight * step.x * step.y
    }
    return min(max(abs(product) / square, 0.7), 4)
  }
}

/// The luma of a picture, read in squares from pixels of a smaller size.
private struct Luma {
  let frame: PlanarFrame
  /// Pixels of the picture for one of the smaller size.
  let scale: SIMD2<Double>

  init(_ frame: PlanarFrame, _ width: Int, _ height: Int) {
    self.frame = frame
    scale = SIMD2(
      Double(frame.format.width) / Double(width), Double(frame.format.height) / Double(height))
  }

  /// A square that lies within the picture, its black 0 and its white 255.
  func square(_ first: (x: Int, y: Int), _ side: Int) -> GreyPlane? {
    func span(_ first: Int, _ scale: Double) -> (first: Int, count: Int) {
      let start = Int((Double(first) * scale).rounded())
      return (start, max(Int((Double(first + side) * scale).rounded()) - start, side))
    }
    let (columns, rows) = (span(first.x, scale.x), span(first.y, scale.y))
    let part = frame.luma(
      (columns.first, rows.first, columns.count, rows.count),
      scaledTo: PixelSize(width: side, height: side))
    guard let part else { return nil }
    var plane = GreyPlane(part)
    if part.format.color.isFullRange != true {
      for at in plane.samples.indices { plane.samples[at] = (plane.samples[at] - 16) * 255 / 219 }
    }
    return plane
  }
}

extension GreyPlane {
  /// The side of the cells whose variance is the roughness: finer than shading, coarser than grain.
  private static let cell = 12

  /// The mean of the samples, and their mean variance around the planes nearest to cells of them.
  fileprivate var roughness: (mean: Double, roughness: Double) {
    let cell = Self.cell
    var (total, rests, count) = (Float(0), Float(0), Float(0))
    // The sum of squares of places along an axis, from the middle of a cell.
    let axis = Float(cell * cell * (cell * cell - 1)) / 12
    for top in stride(from: 0, through: height - cell, by: cell) {
      for left in stride(from: 0, through: width - cell, by: cell) {
        // Numbers near 0 lose nothing in sums.
        let base = samples[top * width + left]
        var (sum, squares, slopeX, slopeY) = (Float(0), Float(0), Float(0), Float(0))
        for y in 0..<cell {
          let down = Float(2 * y + 1 - cell) / 2
          for x in 0..<cell {
            let sample = samples[(top + y) * width + left + x] - base
            sum += sample
            squares += sample * sample
            slopeX += sample * Float(2 * x + 1 - cell) / 2
            slopeY += sample * down
          }
        }
        let area = Float(cell * cell)
        let plane = sum * sum / area + (slopeX * slopeX + slopeY * slopeY) / axis
        total += base + sum / area
        rests += max(squares - plane, 0) / area
        count += 1
      }
    }
    return (Double(total / max(count, 1)), Double(rests / max(count, 1)))
  }
}
