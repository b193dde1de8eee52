import Basics
internal import Rendering

/// A picture that is the sum of shares of others, sample by sample, as they are encoded.
struct FrameBlend {
  private var format: FrameFormat?
  private var sums: [[Float]] = []

  /// A blend of nothing.
  init() {}

  /// Adds a picture.
  ///
  /// - Parameters:
  ///   - picture: the picture, of the format of those before.
  ///   - share: what its samples are multiplied with.
  mutating func add(_ picture: PlanarFrame, share: Double) throws(MediaError) {
    guard format == nil || format == picture.format else {
      throw MediaError("its video changes size or colours on the way")
    }
    format = picture.format
    for plane in picture.planes.indices {
      let samples = picture.samples(ofPlane: plane)
      if sums.count <= plane { sums.append([Float](repeating: 0, count: samples.count)) }
      for index in samples.indices { sums[plane][index] += Float(share) * Float(samples[index]) }
    }
  }

  /// The sum, rounded; nil where nothing was added.
  var picture: PlanarFrame? {
    guard let format else { return nil }
    let picture = PlanarFrame(valid: format)
    let largest = Float((1 << format.bitDepth) - 1)
    for (plane, sums) in sums.enumerated() {
      _ = picture.setSamples(sums.map { UInt16(min(max($0.rounded(), 0), largest)) }, ofPlane: plane)
    }
    return picture
  }
}
