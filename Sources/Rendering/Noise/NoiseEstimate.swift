internal import CPixelKernels

/// The noise of a plane: its standard deviation by frequency band, and its dependence on luma level.
///
/// The estimate is the energy of the flattest blocks of 8×8 samples in each band. One half of each block's coefficients
/// is used to select blocks, and the other half to measure the energy, because the lowest of many energies would be
/// below the mean. Slightly less flat blocks serve to distinguish texture from noise: these blocks contain more
/// texture, but the same noise.
struct NoiseEstimate {
  /// The standard deviations in 8-bit codes: first the standard deviation of the mean, then those of the bands in the
  /// order of `block_energies`.
  var deviations = [Float](repeating: 0, count: Self.bands + 1)
  /// The factors of the standard deviations at eight luma levels, from 16 to 240.
  var levels = [Float](repeating: 1, count: 8)

  private static let bands = 9
  /// The number of coefficients per band in the first half, and in the second half.
  private static let counts: [[Float]] = [[1, 2, 3, 5, 2, 7, 5, 3, 3], [2, 2, 2, 4, 6, 4, 6, 4, 2]]
  /// The maximum number of blocks that are evaluated.
  private static let mostBlocks = 12_000
  private static let leastBlocks = 64
  /// The first of the bands that are used to compare levels. These bands contain the least texture.
  private static let fineBand = 4

  /// Creates an estimate without noise.
  init() {}

  /// The mean of the squared standard deviations of all coefficients, except for the mean coefficient of a block.
  var variance: Float {
    let counts = zip(Self.counts[0], Self.counts[1]).map(+)
    let sum = zip(counts, deviations.dropFirst()).reduce(Float(0)) { $0 + $1.0 * $1.1 * $1.1 }
    return sum / counts.reduce(0, +)
  }

  /// - Parameters:
  ///   - width: The number of columns in the plane.
  ///   - height: The number of rows in the plane.
  ///   - levels: The luma levels of the picture.
  ///   - read: A function that reads a row.
  init(width: Int, height: Int, levels: LevelCells, read: OverlappedBlocks.Read) {
    let (across, down) = (width / 8, height / 8)
    guard across > 0, across * down >= Self.leastBlocks else { return }
    let every = (across * down + Self.mostBlocks - 1) / Self.mostBlocks
    let blocks = Blocks(width: width, rows: Array(stride(from: every / 2, to: down, by: every)), read: read)
    guard blocks.count >= Self.leastBlocks else { return }
    var blockLevels = [Float](repeating: 0, count: blocks.count)
    levels.forEach(inPlane: width, height) { row, column, level in
      guard row % every == every / 2, row < down, column < across else { return }
      let index = row / every * across + column
      if index < blocks.count { blockLevels[index] = level }
    }
    let orders = [blocks.order(0), blocks.order(1)]
    // Clipping at black and white hides noise. The stronger the noise, the farther the evaluated blocks must be from
    // black and white.
    let enough = max(blocks.count / 20, Self.leastBlocks)
    var margin: Float = 4
    for _ in 0..<4 {
      let usable = (levels.black + margin)...max(levels.white - margin, levels.black + margin)
      let chosen = orders.map { $0.filter { usable ~= blockLevels[$0] } }
      guard let count = chosen.first?.count, count >= enough else { break }
      setDeviations(blocks, chosen)
      let wanted = 4 * (deviations[Self.fineBand...].max() ?? 0)
      guard wanted > margin else { break }
      margin = wanted
    }
    setLevels(blocks, orders, blockLevels)
  }

  private mutating func setDeviations(_ blocks: Blocks, _ orders: [[Int]]) {
    let count = orders[0].count
    let few = min(max(24, count / 200), count)
    let many = min(max(48, count / 10), count)
    func deviation(_ band: Int, _ number: Int) -> Float {
      let energy = (0..<2).reduce(Float(0)) { sum, half in
        sum + blocks.mean(half: 1 - half, band, orders[half].prefix(number)) / 2
      }
      return energy.squareRoot()
    }
    var finer = deviation(Self.bands - 1, few)
    deviations[Self.bands] = finer
    for band in (0..<Self.bands - 1).reversed() {
      let (flattest, flat) = (deviation(band, few), deviation(band, many))
      // If flat blocks have more energy than the flattest blocks, the difference is texture. The noise is then hardly
      // stronger than in the band above.
      let likeness = flattest / max(flat, 1e-6)
      let growth = 1.03 + 0.87 * min(max((likeness - 0.78) / 0.15, 0), 1)
      finer = min(flattest, finer * growth)
      deviations[band + 1] = finer
    }
    deviations[0] = deviations[1]
  }

