extension PlanarFrame {
  /// Returns the same picture with another chroma sampling.
  ///
  /// If an axis gets more samples, each sample is repeated, so nothing is lost. If an axis gets fewer samples, each new
  /// one is the mean of the samples that it replaces, rounded to nearest. In both cases chroma keeps its position
  /// relative to the centre of the luma samples that share it.
  ///
  /// - Parameter sampling: The new layout.
  /// - Returns: A new frame, or this frame if it is grey or already has that layout.
  package func chromaResampled(to sampling: ChromaSampling) -> PlanarFrame {
    guard sampling != format.sampling, format.sampling != .grey, sampling != .grey else { return self }
    var wanted = format
    wanted.sampling = sampling
    let target = PlanarFrame(valid: wanted)
    target.planes[0].copy(planes[0], sampleSize: format.bytesPerSample)
    /// Returns, for each new sample along an axis, the range of old samples from which it is computed.
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
  ///   - width: The number of luma columns, from 1 to the number in this frame.
  ///   - height: The number of luma rows, from 1 to the number in this frame.
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

  /// Divides an axis into equal parts of at least one sample each.
  static func parts(_ count: Int, of all: Int) -> [Range<Int>] {
    (0..<count).map { index in
      let first = min(index * all / count, all - 1)
      return first..<max((index + 1) * all / count, first + 1)
    }
  }
}

extension PlanarFrame.Plane {
  /// Fills the plane with means of another plane's samples, rounded to nearest.
  ///
  /// - Parameters:
  ///   - source: The other plane.
  ///   - columns: For each column, the columns of the other plane to average.
  ///   - rows: For each row, the rows of the other plane to average.
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
