import EditModel
import Rendering

extension PictureFit {
  /// How even the original is where it shows what a strip of one tone shows, the deviation on the scale of 8 bits a sample: where
  /// no side has a border, and where others have a narrower one.
  private static let evenness = (whole: Float(8), part: Float(30))
  /// The outer share of a strip that is looked at.
  private static let sharp = 0.7
  /// The step of tones, on the scale of 8 bits a sample, from a strip to what is beside it that only a border has, and the share
  /// of it that the original may have there.
  private static let step = (edited: Float(30), share: Float(0.25))

  /// Fits the model to what lies within a border.
  ///
  /// A strip of one tone at a side of the edited picture is no border where the original, too, has one there.
  ///
  /// - Parameter model: about how all of the edited picture lies in the original.
  /// - Returns: the pictures without the border, and the refined model of what is left; nil where nothing is found.
  func withoutBorder(_ model: GeometryModel) -> (PictureFit, Result?) {
    let (width, height) = (edited.format.width, edited.format.height)
    let border = PictureBorder(GreyPlane(edited))
    guard !border.isNone, let inner = without(border).refined(model.part(border, width, height)) else {
      return (self, settled(model))
    }
    // The same model for all of the picture tells what the original shows at its sides.
    let whole = inner.model.whole(border, width, height)
    let kept = PictureBorder(common: border.common)
    var found = border
    for side in [\PictureBorder.left, \.top, \.right, \.bottom] where border[keyPath: side] > 0 {
      // Less of a border where the other sides have less, none where the picture itself is even.
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

  /// The pictures with less of the edited one.
  private func without(_ border: PictureBorder) -> PictureFit {
    var fit = self
    fit.content = (
      border.left, border.top, edited.format.width - border.left - border.right,
      edited.format.height - border.top - border.bottom
    )
    return fit
  }

  /// True if the original covers a strip of the edited picture between the borders beside it, is of one tone there, and has a
  /// step of tones at its inner edge if the edited picture has one.
  ///
  /// - Parameters:
  ///   - model: of all of the edited picture.
  ///   - side: where the strip is.
  ///   - depth: how far from that side it begins; it ends where the border does.
  ///   - border: the border.
  private func isEven(
    _ model: GeometryModel, _ side: KeyPath<PictureBorder, Int>, from depth: Int, of border: PictureBorder
  ) -> Bool {
    let size = SIMD2(Double(edited.format.width), Double(edited.format.height))
    // First and last place of the strip, in fractions.
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
    // From the strip to what lies as deep within the picture; the strip's inner edge is blurred.
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
  /// - Parameter width: the width of all sides.
  fileprivate init(common width: Int) { (left, top, right, bottom) = (width, width, width, width) }
}

extension GeometryModel {
  /// The model of what lies within a border.
  ///
  /// - Parameters:
  ///   - border: the border.
  ///   - width: columns of the edited picture with it.
  ///   - height: its rows.
  fileprivate func part(_ border: PictureBorder, _ width: Int, _ height: Int) -> GeometryModel {
    let unit = 2 * half / SIMD2(Double(width), Double(height))
    let first = center - half + unit * SIMD2(Double(border.left), Double(border.top))
    let last = center + half - unit * SIMD2(Double(border.right), Double(border.bottom))
    var part = self
    (part.center, part.half) = ((first + last) / 2, (last - first) / 2)
    return part
  }

  /// The model of all of the edited picture, this being that of what lies within a border.
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
