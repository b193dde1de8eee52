import EditModel
import Glibc

extension PlanarFrame {
  /// Returns the picture with fewer samples, filtered to prevent aliasing.
  ///
  /// The codes are filtered without conversion, which for Y′CbCr gives the same result as filtering R′G′B′. Each plane
  /// is resampled from the positions of the old samples to the positions of the new samples, for any chroma location in
  /// either layout. Along an axis that loses samples, the kernel is the three-lobed Lanczos kernel, stretched by the
  /// reduction factor and cut off at the picture's edges (C. Duchon, “Lanczos filtering in one and two dimensions”,
  /// 1979). Along an axis that gains samples, the interpolation is linear. If several old pixels shared a chroma sample
  /// and each new pixel gets its own, both steps are combined: chroma is interpolated linearly at each old pixel, as
  /// decoders do, and then filtered with the kernel. The result therefore equals a reduction of the decoded pixels.
  ///
  /// - Parameters:
  ///   - size: The new width and height in luma samples, from 1 to those of this frame.
  ///   - sampling: The chroma sampling of the new frame. Grey pictures stay grey.
  ///   - location: The position of chroma samples in the new frame.
  ///   - bitDepth: The number of bits per sample in the new frame, 8 to 16.
  /// - Returns: A new frame, or nil if the size or the bit depth is out of range.
  package func scaled(
    to size: PixelSize, sampling: ChromaSampling, location: ChromaLocation = .center, bitDepth: Int
  ) -> PlanarFrame? {
    guard 1...format.width ~= size.width, 1...format.height ~= size.height else { return nil }
    var wanted = format
    (wanted.width, wanted.height, wanted.bitDepth) = (size.width, size.height, bitDepth)
    wanted.sampling = format.sampling == .grey ? .grey : sampling
    wanted.color.chromaLocation = location
    guard let target = PlanarFrame(format: wanted) else { return nil }
    let (old, new) = (ColorEncoding(format.color, bitDepth: format.bitDepth), wanted.encoding)
    let unit = Float(1 << (bitDepth - 8))
    for plane in planes.indices {
      let (from, to) = (format.sampleGrid(ofPlane: plane), wanted.sampleGrid(ofPlane: plane))
      let columns = ScalingWeights(
        (target.planes[plane].width, to.step.x, to.offset.x, wanted.width),
        of: (planes[plane].width, from.step.x, from.offset.x, format.width))
      let rows = ScalingWeights(
        (target.planes[plane].height, to.step.y, to.offset.y, wanted.height),
        of: (planes[plane].height, from.step.y, from.offset.y, format.height))
      // Codes of the old bit depth are converted to codes of the new bit depth.
      let (middle, oldRange, newRange) =
        plane == 0 ? (old.black, old.lumaRange, new.lumaRange) : (128, old.chromaRange, new.chromaRange)
      let gain = unit * Float(newRange / oldRange) / Float(1 << (format.bitDepth - 8))
      let shift = Float(middle) * unit * Float(1 - newRange / oldRange)
      let codes = Float(new.codes.lowerBound)...Float(new.codes.upperBound)
      let scaling = PlaneScaling(columns: columns, rows: rows, gain: gain, shift: shift, codes: codes)
      switch (format.bytesPerSample, wanted.bytesPerSample) {
      case (1, 1): scaling.run(planes[plane], UInt8.self, into: target.planes[plane], UInt8.self)
      case (1, _): scaling.run(planes[plane], UInt8.self, into: target.planes[plane], UInt16.self)
      case (_, 1): scaling.run(planes[plane], UInt16.self, into: target.planes[plane], UInt8.self)
      default: scaling.run(planes[plane], UInt16.self, into: target.planes[plane], UInt16.self)
      }
    }
    return target
  }
}

extension FrameFormat {
  /// The colour encoding of the frame's codes, without its ICC profile.
  var encoding: ColorEncoding { ColorEncoding(color, bitDepth: bitDepth) }
}

/// The weights of the old samples from which each new sample along an axis is computed.
private struct ScalingWeights {
  /// The number of weights per new sample, a multiple of four. Unused weights at the end are 0.
  let taps: Int
  /// The index of the first old sample for each new sample.
  let firsts: [Int]
  /// The number of old samples for each new sample.
  let counts: [Int]
  /// The weights of the new samples, `taps` weights for each.
  let weights: [Float]

  /// An axis of a plane: the number of its samples, the distance between two samples, the offset of the first sample,
  /// and the number of luma samples in the picture. Distance and offset are in luma samples.
  typealias Axis = (count: Int, step: Double, offset: Double, luma: Int)

