extension PlanarFrame {
  /// The picture with 8 bits a sample, rounded to nearest.
  ///
  /// - Returns: a new frame; this one if it has 8 bits already.
  public func with8Bits() -> PlanarFrame {
    guard format.bitDepth > 8 else { return self }
    var wanted = format
    wanted.bitDepth = 8
    let target = PlanarFrame(valid: wanted)
    let shift = UInt32(format.bitDepth - 8)
    let half: UInt32 = 1 << (shift - 1)
    for (source, plane) in zip(planes, target.planes) {
      for y in 0..<source.height {
        let from = (source.base + y * source.stride).assumingMemoryBound(to: UInt16.self)
        let to = (plane.base + y * plane.stride).assumingMemoryBound(to: UInt8.self)
        for x in 0..<source.width {
          to[x] = UInt8(truncatingIfNeeded: min((UInt32(from[x]) &+ half) &>> shift, 255))
        }
      }
    }
    return target
  }
}
