import Basics
import EditModel

/// The size, sampling, bit depth and colours of a frame.
package struct FrameFormat: Hashable, Sendable {
  /// The width in luma samples.
  package var width: Int
  /// The height in luma samples.
  package var height: Int
  /// The layout of the chroma samples.
  package var sampling: ChromaSampling
  /// The number of bits per sample. Samples of 8 bits are stored in one byte, and samples of 9 to 16 bits in two bytes,
  /// least significant byte first.
  package var bitDepth: Int
  /// The meaning of the sample values as colours.
  package var color: ColorDescription

  /// - Parameters:
  ///   - width: The width in luma samples.
  ///   - height: The height in luma samples.
  ///   - sampling: The chroma sampling.
  ///   - bitDepth: The number of bits per sample.
  ///   - color: The meaning of the sample values as colours.
  package init(
    width: Int, height: Int, sampling: ChromaSampling, bitDepth: Int = 8, color: ColorDescription = .init()
  ) {
    self.width = width
    self.height = height
    self.sampling = sampling
    self.bitDepth = bitDepth
    self.color = color
  }

  /// The maximum number of luma samples in a frame. The limit suffices for 48-megapixel photos and panoramas. TurboJPEG
  /// counts samples in 31 bits, which is enough for 2³⁰ samples and the blocks at the edges.
  package static var maximumSamples: Int { min(ReadingLimit.pixels.value << 20, 1 << 30) }

  /// Whether a frame of this format can be allocated: width and height from 1 to 65535, at most ``maximumSamples`` luma
  /// samples, and 8 to 16 bits per sample.
  package var isValid: Bool {
    (1...65535).contains(width) && (1...65535).contains(height) && width * height <= Self.maximumSamples
      && (8...16).contains(bitDepth)
  }

  /// The width and height in luma samples.
  package var size: PixelSize { PixelSize(width: width, height: height) }

  /// The number of bytes per sample: 1 or 2.
  package var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

  /// Returns the width and height of a plane in samples, rounded up if the luma size is not a multiple of the chroma
  /// block.
  ///
  /// - Parameter plane: 0 for luma, 1 for Cb, 2 for Cr.
  package func planeSize(_ plane: Int) -> (width: Int, height: Int) {
    guard plane > 0 else { return (width, height) }
    let h = sampling.horizontalShift
    let v = sampling.verticalShift
    return ((width + (1 << h) - 1) >> h, (height + (1 << v) - 1) >> v)
  }

  /// Returns the column and row in a plane that correspond to a luma column and row.
  ///
  /// - Parameters:
  ///   - place: The luma column and row.
  ///   - plane: 0 for luma, 1 for Cb, 2 for Cr.
  func place(_ place: (x: Int, y: Int), inPlane plane: Int) -> (x: Int, y: Int) {
    plane == 0 ? place : (place.x >> sampling.horizontalShift, place.y >> sampling.verticalShift)
  }

  /// Returns the format of the rotated or mirrored picture.
  ///
  /// If the picture is mirrored along an axis whose size is not a multiple of the chroma block, the chroma samples
  /// would cover different luma samples than before. Such a picture becomes 4:4:4.
  package func turned(by orientation: Orientation) -> FrameFormat {
    var turned = self
    turned.sampling = keepsSampling(by: orientation) ? sampling : .yuv444
    turned.color = color.turned(by: orientation)
    if orientation.swapsAxes {
      turned.width = height
      turned.height = width
      turned.sampling = turned.sampling.transposed
    }
    return turned
  }

  private func keepsSampling(by orientation: Orientation) -> Bool {
    let m = orientation.matrix
    let mirrorsColumns = m.a + m.b < 0
    let mirrorsRows = m.c + m.d < 0
    return !(mirrorsColumns && width & ((1 << sampling.horizontalShift) - 1) != 0)
      && !(mirrorsRows && height & ((1 << sampling.verticalShift) - 1) != 0)
  }
}
