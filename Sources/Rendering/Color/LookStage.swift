import EditModel

/// Applies a look. The look's table works on values encoded with sRGB primaries and transfer function, as is usual for
/// `.cube` files.
///
/// Colours outside sRGB lie outside the table's domain. There the outermost cell is extrapolated by at most half the
/// domain's width.
struct LookStage: Sendable {
  private let curves: Lattice?
  private let lattice: Lattice?
  private let intensity: Double
  private let toSRGB: Matrix3
  private let toWorking: Matrix3

  init(_ look: Look) {
    let table = look.table
    curves = table.curves.map(Lattice.init)
    lattice = table.lattice.map(Lattice.init)
    intensity = look.intensity
    toWorking = Primaries.bt709.toWorking
    toSRGB = toWorking.inverse ?? .identity
  }

  @inline(__always)
  func apply(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let before = TransferFunction.sRGBEncoded(toSRGB * color)
    var after = before
    if let curves { after = curves.channels(after) }
    if let lattice { after = lattice.tetrahedral(after) }
    return toWorking * TransferFunction.sRGBLinear(before + intensity * (after - before))
  }
}

/// The numbers of a look table, with the information needed for interpolation.
private struct Lattice: Sendable {
  let size: Int
  let samples: [SIMD3<Double>]
  let minimum: SIMD3<Double>
  let scale: SIMD3<Double>

  init(_ grid: LookTable.Grid) {
    size = grid.size
    samples = stride(from: 0, to: grid.samples.count, by: 3).map { at in
      SIMD3((0..<3).map { Double(grid.samples[at + $0]) / 32768 - 0.5 })
    }
    minimum = SIMD3(grid.domainMinimum.map { Double($0) / 1_000_000 })
    scale = Double(grid.size - 1) / (SIMD3(grid.domainMaximum.map { Double($0) / 1_000_000 }) - minimum)
  }

  /// Returns the cell that contains a colour, and the position within the cell. For colours outside the domain, the
  /// position lies outside 0 to 1.
  @inline(__always)
  private func place(_ color: SIMD3<Double>) -> (cell: SIMD3<Int>, part: SIMD3<Double>, beyond: SIMD3<Double>)
  {
    let last = Double(size - 1)
    let wanted = (color - minimum) * scale
    let at = wanted.clamped(
      lowerBound: SIMD3(repeating: -0.5 * last), upperBound: SIMD3(repeating: 1.5 * last))
    let inside = at.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: last - 1))
    let cell = SIMD3<Int>(Int(inside.x), Int(inside.y), Int(inside.z))
    return (cell, at - SIMD3<Double>(Double(cell.x), Double(cell.y), Double(cell.z)), (wanted - at) / scale)
  }

  /// Applies the curve of each channel.
  @inline(__always)
  func channels(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let (cell, part, beyond) = place(color)
    let low = SIMD3(samples[cell.x].x, samples[cell.y].y, samples[cell.z].z)
    let high = SIMD3(samples[cell.x + 1].x, samples[cell.y + 1].y, samples[cell.z + 1].z)
    return low + (high - low) * part + beyond
  }

  /// Returns the value of a colour by tetrahedral interpolation along the edges of the cell. The first edge is parallel
  /// to the axis on which the colour's position is greatest.
  @inline(__always)
  func tetrahedral(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let (cell, part, beyond) = place(color)
    let (red, green, blue) = (1, size, size * size)
    let origin = cell.x + cell.y * green + cell.z * blue
    let (x, y, z) = (part.x, part.y, part.z)
    let first: Int
    let second: Int
    let ordered: (Double, Double, Double)
    if x >= y {
      if y >= z {
        (first, second, ordered) = (red, red + green, (x, y, z))
      } else if x >= z {
        (first, second, ordered) = (red, red + blue, (x, z, y))
      } else {
        (first, second, ordered) = (blue, blue + red, (z, x, y))
      }
    } else if x >= z {
      (first, second, ordered) = (green, green + red, (y, x, z))
    } else if y >= z {
      (first, second, ordered) = (green, green + blue, (y, z, x))
    } else {
      (first, second, ordered) = (blue, blue + green, (z, y, x))
    }
    let a = samples[origin] * (1 - ordered.0)
    let b = samples[origin + first] * (ordered.0 - ordered.1)
    let c = samples[origin + second] * (ordered.1 - ordered.2)
    let d = samples[origin + red + green + blue] * ordered.2
    return a + b + c + d + beyond
  }
}
