package import Rendering

extension ColorMatch {
  /// The colour difference, ΔE2000, that is displayed as white.
  private static let white = 12.0

  /// A comparison of three pictures side by side: the photo edited elsewhere, the original with the edit that was
  /// found, and the difference between them. The difference is black where the two pictures are equal, and white from
  /// ΔE2000 12 upwards. The comparison is in sRGB with full-resolution chroma (4:4:4).
  package var comparison: PlanarFrame? {
    let height = pair.height
    let edited = pair.edited
    let distances = edited.indices.map { at in
      min(1, ColorDistance.deltaE(ColorDistance.lab(shown[at]), ColorDistance.lab(edited[at])) / Self.white)
    }
    let parts = [edited, shown, distances.map { SIMD3(repeating: $0) }]
    let width = pair.width * parts.count
    let format = FrameFormat(width: width, height: height, sampling: .yuv444, color: .sRGBJPEG)
    guard let frame = PlanarFrame(format: format) else { return nil }
    var planes = [[UInt16]](repeating: [UInt16](repeating: 0, count: width * height), count: 3)
    for (index, part) in parts.enumerated() {
      for at in part.indices {
        let color = part[at].clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1)) * 255
        let luma = (color * SIMD3(0.299, 0.587, 0.114)).sum()
        // JFIF 1.02: ITU-R BT.601 Y′CbCr.
        let codes = SIMD3(luma, 128 + (color.z - luma) / 1.772, 128 + (color.x - luma) / 1.402)
        let place = at / pair.width * width + index * pair.width + at % pair.width
        for plane in 0..<3 { planes[plane][place] = UInt16(min(max(codes[plane], 0), 255).rounded()) }
      }
    }
    return planes.indices.allSatisfy { frame.setSamples(planes[$0], ofPlane: $0) } ? frame : nil
  }
}
