/// One picture of an asset as a frame processor sees it that asks for planes: the photo, or a frame of its movie, upright, with the
/// edit's own changes in it.
///
/// The samples are those that the file holds, Y′CbCr as a rule: no colour is converted.
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
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int
    /// Row after row, from the top left, `width * height` of them, each from 0 to
    /// ``LivePhotoFrame/largestSample``.
    public var samples: [UInt16]

    /// - Parameters:
    ///   - width: columns.
    ///   - height: rows.
    ///   - samples: row after row, `width * height` of them.
    public init(width: Int, height: Int, samples: [UInt16]) {
      self.width = width
      self.height = height
      self.samples = samples
    }
  }

  /// Its half of the Live Photo, when it is shown, and how large it is compared with the full one.
  public let context: FrameContext
  /// Bits of a sample: 8, or up to 16.
  public let bitDepth: Int
  /// True if samples use all values; otherwise black is 16 and white is 235 (at 8 bits). Chroma is neutral in the
  /// middle of its range in both.
  public let isFullRange: Bool
  /// The matrix that makes luma and chroma of red, green and blue: `MatrixCoefficients` of ITU-T H.273 (1: BT.709, 5 and 6: BT.601, 9:
  /// BT.2020, 2: nobody says).
  public let matrix: Int
  /// Luma, Cb and Cr; luma alone for a grey picture. Chroma planes are smaller where samples share them.
  public let planes: [Plane]

  /// - Parameters:
  ///   - context: which picture it is.
  ///   - bitDepth: bits of a sample.
  ///   - isFullRange: whether samples use all values.
  ///   - matrix: `MatrixCoefficients` of ITU-T H.273.
  ///   - planes: luma, Cb and Cr, or luma alone.
  public init(context: FrameContext, bitDepth: Int, isFullRange: Bool, matrix: Int, planes: [Plane]) {
    self.context = context
    self.bitDepth = bitDepth
    self.isFullRange = isFullRange
    self.matrix = matrix
    self.planes = planes
  }

  /// The largest value that a sample can have.
  public var largestSample: UInt16 { UInt16.max >> UInt16(clamping: max(0, 16 - bitDepth)) }
}
