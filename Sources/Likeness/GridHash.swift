import EditModel
import Glibc

/// A perceptual hash of a picture: the signs of the 64 lowest-frequency coefficients, except the mean, of a type II
/// discrete cosine transform (N. Ahmed, T. Natarajan and K. R. Rao, “Discrete Cosine Transform”, 1974).
struct GridHash: Sendable {
  /// The signs, one bit per coefficient, with the lowest frequency first.
  let bits: UInt64
  /// For each group of 16 bits, the indices of the bits that small changes can flip, because their coefficients are
  /// weakest.
  let weak: [[Int]]

  /// The number of parts of the hash that are used as index keys.
  static let bands = 4
  /// The number of bits in a part.
  private static let bitsOfBand = 16
  /// The number of weak bits in a part. These bits may differ.
  private static let weakOfBand = 3
  /// The number of frequencies per axis that are calculated.
  private static let waves = 11

  /// The coefficients by column and row, with the lowest frequency first.
  private static let order: [(x: Int, y: Int)] = {
    var order: [(x: Int, y: Int)] = []
    for sum in 1..<waves {
      for y in 0...sum { order.append((x: sum - y, y: y)) }
    }
    return Array(order.prefix(bands * bitsOfBand))
  }()

  /// The values of all basis functions along an axis, one function after another.
  private static let basis: [Float] = {
    var basis: [Float] = []
    let side = PictureGrid.side
    for wave in 0..<waves {
      let factor: Double = wave == 0 ? 0.5.squareRoot() : 1
      for place in 0..<side {
        let angle = Double.pi * (Double(place) + 0.5) * Double(wave) / Double(side)
        basis.append(Float(cos(angle) * factor))
      }
    }
    return basis
  }()

  /// - Parameter grid: The reduced picture, in the orientation to search for.
  init(_ grid: ComparedGrid) {
    let (side, waves, basis) = (PictureGrid.side, Self.waves, Self.basis)
    // The rows are transformed first, then the columns of the result.
    var lines = [Float](repeating: 0, count: side * waves)
    for y in 0..<side {
      for wave in 0..<waves {
        var sum: Float = 0
        for x in 0..<side { sum += Float(grid.luma[y * side + x]) * basis[wave * side + x] }
        lines[y * waves + wave] = sum
      }
    }
    var values: [Float] = []
    for wave in Self.order {
      var sum: Float = 0
      for y in 0..<side { sum += lines[y * waves + wave.x] * basis[wave.y * side + y] }
      values.append(sum)
    }
    var bits: UInt64 = 0
    for (place, value) in values.enumerated() where value > 0 { bits |= 1 << UInt64(place) }
    self.bits = bits
    weak = (0..<Self.bands).map { band in
      let places = band * Self.bitsOfBand..<(band + 1) * Self.bitsOfBand
      return places.sorted { abs(values[$0]) < abs(values[$1]) }.prefix(Self.weakOfBand).sorted()
    }
  }

  /// The keys under which the picture is indexed, one key for each part of the hash.
  var keys: [UInt32] { (0..<Self.bands).map { Self.key(bits, $0) } }

  /// The keys under which similar pictures may be indexed. For each part of the hash, these are all combinations of its
  /// weakest bits.
  var probes: [UInt32] {
    var probes: [UInt32] = []
    for band in 0..<Self.bands {
      for choice in 0..<1 << weak[band].count {
        var changed = bits
        for (number, place) in weak[band].enumerated() where choice >> number & 1 == 1 {
          changed ^= 1 << UInt64(place)
        }
        probes.append(Self.key(changed, band))
      }
    }
    return probes
  }

  /// Returns the number of differing signs between two pictures.
  func distance(to other: GridHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

  private static func key(_ bits: UInt64, _ band: Int) -> UInt32 {
    let part = bits >> UInt64(band * bitsOfBand) & 0xFFFF
    return UInt32(band) << 16 | UInt32(part)
  }
}
