extension PlanarFrame {
  /// Returns the picture with JFIF colour coding: 8 bits per sample, full range, the BT.601 matrix. Primaries and
  /// transfer function do not change.
  ///
  /// - Returns: A new frame, or this frame if it already has this coding.
  package func forJPEG() -> PlanarFrame {
    let coding = ColorEncoding(format.color, bitDepth: 8)
    let weights = ColorEncoding(.jpeg, bitDepth: 8)
    let isSame = coding.red == weights.red && coding.blue == weights.blue
    let frame = with8Bits()
    guard !isSame || !coding.isFullRange else { return frame }
    return frame.recoded(from: coding, to: weights)
  }

  /// Returns the same colours in another encoding. Each luma sample is converted together with the chroma sample that
  /// it shares. Each chroma sample is converted together with the luma sample at its corner, which matters only if the
  /// matrices differ.
  private func recoded(from old: ColorEncoding, to new: ColorEncoding) -> PlanarFrame {
    var wanted = format
    wanted.color.matrix = ColorDescription.jpeg.matrix
    wanted.color.isFullRange = true
    let target = PlanarFrame(valid: wanted)
    guard planes.count == 3 else {
      let codes = (0..<256).map { code in
        UInt8(min(max(((Double(code) - old.black) / old.lumaRange * 255).rounded(), 0), 255))
      }
      let (source, plane) = (planes[0], target.planes[0])
      for y in 0..<source.height {
        let from = source.row(y).assumingMemoryBound(to: UInt8.self)
        let to = plane.row(y).assumingMemoryBound(to: UInt8.self)
        for x in 0..<source.width { to[x] = codes[Int(from[x])] }
      }
      return target
    }
    // Both encodings are affine, so the conversion between them is affine too. It is stored as three rows of four
    // numbers.
    func coded(_ y: Double, _ b: Double, _ r: Double) -> SIMD3<Double> {
      new.luma(
        old.primaries(
          SIMD3(
            (y - old.black) / old.lumaRange, (b - 128) / old.chromaRange, (r - 128) / old.chromaRange)))
    }
    let scale = SIMD3(new.lumaRange, new.chromaRange, new.chromaRange)
    let offset = SIMD3(new.black, 128, 128)
    let origin = coded(0, 128, 128) * scale + offset
    let (byY, byB, byR) = (
      coded(1, 128, 128) * scale + offset - origin, coded(0, 129, 128) * scale + offset - origin,
      coded(0, 128, 129) * scale + offset - origin
    )
    let fixed = { (value: Double) in Int32((value * 65536).rounded()) }
    for index in 0..<3 {
      let (a, y, b, r) = (
        fixed(origin[index]) &+ 32768, fixed(byY[index]), fixed(byB[index]), fixed(byR[index])
      )
      let (h, v) = (format.sampling.horizontalShift, format.sampling.verticalShift)
      let (luma, cb, cr) = (planes[0], planes[1], planes[2])
      let plane = target.planes[index]
      for row in 0..<plane.height {
        let (lumaRow, chromaRow) = index == 0 ? (row, row >> v) : (min(row << v, luma.height - 1), row)
        let lumas = luma.row(lumaRow).assumingMemoryBound(to: UInt8.self)
        let blues = cb.row(chromaRow).assumingMemoryBound(to: UInt8.self)
        let reds = cr.row(chromaRow).assumingMemoryBound(to: UInt8.self)
        let out = plane.row(row).assumingMemoryBound(to: UInt8.self)
        for x in 0..<plane.width {
          let (lumaX, chromaX) = index == 0 ? (x, x &>> h) : (min(x &<< h, luma.width &- 1), x)
          let sum =
            a &+ y &* Int32(lumas[lumaX]) &+ b &* (Int32(blues[chromaX]) &- 128)
            &+ r &* (Int32(reds[chromaX]) &- 128)
          out[x] = UInt8(truncatingIfNeeded: min(max(sum &>> 16, 0), 255))
        }
      }
    }
    return target
  }
}
