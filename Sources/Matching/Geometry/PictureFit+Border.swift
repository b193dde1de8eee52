import EditModel
import Rendering

extension PictureFit {
  /// The largest standard deviations of the original for which a single-tone strip of the edited picture does not count
  /// as a border, scaled to 8 bits per sample. The first value applies to the whole strip, the second to the part
  /// beyond a narrower border.
  private static let evenness = (whole: Float(8), part: Float(30))
  /// The fraction of a strip, measured from the outside, that is evaluated.
  private static let sharp = 0.7
  /// The minimum change of tone between a border and the picture next to it, scaled to 8 bits per sample, and the
  /// maximum change in the original at the same position, as a fraction of this change.
  private static let step = (edited: Float(30), share: Float(0.25))

  /// Fits the model to the area within a border.
  ///
  /// A single-tone strip at a side of the edited picture is not a border if the original also has a single tone there.
  ///
  /// - Parameter model: The approximate position of the whole edited picture in the original.
  /// - Returns: The pictures without the border, and the refined model of the remaining area. The model is nil if no
  ///   fit was found.
  func withoutBorder(_ model: GeometryModel) -> (PictureFit, Result?) {
    let (width, height) = (edited.format.width, edited.format.height)
    let border = PictureBorder(GreyPlane(edited))
    guard !border.isNone, let inner = without(border).refined(model.part(border, width, height)) else {
      return (self, settled(model))
    }
    // The same model, extended to the whole picture, shows what the original contains at the sides.
    let whole = inner.model.whole(border, width, height)
    let kept = PictureBorder(common: border.common)
    var found = border
    for side in [\PictureBorder.left, \.top, \.right, \.bottom] where border[keyPath: side] > 0 {
      // Reduce the border to the width at the other sides, or remove it if the picture itself is uniform there.
      for depth in [0, kept[keyPath: side]] where depth < border[keyPath: side] {
        if isEven(whole, side, from: depth, of: border) {
          found[keyPath: side] = depth
          break
        }
      }
    }
    let fit = without(found)
    return (fit, fit.settled(whole.part(found, width, height)))
  }

  /// Returns the pictures after excluding the border of the edited picture.
  private func without(_ border: PictureBorder) -> PictureFit {
    var fit = self
    fit.content = (
      border.left, border.top, edited.format.width - border.left - border.right,
      edited.format.height - border.top - border.bottom
    )
    return fit
  }

  /// Returns whether a strip of the edited picture, between the borders at the adjacent sides, is part of the original.
  /// The original must cover the strip and have a single tone there. If the tone of the edited picture changes at the
  /// strip's inner edge, so must the tone of the original.
  ///
  /// - Parameters:
  ///   - model: The model of the whole edited picture.
  ///   - side: The side of the strip.
  ///   - depth: The distance from the picture's edge at which the strip begins. The strip ends where the border ends.
  ///   - border: The border.
  private func isEven(
    _ model: GeometryModel, _ side: KeyPath<PictureBorder, Int>, from depth: Int, of border: PictureBorder
  ) -> Bool {
    let size = SIMD2(Double(edited.format.width), Double(edited.format.height))
    // The first and the last position in the strip, in fractions of width and height.
    var first = SIMD2(Double(border.left), Double(border.top)) / size
    var last = 1 - SIMD2(Double(border.right), Double(border.bottom)) / size
    let reach = Double(border[keyPath: side])
    let start = Double(depth)
    switch side {
    case \.left: (first.x, last.x) = (start / size.x, reach / size.x)
    case \.right: (first.x, last.x) = (1 - reach / size.x, 1 - start / size.x)
    case \.top: (first.y, last.y) = (start / size.y, reach / size.y)
    default: (first.y, last.y) = (1 - reach / size.y, 1 - start / size.y)
    }
    // The offset from the strip to an area equally far inside the picture. The inner edge of the strip is blurred and
    // therefore excluded.
    let inwards: SIMD2<Double>
    let sharp = (last - first) * Self.sharp
    switch side {
    case \.left: (inwards, last.x) = ([reach / size.x, 0], first.x + sharp.x)
    case \.right: (inwards, first.x) = ([-reach / size.x, 0], last.x - sharp.x)
    case \.top: (inwards, last.y) = ([0, reach / size.y], first.y + sharp.y)
    default: (inwards, first.y) = ([0, -reach / size.y], last.y - sharp.y)
    }
    var all = self
    all.content = (0, 0, edited.format.width, edited.format.height)
    guard let level = all.level(500, model), let shown = level.shown(model) else { return false }
    let way = model.sources
    var (sum, squares, count): (Float, Float, Float) = (0, 0, 0)
    var steps: (original: Float, edited: Float) = (0, 0)
    let grid = 64
    func at(_ place: SIMD2<Double>) -> Int {
      let x = min(max(Int(place.x * Double(shown.width)), 0), shown.width - 1)
      let y = min(max(Int(place.y * Double(shown.height)), 0), shown.height - 1)
      return y * shown.width + x
    }
    for row in 0..<grid {
      for column in 0..<grid {
        let share = SIMD2(Double(column) + 0.5, Double(row) + 0.5) / Double(grid)
        let place = first + (last - first) * share
        guard let seen = way.apply(place), seen.x > -0.002, seen.y > -0.002, seen.x < 1.002, seen.y < 1.002
        else { return false }
        let (outer, inner) = (at(place), at(place + inwards))
        let sample = shown.samples[outer]
        steps.original += shown.samples[inner] - sample
        steps.edited += level.edited.samples[inner] - level.edited.samples[outer]
        sum += sample
        squares += sample * sample
        count += 1
      }
    }
    if abs(steps.edited) > Self.step.edited * count,
      abs(steps.original) < Self.step.share * abs(steps.edited)
    {
      return false
    }
    let mean = sum / count
    let deviation = max(squares / count - mean * mean, 0).squareRoot()
    return deviation < (depth == 0 ? Self.evenness.whole : Self.evenness.part)
  }
}

extension PictureBorder {
  /// - Parameter width: The width of the border at all sides.
  fileprivate init(common width: Int) { (left, top, right, bottom) = (width, width, width, width) }
}

extension GeometryModel {
  /// Returns the model of the area within a border.
  ///
  /// - Parameters:
  ///   - border: The border.
  ///   - width: The width, in pixels, of the edited picture with its border.
  ///   - height: The height, in pixels, of the edited picture with its border.
  fileprivate func part(_ border: PictureBorder, _ width: Int, _ height: Int) -> GeometryModel {
    let unit = 2 * half / SIMD2(Double(width), Double(height))
    let first = center - half + unit * SIMD2(Double(border.left), Double(border.top))
    let last = center + half - unit * SIMD2(Double(border.right), Double(border.bottom))
    var part = self
    (part.center, part.half) = ((first + last) / 2, (last - first) / 2)
    return part
  }

  /// Converts this model of the area within a border to a model of the whole edited picture.
  fileprivate func whole(_ border: PictureBorder, _ width: Int, _ height: Int) -> GeometryModel {
    let inner = SIMD2(Double(width - border.left - border.right), Double(height - border.top - border.bottom))
    let unit = 2 * half / inner
    let first = center - half - unit * SIMD2(Double(border.left), Double(border.top))
    let last = center + half + unit * SIMD2(Double(border.right), Double(border.bottom))
    var whole = self
    (whole.center, whole.half) = ((first + last) / 2, (last - first) / 2)
    return whole
  }
}
