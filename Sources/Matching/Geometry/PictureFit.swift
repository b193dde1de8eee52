import EditModel
import Glibc
import Rendering

/// Refines a ``GeometryModel`` until the projected original matches the edited picture.
///
/// The fit takes Gauss–Newton steps on pictures from which local brightness and contrast were removed, at points with
/// detail in all parts of the picture. Geman–McClure weights exclude retouched areas (see Rendering's
/// `PictureRegistration`, which uses the same method for movies).
struct PictureFit {
  /// The original and the edited picture, upright.
  let original: PlanarFrame
  let edited: PlanarFrame
  /// The area of the edited picture that shows the original: left edge, top edge, width and height in pixels.
  var content: (x: Int, y: Int, width: Int, height: Int)

  /// A refined model.
  struct Result {
    var model: GeometryModel
    /// The root mean square of the distances between the apparent positions of points and their positions according to
    /// the model, in thousandths of the width.
    var error: Double
    /// The effective number of compared points: the number of points of equal weight that would be equivalent.
    var count: Double
    /// The uncertainty of the picture's corners, in thousandths of the width. Neighbouring points are not independent,
    /// and the corners lie outside the area of most points. The formula was determined with strongly compressed
    /// pictures of known geometry, 160 to 250 pixels wide.
    var reach: Double { max(0.2, 30 * error / count.squareRoot()) }
  }

  /// The lengths, in pixels, of the longer sides of the pictures that are compared, in this order.
  static let sides = [250, 500, 1000]
  /// The grid over which points are distributed, and the maximum number of points per cell.
  private static let grid = (columns: 28, rows: 28)
  private static let mostPoints = 40
  /// The reach of a point's surroundings in samples. See ``GreyPlane/normalized(over:)``.
  static let surroundings = 8
  /// The mean squared difference between normalised pictures that match as well as possible.
  private static let leastDifference: Float = 0.02

  /// The two pictures at one size.
  struct Level {
    /// The size of the reduced edited picture, and the edited picture at this size.
    let size: PixelSize
    let edited: GreyPlane
    /// The edited picture with local brightness and contrast removed.
    let normalized: GreyPlane
    /// The area of the original that the edited picture may show, and the mapping from fractions of the original to
    /// fractions of this area.
    let original: PlanarFrame
    let part: PictureProjection

    /// Returns the original as projected by the model. Outside the original, its outermost samples are repeated.
    func shown(_ model: GeometryModel) -> GreyPlane? {
      original.projected(through: model.sources.then(part), to: size).map(GreyPlane.init)
    }

    /// Returns the projected original with the tones of the edited picture.
    func toned(_ shown: GreyPlane) -> GreyPlane {
      shown.toned(as: edited, normalized: normalized, over: surroundings)
    }
  }

  /// Returns the pictures, reduced so that their longer side has a given length.
  ///
  /// - Parameters:
  ///   - side: The maximum length of the longer side in pixels.
  ///   - model: The approximate geometry between the pictures.
  func level(_ side: Int, _ model: GeometryModel) -> Level? {
    let whole = SIMD2(Double(original.format.width), Double(original.format.height))
    guard let bounds = model.sources.bounds([0, 0], [1, 1]) else { return nil }
    // Include a margin around the visible area, because the model is not yet accurate.
    let margin = (bounds.maximum - bounds.minimum) * 0.05
    let first = simd_clamp(bounds.minimum - margin) * whole
    let last = simd_clamp(bounds.maximum + margin) * whole
    let (left, top) = (Int(first.x), Int(first.y))
    let (width, height) = (Int(last.x.rounded(.up)) - left, Int(last.y.rounded(.up)) - top)
    guard width >= 16, height >= 16 else { return nil }
    // The number of original pixels for each pixel of the edited picture, at the centre of the edited picture.
    let content = SIMD2(Double(content.width), Double(content.height))
    let longer = max(content.x, content.y)
    guard let a = model.sources.apply([0.4, 0.4]), let b = model.sources.apply([0.6, 0.6]) else { return nil }
    let span = ((b - a) * whole * ((b - a) * whole)).sum().squareRoot()
    let shown = span / (0.2 * (content * content).sum().squareRoot()) * longer
    let used = min(Double(side), longer, max(shown, 32))
    let size = PixelSize(
      width: max(Int((content.x * used / longer).rounded()), 16),
      height: max(Int((content.y * used / longer).rounded()), 16))
    let reduction = min(1, 1.2 * used / shown)
    guard
      let one = edited.luma(self.content, scaledTo: size),
      let other = original.luma(
        (left, top, width, height),
        scaledTo: PixelSize(
          width: max(Int((Double(width) * reduction).rounded()), 1),
          height: max(Int((Double(height) * reduction).rounded()), 1)))
    else { return nil }
    let edited = GreyPlane(one)
    return Level(
      size: size, edited: edited, normalized: edited.normalized(over: Self.surroundings), original: other,
      part: PictureProjection(
        scale: whole / SIMD2(Double(width), Double(height)),
        shift: -SIMD2(Double(left), Double(top)) / SIMD2(Double(width), Double(height))))
  }

