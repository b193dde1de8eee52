/// The colours that an encoding can hold, and the way back into them: less chroma at the same hue and lightness.
struct Gamut: Sendable {
  private let toChannels: Matrix3
  private let peak: Double
  /// The lightness of the brightest white.
  private let top: Double
  private let space = Oklab()

  /// The share of the greatest chroma above which chroma is held back, ever more strongly.
  private static let knee = 0.8

  /// - Parameter encoding: the encoding.
  /// - Returns: nil where colours are tables of a profile, which end of themselves.
  init?(_ encoding: ColorEncoding) {
    guard case .matrix(_, _, _, _, let fromWorking) = encoding.space else { return nil }
    toChannels = fromWorking
    peak = encoding.peak
    top = Roots.cube(peak)
  }

  /// A colour that fits, with as much of its chroma as has room. What was near the gamut's end before, or beyond it,
  /// may be so after as well.
  ///
  /// - Parameters:
  ///   - color: linear light in the working space.
  ///   - original: what it was before the edit.
  @inline(__always)
  func broughtBack(_ color: SIMD3<Double>, from original: SIMD3<Double>) -> SIMD3<Double> {
    var lab = space.lab(color)
    if holds(lab, 1 / Self.knee), lab.x < top { return color }
    var before = space.lab(original)
    if lab.x >= top, before.x < top {
      lab = [top, 0, 0]
      return space.color(lab)
    }
    // What is brighter than white counts as white nearly has.
    before.x = min(before.x, 0.995 * top)
    let limit = share(of: before)
    let wanted = share(of: lab)
    let knee = max(limit, Self.knee)
    guard wanted > knee else { return color }
    var kept = knee
    if knee < 1 {
      let t = (wanted - knee) / (1 - knee)
      kept += (1 - knee) * t / (1 + t)
    }
    lab.y *= kept / wanted
    lab.z *= kept / wanted
    return space.color(lab)
  }

  /// True if a colour with so much of its chroma is one that can be encoded.
  @inline(__always)
  private func holds(_ lab: SIMD3<Double>, _ share: Double) -> Bool {
    let channels = toChannels * space.color([lab.x, lab.y * share, lab.z * share])
    return channels.min() >= -1e-7 && channels.max() <= peak * (1 + 1e-7)
  }

  /// The chroma of a colour as a share of the greatest at its hue and lightness; less than the knee counts as 0.
  private func share(of lab: SIMD3<Double>) -> Double {
    var (inside, outside) = (0.0, 1 / Self.knee)
    if holds(lab, outside) { return 0 }
    for _ in 0..<18 {
      let middle = (inside + outside) / 2
      if holds(lab, middle) { inside = middle } else { outside = middle }
    }
    return 1 / max(inside, 1e-4)
  }
}
