extension PlanarFrame {
  /// A smaller picture of the same kind: each sample is the mean of those whose place it takes, rounded to nearest.
  ///
  /// - Parameters:
  ///   - width: luma columns, from 1 to those of this frame.
  ///   - height: luma rows, from 1 to those of this frame.
  /// - Returns: a new frame; nil when the size is out of range.
  public func reduced(toWidth width: Int, height: Int) -> PlanarFrame? {
    guard (1...format.width).contains(width), (1...format.height).contains(height) else { return nil }
    var wanted = format
    wanted.width = width
    wanted.height = height
    let target = PlanarFrame(valid: wanted)
    for (source, plane) in zip(planes, target.planes) {
      if format.bytesPerSample == 1 {
        Self.reduce(source, into: plane, as: UInt8.self)
      } else {
        Self.reduce(source, into: plane, as: UInt16.self)
      }
    }
    return target
  }

  private static func reduce<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ source: Plane, into target: Plane, as type: Sample.Type
  ) {
    let size = MemoryLayout<Sample>.size
    // Where the samples of a column or row begin and end; at least one each.
    let columns = (0...target.width).map { $0 * source.width / target.width }
    let rows = (0...target.height).map { $0 * source.height / target.height }
    for y in 0..<target.height {
      for x in 0..<target.width {
        let (left, right) = (columns[x], max(columns[x + 1], columns[x] + 1))
        let (top, bottom) = (rows[y], max(rows[y + 1], rows[y] + 1))
        var sum = 0
        for row in top..<bottom {
          let samples = source.base + row &* source.stride
          for column in left..<right {
            sum &+= Int(samples.loadUnaligned(fromByteOffset: column &* size, as: Sample.self))
          }
        }
        let count = (bottom &- top) &* (right &- left)
        (target.base + (y &* target.stride &+ x &* size))
          .storeBytes(of: Sample(truncatingIfNeeded: (sum &+ count / 2) / count), as: Sample.self)
      }
    }
  }
}
