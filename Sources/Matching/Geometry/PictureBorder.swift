import EditModel
import Rendering

/// How wide the strips of one tone are at the sides of a picture, in samples: a border, or a part of the picture that is even.
struct PictureBorder: Hashable, Sendable {
  /// At the left side.
  var left = 0
  /// At the upper side.
  var top = 0
  /// At the right side.
  var right = 0
  /// At the lower side.
  var bottom = 0

  /// How far tones of a border may differ, on the scale of 8 bits a sample: in the outer half of it, and where JPEG blurs its
  /// edge.
  private static let tolerance = (outer: Float(6), inner: Float(10))
  /// The share of a row that may differ more: JPEG brings noise into the whole of a border narrower than its blocks.
  private static let stray = (outer: 0.02, inner: 0.005)
  /// The share of a row that tells that it is the picture's.
  private static let picture = 0.15
  /// Rows of a block of JPEG.
  private static let block = 8
  /// The share of the picture's side that a border may have.
  private static let most = 0.3

  /// No border.
  init() {}

  /// Looks for strips of one tone, the same at all sides that have one.
  ///
  /// - Parameter plane: the picture.
  init(_ plane: GreyPlane) {
    let (width, height) = (plane.width, plane.height)
    // Lines of the picture, by the number of their first sample and the distance of their samples. Where the picture does not
    // begin at once, it is not known whether it is even or the border ends there.
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
      // JPEG's blocks bring a little of the picture into the border; where the picture begins, there is much of it.
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

  /// True if there is none.
  var isNone: Bool { self == PictureBorder() }

  /// A width that at least two sides have, to a sample, and none falls short of; 0 where there is none.
  var common: Int {
    let sides = [left, top, right, bottom].sorted()
    return sides[1] - sides[0] <= 1 ? sides[0] : 0
  }
}
