import EditModel
import Glibc

/// A perceptual hash of a picture: the signs of its 64 coarsest waves, those of a discrete cosine transform of type II
/// (N. Ahmed, T. Natarajan and K. R. Rao, “Discrete Cosine Transform”, 1974), without the mean.
struct GridHash: Sendable {
  /// The signs, one bit a wave, the coarsest first.
  let bits: UInt64
  /// Of each sixteen bits the places of those whose waves are weakest, which little changes.
  let weak: [[Int]]

  /// The parts of a hash by which pictures are found.
  static let bands = 4
  /// Bits of a part.
  private static let bitsOfBand = 16
  /// Bits of a part that may differ.
  private static let weakOfBand = 3
  /// Waves along an axis that are looked at.
  private static let waves = 11

  /// The waves by columns and rows, the coarsest first.
  private static let order: [(x: Int, y: Int)] = {
    var order: [(x: Int, y: Int)] = []
    for sum in 1..<waves {
      for y in 0...sum { order.append((x: sum - y, y: y)) }
    }
    return Array(order.prefix(bands * bitsOfBand))
  }()

  /// The values of a wave along an axis, one wave after the other.
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

  /// - Parameter grid: the picture, as it is to be found.
  init(_ grid: ComparedGrid) {
    let (side, waves, basis) = (PictureGrid.side, Self.waves, Self.basis)
    // Along rows first, then along the columns of what that gives.
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

  /// The numbers under which the picture is kept, one for each part.
  var keys: [UInt32] { (0..<Self.bands).map { Self.key(bits, $0) } }

  /// The numbers under which pictures like it are kept: those of each part, with its weakest bits one way and the other.
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

  /// The number of signs in which two pictures differ.
  func distance(to other: GridHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

  private static func key(_ bits: UInt64, _ band: Int) -> UInt32 {
    let part = bits >> UInt64(band * bitsOfBand) & 0xFFFF
    return UInt32(band) << 16 | UInt32(part)
  }
}
