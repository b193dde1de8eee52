extension PlanarFrame {
  /// Returns the same picture with another chroma sampling.
  ///
  /// Along an axis that gets more samples, each sample is repeated, so nothing is lost. Along an axis that gets fewer
  /// samples, each new sample is the mean of the samples that it replaces, rounded to nearest. In both cases chroma
  /// keeps its position relative to the centre of the luma samples that share it.
  ///
  /// - Parameter sampling: The new chroma sampling.
  /// - Returns: A new frame, or this frame if it is grey or already has the requested chroma sampling.
  package func chromaResampled(to sampling: ChromaSampling) -> PlanarFrame {
    guard sampling != format.sampling, format.sampling != .grey, sampling != .grey else { return self }
    var wanted = format
    wanted.sampling = sampling
    let target = PlanarFrame(valid: wanted)
    target.planes[0].copy(planes[0], sampleSize: format.bytesPerSample)
    /// Returns the range of old samples from which each new sample along an axis is computed.
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

  /// Returns a smaller picture of the same kind. Each sample is the mean of the samples that it replaces, rounded to
  /// nearest.
  ///
  /// - Parameters:
  ///   - width: The new width in luma samples, from 1 to the width of this frame.
  ///   - height: The new height in luma samples, from 1 to the height of this frame.
  /// - Returns: A new frame, or nil if the size is out of range.
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

  /// Divides an axis into parts of equal length, at least one sample each.
  static func parts(_ count: Int, of all: Int) -> [Range<Int>] {
    (0..<count).map { index in
      let first = min(index * all / count, all - 1)
      return first..<max((index + 1) * all / count, first + 1)
    }
  }
}

extension PlanarFrame.Plane {
  /// Fills this plane with means of samples from another plane, rounded to nearest.
  ///
  /// - Parameters:
  ///   - source: The other plane.
  ///   - columns: The columns of the other plane to average, for each column of this plane.
  ///   - rows: The rows of the other plane to average, for each row of this plane.
  ///   - size: The number of bytes per sample.
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
