import EditModel
import Glibc
import Rendering

/// Refines a ``GeometryModel`` until the original, seen through it, lies upon the edited picture.
///
/// Gauss–Newton steps on pictures whose surroundings' brightness and contrast were taken out, at places with detail in all
/// parts of the picture, with weights after Geman and McClure, so that what was retouched does not count (see
/// Rendering's `PictureRegistration`, which does the same for movies).
struct PictureFit {
  /// The original and the edited picture, upright.
  let original: PlanarFrame
  let edited: PlanarFrame
  /// The part of the edited picture that shows the original: left, top, width and height in columns and rows.
  var content: (x: Int, y: Int, width: Int, height: Int)

  /// A model that was refined.
  struct Result {
    var model: GeometryModel
    /// The root of the mean square of how far places seem to lie from where the model puts them, in columns of 1000.
    var error: Double
    /// How many places were compared, as if all of them had the same weight.
    var count: Double
    /// How far apart corners may lie that are known no more exactly, in columns of 1000. Places say alike what lies near them, and
    /// corners lie beyond most of them: measured in pictures of known geometry, 160 to 250 columns wide and coded coarsely.
    var reach: Double { max(0.2, 30 * error / count.squareRoot()) }
  }

  /// The longer sides of the pictures that are compared.
  static let sides = [250, 500, 1000]
  /// Cells that have equally many places, and places of a cell, at most.
  private static let grid = (columns: 28, rows: 28)
  private static let mostPoints = 40
  /// How far the surroundings of a place reach, see ``GreyPlane/normalized(over:)``.
  static let surroundings = 8
  /// The mean square of the differences that pictures have where they agree as well as they can, of the numbers that are compared.
  private static let leastDifference: Float = 0.02

  /// Pictures of one size.
  struct Level {
    /// The edited picture and its size.
    let size: PixelSize
    let edited: GreyPlane
    /// The edited picture without the brightness and contrast of surroundings.
    let normalized: GreyPlane
    /// The part of the original that it may show, and the way from fractions of the original to fractions of that part.
    let original: PlanarFrame
    let part: PictureProjection

    /// The original as the model shows it; its outermost samples beyond it.
    func shown(_ model: GeometryModel) -> GreyPlane? {
      original.projected(through: model.sources.then(part), to: size).map(GreyPlane.init)
    }

    /// The original as a model shows it, with the tones of the edited picture.
    func toned(_ shown: GreyPlane) -> GreyPlane {
      shown.toned(as: edited, normalized: normalized, over: surroundings)
    }
  }

  /// The pictures with a longer side.
  ///
  /// - Parameters:
  ///   - side: columns or rows, at most.
  ///   - model: about how the pictures lie.
  func level(_ side: Int, _ model: GeometryModel) -> Level? {
    let whole = SIMD2(Double(original.format.width), Double(original.format.height))
    guard let bounds = model.sources.bounds([0, 0], [1, 1]) else { return nil }
    // A little more than is seen, for a model that is not yet right.
    let margin = (bounds.maximum - bounds.minimum) * 0.05
    let first = simd_clamp(bounds.minimum - margin) * whole
    let last = simd_clamp(bounds.maximum + margin) * whole
    let (left, top) = (Int(first.x), Int(first.y))
    let (width, height) = (Int(last.x.rounded(.up)) - left, Int(last.y.rounded(.up)) - top)
    guard width >= 16, height >= 16 else { return nil }
    // Pixels of the original to one of the edited picture, at its middle.
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
  ///   - model: a model that puts places a few columns from where they are, at most.
  ///   - sides: the longer sides of the pictures to be compared, one after another.
  ///   - fixed: numbers that stay, see ``GeometryModel/moved(_:)``.
  /// - Returns: nil where nothing is found.
  func refined(_ model: GeometryModel, sides: [Int] = Self.sides, fixed: Set<Int> = []) -> Result? {
    var result = Result(model: model, error: .infinity, count: 1)
    for side in sides {
      guard let level = level(side, result.model), let shown = level.shown(result.model) else { return nil }
      // A curve of tones seems to move edges, so the same tones are compared, unless they agree less, as under a vignette.
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

  /// Refines a model, leaves out what it does not need, and fits its crop to the other numbers as they are stored.
  ///
  /// - Parameter model: see ``refined(_:sides:fixed:)``.
  func settled(_ model: GeometryModel) -> Result? {
    guard var best = refined(model) else { return nil }
    let last = Array(Self.sides.suffix(1))
    // The simplest of the models that put the corners where the full one does, as far as that is known.
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

  /// The places with the steepest slopes of each cell.
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
    // The way of a place of the edited picture when one number changes.
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
      // The original's own: those of the edited picture have its noise, which would count as agreement.
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
      // What differs around a place makes its residual less sure, and its slopes as well: a power between that of the
      // residual alone (1) and of both (2), by edits of known geometry.
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
