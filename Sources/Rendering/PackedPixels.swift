/// A picture as rows of pixels, 0xAARRGGBB, without padding.
package struct PackedPixels: Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// The pixels, row after row, all opaque.
  package let pixels: [UInt32]

  /// Converts a picture from Y′CbCr to R′G′B′ and clips values below black and above white.
  ///
  /// - Parameter frame: A grey or 4:4:4 picture.
  /// - Returns: Nil for any other sampling.
  package init?(_ frame: PlanarFrame) {
    let format = frame.format
    guard format.sampling == .grey || format.sampling == .yuv444 else { return nil }
    (width, height) = (format.width, format.height)
    let encoding = format.encoding
    let unit = Double(1 << (format.bitDepth - 8))
    let planes = frame.planes.map { $0 }
    let (black, luma, chroma) = (
      Float(encoding.black), Float(255 / encoding.lumaRange), Float(255 / encoding.chromaRange)
    )
    let scale = Float(1 / unit)
    let (red, blue) = (Float(encoding.red), Float(encoding.blue))
    let (fromR, fromB) = (2 * (1 - red), 2 * (1 - blue))
    let (greenR, greenB) = (-red * fromR / (1 - red - blue), -blue * fromB / (1 - red - blue))
    let isWide = format.bytesPerSample == 2
    func sample(_ row: UnsafeRawPointer, _ x: Int) -> Float {
      isWide
        ? Float(row.load(fromByteOffset: 2 &* x, as: UInt16.self)) * scale
        : Float(row.load(fromByteOffset: x, as: UInt8.self))
    }
    func code(_ value: Float) -> UInt32 { UInt32(min(max(value.rounded(), 0), 255)) }
    let (width, height) = (width, height)
    pixels = [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      for y in 0..<height {
        let rows = planes.map { UnsafeRawPointer($0.row(y)) }
        for x in 0..<width {
          let grey = (sample(rows[0], x) - black) * luma
          var (r, g, b) = (grey, grey, grey)
          if rows.count == 3 {
            let (cb, cr) = ((sample(rows[1], x) - 128) * chroma, (sample(rows[2], x) - 128) * chroma)
            r += fromR * cr
            g += greenR * cr + greenB * cb
            b += fromB * cb
          }
          buffer[y &* width &+ x] = 0xFF00_0000 | code(r) << 16 | code(g) << 8 | code(b)
        }
      }
      count = width * height
    }
  }
}
