/// The colours that an encoding can express. Chroma is reduced to bring other colours into this gamut, without changing
/// their hue and lightness.
struct Gamut: Sendable {
  private let toChannels: Matrix3
  private let peak: Double
  /// The lightness of the brightest white.
  private let top: Double
  private let space = Oklab()

  /// The fraction of the maximum chroma above which chroma is increasingly compressed.
  private static let knee = 0.8

  /// - Parameter encoding: The encoding.
  /// - Returns: Nil if a profile describes colours as tables, because such tables already clip colours.
  init?(_ encoding: ColorEncoding) {
    guard case .matrix(_, _, _, _, let fromWorking) = encoding.space else { return nil }
    toChannels = fromWorking
    peak = encoding.peak
    top = Roots.cube(peak)
  }

  /// Returns a colour after reducing its chroma, if necessary, to fit into the gamut. A colour that was near or beyond
  /// the gamut boundary before the edit may remain there.
  ///
  /// - Parameters:
  ///   - color: The linear light in the working space.
  ///   - original: The colour before the edit.
  @inline(__always)
  func broughtBack(_ color: SIMD3<Double>, from original: SIMD3<Double>) -> SIMD3<Double> {
    var lab = space.lab(color)
    if holds(lab, 1 / Self.knee), lab.x < top { return color }
    var before = space.lab(original)
    if lab.x >= top, before.x < top {
      lab = [top, 0, 0]
      return space.color(lab)
    }
    // Treat colours brighter than white as nearly white.
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

  /// Returns whether a colour can be encoded after its chroma has been multiplied by a factor.
  @inline(__always)
  private func holds(_ lab: SIMD3<Double>, _ share: Double) -> Bool {
    let channels = toChannels * space.color([lab.x, lab.y * share, lab.z * share])
    return channels.min() >= -1e-7 && channels.max() <= peak * (1 + 1e-7)
  }

  /// Returns the chroma of a colour as a fraction of the maximum at its hue and lightness. Values below the knee are
  /// returned as 0.
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
