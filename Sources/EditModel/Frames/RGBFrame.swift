/// The encoding of colours in an ``RGBFrame``. Each encoding is the same for the photo and for every frame of its
/// movie, regardless of the files' own encoding, so that a single formula changes the photo and the movie in the same
/// way.
public enum RGBEncoding: Hashable, Sendable, CaseIterable {
  /// Linear light with the primaries of ITU-R BT.2020 and reference white at 1.
  case linear
  /// Display values: the primaries of Display P3 and the transfer function of sRGB (IEC 61966-2-1), from 0 to 1.
  case display
}

/// A picture of an asset in red, green and blue, as passed to a frame processor that requests colours: the photo or a
/// frame of its movie, upright, with the edit's own changes applied.
///
///     let brighter = FrameProcessor.rgb(.linear) { picture in
///       for index in picture.samples.indices { picture.samples[index] *= 2 }
///     }
public struct RGBFrame: Hashable, Sendable {
  /// The frame's half of the Live Photo, its display time and its scale relative to full size.
  public let context: FrameContext
  /// The encoding of the colours.
  public let encoding: RGBEncoding
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// Red, green and blue of each pixel in row-major order, from the top left: `3 * width * height` numbers. Colours
  /// outside the gamut of the encoding's primaries have values below 0. HDR colours have values above 1.
  public var samples: [Float]

  /// - Parameters:
  ///   - context: The frame's half, display time and scale.
  ///   - encoding: The encoding of the colours.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - samples: Red, green and blue of each pixel in row-major order.
  public init(context: FrameContext, encoding: RGBEncoding, width: Int, height: Int, samples: [Float]) {
    self.context = context
    self.encoding = encoding
    self.width = width
    self.height = height
    self.samples = samples
  }
}

/// A closure of the calling program that changes every picture of an asset.
///
/// The closure is called for each frame of the movie in display order and, concurrently on another thread, for the
/// photo. The closure may block. If the closure throws an error, the edit fails with
/// ``Basics/EditError/Code/frameProcessor``.
public enum FrameProcessor: Sendable {
  /// The closure receives the planes as stored in the file, without colour conversion, and returns the same number of
  /// planes with the same widths and heights.
  case planes(@Sendable (LivePhotoFrame) throws -> [LivePhotoFrame.Plane])
  /// The closure receives colours and changes the colours in place. Pixels that the closure does not change stay
  /// bit-identical.
  case rgb(RGBEncoding, @Sendable (inout RGBFrame) throws -> Void)
}