  private func simd_clamp(_ place: SIMD2<Double>) -> SIMD2<Double> {
    [min(max(place.x, 0), 1), min(max(place.y, 0), 1)]
  }

  /// Refines a model.
  ///
  /// - Parameters:
  ///   - model: A model whose positions are wrong by at most a few pixels.
  ///   - sides: The lengths, in pixels, of the longer sides of the pictures to compare, in this order.
  ///   - fixed: The parameters that must not change. See ``GeometryModel/moved(_:)``.
  /// - Returns: Nil if no fit was found.
  func refined(_ model: GeometryModel, sides: [Int] = Self.sides, fixed: Set<Int> = []) -> Result? {
    var result = Result(model: model, error: .infinity, count: 1)
    for side in sides {
      guard let level = level(side, result.model), let shown = level.shown(result.model) else { return nil }
      // A tone curve makes edges appear to move, so the pictures are compared after their tones have been matched. If
      // matching reduces the agreement, as with a vignette, the unmatched pictures are compared.
      let unlike = [shown, level.toned(shown)].map {
        level.normalized.differences(from: $0.normalized(over: Self.surroundings)).samples.reduce(0, +)
      }
      let isToned = unlike[1] < unlike[0]
      let points = Self.points(level.normalized)
      for step in 0..<12 {
        guard let next = Self.step(result.model, level, points, isToned, fixed) else {
          return nil
        }
        let moved = next.model.distance(to: result.model)
        result = next
        if moved < (side == sides.last ? 0.01 : 0.1), step > 0 { break }
      }
    }
    return result
  }

  /// Refines a model, removes unnecessary parameters, rounds the other parameters to stored precision, and then fits
  /// the crop.
  ///
  /// - Parameter model: The model. See ``refined(_:sides:fixed:)``.
  func settled(_ model: GeometryModel) -> Result? {
    guard var best = refined(model) else { return nil }
    let last = Array(Self.sides.suffix(1))
    // Choose the simplest model whose corners differ from those of the full model by no more than the uncertainty.
    let reach = best.reach
    for fixed: Set in [[0, 1, 2], [1, 2], [0, 1], [0, 2], [1], [2], [0]] {
      var simple = best.model
      if fixed.contains(0) { simple.angle = 0 }
      if fixed.contains(1) { simple.perspective.x = 0 }
      if fixed.contains(2) { simple.perspective.y = 0 }
      guard simple.distance(to: best.model) < 20 * reach else { continue }
      if let result = refined(simple, sides: last, fixed: fixed),
        result.model.distance(to: best.model) < reach
      {
        best = result
        break
      }
    }
    return refined(best.model.rounded, sides: last, fixed: [0, 1, 2])
  }

