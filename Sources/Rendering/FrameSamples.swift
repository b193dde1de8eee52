extension PlanarFrame {
  /// Returns the samples of a plane, row after row, as 16-bit numbers regardless of their bit depth.
  ///
  /// - Parameter plane: 0 for luma, 1 for Cb, 2 for Cr. The index must be less than the number of planes.
  package func samples(ofPlane plane: Int) -> [UInt16] {
    let source = planes[plane]
    let count = source.width * source.height
    return [UInt16](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard var target = buffer.baseAddress else { return }
      for y in 0..<source.height {
        let row = UnsafeRawPointer(source.row(y))
        if format.bytesPerSample == 2 {
          UnsafeMutableRawPointer(target).copyMemory(from: row, byteCount: source.width * 2)
        } else {
          let bytes = row.assumingMemoryBound(to: UInt8.self)
          for x in 0..<source.width { target[x] = UInt16(bytes[x]) }
        }
        target += source.width
      }
      initialized = count
    }
  }

  /// Writes the samples of a plane.
  ///
  /// - Parameters:
  ///   - samples: The samples, row after row. Their number must equal the number of samples in the plane.
  ///   - plane: 0 for luma, 1 for Cb, 2 for Cr. The index must be less than the number of planes.
  /// - Returns: False if the number of samples is wrong, or if a sample has more bits than the format allows. In both
  ///   cases the plane's content is then undefined.
  package func setSamples(_ samples: [UInt16], ofPlane plane: Int) -> Bool {
    let target = planes[plane]
    guard samples.count == target.width * target.height else { return false }
    var seen: UInt16 = 0
    samples.withUnsafeBufferPointer { buffer in
      guard var source = buffer.baseAddress else { return }
      for y in 0..<target.height {
        let row = target.row(y)
        if format.bytesPerSample == 2 {
          let words = row.assumingMemoryBound(to: UInt16.self)
          for x in 0..<target.width {
            seen |= source[x]
            words[x] = source[x]
          }
        } else {
          let bytes = row.assumingMemoryBound(to: UInt8.self)
          for x in 0..<target.width {
            seen |= source[x]
            bytes[x] = UInt8(truncatingIfNeeded: source[x])
          }
        }
        source += target.width
      }
    }
    return format.bitDepth >= 16 || seen >> UInt16(format.bitDepth) == 0
  }

  /// Returns the mean luma of a range of columns and rows. The ranges must not be empty and must lie within the
  /// picture.
  func meanLuma(columns: Range<Int>, rows: Range<Int>) -> Double {
    var sum = 0
    for y in rows {
      let line = planes[0].row(y)
      if format.bytesPerSample == 2 {
        for x in columns { sum &+= Int(line.load(fromByteOffset: 2 &* x, as: UInt16.self)) }
      } else {
        for x in columns { sum &+= Int(line.load(fromByteOffset: x, as: UInt8.self)) }
      }
    }
    return Double(sum) / Double(rows.count * columns.count)
  }

  /// Returns the picture with 8 bits per sample, rounded to nearest.
  ///
  /// - Returns: A new frame, or this frame if it already has 8 bits.
  package func with8Bits() -> PlanarFrame {
    guard format.bitDepth > 8 else { return self }
    var wanted = format
    wanted.bitDepth = 8
    let target = PlanarFrame(valid: wanted)
    let shift = UInt32(format.bitDepth - 8)
    let half: UInt32 = 1 << (shift - 1)
    for (source, plane) in zip(planes, target.planes) {
      for y in 0..<source.height {
        let from = source.row(y).assumingMemoryBound(to: UInt16.self)
        let to = plane.row(y).assumingMemoryBound(to: UInt8.self)
        for x in 0..<source.width {
          to[x] = UInt8(truncatingIfNeeded: min((UInt32(from[x]) &+ half) &>> shift, 255))
        }
      }
    }
    return target
  }
}

// Loops over samples that run fast even in modules built without optimisation.

extension [UInt16] {
  /// The lower byte of each sample.
  package var lowBytes: [UInt8] { map { UInt8(truncatingIfNeeded: $0) } }
}

extension [UInt8] {
  /// These bytes as samples of the same value.
  package var asSamples: [UInt16] { map(UInt16.init) }
}

extension [Float] {
  /// Whether all samples are finite.
  package var areFinite: Bool { allSatisfy(\.isFinite) }
}
