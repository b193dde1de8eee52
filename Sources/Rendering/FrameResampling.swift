extension PlanarFrame {
  /// The same picture with another number of chroma samples.
  ///
  /// An axis with more samples repeats each of them, so nothing is lost; an axis with fewer takes the mean of
  /// those it merges, rounded to nearest. Both keep chroma where it was relative to the middle of the
  /// luma samples that share it.
  ///
  /// - Parameter sampling: the layout wanted.
  /// - Returns: a new frame; this one if it is grey or has that layout already.
  package func chromaResampled(to sampling: ChromaSampling) -> PlanarFrame {
    guard sampling != format.sampling, format.sampling != .grey, sampling != .grey else { return self }
    var wanted = format
    wanted.sampling = sampling
    let target = PlanarFrame(valid: wanted)
    target.planes[0].copy(planes[0], sampleSize: format.bytesPerSample)
    /// The old samples along an axis that make each new one.
    func sources(_ count: Int, of all: Int, _ old: Int, _ new: Int) -> [Range<Int>] {
      (0..<count).map { index in
        let first = min((index << new) >> old, all - 1)
        return first..<min(first + max((1 << new) >> old, 1), all)
      }
    }
    for (source, plane) in zip(planes, target.planes).dropFirst() {
      plane.fill(
        withMeansOf: source,
        columns: sources(
          plane.width, of: source.width, format.sampling.horizontalShift, sampling.horizontalShift),
        rows: sources(plane.height, of: source.height, format.sampling.verticalShift, sampling.verticalShift),
        sampleSize: format.bytesPerSample)
    }
    return target
  }

  /// A smaller picture of the same kind: each sample is the mean of those whose place it takes, rounded to nearest.
  ///
  /// - Parameters:
  ///   - width: luma columns, from 1 to those of this frame.
  ///   - height: luma rows, from 1 to those of this frame.
  /// - Returns: a new frame; nil when the size is out of range.
  package func reduced(toWidth width: Int, height: Int) -> PlanarFrame? {
    guard (1...format.width).contains(width), (1...format.height).contains(height) else { return nil }
    var wanted = format
    (wanted.width, wanted.height) = (width, height)
    let target = PlanarFrame(valid: wanted)
    for (source, plane) in zip(planes, target.planes) {
      plane.fill(
        withMeansOf: source, columns: Self.parts(plane.width, of: source.width),
        rows: Self.parts(plane.height, of: source.height), sampleSize: format.bytesPerSample)
    }
    return target
  }

  /// Equal parts of an axis, at least one sample each.
  static func parts(_ count: Int, of all: Int) -> [Range<Int>] {
    (0..<count).map { index in
      let first = min(index * all / count, all - 1)
      return first..<max((index + 1) * all / count, first + 1)
    }
  }
}

extension PlanarFrame.Plane {
  /// Fills the plane with means of another one's samples, rounded to nearest.
  ///
  /// - Parameters:
  ///   - source: the other plane.
  ///   - columns: for each column those of the other plane that it is made of.
  ///   - rows: for each row those of the other plane that it is made of.
  ///   - size: bytes of a sample.
  fileprivate func fill(
    withMeansOf source: Self, columns: [Range<Int>], rows: [Range<Int>], sampleSize size: Int
  ) {
    if size == 1 {
      fill(withMeansOf: source, columns, rows, as: UInt8.self)
    } else {
      fill(withMeansOf: source, columns, rows, as: UInt16.self)
    }
  }

  private func fill<Sample: FixedWidthInteger & BitwiseCopyable>(
    withMeansOf source: Self, _ columns: [Range<Int>], _ rows: [Range<Int>], as type: Sample.Type
  ) {
    let size = MemoryLayout<Sample>.size
    for (y, sourceRows) in rows.enumerated() {
      for (x, sourceColumns) in columns.enumerated() {
        var sum = 0
        for row in sourceRows {
          let samples = source.row(row)
          for column in sourceColumns {
            sum &+= Int(samples.loadUnaligned(fromByteOffset: column &* size, as: Sample.self))
          }
        }
        let count = sourceRows.count &* sourceColumns.count
        row(y).storeBytes(
          of: Sample(truncatingIfNeeded: (sum &+ count / 2) / count), toByteOffset: x &* size, as: Sample.self
        )
      }
    }
  }
}
