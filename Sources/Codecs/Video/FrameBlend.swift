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
    for (index, plane) in picture.planes.enumerated() {
      if sums.count <= index { sums.append([Float](repeating: 0, count: plane.width * plane.height)) }
      for y in 0..<plane.height {
        let row = plane.base + y * plane.stride
        for x in 0..<plane.width {
          let sample =
            picture.format.bytesPerSample == 1
            ? Float(row.load(fromByteOffset: x, as: UInt8.self))
            : Float(row.load(fromByteOffset: 2 * x, as: UInt16.self))
          sums[index][y * plane.width + x] += Float(share) * sample
        }
      }
    }
  }

  /// The sum, rounded; nil where nothing was added.
  var picture: PlanarFrame? {
    guard let format else { return nil }
    let picture = PlanarFrame(valid: format)
    let largest = Float((1 << format.bitDepth) - 1)
    for (plane, sums) in zip(picture.planes, sums) {
      for y in 0..<plane.height {
        let row = plane.base + y * plane.stride
        for x in 0..<plane.width {
          let sample = min(max(sums[y * plane.width + x].rounded(), 0), largest)
          if format.bytesPerSample == 1 {
            row.storeBytes(of: UInt8(sample), toByteOffset: x, as: UInt8.self)
          } else {
            row.storeBytes(of: UInt16(sample), toByteOffset: 2 * x, as: UInt16.self)
          }
        }
      }
    }
    return picture
  }
}
