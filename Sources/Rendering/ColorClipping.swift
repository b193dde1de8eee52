extension PlanarFrame {
  /// Clips, in place, the Y′CbCr colours that lie outside the R′G′B′ range between black and white.
  ///
  /// Every viewer clips these colours before it reduces a picture. Strong edges and noise produce them in many pixels.
  /// Without clipping, averaging such colours with neighbouring colours would have a visible effect.
  ///
  /// The frame must be 4:4:4 with more than 8 bits per sample. Displayable colours keep their code values.
  package func clipColors() {
    precondition(format.sampling == .yuv444 && format.bytesPerSample == 2)
    let encoding = format.encoding
    let unit = Float(1 << (format.bitDepth - 8))
    let black = Float(encoding.black) * unit
    let luma = Float(encoding.lumaRange) * unit
    let (middle, chroma) = (128 * unit, Float(encoding.chromaRange) * unit)
    let (red, blue) = (Float(encoding.red), Float(encoding.blue))
    let green = 1 - red - blue
    let (fromR, fromB) = (2 * (1 - red), 2 * (1 - blue))
    let (greenR, greenB) = (-red * fromR / green, -blue * fromB / green)
    let greatest = Float(encoding.codes.upperBound)
    func code(_ value: Float) -> UInt16 { UInt16(min(max(value.rounded(), 0), greatest)) }
    for y in 0..<format.height {
      let rows = planes.map { $0.row(y).assumingMemoryBound(to: UInt16.self) }
      let (lumas, blues, reds) = (rows[0], rows[1], rows[2])
      for x in 0..<format.width {
        let grey = (Float(lumas[x]) - black) / luma
        let cb = (Float(blues[x]) - middle) / chroma
        let cr = (Float(reds[x]) - middle) / chroma
        let (r, g, b) = (grey + fromR * cr, grey + greenR * cr + greenB * cb, grey + fromB * cb)
        guard min(r, g, b) < 0 || max(r, g, b) > 1 else { continue }
        let (shownR, shownG, shownB) = (min(max(r, 0), 1), min(max(g, 0), 1), min(max(b, 0), 1))
        let shown = red * shownR + green * shownG + blue * shownB
        lumas[x] = code(shown * luma + black)
        blues[x] = code((shownB - shown) / fromB * chroma + middle)
        reds[x] = code((shownR - shown) / fromR * chroma + middle)
      }
    }
  }
}
