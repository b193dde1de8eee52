import Basics
internal import CTurboJPEG
import Rendering

/// Decodes JPEGs with more pixels than a frame may have, such as 200-megapixel phone photos. Such JPEGs are decoded at
/// a reduced size or in part.
extension JPEGCodec {
  /// The maximum number of samples in a JPEG that is decoded at a reduced size or in part. The limit is needed because
  /// all coefficients are kept in memory.
  private static var mostSamples: Int { 2 * FrameFormat.maximumSamples }

  /// Returns whether a JPEG has more pixels than a frame may have.
  package static func isLarge(_ width: Int, _ height: Int) -> Bool {
    width * height > FrameFormat.maximumSamples
  }

  /// Decodes a JPEG at a reduced size by using only some coefficients of each block.
  ///
  /// - Parameters:
  ///   - jpeg: The bytes of a complete JPEG file.
  ///   - side: The minimum width or height in pixels, whichever is larger.
  /// - Returns: The smallest available picture of at least that size. The available scales are one eighth to seven
  ///   eighths of the original width and height.
  /// - Throws: ``MediaError`` if the data is damaged, if the picture is neither grey nor Y′CbCr, or if a picture of
  ///   that size does not fit into a frame.
  package static func decode(_ jpeg: [UInt8], toHold side: Int) throws -> PlanarFrame {
    let handle = try TurboJPEG(tjInitDecompress())
    let frame = try handle.readHeader(jpeg, try JPEGCodingHeader(jpeg), most: mostSamples)
    guard frame.colorspace == TJCS_YCbCr || frame.colorspace == TJCS_GRAY else {
      throw MediaError.unsupported("the colours are not encoded as Y′CbCr")
    }
    let sizes = (1...7).map { eighths in
      ((frame.width * eighths + 7) / 8, (frame.height * eighths + 7) / 8)
    }
    guard let size = sizes.first(where: { max($0.0, $0.1) >= side }),
      let result = PlanarFrame(
        format: FrameFormat(width: size.0, height: size.1, sampling: frame.sampling, color: .jpeg))
    else { throw MediaError.tooLarge }
    var (planes, strides) = try pointers(result, frame.layout)
    let status = tjDecompressToYUVPlanes(
      handle.pointer, jpeg, UInt(jpeg.count), &planes, Int32(size.0), &strides, Int32(size.1),
      TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
    try handle.check(status, reading: jpeg)
    return result
  }

  /// Decodes the JPEG blocks that contain a given part of the picture.
  ///
  /// - Parameters:
  ///   - jpeg: The bytes of a complete JPEG file.
  ///   - part: The part, in pixel coordinates of the stored picture.
  /// - Returns: The decoded blocks, and the position of their top-left corner in the complete picture.
  /// - Throws: ``MediaError`` if the data is damaged, if the picture is neither grey nor Y′CbCr, or if the part does
  ///   not fit into a frame.
  package static func decode(
    _ jpeg: [UInt8], part: (x: Int, y: Int, width: Int, height: Int)
  ) throws -> (picture: PlanarFrame, x: Int, y: Int) {
    let header = try JPEGCodingHeader(jpeg)
    let handle = try TurboJPEG(tjInitTransform())
    let frame = try handle.readHeader(jpeg, header, most: mostSamples)
    let (x, y) = (
      part.x / header.unit.width * header.unit.width, part.y / header.unit.height * header.unit.height
    )
    func end(_ end: Int, _ unit: Int, _ side: Int) -> Int { min((end + unit - 1) / unit * unit, side) }
    let width = end(part.x + part.width, header.unit.width, frame.width) - x
    let height = end(part.y + part.height, header.unit.height, frame.height) - y
    guard width > 0, height > 0, FrameFormat(width: width, height: height, sampling: .grey).isValid else {
      throw MediaError.tooLarge
    }
    var transform = tjtransform()
    transform.op = Int32(TJXOP_NONE.rawValue)
    transform.options = TJXOPT_CROP | TJXOPT_COPYNONE
    transform.r = tjregion(x: Int32(x), y: Int32(y), w: Int32(width), h: Int32(height))
    return (try decode(try transformed(jpeg, by: transform, handle)), x, y)
  }
}
