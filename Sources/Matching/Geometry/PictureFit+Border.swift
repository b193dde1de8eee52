import EditModel
import Rendering

extension PictureFit {
  /// How uniform the original must be where the edited picture has a single-tone strip, for the strip not to be a
  /// border. The values are standard deviations scaled to 8 bits per sample: if the whole strip is tested, and if it is
  /// tested beyond a narrower border.
  private static let evenness = (whole: Float(8), part: Float(30))
  /// The outer fraction of a strip that is evaluated.
  private static let sharp = 0.7
  /// The minimum change of tone, scaled to 8 bits per sample, between a border and the picture next to it, and the
  /// fraction of this change that the original may have at the same position.
  private static let step = (edited: Float(30), share: Float(0.25))

  /// Fits the model to the area within a border.
  ///
  /// A single-tone strip at a side of the edited picture is not a border if the original also has a single tone there.
  ///
  /// - Parameter model: The approximate position of the whole edited picture in the original.
  /// - Returns: The pictures without the border, and the refined model of the remaining area, or nil if no fit was
  ///   found.
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
      // Reduce the border to the width at the other sides, or to nothing if the picture itself is uniform there.
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

  /// Returns the pictures with the border of the edited picture excluded.
  private func without(_ border: PictureBorder) -> PictureFit {
    var fit = self
    fit.content = (
      border.left, border.top, edited.format.width - border.left - border.right,
      edited.format.height - border.top - border.bottom
    )
    return fit
  }

  /// Returns whether a strip of the edited picture, between the borders at the adjacent sides, is part of the original:
  /// the original covers the strip, has a single tone there, and has a change of tone at the strip's inner edge if the
  /// edited picture has one.
  ///
  /// - Parameters:
  ///   - model: The model of the whole edited picture.
  ///   - side: The side of the strip.
  ///   - depth: The distance from that side at which the strip begins. It ends where the border ends.
  ///   - border: The border.
  private func isEven(
    _ model: GeometryModel, _ side: KeyPath<PictureBorder, Int>, from depth: Int, of border: PictureBorder
  ) -> Bool {
    let size = SIMD2(Double(edited.format.width), Double(edited.format.height))
    // The first and last position in the strip, in fractions.
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
    // The offset from the strip to an area equally deep inside the picture. The inner edge of the strip is blurred and
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
  /// - Parameter width: The width at all sides.
  fileprivate init(common width: Int) { (left, top, right, bottom) = (width, width, width, width) }
}

extension GeometryModel {
  /// Returns the model of the area within a border.
  ///
  /// - Parameters:
  ///   - border: The border.
  ///   - width: The number of columns of the edited picture with its border.
  ///   - height: The number of rows of the edited picture with its border.
  fileprivate func part(_ border: PictureBorder, _ width: Int, _ height: Int) -> GeometryModel {
    let unit = 2 * half / SIMD2(Double(width), Double(height))
    let first = center - half + unit * SIMD2(Double(border.left), Double(border.top))
    let last = center + half - unit * SIMD2(Double(border.right), Double(border.bottom))
    var part = self
    (part.center, part.half) = ((first + last) / 2, (last - first) / 2)
    return part
  }

  /// Returns the model of the whole edited picture, if this is the model of the area within a border.
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
