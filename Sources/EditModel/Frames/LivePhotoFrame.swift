/// A picture of an asset, as passed to a frame processor that requests planes: the photo or a frame of its movie,
/// upright, with the edit's own changes applied.
///
/// The samples are those in the file, usually Y′CbCr, without colour conversion.
///
///     let negative = FrameProcessor.planes { frame in
///       var planes = frame.planes
///       let largest = frame.largestSample
///       for index in planes[0].samples.indices { planes[0].samples[index] = largest - planes[0].samples[index] }
///       return planes
///     }
public struct LivePhotoFrame: Hashable, Sendable {
  /// The samples of one component.
  public struct Plane: Hashable, Sendable {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int
    /// The samples in row-major order, from the top left. Their number is `width * height`, and each is from 0 to
    /// ``LivePhotoFrame/largestSample``.
    public var samples: [UInt16]

    /// - Parameters:
    ///   - width: The number of columns.
    ///   - height: The number of rows.
    ///   - samples: The samples in row-major order; their number is `width * height`.
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
  /// Whether samples use the full range. Otherwise black is 16 and white is 235 (at 8 bits). In both cases, neutral
  /// chroma is the middle of the range.
  public let isFullRange: Bool
  /// The matrix between red, green, blue and luma, chroma: `MatrixCoefficients` of ITU-T H.273 (1: BT.709, 5 and 6:
  /// BT.601, 9: BT.2020, 2: unspecified).
  public let matrix: Int
  /// The planes of luma, Cb and Cr; luma alone for a grey picture. With chroma subsampling, the chroma planes are
  /// smaller.
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
