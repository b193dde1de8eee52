/// Searches a sequence of pictures for the one that shows the same scene as a photo, even if sizes, exposures and
/// aspect ratios differ.
package struct FrameSearch {
  /// The number of columns and of rows in the grid on which pictures are compared. A cell covers a few dozen pixels, so
  /// that a small shift affects the result but noise does not.
  private static let side = 64
  /// The fractions of the photo's width and height that a movie may show. Video stabilisation and video crops cut off
  /// the borders.
  private static let zooms = [1.0, 0.96, 0.92, 0.88, 0.84, 0.8]

  private let photo: PlanarFrame
  private var candidates: [[Double]] = []
  private var details: [[Double]] = []
  private var shape = 0.0

  /// The index of the best frame so far, and its similarity to the photo, from -1 to 1.
  package private(set) var best: (index: Int, likeness: Double)?
  private var count = 0

  /// - Parameter photo: The photo, upright.
  package init(photo: PlanarFrame) {
    self.photo = photo
  }

  /// Compares the next frame with the photo.
  ///
  /// - Parameter frame: The frame, upright.
  /// - Returns: The similarity of the fine detail in the frame and in the photo, from -1 to 1. This value, unlike
  ///   ``best``, tells whether both show the same scene: pictures of different scenes can be dark and light in the same
  ///   regions, but their fine detail differs.
  @discardableResult package mutating func look(at frame: PlanarFrame) -> Double {
    if candidates.isEmpty {
      shape = Double(frame.format.width) / Double(frame.format.height)
      let grids = Self.zooms.map { Self.grid(photo, shape: shape, zoom: $0) }
      (candidates, details) = (grids.map(Self.normalized), grids.map { Self.normalized(Self.detail($0)) })
    }
    let grid = Self.grid(frame, shape: shape, zoom: 1)
    let likeness = Self.likeness(candidates, Self.normalized(grid))
    if best.map({ likeness > $0.likeness }) ?? true { best = (count, likeness) }
    count += 1
    return Self.likeness(details, Self.normalized(Self.detail(grid)))
  }

  private static func likeness(_ candidates: [[Double]], _ seen: [Double]) -> Double {
    candidates.map { zip($0, seen).reduce(0) { $0 + $1.0 * $1.1 } }.max() ?? -1
  }

  /// Returns a grid after subtracting from each cell the mean of its surroundings, which are nine cells wide.
  private static func detail(_ grid: [Double]) -> [Double] {
    let surroundings = smoothed(smoothed(grid, step: 1), step: side)
    return zip(grid, surroundings).map { $0 - $1 }
  }

  /// Returns means over nine cells along a line, or fewer cells near the ends of the line.
  ///
  /// - Parameter step: The distance from a cell to the next cell in its line.
  private static func smoothed(_ grid: [Double], step: Int) -> [Double] {
    let reach = 4
    var result = grid
    for line in 0..<side {
      let start = step == 1 ? line * side : line
      for cell in 0..<side {
        let window = max(cell - reach, 0)...min(cell + reach, side - 1)
        result[start + cell * step] =
          window.reduce(0) { $0 + grid[start + $1 * step] } / Double(window.count)
      }
    }
    return result
  }

  /// Returns mean luma values for the cells of the grid. The grid covers the largest centred area that has the given
  /// aspect ratio, multiplied by the zoom factor in width and height.
  private static func grid(_ frame: PlanarFrame, shape: Double, zoom: Double) -> [Double] {
    let (width, height) = (Double(frame.format.width), Double(frame.format.height))
    func cells(_ all: Int, _ part: Double) -> [Range<Int>] {
      let start = (Double(all) - part) / 2
      let edges = (0...side).map { min(max(Int(start + part * Double($0) / Double(side)), 0), all) }
      // Each range of samples is within the plane and contains at least one sample.
      return (0..<side).map { cell in
        let first = min(edges[cell], all - 1)
        return first..<max(edges[cell + 1], first + 1)
      }
    }
    let columns = cells(frame.format.width, min(width, height * shape) * zoom)
    let rows = cells(frame.format.height, min(height, width / shape) * zoom)
    return rows.flatMap { row in columns.map { frame.meanLuma(columns: $0, rows: row) } }
  }

  /// Returns the values after shifting and scaling them to a mean of 0 and a length of 1, so that products of two grids
  /// are correlations.
  private static func normalized(_ values: [Double]) -> [Double] {
    let mean = values.reduce(0, +) / Double(max(values.count, 1))
    let length = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
    return values.map { length > 0 ? ($0 - mean) / length : 0 }
  }
}
