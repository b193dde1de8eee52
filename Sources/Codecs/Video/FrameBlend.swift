import Basics
import Rendering

/// A weighted sum of pictures. The sum is calculated sample by sample from the encoded values.
struct FrameBlend {
  private var format: FrameFormat?
  private var sums: [[Float]] = []

  /// Creates an empty blend.
  init() {}

  /// Adds a picture to the sum.
  ///
  /// - Parameters:
  ///   - picture: The picture, which must have the same format as earlier pictures.
  ///   - share: The factor by which the picture's samples are multiplied.
  mutating func add(_ picture: PlanarFrame, share: Double) throws(MediaError) {
    guard format == nil || format == picture.format else {
      throw MediaError("the video changes size or colours partway through")
    }
    format = picture.format
    for (index, plane) in picture.planes.enumerated() {
      let width = plane.width
      if sums.count <= index { sums.append([Float](repeating: 0, count: width * plane.height)) }
      sums[index].withUnsafeMutableBufferPointer { sums in
        for y in 0..<plane.height {
          let (row, line) = (plane.base + y * plane.stride, sums[y * width..<(y + 1) * width])
          if picture.format.bytesPerSample == 2 {
            Self.add(row.assumingMemoryBound(to: UInt16.self), Float(share), to: line)
          } else {
            Self.add(row.assumingMemoryBound(to: UInt8.self), Float(share), to: line)
          }
        }
      }
    }
  }

  private static func add<Sample: FixedWidthInteger>(
    _ samples: UnsafeMutablePointer<Sample>, _ share: Float, to sums: Slice<UnsafeMutableBufferPointer<Float>>
  ) {
    let sums = UnsafeMutableBufferPointer(rebasing: sums)
    for x in sums.indices { sums[x] += share * Float(samples[x]) }
  }

  /// The rounded sum, or nil if no picture has been added.
  var picture: PlanarFrame? {
    guard let format else { return nil }
    let picture = PlanarFrame(valid: format)
    let largest = Float((1 << format.bitDepth) - 1)
    for (plane, sums) in sums.enumerated() {
      // All values are at least 0. Adding 0.5 and truncating the result therefore rounds the values.
      _ = picture.setSamples(sums.map { UInt16(min(max($0, 0), largest) + 0.5) }, ofPlane: plane)
    }
    return picture
  }
}
