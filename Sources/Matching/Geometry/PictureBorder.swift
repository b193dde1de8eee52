import EditModel
import Rendering

/// The widths, in samples, of single-tone strips at the four sides of a picture. A strip is either a border or a
/// uniform part of the picture.
struct PictureBorder: Hashable, Sendable {
  /// The width of the strip at the left side.
  var left = 0
  /// The width of the strip at the top.
  var top = 0
  /// The width of the strip at the right side.
  var right = 0
  /// The width of the strip at the bottom.
  var bottom = 0

  /// The tolerated differences between tones within a border, scaled to 8 bits per sample: in the outer half of the
  /// border, and near its inner edge, which JPEG blurs.
  private static let tolerance = (outer: Float(6), inner: Float(10))
  /// The tolerated fraction of samples in a row with greater differences. In borders narrower than JPEG blocks, noise
  /// occurs everywhere.
  private static let stray = (outer: 0.02, inner: 0.005)
  /// The fraction of differing samples above which a row belongs to the picture.
  private static let picture = 0.15
  /// The number of rows in a JPEG block.
  private static let block = 8
  /// The maximum width of a border, as a fraction of the picture's width or height.
  private static let most = 0.3

  /// Creates an instance without borders.
  init() {}

  /// Finds single-tone strips, assuming the same width at all sides that have a border.
  ///
  /// - Parameter plane: The picture.
  init(_ plane: GreyPlane) {
    let (width, height) = (plane.width, plane.height)
    // Each line of the picture is described by the index of its first sample and the distance between its samples. If
    // the picture does not begin with a sharp edge, either the picture is uniform there or the border ends there; the
    // result is then unknown.
    func depth(_ lines: Int, _ count: Int, _ place: (Int) -> (first: Int, step: Int)) -> Int? {
      let first = place(0)
      let line = (0..<count).map { plane.samples[first.first + $0 * first.step] }.sorted()
      let tone = line[count / 2]
      let most = Int(Double(lines) * Self.most)
      func share(_ depth: Int, _ tolerance: Float) -> Double {
        let (first, step) = place(depth)
        let strays = (0..<count).count { abs(plane.samples[first + $0 * step] - tone) > tolerance }
        return Double(strays) / Double(count)
      }
      let end = (0..<most).first { share($0, Self.tolerance.inner) > Self.stray.inner }
      guard let end, end > 2,
        (0..<end / 2).allSatisfy({ share($0, Self.tolerance.outer) <= Self.stray.outer })
      else { return 0 }
      // JPEG blocks spread a little of the picture into the border. The picture begins at the first line that contains
      // a large part of the picture.
      return (end..<min(end + Self.block, most)).first { share($0, Self.tolerance.inner) > Self.picture }
    }
    let depths = [
      depth(width, height) { ($0, width) }, depth(height, width) { ($0 * width, 1) },
      depth(width, height) { (width - 1 - $0, width) },
      depth(height, width) { ((height - 1 - $0) * width, 1) },
    ]
    let known = depths.compactMap { $0 }.filter { $0 > 0 }.sorted()
    let common = known.count > 1 && known[1] - known[0] <= 1 ? known[0] : 0
    (left, top, right, bottom) = (
      depths[0] ?? common, depths[1] ?? common, depths[2] ?? common, depths[3] ?? common
    )
  }

  /// Whether the picture has no border.
  var isNone: Bool { self == PictureBorder() }

  /// The smallest width if at least two sides have this width to within one sample; otherwise 0.
  var common: Int {
    let sides = [left, top, right, bottom].sorted()
    return sides[1] - sides[0] <= 1 ? sides[0] : 0
  }
}
