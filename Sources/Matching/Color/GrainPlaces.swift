import EditModel
import Glibc
import Rendering

/// Squares at the same positions in two pictures, with their flatness and brightness. Positions are in pixels of the
/// smaller picture.
struct GrainPlaces {
  /// A square at the same position in both pictures.
  struct Place {
    /// The first column and the first row of the square.
    var first: (x: Int, y: Int)
    /// The mean luma of each of the two pictures, from 0 to 255.
    var original: Double
    var edited: Double
    /// The variance of the original's luma within cells, after subtracting the best-fitting plane from each cell.
    var roughness: Double

    /// The strength of grain at this tone, as a fraction of the standard deviation in mid-tones. See `Parameter.grain`.
    var weight: Double {
      let v = min(max(edited / 255, 0), 1)
      return 4 * v * (1 - v)
    }
  }

  /// The longer side of the pictures in pixels.
  let longerSide: Int
  private let original: Luma
  private let edited: Luma
  private let side: Int
  private let places: [Place]

  /// The maximum number of squares per axis.
  private static let most = (across: 32, down: 32)
  /// The width, in pixels, of the border around the area that contains squares.
  private static let border = 8
  /// The range of tones at which nothing is clipped in either picture, and the minimum grain strength of usable tones.
  private static let tones = 8.0...247.0
  private static let leastWeight = 0.4
  /// The standard deviation, in codes, of the bell-shaped weights of the tones from which the slope of the tone curve
  /// between the pictures is calculated.
  private static let tone = 10.0

  /// - Parameters:
  ///   - original: The original picture.
  ///   - edited: The edited picture, which shows the same scene and may be larger or smaller.
  /// - Returns: Nil if a picture is too small to contain squares.
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

  /// Returns the flattest squares of the original.
  ///
  /// - Parameters:
  ///   - count: The maximum number of squares.
  ///   - share: The maximum fraction of all squares.
  func flattest(_ count: Int, of share: Double) -> [Place] {
    let sorted = places.sorted { $0.roughness < $1.roughness }
    return Array(sorted.prefix(min(count, Int(Double(places.count) * share))))
  }

  /// Returns a square of both pictures, including the margin around it.
  func squares(_ place: Place, margin: Int) -> (original: GreyPlane, edited: GreyPlane)? {
    let first = (x: place.first.x - margin, y: place.first.y - margin)
    guard let one = original.square(first, side + 2 * margin),
      let other = edited.square(first, side + 2 * margin)
    else { return nil }
    return (one, other)
  }

  /// Returns the slope, near the tone of a square, of the curve from the original's tones to the edited picture's
  /// tones. The edit amplified the original's noise by this factor.
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

/// The luma of a picture, from which squares are read at a reduced size.
private struct Luma {
  let frame: PlanarFrame
  /// The number of pixels of the original size for each pixel of the reduced size.
  let scale: SIMD2<Double>

  init(_ frame: PlanarFrame, _ width: Int, _ height: Int) {
    self.frame = frame
    scale = SIMD2(
      Double(frame.format.width) / Double(width), Double(frame.format.height) / Double(height))
  }

  /// Returns a square within the picture, where black is 0 and white is 255.
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
  /// The width and height, in pixels, of the cells whose variance is the roughness. Cells are finer than shading and
  /// coarser than grain.
  private static let cell = 12

  /// The mean of the samples, and the mean variance of cells after subtracting the best-fitting plane from each cell.
  fileprivate var roughness: (mean: Double, roughness: Double) {
    let cell = Self.cell
    var (total, rests, count) = (Float(0), Float(0), Float(0))
    // The sum of squared positions along an axis, measured from the centre of a cell.
    let axis = Float(cell * cell * (cell * cell - 1)) / 12
    for top in stride(from: 0, through: height - cell, by: cell) {
      for left in stride(from: 0, through: width - cell, by: cell) {
        // One of the picture's tones is subtracted first, because sums of numbers close to 0 lose no precision.
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
