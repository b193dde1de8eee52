import Basics
internal import CTurboJPEG
import EditModel
import Rendering

/// JPEG to planes and back, and turns in the DCT domain.
///
/// Metadata is not its business: what it writes has the segments that a decoder needs and no others.
package enum JPEGCodec {
  /// Turns a JPEG without decoding its pixels: the DCT coefficients of every block are moved.
  ///
  /// A progressive picture stays progressive, a grey one grey; an arithmetic one is Huffman coded after.
  ///
  /// - Parameters:
  ///   - jpeg: a JPEG file from SOI to EOI.
  ///   - orientation: what to do.
  /// - Returns: the turned file; nil when blocks at an edge are incomplete and would come to lie inside.
  /// - Throws: ``MediaError`` when the data is damaged or of a kind that is not handled.
  package static func losslessTurn(_ jpeg: [UInt8], by orientation: Orientation) throws -> [UInt8]? {
    let handle = try TurboJPEG(tjInitTransform())
    let header = try JPEGCodingHeader(jpeg)
    let frame = try handle.readHeader(jpeg, header)
    guard frame.isPerfect(orientation) else { return nil }
    var transform = tjtransform()
    transform.op = Int32(operation(orientation).rawValue)
    transform.options = TJXOPT_PERFECT | TJXOPT_COPYNONE | (header.isProgressive ? TJXOPT_PROGRESSIVE : 0)
    return try transformed(jpeg, by: transform, handle)
  }

  /// Moves the blocks of a JPEG.
  static func transformed(
    _ jpeg: [UInt8], by transform: tjtransform, _ handle: TurboJPEG
  ) throws -> [UInt8] {
    var transform = transform
    transform.customFilter = { coefficients, region, _, _, _, transform in
      // Codes that are damaged but readable give coefficients that the writer has no codes for.
      guard let coefficients, JPEGCodec.areCodable(coefficients, Int(region.w) * Int(region.h)) else {
        transform?.pointee.data?.storeBytes(of: true, as: Bool.self)
        return -1
      }
      return 0
    }
    var output: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(output) }
    var isOutOfRange = false
    let status = withUnsafeMutablePointer(to: &isOutOfRange) { flag in
      transform.data = UnsafeMutableRawPointer(flag)
      return tjTransform(
        handle.pointer, jpeg, UInt(jpeg.count), 1, &output, &size, &transform, TJFLAG_LIMITSCANS)
    }
    guard !isOutOfRange else { throw MediaError.damaged("the picture data is damaged") }
    try handle.check(status, reading: jpeg)
    guard let output, let count = Int(exactly: size) else {
      throw MediaError("the picture could not be rotated")
    }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }

  /// Decodes a JPEG to the planes that it holds, 8 bits a sample, without any change of sampling or colours.
  ///
  /// - Parameters:
  ///   - jpeg: a whole JPEG file.
  ///   - acceptsDamage: whether damaged data is decoded as far as it goes, as viewers do.
  /// - Throws: ``MediaError`` when the data is damaged, or not grey or Y′CbCr.
  package static func decode(_ jpeg: [UInt8], acceptsDamage: Bool = false) throws -> PlanarFrame {
    let handle = try TurboJPEG(tjInitDecompress())
    let frame = try handle.readHeader(jpeg, try JPEGCodingHeader(jpeg))
    guard frame.colorspace == TJCS_YCbCr || frame.colorspace == TJCS_GRAY else {
      throw MediaError.unsupported(
        "the colours are not encoded as Y′CbCr, and the picture's size does not allow lossless rotation")
    }
    let format = FrameFormat(
      width: frame.width, height: frame.height, sampling: frame.sampling, color: .jpeg)
    guard let result = PlanarFrame(format: format) else { throw MediaError.tooLarge }
    var (planes, strides) = try pointers(result, frame.layout)
    let status = tjDecompressToYUVPlanes(
      handle.pointer, jpeg, UInt(jpeg.count), &planes, 0, &strides, 0,
      TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
    if !acceptsDamage || !handle.isWarning { try handle.check(status, reading: jpeg) }
    return result
  }

  /// Encodes planes as a baseline JPEG with the standard quantisation tables.
  ///
  /// - Parameters:
  ///   - frame: 8 bits a sample; 4:4:1, which the encoder does not know, is stored as 4:4:0.
  ///   - quality: on the IJG scale, 1 to 100.
  /// - Throws: ``MediaError`` when the frame has more than 8 bits.
  package static func encode(_ frame: PlanarFrame, quality: Int) throws -> [UInt8] {
    let handle = try TurboJPEG(tjInitCompress())
    guard frame.format.bitDepth == 8 else {
      throw MediaError.unsupported("a JPEG stores 8 bits per sample, not \(frame.format.bitDepth)")
    }
    let frame = frame.format.sampling == .yuv441 ? frame.chromaResampled(to: .yuv440) : frame
    guard let layout = TurboJPEG.layout(frame.format.sampling) else {
      throw MediaError.unsupported("the chroma layout is not supported")
    }
    let padded = frame.ownsMemory ? frame : frame.turned(by: .identity)
    padded.extendEdges()
    let (planes, strides) = try pointers(padded, layout)
    var output: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(output) }
    var constPlanes = planes.map { UnsafePointer($0) }
    let status = tjCompressFromYUVPlanes(
      handle.pointer, &constPlanes, Int32(frame.format.width), strides, Int32(frame.format.height),
      Int32(layout.rawValue), &output, &size, Int32(min(max(quality, 1), 100)), TJFLAG_ACCURATEDCT)
    try handle.check(status, reading: [])
    guard let output, let count = Int(exactly: size) else {
      throw MediaError("the picture could not be encoded")
    }
    return withExtendedLifetime(padded) { Array(UnsafeBufferPointer(start: output, count: count)) }
  }

  /// Encodes planes that were no JPEG before, likewise.
  package static func encode(_ frame: PlanarFrame, quality: RenderSettings.Quality) throws -> [UInt8] {
    try encode(frame, quality: JPEGQuality.forEncodingAgain([], quality))
  }

  /// Encodes a frame of a movie, which is smaller than a photo and has more detail in each block.
  package static func encode(frame: PlanarFrame, quality: RenderSettings.Quality) throws -> [UInt8] {
    try encode(
      frame, quality: JPEGQuality.forFrame(quality, side: max(frame.format.width, frame.format.height)))
  }

  /// Turns a JPEG in the DCT domain if that is perfect, else by decoding and encoding it again.
  ///
  /// - Parameters:
  ///   - jpeg: a whole JPEG file, also a thumbnail.
  ///   - orientation: what to do.
  ///   - quality: how fine the encoded picture is; `standard` is as fine as the one it was.
  /// - Returns: the turned file, and whether no pixel was decoded.
  /// - Throws: ``MediaError`` when the data is damaged or of a kind that is not handled.
  package static func turn(
    _ jpeg: [UInt8], by orientation: Orientation, quality: RenderSettings.Quality = .standard
  ) throws -> (jpeg: [UInt8], isLossless: Bool) {
    if let turned = try losslessTurn(jpeg, by: orientation) { return (turned, true) }
    let quality = JPEGQuality.forEncodingAgain(try JPEGCodingHeader(jpeg).quantization, quality)
    return (try encode(try decode(jpeg).turned(by: orientation), quality: quality), false)
  }

  /// Turns a JPEG by decoding it, changes it, and encodes it again.
  ///
  /// - Parameters:
  ///   - jpeg: a whole JPEG file, also a thumbnail.
  ///   - orientation: how it is turned.
  ///   - quality: how fine the encoded picture is; `standard` is as fine as the one it was.
  ///   - change: what is done to the turned picture, see ``FrameStage``.
  /// - Throws: ``MediaError`` when the data is damaged or of a kind that is not handled, or what `change` throws.
  package static func edit(
    _ jpeg: [UInt8], by orientation: Orientation, quality: RenderSettings.Quality,
    change: (PlanarFrame) throws -> PlanarFrame
  ) throws -> [UInt8] {
    let picture = try decode(jpeg)
    let turned = orientation == .identity ? picture : picture.turned(by: orientation)
    return try encode(try change(turned), asFineAs: jpeg, quality)
  }

  /// Encodes a picture that was decoded and changed.
  ///
  /// - Parameters:
  ///   - frame: 8 bits a sample.
  ///   - jpeg: the JPEG that it was.
  ///   - quality: how fine the encoded picture is; `standard` is as fine as the one it was.
  /// - Throws: ``MediaError`` when `jpeg` is damaged.
  package static func encode(
    _ frame: PlanarFrame, asFineAs jpeg: [UInt8], _ quality: RenderSettings.Quality
  ) throws -> [UInt8] {
    try encode(
      frame, quality: JPEGQuality.forEncodingAgain(try JPEGCodingHeader(jpeg).quantization, quality))
  }

  /// True if all coefficients of some blocks have Huffman codes at 8 bits a sample: T.81 F.1.2.
  private static func areCodable(_ coefficients: UnsafePointer<Int16>, _ count: Int) -> Bool {
    var (least, greatest): (Int16, Int16) = (0, 0)
    for index in 0..<count {
      least = min(least, coefficients[index])
      greatest = max(greatest, coefficients[index])
    }
    if least >= -1023, greatest <= 1023 { return true }
    // The mean of a black block, the first of 64 coefficients, may be one less.
    return (0..<count).allSatisfy { index in
      (index % 64 == 0 ? -1024 : -1023)...1023 ~= coefficients[index]
    }
  }

  private static func operation(_ orientation: Orientation) -> TJXOP {
    switch orientation {
    case .up: TJXOP_NONE
    case .upMirrored: TJXOP_HFLIP
    case .down: TJXOP_ROT180
    case .downMirrored: TJXOP_VFLIP
    case .leftMirrored: TJXOP_TRANSPOSE
    case .right: TJXOP_ROT90
    case .rightMirrored: TJXOP_TRANSVERSE
    case .left: TJXOP_ROT270
    }
  }

  /// A frame's planes as the library wants them, once it is certain that they hold all that it touches.
  static func pointers(
    _ frame: PlanarFrame, _ layout: TJSAMP
  ) throws -> ([UnsafeMutablePointer<UInt8>?], [Int32]) {
    for (index, plane) in frame.planes.enumerated() {
      let columns = tjPlaneWidth(Int32(index), Int32(frame.format.width), Int32(layout.rawValue))
      let rows = tjPlaneHeight(Int32(index), Int32(frame.format.height), Int32(layout.rawValue))
      guard columns > 0, columns <= plane.stride, columns <= (plane.width + 3) & ~3,
        rows > 0, rows <= (plane.height + 3) & ~3
      else { throw MediaError.unsupported("the chroma layout is not supported") }
    }
    return (
      frame.planes.map { $0.base.assumingMemoryBound(to: UInt8.self) },
      frame.planes.map { Int32($0.stride) }
    )
  }
}
