import Basics
internal import CFFmpeg

extension FrameHandle {
  /// Returns the picture composited over white.
  ///
  /// - Parameter isPremultiplied: Whether the colours are premultiplied by opacity.
  /// - Returns: An RGB picture, or this picture itself if it is completely opaque.
  func overWhite(isPremultiplied: Bool) throws -> FrameHandle {
    let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format))?.pointee
    guard let descriptor, descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 else { return self }
    let isDeep = descriptor.comp.0.depth > 8
    let pixels = try FrameConverter(to: isDeep ? AV_PIX_FMT_RGBA64LE : AV_PIX_FMT_RGBA, isPhoto: true)
      .converted(self)
    let isTransparent =
      try isDeep
      ? pixels.layOverWhite(UInt16.self, isPremultiplied) : pixels.layOverWhite(UInt8.self, isPremultiplied)
    return isTransparent ? pixels : self
  }

  /// Composites RGBA pixels over white in place.
  ///
  /// - Returns: Whether any pixel was transparent.
  private func layOverWhite<Sample: FixedWidthInteger & UnsignedInteger>(
    _ sample: Sample.Type, _ isPremultiplied: Bool
  ) throws -> Bool {
    let (width, height) = (Int(pointer.pointee.width), Int(pointer.pointee.height))
    let stride = Int(strides[0])
    guard let base = bases[0], stride >= width * 4 * MemoryLayout<Sample>.size else {
      throw MediaError.noMemory
    }
    let white = Int(Sample.max)
    var isTransparent = false
    for y in 0..<height {
      let row = UnsafeMutableRawPointer(base + y * stride).assumingMemoryBound(to: Sample.self)
      for x in 0..<width {
        let pixel = row + 4 * x
        let opacity = Int(pixel[3])
        guard opacity < white else { continue }
        isTransparent = true
        for channel in 0..<3 {
          let color = Int(pixel[channel])
          let weighted = isPremultiplied ? color : (color * opacity + white / 2) / white
          pixel[channel] = Sample(truncatingIfNeeded: min(weighted + white - opacity, white))
        }
        pixel[3] = .max
      }
    }
    return isTransparent
  }
}
