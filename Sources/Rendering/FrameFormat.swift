import Basics
import EditModel

/// Size, layout and colours of a frame.
package struct FrameFormat: Hashable, Sendable {
  /// Luma columns.
  package var width: Int
  /// Luma rows.
  package var height: Int
  /// The layout of chroma samples.
  package var sampling: ChromaSampling
  /// Bits of a sample: 8 in a byte each, or 9 to 16 in two bytes each, least significant byte first.
  package var bitDepth: Int
  /// The colours that sample values stand for.
  package var color: ColorDescription

  /// - Parameters:
  ///   - width: luma columns.
  ///   - height: luma rows.
  ///   - sampling: how many chroma samples there are.
  ///   - bitDepth: bits of a sample.
  ///   - color: what sample values mean.
  package init(
    width: Int, height: Int, sampling: ChromaSampling, bitDepth: Int = 8, color: ColorDescription = .init()
  ) {
    self.width = width
    self.height = height
    self.sampling = sampling
    self.bitDepth = bitDepth
    self.color = color
  }

  /// The most luma samples that a frame may have: enough for 48 megapixel photos and for panoramas. TurboJPEG counts samples in 31
  /// bits, which 2³⁰ and the blocks at the edges fit into.
  package static var maximumSamples: Int { min(ReadingLimit.pixels.value << 20, 1 << 30) }

  /// True if a frame of this format can be allocated: sides from 1 to 65535, at most
  /// ``maximumSamples`` luma samples, 8 to 16 bits.
  package var isValid: Bool {
    (1...65535).contains(width) && (1...65535).contains(height) && width * height <= Self.maximumSamples
      && (8...16).contains(bitDepth)
  }

  /// Luma columns and rows.
  package var size: PixelSize { PixelSize(width: width, height: height) }

  /// Bytes of a sample: 1 or 2.
  package var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

  /// Columns and rows of a plane, rounded up where the luma does not divide.
  ///
  /// - Parameter plane: 0 is luma, 1 is Cb, 2 is Cr.
  package func planeSize(_ plane: Int) -> (width: Int, height: Int) {
    guard plane > 0 else { return (width, height) }
    let h = sampling.horizontalShift
    let v = sampling.verticalShift
    return ((width + (1 << h) - 1) >> h, (height + (1 << v) - 1) >> v)
  }

  /// The column and row of a plane that a luma column and row belong to.
  ///
  /// - Parameters:
  ///   - place: luma column and row.
  ///   - plane: 0 is luma, 1 is Cb, 2 is Cr.
  func place(_ place: (x: Int, y: Int), inPlane plane: Int) -> (x: Int, y: Int) {
    plane == 0 ? place : (place.x >> sampling.horizontalShift, place.y >> sampling.verticalShift)
  }

  /// The format of the transformed picture.
  ///
  /// Where a mirrored axis has an odd size that its chroma samples do not divide, the samples would cover
  /// other luma samples than before; such a picture becomes 4:4:4.
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
