import EditModel
import Glibc
import Rendering

/// A rotation and a ``Geometry``, but with unrounded numbers and a crop at any position.
struct GeometryModel: Sendable {
  /// The rotation and mirroring of the original, which are applied first.
  var orientation: Orientation
  /// The aspect ratio of the rotated original (width divided by height).
  var shape: Double
  /// The straightening, clockwise in radians.
  var angle = 0.0
  /// The horizontal and vertical perspective.
  var perspective = SIMD2<Double>.zero
  /// The centre of the crop in the warped plane, in units of half the original's longer side.
  var center = SIMD2<Double>.zero
  /// Half of the crop's width and height, in units of half the original's longer side.
  var half: SIMD2<Double>

  /// The number of parameters that ``moved(_:)`` changes.
  static let unknowns = 7

  /// Creates a model of the whole rotated original.
  ///
  /// - Parameters:
  ///   - orientation: The rotation and mirroring.
  ///   - size: The width and height of the original in pixels.
  init(_ orientation: Orientation, of size: SIMD2<Double>) {
    self.orientation = orientation
    shape = orientation.swapsAxes ? size.y / size.x : size.x / size.y
    half = [min(shape, 1), min(1 / shape, 1)]
  }

  /// The mapping from positions in the rotated original to the warped plane. Positions are measured from the centre of
  /// the rotated original, in units of half its longer side.
  var warp: PictureProjection {
    let full = Geometry.fullPerspective
    let (cosine, sine) = (cos(angle), sin(angle))
    return PictureProjection(w: [full * perspective.x, full * perspective.y, 1])
      .then(PictureProjection(x: [cosine, -sine, 0], y: [sine, cosine, 0]))
  }

  /// The mapping from fractions of the edited picture to the warped plane.
  private var output: PictureProjection { PictureProjection(scale: 2 * half, shift: center - half) }

  /// The mapping from fractions of the original to positions in the rotated original. Positions are measured from its
  /// centre.
  var turned: PictureProjection {
    let corner = SIMD2(min(shape, 1), min(1 / shape, 1))
    return PictureProjection(orientation).then(PictureProjection(scale: 2 * corner, shift: -corner))
  }

  /// The mapping from fractions of the edited picture to fractions of the original.
  var sources: PictureProjection { output.then(warp.inverse).then(turned.inverse) }

  /// The mapping from fractions of the original to fractions of the edited picture.
  var projection: PictureProjection { turned.then(warp).then(output.inverse) }

  /// Returns a model with changed parameters.
  ///
  /// - Parameter change: The changes of the angle, the two perspectives (in units of the formula), the crop's centre,
  ///   and the logarithms of the crop's width and height. The changes of the crop are relative to its size.
  func moved(_ change: [Double]) -> GeometryModel {
    var moved = self
    let size = max(half.x, half.y)
    moved.angle += change[0]
    moved.perspective += SIMD2(change[1], change[2]) / (Geometry.fullPerspective * size)
    moved.center += SIMD2(change[3], change[4]) * size
    moved.half *= [exp(change[5]), exp(change[6])]
    return moved
  }

  /// Returns one model for each parameter, with only that parameter changed. See ``moved(_:)``.
  ///
  /// - Parameter amount: The amount of the change.
  func changed(by amount: Double) -> [GeometryModel] {
    (0..<Self.unknowns).map { unknown in
      var change = [Double](repeating: 0, count: Self.unknowns)
      change[unknown] = amount
      return moved(change)
    }
  }

  /// Maps the corners of the edited picture with two models and returns the greatest distance between the resulting
  /// positions, in thousandths of the picture's width.
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

  /// Whether a ``Geometry`` can have these numbers, at least approximately.
  var isPossible: Bool {
    abs(angle) < 1 && abs(perspective.x) < 1.1 && abs(perspective.y) < 1.1 && half.x > 0.005 && half.y > 0.005
      && half.x < 4 && half.y < 4 && abs(center.x) < 4 && abs(center.y) < 4
      && [SIMD2(0, 0), [1, 0], [0, 1], [1, 1]].allSatisfy { sources.apply($0) != nil }
  }
}

extension GeometryModel {
  /// Fits the model to pairs of points.
  ///
  /// - Parameters:
  ///   - match: The pairs of points, and the approximate position of one picture in the other.
  ///   - size: The width and height of the original in pixels.
  ///   - shape: The aspect ratio of the edited picture (width divided by height).
  /// - Returns: The model, and the number of pairs within three thousandths of the width; or nil if the model cannot be
  ///   fitted.
  static func fitted(
    to match: FeatureMatch, of size: SIMD2<Double>, shape: Double
  ) -> (model: GeometryModel, inliers: Int)? {
    let quarters = (match.angle / (.pi / 2)).rounded()
    let turn = Orientation(quarterTurns: Int(quarters))
    var model = GeometryModel(match.isMirrored ? Orientation.upMirrored.then(turn) : turn, of: size)
    model.angle = match.angle - quarters * .pi / 2
    guard model.place(match.pairs, shape: shape) else { return nil }
    // Pairs that are close to each other do not determine the perspective, and wrong pairs would suggest a perspective.
    // Perspective is therefore used only if more pairs then agree with the model.
    let fits = [stages.map { ($0.scale, [1, 2]) }, stages].compactMap { model.fitted(to: match.pairs, $0) }
    let found = fits.map { (model: $0, inliers: $0.inliers(match.pairs, shape: shape)) }
    return found.max { $0.inliers < $1.inliers }
  }

  /// The stages of the fit, from coarse to fine; the first stages keep the perspective unchanged. Each stage consists
  /// of a distance, in thousandths of the width, at which a pair hardly counts any more, and of the parameters that do
  /// not change.
  private static let stages: [(scale: Double, fixed: Set<Int>)] = [
    (100, [1, 2]), (60, [1, 2]), (60, []), (30, []), (15, []), (8, []), (4, []), (3, []),
  ]

  /// Returns the model on which most pairs agree, or nil if the model cannot be fitted.
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

  /// Returns the number of pairs whose position differs from that of the model by at most three thousandths of the
  /// width.
  private func inliers(_ pairs: [FeatureMatch.Pair], shape: Double) -> Int {
    let way = projection
    let unit = SIMD2(1000, 1000 / shape)
    return pairs.count { pair in
      guard let place = way.apply(pair.original) else { return false }
      let distance = (place - pair.edited) * unit
      return (distance * distance).sum() < 9
    }
  }

  /// Positions the crop according to the pairs, assuming that the angle is correct.
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

  /// The amount by which a parameter is changed to measure its effect. See ``moved(_:)``.
  private static let smallChange = 1e-5

  /// Returns the equations for the position of a pair in the edited picture: the factors of the unknowns, and the
  /// distance from the expected position, in thousandths of the width.
  ///
  /// - Parameters:
  ///   - way: The projection of the model.
  ///   - changed: The projections of ``changed(by:)``.
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
