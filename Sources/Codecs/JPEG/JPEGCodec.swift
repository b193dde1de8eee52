import Basics
internal import CTurboJPEG
import EditModel
import Rendering

/// Decodes JPEGs to planes, encodes planes as JPEGs, and rotates and flips JPEGs in the DCT domain.
///
/// The JPEGs written by this type contain only the segments that a decoder needs. The caller is responsible for
/// metadata.
package enum JPEGCodec {
  /// Rotates or flips a JPEG without decoding its pixels, by moving the DCT coefficients of every block.
  ///
  /// Progressive JPEGs remain progressive, and grey JPEGs remain grey. Arithmetic-coded JPEGs become Huffman-coded.
  ///
  /// - Parameters:
  ///   - jpeg: The bytes of a JPEG file from SOI to EOI.
  ///   - orientation: The rotation or flip to apply.
  /// - Returns: The transformed file, or nil if incomplete blocks would move from an edge into the picture.
  /// - Throws: ``MediaError`` if the data is damaged or of an unsupported kind.
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

  /// Moves the blocks of a JPEG to transform the picture.
  static func transformed(
    _ jpeg: [UInt8], by transform: tjtransform, _ handle: TurboJPEG
  ) throws -> [UInt8] {
    var transform = transform
    transform.customFilter = { coefficients, region, _, _, _, transform in
      // Damaged codes may be readable but produce coefficients that the writer cannot encode.
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

  /// Decodes a JPEG to its stored 8-bit planes without changing the chroma subsampling or the colours.
  ///
  /// - Parameters:
  ///   - jpeg: The bytes of a complete JPEG file.
  ///   - acceptsDamage: Whether the readable part of damaged data is decoded, as in picture viewers.
  /// - Throws: ``MediaError`` if the data is damaged, or if the picture is neither grey nor Y′CbCr.
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
  ///   - frame: A frame with 8 bits per sample. The encoder does not support 4:4:1, so a 4:4:1 frame is stored as
  ///     4:4:0.
  ///   - quality: The quality on the IJG scale, from 1 to 100.
  /// - Throws: ``MediaError`` if the frame has more than 8 bits per sample.
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

  /// Encodes planes that do not come from a JPEG as a baseline JPEG.
  package static func encode(_ frame: PlanarFrame, quality: RenderSettings.Quality) throws -> [UInt8] {
    try encode(frame, quality: JPEGQuality.forEncodingAgain([], quality))
  }

  /// Encodes a movie frame as a JPEG. A movie frame is smaller than a photo and has more detail in each block.
  package static func encode(frame: PlanarFrame, quality: RenderSettings.Quality) throws -> [UInt8] {
    try encode(
      frame, quality: JPEGQuality.forFrame(quality, side: max(frame.format.width, frame.format.height)))
  }

  /// Rotates or flips a JPEG. The JPEG is transformed in the DCT domain if this is lossless, and otherwise decoded and
  /// re-encoded.
  ///
  /// - Parameters:
  ///   - jpeg: The bytes of a complete JPEG file, which may be a thumbnail.
  ///   - orientation: The rotation or flip to apply.
  ///   - quality: The quality of a re-encoded picture. `standard` matches the quality of the source.
  /// - Returns: The transformed file, and whether the JPEG was transformed without decoding any pixels.
  /// - Throws: ``MediaError`` if the data is damaged or of an unsupported kind.
  package static func turn(
    _ jpeg: [UInt8], by orientation: Orientation, quality: RenderSettings.Quality = .standard
  ) throws -> (jpeg: [UInt8], isLossless: Bool) {
    if let turned = try losslessTurn(jpeg, by: orientation) { return (turned, true) }
    let quality = JPEGQuality.forEncodingAgain(try JPEGCodingHeader(jpeg).quantization, quality)
    return (try encode(try decode(jpeg).turned(by: orientation), quality: quality), false)
  }

  /// Decodes a JPEG, rotates or flips the picture, edits the picture, and encodes the result.
  ///
  /// - Parameters:
  ///   - jpeg: The bytes of a complete JPEG file, which may be a thumbnail.
  ///   - orientation: The rotation or flip to apply.
  ///   - quality: The quality of the encoded picture. `standard` matches the quality of the source.
  ///   - change: The edit to apply to the rotated picture. See ``FrameStage``.
  /// - Throws: ``MediaError`` if the data is damaged or of an unsupported kind, or any error that `change` throws.
  package static func edit(
    _ jpeg: [UInt8], by orientation: Orientation, quality: RenderSettings.Quality,
    change: (PlanarFrame) throws -> PlanarFrame
  ) throws -> [UInt8] {
    let picture = try decode(jpeg)
    let turned = orientation == .identity ? picture : picture.turned(by: orientation)
    return try encode(try change(turned), asFineAs: jpeg, quality)
  }

  /// Encodes an edited picture that was originally decoded from a JPEG.
  ///
  /// - Parameters:
  ///   - frame: A frame with 8 bits per sample.
  ///   - jpeg: The JPEG from which the picture was decoded.
  ///   - quality: The quality of the encoded picture. `standard` matches the quality of the source.
  /// - Throws: ``MediaError`` if `jpeg` is damaged.
  package static func encode(
    _ frame: PlanarFrame, asFineAs jpeg: [UInt8], _ quality: RenderSettings.Quality
  ) throws -> [UInt8] {
    try encode(
      frame, quality: JPEGQuality.forEncodingAgain(try JPEGCodingHeader(jpeg).quantization, quality))
  }

  /// Returns whether all coefficients of the given blocks have Huffman codes at 8 bits per sample (T.81 F.1.2).
  private static func areCodable(_ coefficients: UnsafePointer<Int16>, _ count: Int) -> Bool {
    var (least, greatest): (Int16, Int16) = (0, 0)
    for index in 0..<count {
      least = min(least, coefficients[index])
      greatest = max(greatest, coefficients[index])
    }
    if least >= -1023, greatest <= 1023 { return true }
    // The DC coefficient, which is the first of a block's 64 coefficients, may be lower by one for a black block.
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

  /// Returns pointers to a frame's planes in the format that the library needs. The function first checks that the
  /// planes cover all samples that the library accesses.
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
