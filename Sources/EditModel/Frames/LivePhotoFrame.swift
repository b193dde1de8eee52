/// A picture of an asset, as passed to a frame processor that requests planes: the photo or a frame of its movie,
/// upright, with the edit's own changes applied.
///
/// The samples are used as stored in the file, usually in Y′CbCr, without colour conversion.
///
///     let negative = FrameProcessor.planes { frame in
///       var planes = frame.planes
///       let largest = frame.largestSample
///       for index in planes[0].samples.indices { planes[0].samples[index] = largest - planes[0].samples[index] }
///       return planes
///     }
public struct LivePhotoFrame: Hashable, Sendable {
  /// The samples of one colour component.
  public struct Plane: Hashable, Sendable {
    /// The width of the plane in samples.
    public var width: Int
    /// The height of the plane in samples.
    public var height: Int
    /// The samples in row-major order, from the top left. The number of samples is `width * height`, and each sample is
    /// from 0 to ``LivePhotoFrame/largestSample``.
    public var samples: [UInt16]

    /// - Parameters:
    ///   - width: The width of the plane in samples.
    ///   - height: The height of the plane in samples.
    ///   - samples: The samples in row-major order, `width * height` in number.
    public init(width: Int, height: Int, samples: [UInt16]) {
      self.width = width
      self.height = height
      self.samples = samples
    }
  }

  /// The frame's half of the Live Photo, its display time and its scale relative to full size.
  public let context: FrameContext
  /// The number of bits per sample: 8 to 16.
  public let bitDepth: Int
  /// Whether samples use the full range. In limited range, black is 16 and white is 235 (at 8 bits). In both ranges,
  /// neutral chroma is the middle of the range.
  public let isFullRange: Bool
  /// The matrix that converts between RGB and luma and chroma: `MatrixCoefficients` of ITU-T H.273 (1: BT.709, 5 and 6:
  /// BT.601, 9: BT.2020, 2: unspecified).
  public let matrix: Int
  /// The planes of luma, Cb and Cr; for a grey picture, only the luma plane. With chroma subsampling, the chroma planes
  /// are smaller.
  public let planes: [Plane]

  /// - Parameters:
  ///   - context: The frame's half, display time and scale.
  ///   - bitDepth: The number of bits per sample.
  ///   - isFullRange: Whether samples use the full range.
  ///   - matrix: `MatrixCoefficients` of ITU-T H.273.
  ///   - planes: The planes of luma, Cb and Cr, or of luma alone.
  public init(context: FrameContext, bitDepth: Int, isFullRange: Bool, matrix: Int, planes: [Plane]) {
    self.context = context
    self.bitDepth = bitDepth
    self.isFullRange = isFullRange
    self.matrix = matrix
    self.planes = planes
  }

  /// The maximum value of a sample.
  public var largestSample: UInt16 { UInt16.max >> UInt16(clamping: max(0, 16 - bitDepth)) }
}
