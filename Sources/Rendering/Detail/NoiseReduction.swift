import EditModel

/// Smooths what varies little, in luma and more so in chroma, and keeps edges. It looks at one picture at a time.
/// `Parameter.description` has the formula.
struct NoiseReduction: DetailPass {
  private let amount: Double

  /// Radii as shares of the longer side.
  private static let lumaRadius = 1.0 / 900
  private static let chromaRadius = 1.0 / 300

  init?(_ edit: Edit) {
    guard edit[.noiseReduction] > 0 else { return nil }
    amount = edit[.noiseReduction]
  }

  func apply(to frame: PlanarFrame, _ encoding: ColorEncoding) {
    let side = Double(max(frame.format.width, frame.format.height))
    for (index, plane) in frame.planes.enumerated() {
      let isLuma = index == 0
      let radius = side * (isLuma ? Self.lumaRadius : Self.chromaRadius)
      let noise = Float((isLuma ? 90 : 60) * amount * amount)
      let grid = CellGrid(
        plane, depth: frame.format.bitDepth,
        radius: (
          radius * Double(plane.width) / Double(frame.format.width),
          radius * Double(plane.height) / Double(frame.format.height)
        ))
      grid.apply(CellGrid.Change(amount: -1, limit: nil, codes: encoding.codes, isAboutNoise: true)) {
        noise * noise / ($0 * $0 + noise * noise)
      }
    }
  }
}
