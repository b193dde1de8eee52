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
    for index in 0..<3 {
      let source = planes[index]
      let plane = target.planes[index]
      if index == 0 {
        plane.copy(source, sampleSize: format.bytesPerSample)
      } else if format.bytesPerSample == 1 {
        resample(source, into: plane, from: format.sampling, to: sampling, as: UInt8.self)
      } else {
        resample(source, into: plane, from: format.sampling, to: sampling, as: UInt16.self)
      }
    }
    return target
  }

  private func resample<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ source: Plane, into target: Plane, from old: ChromaSampling, to new: ChromaSampling,
    as type: Sample.Type
  ) {
    let size = MemoryLayout<Sample>.size
    let columns = Axis(old.horizontalShift, new.horizontalShift, count: source.width)
    let rows = Axis(old.verticalShift, new.verticalShift, count: source.height)
    for y in 0..<target.height {
      let sourceRows = rows.sources(of: y)
      for x in 0..<target.width {
        let sourceColumns = columns.sources(of: x)
        var sum = 0
        for row in sourceRows {
          for column in sourceColumns {
            sum &+= Int(
              (source.base + (row &* source.stride &+ column &* size)).loadUnaligned(as: Sample.self))
          }
        }
        let count = sourceRows.count &* sourceColumns.count
        let mean = Sample(truncatingIfNeeded: (sum &+ count / 2) / count)
        (target.base + (y &* target.stride &+ x &* size)).storeBytes(of: mean, as: Sample.self)
      }
    }
  }

  /// Which old samples make a new one along one axis.
  private struct Axis {
    let repeatShift: Int
    let mergeShift: Int
    let count: Int

    init(_ oldShift: Int, _ newShift: Int, count: Int) {
      repeatShift = max(oldShift - newShift, 0)
      mergeShift = max(newShift - oldShift, 0)
      self.count = count
    }

    func sources(of index: Int) -> Range<Int> {
      let first = min((index << mergeShift) >> repeatShift, count - 1)
      return first..<min(first + (1 << mergeShift), count)
    }
  }
}
