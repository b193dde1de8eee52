import EditModel

/// A spot in a picture that was grey in the scene itself.
package struct GreyPlace {
  /// The mean linear light around the spot, in the working space.
  private let color: SIMD3<Double>
  private let peak: Double

  /// The radius of the area that is averaged, as a fraction of the longer side.
  private static let radius = 1.0 / 200

  /// - Parameters:
  ///   - frame: The picture, of any sampling and depth.
  ///   - profile: The picture's ICC profile, or nil if the picture has none.
  ///   - x: The horizontal position as a fraction of the width, 0 to 1.
  ///   - y: The vertical position as a fraction of the height, 0 to 1.
  package init(_ frame: PlanarFrame, profile: [UInt8]?, x: Double, y: Double) {
    let (width, height) = (frame.format.width, frame.format.height)
    let radius = max(1, Int(Double(max(width, height)) * Self.radius))
    let column = min(max(Int(x * Double(width)), 0), width - 1)
    let row = min(max(Int(y * Double(height)), 0), height - 1)
    var colors = PictureColors(profile: profile)
    colors.add(
      frame, columns: Array(max(column - radius, 0)...min(column + radius, width - 1)),
      rows: Array(max(row - radius, 0)...min(row + radius, height - 1)))
    color = colors.samples.reduce(SIMD3(), +) / Double(max(colors.samples.count, 1))
    peak = colors.encoding?.peak ?? 1
  }

  /// Creates a spot from its colour as linear light in the working space.
  init(_ color: SIMD3<Double>) { (self.color, peak) = (color, 1) }

  /// The temperature in kelvin and the tint that make the spot grey. Nil if the spot is nearly black or clipped, or if
  /// no daylight has its colour.
  package var whiteBalance: (temperature: Double, tint: Double)? {
    guard color.max() > 0.002, color.max() < 0.98 * peak, color.min() > 0 else { return nil }
    let space = Oklab()
    func cast(_ mired: Double, _ tint: Double) -> SIMD2<Double>? {
      var edit = Edit.identity
      edit[.temperature] = 1_000_000 / mired
      edit[.tint] = tint
      let lab = space.lab((WhiteBalance(edit)?.matrix ?? .identity) * color)
      return lab.x > 0 ? SIMD2(lab.y, lab.z) / lab.x : nil
    }
    let range = Parameter.temperature.description.range
    let mireds = 1_000_000 / range.upperBound...1_000_000 / range.lowerBound
    // Newton's method in mired and tint. Slopes are measured over distances that exceed the step size of the sliders.
    var (mired, tint) = (1_000_000 / Parameter.temperature.description.neutral, 0.0)
    for _ in 0..<12 {
      let (aside, across) = (mired < 200 ? 10.0 : -10, tint < 0 ? 0.2 : -0.2)
      guard let here = cast(mired, tint), let warmer = cast(mired + aside, tint),
        let other = cast(mired, tint + across)
      else { return nil }
      let (byMired, byTint) = ((warmer - here) / aside, (other - here) / across)
      let determinant = byMired.x * byTint.y - byMired.y * byTint.x
      guard abs(determinant) > 1e-12 else { return nil }
      mired -= (here.x * byTint.y - here.y * byTint.x) / determinant
      tint -= (byMired.x * here.y - byMired.y * here.x) / determinant
      mired = min(max(mired, mireds.lowerBound), mireds.upperBound)
      tint = min(max(tint, -1), 1)
    }
    guard let rest = cast(mired, tint), (rest * rest).sum() < 0.01 * 0.01 else { return nil }
    return (1_000_000 / mired, tint)
  }
}