  /// Returns the points with the strongest gradients in each cell.
  private static func points(_ plane: GreyPlane) -> [Int] {
    let (width, height) = (plane.width, plane.height)
    let margin = 3
    guard width > 2 * margin, height > 2 * margin else { return [] }
    var cells: [[(steepness: Float, place: Int)]] = Array(repeating: [], count: grid.columns * grid.rows)
    for y in margin..<height - margin {
      for x in margin..<width - margin {
        let at = y * width + x
        let slopeX = plane.samples[at + 1] - plane.samples[at - 1]
        let slopeY = plane.samples[at + width] - plane.samples[at - width]
        let steepness = slopeX * slopeX + slopeY * slopeY
        guard steepness > 0.04 else { continue }
        cells[y * grid.rows / height * grid.columns + x * grid.columns / width].append((steepness, at))
      }
    }
    return cells.flatMap { cell -> [Int] in
      guard cell.count > mostPoints else { return cell.map(\.place) }
      return cell.sorted { $0.steepness > $1.steepness }.prefix(mostPoints).map(\.place)
    }
  }

  private static func step(
    _ model: GeometryModel, _ level: Level, _ points: [Int], _ isToned: Bool,
    _ fixed: Set<Int>
  ) -> Result? {
    guard let original = level.shown(model) else { return nil }
    let shown = (isToned ? level.toned(original) : original).normalized(over: surroundings)
    let edited = level.normalized
    let (width, height) = (shown.width, shown.height)
    let size = SIMD2(Double(width), Double(height))
    let differences = edited.differences(from: shown).blurred(over: surroundings)
    let count = GeometryModel.unknowns
    // The movement of a point in the edited picture when one parameter changes.
    let back = model.projection
    let unit = 1e-4
    let ways = model.changed(by: unit).map { $0.sources.then(back) }
    let sources = model.sources
    var rows: [Double] = []
    var places: [(distance: Double, trust: Double)] = []
    rows.reserveCapacity(points.count * (count + 3))
    for at in points {
      let place = SIMD2(Double(at % width) + 0.5, Double(at / width) + 0.5) / size
      guard let seen = sources.apply(place), seen.x > 0, seen.y > 0, seen.x < 1, seen.y < 1 else { continue }
      // The gradients of the original are used, because the gradients of the edited picture contain its noise. That
      // noise would count as agreement.
      let slope =
        SIMD2(
          Double(shown.samples[at + 1] - shown.samples[at - 1]),
          Double(shown.samples[at + width] - shown.samples[at - width])) / 2
      let residual = Double(edited.samples[at] - shown.samples[at])
      for way in ways {
        guard let moved = way.apply(place) else { return nil }
        rows.append((slope * (moved - place) * size).sum() / unit)
      }
      rows.append(Double(shown.samples[at]))
      rows.append(1)
      rows.append(residual)
      // Differences around a point make both its residual and its gradients less certain. The exponent is between 1
      // (for an uncertain residual alone) and 2 (for both), and was determined with edits of known geometry.
      let trust = 1 / (leastDifference + differences.samples[at])
      let distance = abs(residual) / (0.1 + (slope * slope).sum().squareRoot())
      places.append((distance, Double(trust * trust.squareRoot())))
    }
    guard places.count >= 64 else { return nil }
    let median = places.map(\.distance).sorted()[places.count / 2]
    let scale = max(5 * 1.4826 * median, 0.1)
    var equations = NormalEquations(count + 2)
    var (squares, weights, squaredWeights) = (0.0, 0.0, 0.0)
    for (index, place) in places.enumerated() {
      let ratio = place.distance / scale
      let weight = place.trust / ((1 + ratio * ratio) * (1 + ratio * ratio))
      equations.add(Array(rows[index * (count + 3)..<(index + 1) * (count + 3)]), weight: weight)
      squares += weight * place.distance * place.distance
      weights += weight
      squaredWeights += weight * weight
    }
    guard let change = equations.solution(without: fixed) else { return nil }
    let next = model.moved(Array(change[..<count]))
    guard next.isPossible else { return nil }
    return Result(
      model: next, error: (squares / weights).squareRoot() * 1000 / size.x,
      count: weights * weights / squaredWeights)
  }
}