  private mutating func setLevels(_ blocks: Blocks, _ orders: [[Int]], _ blockLevels: [Float]) {
    let bins = blockLevels.map { min(max(Int($0) / 32, 0), levels.count - 1) }
    var found: [Float?] = []
    for bin in levels.indices {
      let members = orders.map { $0.filter { bins[$0] == bin } }
      let count = members[0].count
      guard count >= 300 else {
        found.append(nil)
        continue
      }
      func factor(_ number: Int) -> Float {
        let ratio = (0..<2).reduce(Float(0)) { sum, half in
          sum + relativeEnergy(blocks, half: 1 - half, members[half].prefix(number)) / 2
        }
        return ratio.squareRoot()
      }
      let (flattest, flat) = (factor(max(12, count / 50)), factor(count / 5))
      let likeness = flattest / max(flat, 1e-6)
      found.append(min(flattest, 1 + min(max((likeness - 0.9) / 0.08, 0), 1)))
    }
    levels = Self.interpolated(found)
  }

  /// Returns the energy of the fine bands as a multiple of the noise energy.
  private func relativeEnergy(_ blocks: Blocks, half: Int, _ chosen: ArraySlice<Int>) -> Float {
    var (sum, count) = (Float(0), Float(0))
    for band in Self.fineBand..<Self.bands {
      let deviation = max(deviations[band + 1], 0.05)
      let weight = Self.counts[half][band]
      sum += weight * blocks.mean(half: half, band, chosen) / (deviation * deviation)
      count += weight
    }
    return sum / count
  }

  /// Returns the list with missing numbers interpolated from neighbouring numbers.
  private static func interpolated(_ found: [Float?]) -> [Float] {
    found.indices.map { index in
      if let number = found[index] { return number }
      let before = found[..<index].lastIndex { $0 != nil }
      let after = found[index...].firstIndex { $0 != nil }
      let (low, high) = (before ?? after, after ?? before)
      guard let low, let high, let one = found[low], let other = found[high] else { return 1 }
      guard high > low else { return one }
      return one + (other - one) * Float(index - low) / Float(high - low)
    }
  }

  /// The squared factors at levels from 0 to 255.
  var squaresByLevel: [Float] {
    (0..<256).map { level in
      let place = min(max((Float(level) - 16) / 32, 0), Float(levels.count - 1))
      let first = min(Int(place), levels.count - 2)
      let factor = levels[first] + (levels[first + 1] - levels[first]) * (place - Float(first))
      return max(factor * factor, 1e-3)
    }
  }
}

extension NoiseEstimate {
  /// The energies of the selected blocks in a plane.
  private struct Blocks {
    /// The number of blocks.
    let count: Int
    /// The energies of all blocks, for each half and band.
    private let energies: [[Float]]

    init(width: Int, rows: [Int], read: OverlappedBlocks.Read) {
      let across = width / 8
      count = across * rows.count
      let total = count
      var energies = [[Float]](repeating: [], count: 2 * NoiseEstimate.bands)
      for index in energies.indices { energies[index].reserveCapacity(total) }
      let lines = NumberRows<Float>(width: width, count: 8)
      let near = (0..<8).map { UnsafePointer<Float>?(lines[$0]) }
      var some = [Float](repeating: 0, count: across * 2 * NoiseEstimate.bands)
      for row in rows {
        for y in 0..<8 { read(row * 8 + y, lines[y]) }
        block_energies(near, Int64(across), 8, &some)
        for index in energies.indices { energies[index] += some[index * across..<(index + 1) * across] }
      }
      self.energies = energies
    }

    /// Returns the blocks in order, starting with the flattest. Flatness is judged by one half of the coefficients.
    func order(_ half: Int) -> [Int] {
      var sums = [Float](repeating: 0, count: count)
      for band in 0..<NoiseEstimate.bands {
        let weight = NoiseEstimate.counts[half][band]
        let some = energies[half * NoiseEstimate.bands + band]
        for index in 0..<count { sums[index] += weight * some[index] }
      }
      return sums.indices.sorted { (sums[$0], $0) < (sums[$1], $1) }
    }

    func mean(half: Int, _ band: Int, _ chosen: ArraySlice<Int>) -> Float {
      let some = energies[half * NoiseEstimate.bands + band]
      return chosen.reduce(Float(0)) { $0 + some[$1] } / Float(max(chosen.count, 1))
    }
  }
}
