import Glibc

/// Finds the picture of a sequence that shows what another picture shows, whatever their sizes, exposures and shapes.
public struct FrameSearch {
  /// Columns and rows of the grid on which pictures are compared: cells of a few dozen pixels, so that noise does not
  /// count and a small shift does.
  private static let side = 64
  /// The shares of the photo that a movie may show: stabilisation and crops of video cut off its borders.
  private static let zooms = [1.0, 0.96, 0.92, 0.88, 0.84, 0.8]

  private let photo: PlanarFrame
  private var candidates: [[Double]] = []
  private var shape = 0.0

  /// The index of the best frame so far, and how much it resembles the photo: from -1 to 1.
  public private(set) var best: (index: Int, likeness: Double)?
  private var count = 0

  /// - Parameter photo: upright.
  public init(photo: PlanarFrame) {
    self.photo = photo
  }

  /// Looks at the next frame.
  ///
  /// - Parameter frame: upright.
  public mutating func look(at frame: PlanarFrame) {
    if candidates.isEmpty {
      shape = Double(frame.format.width) / Double(frame.format.height)
      candidates = Self.zooms.map { Self.normalized(Self.grid(photo, shape: shape, zoom: $0)) }
    }
    let seen = Self.normalized(Self.grid(frame, shape: shape, zoom: 1))
    let likeness = candidates.map { zip($0, seen).reduce(0) { $0 + $1.0 * $1.1 } }.max() ?? -1
    if best.map({ likeness > $0.likeness }) ?? true { best = (count, likeness) }
    count += 1
  }

  /// Means of luma on the grid, over the largest centred part of a shape, and of that so much in each direction.
  private static func grid(_ frame: PlanarFrame, shape: Double, zoom: Double) -> [Double] {
    guard let luma = frame.planes.first else { return [] }
    let (width, height) = (Double(luma.width), Double(luma.height))
    let across = min(width, height * shape) * zoom
    let down = min(height, width / shape) * zoom
    func edges(_ all: Int, _ part: Double) -> [Int] {
      let start = (Double(all) - part) / 2
      return (0...side).map { min(max(Int(start + part * Double($0) / Double(side)), 0), all) }
    }
    let (columns, rows) = (edges(luma.width, across), edges(luma.height, down))
    let isWide = frame.format.bytesPerSample == 2
    var means: [Double] = []
    means.reserveCapacity(side * side)
    for row in 0..<side {
      for column in 0..<side {
        // At least one sample, within the plane.
        let left = min(columns[column], luma.width - 1)
        let right = max(columns[column + 1], left + 1)
        let top = min(rows[row], luma.height - 1)
        let bottom = max(rows[row + 1], top + 1)
        var sum = 0
        for y in top..<bottom {
          let line = luma.base + y &* luma.stride
          if isWide {
            for x in left..<right { sum &+= Int(line.load(fromByteOffset: 2 &* x, as: UInt16.self)) }
          } else {
            for x in left..<right { sum &+= Int(line.load(fromByteOffset: x, as: UInt8.self)) }
          }
        }
        means.append(Double(sum) / Double((right - left) * (bottom - top)))
      }
    }
    return means
  }

  /// With mean 0 and length 1, so that products are correlations.
  private static func normalized(_ values: [Double]) -> [Double] {
    let mean = values.reduce(0, +) / Double(max(values.count, 1))
    let length = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
    return values.map { length > 0 ? ($0 - mean) / length : 0 }
  }
}