  init(_ new: Axis, of old: Axis) {
    guard new.step == 1, old.step > 1 else {
      self.init(kernels: Self.kernels(new, of: old))
      return
    }
    // First interpolate at each pixel. Then distribute the weight of each pixel over the samples from which the pixel
    // was interpolated.
    let pixels: Axis = (old.luma, 1, 0, old.luma)
    let shares = Self.kernels(pixels, of: old)
    self.init(
      kernels: Self.kernels(new, of: pixels).map { kernel in
        let touched = shares[kernel.first..<kernel.first + kernel.weights.count]
        let first = touched.first?.first ?? 0
        var weights: [Double] = []
        for (weight, share) in zip(kernel.weights, touched) {
          for (place, part) in share.weights.enumerated() {
            let at = share.first + place - first
            while weights.count <= at { weights.append(0) }
            weights[at] += weight * part
          }
        }
        return (first, weights)
      })
  }

  /// The index of the first old sample for a new sample, and the weights from that sample onwards.
  private typealias Kernel = (first: Int, weights: [Double])

  private static func kernels(_ new: Axis, of old: Axis) -> [Kernel] {
    let ratio = Double(old.luma) / Double(new.luma) * new.step / old.step
    let isReduction = ratio >= 1
    let stretch = max(ratio, 1)
    let reach = isReduction ? 3 * stretch : 1
    return (0..<new.count).map { index in
      let place = (Double(index) * new.step + new.offset) * Double(old.luma) / Double(new.luma)
      let center = (place - old.offset) / old.step
      let first = min(max(Int((center - reach).rounded(.up)), 0), old.count - 1)
      let last = min(max(Int((center + reach).rounded(.down)), first), old.count - 1)
      let kernel = (first...last).map { sample -> Double in
        let distance = abs(Double(sample) - center) / stretch
        return isReduction ? lanczos(distance) : max(0, 1 - distance)
      }
      let sum = kernel.reduce(0, +)
      return (first, abs(sum) > 1e-9 ? kernel.map { $0 / sum } : [1])
    }
  }

  private init(kernels: [Kernel]) {
    let taps = ((kernels.map(\.weights.count).max() ?? 1) + 3) & ~3
    var weights = [Float](repeating: 0, count: taps * kernels.count)
    for (index, kernel) in kernels.enumerated() {
      for (tap, weight) in kernel.weights.enumerated() { weights[index * taps + tap] = Float(weight) }
    }
    (self.taps, firsts, counts, self.weights) = (
      taps, kernels.map(\.first), kernels.map(\.weights.count), weights
    )
  }

  private static func lanczos(_ x: Double) -> Double {
    guard x > 1e-9 else { return 1 }
    guard x < 3 else { return 0 }
    let angle = Double.pi * x
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}

/// Scales a plane: first vertically, by combining rows, then horizontally.
private struct PlaneScaling {
  let columns: ScalingWeights
  let rows: ScalingWeights
  let gain: Float
  let shift: Float
  /// The range to which results are clamped.
  let codes: ClosedRange<Float>

  func run<Old: FixedWidthInteger & BitwiseCopyable, New: FixedWidthInteger & BitwiseCopyable>(
    _ source: PlanarFrame.Plane, _: Old.Type, into target: PlanarFrame.Plane, _: New.Type
  ) {
    let width = source.width
    // Reserve space for the zero weights after the last sample of a row.
    withUnsafeTemporaryAllocation(of: Float.self, capacity: width + columns.taps) { sums in
      guard let sum = sums.baseAddress else { return }
      for y in 0..<target.height {
        sum.initialize(repeating: 0, count: width + columns.taps)
        for tap in 0..<rows.counts[y] {
          let weight = rows.weights[y * rows.taps + tap]
          let row = source.row(rows.firsts[y] + tap).assumingMemoryBound(to: Old.self)
          for x in 0..<width { sum[x] += weight * Float(row[x]) }
        }
        filter(sum, into: target.row(y).assumingMemoryBound(to: New.self))
      }
    }
  }

  /// Scales one row of sums horizontally.
  private func filter<New: FixedWidthInteger & BitwiseCopyable>(
    _ sums: UnsafeMutablePointer<Float>, into row: UnsafeMutablePointer<New>
  ) {
    let taps = columns.taps
    columns.weights.withUnsafeBytes { weights in
      columns.firsts.withUnsafeBufferPointer { firsts in
        for x in firsts.indices {
          let samples = UnsafeRawPointer(sums + firsts[x])
          var total = SIMD4<Float>.zero
          for tap in stride(from: 0, to: taps, by: 4) {
            total +=
              samples.loadUnaligned(fromByteOffset: 4 &* tap, as: SIMD4<Float>.self)
              * weights.loadUnaligned(fromByteOffset: 4 &* (x &* taps &+ tap), as: SIMD4<Float>.self)
          }
          let code = (total.sum() * gain + shift).rounded()
          row[x] = New(truncatingIfNeeded: Int32(min(max(code, codes.lowerBound), codes.upperBound)))
        }
      }
    }
  }
}
