import EditModel
import Glibc
import Rendering

/// A turn and a ``Geometry`` with numbers that are not rounded, and a crop that may lie anywhere.
struct GeometryModel: Sendable {
  /// How the original is turned and mirrored first.
  var orientation: Orientation
  /// The turned original's width to its height.
  var shape: Double
  /// The straightening, clockwise in radians.
  var angle = 0.0
  /// The horizontal and the vertical perspective.
  var perspective = SIMD2<Double>.zero
  /// The middle of the crop in the warped plane, in halves of the longer side of the original.
  var center = SIMD2<Double>.zero
  /// Half of its width and height.
  var half: SIMD2<Double>

  /// How many numbers ``moved(_:)`` takes.
  static let unknowns = 7

  /// All of the turned original.
  ///
  /// - Parameters:
  ///   - orientation: how it is turned.
  ///   - size: columns and rows of the original.
  init(_ orientation: Orientation, of size: SIMD2<Double>) {
    self.orientation = orientation
    shape = orientation.swapsAxes ? size.y / size.x : size.x / size.y
    half = [min(shape, 1), min(1 / shape, 1)]
  }

  /// From places of the turned original, counted from its middle in halves of its longer side, to the warped plane.
  var warp: PictureProjection {
    let full = Geometry.fullPerspective
    let (cosine, sine) = (cos(angle), sin(angle))
    return PictureProjection(w: [full * perspective.x, full * perspective.y, 1])
      .then(PictureProjection(x: [cosine, -sine, 0], y: [sine, cosine, 0]))
  }

  /// From fractions of the edited picture to the warped plane.
  private var output: PictureProjection { PictureProjection(scale: 2 * half, shift: center - half) }

  /// From fractions of the original to places from the turned one's middle.
  var turned: PictureProjection {
    let corner = SIMD2(min(shape, 1), min(1 / shape, 1))
    return PictureProjection(orientation).then(PictureProjection(scale: 2 * corner, shift: -corner))
  }

  /// From fractions of the edited picture to fractions of the original.
  var sources: PictureProjection { output.then(warp.inverse).then(turned.inverse) }

  /// From fractions of the original to fractions of the edited picture.
  var projection: PictureProjection { turned.then(warp).then(output.inverse) }

  /// The model with its numbers changed.
  ///
  /// - Parameter change: of the angle, the perspectives in units of the formula, the middle of the crop and the logarithms
  ///   of its sides, all but the first three in parts of the crop.
  func moved(_ change: [Double]) -> GeometryModel {
    var moved = self
    let size = max(half.x, half.y)
    moved.angle += change[0]
    moved.perspective += SIMD2(change[1], change[2]) / (Geometry.fullPerspective * size)
    moved.center += SIMD2(change[3], change[4]) * size
    moved.half *= [exp(change[5]), exp(change[6])]
    return moved
  }

  /// The model with each of its numbers changed in turn, see ``moved(_:)``.
  ///
  /// - Parameter amount: by how much.
  func changed(by amount: Double) -> [GeometryModel] {
    (0..<Self.unknowns).map { unknown in
      var change = [Double](repeating: 0, count: Self.unknowns)
      change[unknown] = amount
      return moved(change)
    }
  }

  /// How far corners of the edited picture lie apart that two models put at the same places of the original, in columns of
  /// an edited picture of 1000 columns, at most.
  func distance(to other: GeometryModel) -> Double {
    let way = sources.then(other.projection)
    let size = SIMD2(1000, 1000 * half.y / half.x)
    let corners: [SIMD2<Double>] = [[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5]]
    return corners.map { corner in
      guard let place = way.apply(corner) else { return .infinity }
      let distance = (place - corner) * size
      return (distance * distance).sum().squareRoot()
    }.max() ?? .infinity
  }

  /// True if the numbers are ones that a ``Geometry`` can have, or nearly so.
  var isPossible: Bool {
    abs(angle) < 1 && abs(perspective.x) < 1.1 && abs(perspective.y) < 1.1 && half.x > 0.005 && half.y > 0.005
      && half.x < 4 && half.y < 4 && abs(center.x) < 4 && abs(center.y) < 4
      && [SIMD2(0, 0), [1, 0], [0, 1], [1, 1]].allSatisfy { sources.apply($0) != nil }
  }
}

