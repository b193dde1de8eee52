internal import CPixelKernels

/// A plane divided into overlapping blocks of 8×8 samples. The cosine transforms of the blocks are changed. Every
/// sample becomes the weighted mean of the results of all blocks that contain this sample (Yu and Sapiro, IPOL 2011).
/// Outside its edges, the plane is mirrored.
///
/// Rows are read and written in order, so a plane can be changed in place.
struct OverlappedBlocks {
  /// A function that reads a row as numbers in 8-bit codes.
  typealias Read = (_ row: Int, _ numbers: UnsafeMutablePointer<Float>) -> Void
  /// A function that receives a finished row.
  typealias Write = (_ row: Int, _ numbers: UnsafeMutablePointer<Float>) -> Void

  /// The kind of change to the blocks.
  enum Change {
    /// Drops coefficients that may be noise, except the mean.
    case shrinking
    /// Weights coefficients according to the coefficients of a plane that is nearly free of noise. The step is 2.
    case weighing(by: NumberRows<Float>)
    /// Multiplies coefficients that may be noise by the gain of their cell. The step is 4. The mean factor of all
    /// coefficients is stored for each cell in `shares`.
    case merging(gains: NumberRows<Float>, shares: NumberRows<Float>)
  }

  /// The width and height, in samples, of a cell. Cells are the unit for numbers that depend on position.
  static let cell = 8

  private let width: Int
  private let height: Int
  private let step: Int
  private let first: Int
  private let count: Int
  private let phase: Int
  /// The column of the cell at the centre of each block.
  private let cells: [Int]

  /// - Parameters:
  ///   - width: The width of the plane in samples, at least 1.
  ///   - height: The height of the plane in samples, at least 1.
  ///   - step: The distance between neighbouring blocks along both axes, in samples: 4, or 2 for a smoother result.
  init(width: Int, height: Int, step: Int) {
    (self.width, self.height, self.step) = (width, height, step)
    let first = step - 8
    let lanes = Int(BLOCK_LANES)
    count = ((width - first + step - 1) / step + lanes - 1) / lanes * lanes
    phase = count + 8 / step
    self.first = first
    let last = (width - 1) / Self.cell
    cells = (0..<count).map { min(max(first + $0 * step + 4, 0) / Self.cell, last) }
  }

  /// Creates a grid with one number per cell.
  static func cells(width: Int, height: Int) -> NumberRows<Float> {
    NumberRows(width: (width + cell - 1) / cell, count: (height + cell - 1) / cell)
  }

  /// Changes the plane.
  ///
  /// - Parameters:
  ///   - change: The kind of change.
  ///   - deviations: The standard deviations of the noise by frequency band, in 8-bit codes.
  ///   - multiple: The threshold below which a coefficient counts as noise, as a multiple of the standard deviation.
  ///   - scales: The squared factors of the standard deviations, for each cell.
  ///   - wanted: The rows to compute, or nil for all rows. The result for a row does not depend on this selection.
  func apply(
    _ change: Change, deviations: [Float], multiple: Float, scales: NumberRows<Float>,
    rows wanted: Range<Int>? = nil, read: Read, write: Write
  ) {
    let wanted = wanted ?? 0..<height
    // The first block that contains one of the rows.
    let skipped = max((wanted.lowerBound - 8 - first) / step, 0)
    var limits = [Float](repeating: 0, count: 64)
    block_limits(deviations, multiple, &limits)
    let line = NumberRows<Float>(width: width, count: 1)
    let tail = NumberRows<Float>(width: width, count: min(height, 8))
    for row in 0..<tail.count { read(height - tail.count + row, tail[row]) }
    let (rows, sums) = (
      NumberRows<Float>(width: phase * step, count: 8), NumberRows<Float>(width: phase * step, count: 8)
    )
    let pilots = NumberRows<Float>(width: phase * step, count: 8)
    let room = NumberRows<Float>(width: 8 * phase * step, count: 3)
    let weights = NumberRows<Float>(width: count, count: 8 / step, margin: 8 / step)
    let (factors, ones) = (
      NumberRows<Float>(width: count, count: 4), NumberRows<Float>(width: count, count: 1)
    )
    for index in 0..<count { ones[0][index] = 1 }
    var loaded = first + skipped * step
    for top in stride(from: loaded, to: wanted.upperBound, by: step) {
      let number = (top - first) / step
      while loaded < top + 8 {
        let row = Self.mirrored(loaded, height)
        let place = row - (height - tail.count)
        if place < 0 { read(row, line[0]) }
        let slot = (loaded - first) % 8
        block_split(
          place < 0 ? line[0] : tail[place], Int64(width), Int64(first), Int32(step), Int64(phase), rows[slot]
        )
        if case .weighing(let pilot) = change {
          block_split(pilot[row], Int64(width), Int64(first), Int32(step), Int64(phase), pilots[slot])
        }
        sums.clear(slot)
        loaded += 1
      }
      let slots = (0..<8).map { (top - first + $0) % 8 }
      let near = slots.map { UnsafePointer<Float>?(rows[$0]) }
      let nearPilots = slots.map { UnsafePointer<Float>?(pilots[$0]) }
      let results = slots.map { UnsafeMutablePointer<Float>?(sums[$0]) }
      let cellRow = min(max(top + 4, 0) / Self.cell, scales.count - 1)
      spread(scales[cellRow], to: factors[0])
      near.withUnsafeBufferPointer { near in
        nearPilots.withUnsafeBufferPointer { pilots in
          results.withUnsafeBufferPointer { results in
            var blocks = BlockRows(
              rows: near.baseAddress, sums: results.baseAddress, frequencies: room[0], changed: room[1],
              pilots: pilots.baseAddress, pilot_frequencies: room[2], phase: Int64(phase), step: Int32(step))
            let own = weights[number % (8 / step)]
            switch change {
            case .shrinking: block_shrink(&blocks, Int64(count), limits, factors[0], own)
            case .weighing: block_weigh(&blocks, Int64(count), limits, factors[0], own)
            case .merging(let gains, _):
              spread(gains[cellRow], to: factors[2])
              block_merge(&blocks, Int64(count), limits, factors[0], factors[2], factors[3])
            }
          }
        }
      }
      switch change {
      case .shrinking, .weighing:
        let all = (0..<8 / step).map { UnsafePointer<Float>?(weights[$0]) }
        block_inverse_weights(all, Int32(step), Int64(count), factors[1])
      case .merging(_, let shares):
        // Values are stored only for blocks that coincide with a cell.
        guard top >= 0, top % Self.cell == 0 else { break }
        for cell in 0..<shares.width {
          shares[top / Self.cell][cell] = factors[3][(cell * Self.cell - first) / step]
        }
      }
      let done = max(top, wanted.lowerBound)..<max(min(top + step, wanted.upperBound), top, wanted.lowerBound)
      for row in done {
        let factor = if case .merging = change { ones[0] } else { factors[1] }
        block_join(
          sums[(row - first) % 8], factor, Int64(width), Int64(first), Int32(step), Int64(phase), line[0])
        write(row, line[0])
      }
    }
  }

  private func spread(_ numbers: UnsafeMutablePointer<Float>, to blocks: UnsafeMutablePointer<Float>) {
    cells.withUnsafeBufferPointer { cells in
      for index in 0..<count { blocks[index] = numbers[cells[index]] }
    }
  }

  private static func mirrored(_ row: Int, _ count: Int) -> Int {
    let place = ((row % (2 * count)) + 2 * count) % (2 * count)
    return place < count ? place : 2 * count - 1 - place
  }
}
