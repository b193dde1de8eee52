/// The numbers that stand for colours in a ``RGBFrame``. Both are the same for the photo and for every frame of its movie,
/// whatever the files themselves use, so that one formula changes both alike.
public enum RGBEncoding: Hashable, Sendable, CaseIterable {
  /// Linear light with the primaries of ITU-R BT.2020 and reference white at 1.
  case linear
  /// Codes for a screen: Display P3's primaries with sRGB's transfer function (IEC 61966-2-1), from 0 to 1.
  case display
}

/// One picture of an asset in red, green and blue, as a frame processor sees it that asks for colours: the photo, or a
/// frame of its movie, upright, with the edit's own changes in it.
///
///     let brighter = FrameProcessor.rgb(.linear) { picture in
///       for index in picture.samples.indices { picture.samples[index] *= 2 }
///     }
public struct RGBFrame: Hashable, Sendable {
  /// Its half of the Live Photo, when it is shown, and how large it is compared with the full one.
  public let context: FrameContext
  /// The numbers that stand for colours.
  public let encoding: RGBEncoding
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Red, green and blue of each pixel, row after row from the top left: `3 * width * height` numbers. Colours beyond the
  /// encoding's primaries have numbers below 0; HDR goes beyond 1.
  public var samples: [Float]

  /// - Parameters:
  ///   - context: which picture it is.
  ///   - encoding: the numbers that stand for colours.
  ///   - width: columns.
  ///   - height: rows.
  ///   - samples: red, green and blue of each pixel, row after row.
  public init(context: FrameContext, encoding: RGBEncoding, width: Int, height: Int, samples: [Float]) {
    self.context = context
    self.encoding = encoding
    self.width = width
    self.height = height
    self.samples = samples
  }
}

/// A program's own change of every picture of an asset.
///
/// It is called for each frame of the movie in the order of showing, and at the same time from another thread for the
/// photo. It may block. What it throws ends the edit with ``Basics/EditError/Code/frameProcessor``.
public enum FrameProcessor: Sendable {
  /// Gets the planes that the file holds, with no colour converted, and returns as many of the same sizes.
  case planes(@Sendable (LivePhotoFrame) throws -> [LivePhotoFrame.Plane])
  /// Gets colours and changes them in place. Pixels that it leaves as they are keep their codes bit for bit.
  case rgb(RGBEncoding, @Sendable (inout RGBFrame) throws -> Void)
}