extension GeometryModel {
  /// Fits the model to pairs of places.
  ///
  /// - Parameters:
  ///   - match: the pairs, and about how one picture lies in the other.
  ///   - size: columns and rows of the original.
  ///   - shape: the edited picture's width to its height.
  /// - Returns: the model, and how many pairs lie within three columns of a picture of 1000 columns; nil where it cannot
  ///   be fitted.
  static func fitted(
    to match: FeatureMatch, of size: SIMD2<Double>, shape: Double
  ) -> (model: GeometryModel, inliers: Int)? {
    let quarters = (match.angle / (.pi / 2)).rounded()
    let turn = Orientation(quarterTurns: Int(quarters))
    var model = GeometryModel(match.isMirrored ? Orientation.upMirrored.then(turn) : turn, of: size)
    model.angle = match.angle - quarters * .pi / 2
    guard model.place(match.pairs, shape: shape) else { return nil }
    // Pairs that lie near each other tell no perspective, and those that are wrong would make one: it is taken where more
    // pairs agree with it.
    let fits = [stages.map { ($0.scale, [1, 2]) }, stages].compactMap { model.fitted(to: match.pairs, $0) }
    let found = fits.map { (model: $0, inliers: $0.inliers(match.pairs, shape: shape)) }
    return found.max { $0.inliers < $1.inliers }
  }

  /// How far a pair may lie from its place, in columns of 1000, until it hardly counts, and which numbers stay meanwhile: from far to
  /// near, without perspective first.
  private static let stages: [(scale: Double, fixed: Set<Int>)] = [
    (100, [1, 2]), (60, [1, 2]), (60, []), (30, []), (15, []), (8, []), (4, []), (3, []),
  ]

  /// The model that most pairs agree on; nil where it cannot be fitted.
  private func fitted(
    to pairs: [FeatureMatch.Pair], _ stages: [(scale: Double, fixed: Set<Int>)]
  ) -> GeometryModel? {
    var model = self
    for stage in stages {
      for _ in 0..<4 {
        var equations = NormalEquations(Self.unknowns)
        let (way, changed) = (model.projection, model.changed(by: Self.smallChange).map(\.projection))
        for pair in pairs {
          guard let rows = model.equations(of: pair, way, changed) else { continue }
          let residual = SIMD2(rows.x[Self.unknowns], rows.y[Self.unknowns]) / stage.scale
          let square = (residual * residual).sum()
          let weight = 1 / ((1 + square) * (1 + square))
          equations.add(rows.x, weight: weight)
          equations.add(rows.y, weight: weight)
        }
        guard let change = equations.solution(without: stage.fixed) else { return nil }
        model = model.moved(change)
        guard model.isPossible else { return nil }
      }
    }
    return model
  }

  /// How many pairs lie within three columns of 1000 from where the model puts them.
  private func inliers(_ pairs: [FeatureMatch.Pair], shape: Double) -> Int {
    let way = projection
    let unit = SIMD2(1000, 1000 / shape)
    return pairs.count { pair in
      guard let place = way.apply(pair.original) else { return false }
      let distance = (place - pair.edited) * unit
      return (distance * distance).sum() < 9
    }
  }

  /// Puts the crop where pairs say, the angle being right.
  private mutating func place(_ pairs: [FeatureMatch.Pair], shape: Double) -> Bool {
    let way = turned.then(warp)
    let places = pairs.compactMap { pair in
      way.apply(pair.original).map { (to: $0, from: (2 * pair.edited - 1) * SIMD2(1, 1 / shape)) }
    }
    guard !places.isEmpty else { return false }
    let count = Double(places.count)
    let to = places.reduce(SIMD2.zero) { $0 + $1.to } / count
    let from = places.reduce(SIMD2.zero) { $0 + $1.from } / count
    var (products, squares) = (0.0, 0.0)
    for place in places {
      products += ((place.to - to) * (place.from - from)).sum()
      squares += ((place.from - from) * (place.from - from)).sum()
    }
    guard squares > 0, products > 0 else { return false }
    half = products / squares * SIMD2(1, 1 / shape)
    center = to - from * products / squares
    return isPossible
  }

  /// By how much a number is changed to see what comes of it, see ``moved(_:)``.
  private static let smallChange = 1e-5

  /// The factors of the unknowns in the place of a pair in the edited picture, and how far it is from where it should be, in
  /// columns of 1000.
  ///
  /// - Parameters:
  ///   - way: the model's projection.
  ///   - changed: the projections of ``changed(by:)``.
  private func equations(
    of pair: FeatureMatch.Pair, _ way: PictureProjection, _ changed: [PictureProjection]
  ) -> (x: [Double], y: [Double])? {
    let unit = SIMD2(1000, 1000 * half.y / half.x)
    guard let place = way.apply(pair.original) else { return nil }
    var (x, y): ([Double], [Double]) = ([], [])
    for way in changed {
      guard let moved = way.apply(pair.original) else { return nil }
      let slope = (moved - place) * unit / Self.smallChange
      x.append(slope.x)
      y.append(slope.y)
    }
    let residual = (pair.edited - place) * unit
    x.append(residual.x)
    y.append(residual.y)
    return (x, y)
  }
}
