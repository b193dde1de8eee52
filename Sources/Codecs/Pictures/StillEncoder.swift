import Basics
internal import CFFmpeg
import Rendering

/// Encodes pictures as PNG and WebP files without metadata.
package enum StillEncoder {
  /// The maximum width or height of a WebP picture (RFC 9649 section 2.6).
  private static let longestWebPSide = 16_383
  /// The number of pixels above which lossless encoding uses less time and memory but produces larger files.
  private static let large = 4_000_000

  /// Encodes a picture as a PNG.
  ///
  /// - Throws: ``MediaError`` if the encoder is missing or fails.
  package static func png(_ picture: PackedPixels) throws -> [UInt8] {
    try encoded(picture, by: "png", AV_PIX_FMT_RGB24, ["pred": "mixed"])
  }

  /// Encodes a picture as WebP.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - quality: The quality on libwebp's scale, from 0 to 100, or nil for lossless encoding.
  /// - Throws: ``MediaError`` if the picture is too large for WebP, or if the encoder is missing or fails.
  package static func webp(_ picture: PackedPixels, quality: Int?) throws -> [UInt8] {
    guard max(picture.width, picture.height) <= longestWebPSide else {
      throw MediaError(
        "\(picture.width)x\(picture.height) pixels exceed the WebP size limit",
        remedy: "use --size \(longestWebPSide) or less", isUnsupported: true)
    }
    if let quality { return try encoded(picture, by: "libwebp", AV_PIX_FMT_BGRA, ["quality": "\(quality)"]) }
    // For lossless encoding, this value controls the encoding time.
    let isLarge = picture.width * picture.height > large
    return try encoded(
      picture, by: "libwebp", AV_PIX_FMT_BGRA,
      ["lossless": "1", "quality": isLarge ? "0" : "50", "compression_level": isLarge ? "0" : "4"])
  }

  private static func encoded(
    _ picture: PackedPixels, by name: String, _ format: AVPixelFormat,
    _ options: KeyValuePairs<String, String>
  ) throws -> [UInt8] {
    _ = LibAV.setUp
    guard let codec = avcodec_find_encoder_by_name(name) else { throw MediaError.missing(name) }
    let encoder = try CodecHandle(codec)
    let fields = encoder.pointer
    fields.pointee.width = Int32(picture.width)
    fields.pointee.height = Int32(picture.height)
    fields.pointee.pix_fmt = format
    fields.pointee.time_base = AVRational(num: 1, den: 1)
    fields.pointee.thread_count = 1
    fields.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    let failed = MediaError("the picture could not be encoded")
    try LibAV.withOptions(options) { options in
      let status = avcodec_open2(fields, codec, &options)
      guard status >= 0 else { throw LibAV.failure(status, failed) }
    }
    let frame = try FrameHandle(width: fields.pointee.width, height: fields.pointee.height, format: format)
    let bytesPerPixel = format == AV_PIX_FMT_RGB24 ? 3 : 4
    let stride = Int(frame.strides[0])
    guard let base = frame.bases[0], stride >= picture.width * bytesPerPixel else {
      throw MediaError.noMemory
    }
    picture.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<picture.height {
        let row = UnsafeMutableRawPointer(base + y * stride)
        for x in 0..<picture.width {
          let pixel = pixels[y * picture.width + x]
          if bytesPerPixel == 4 {
            row.storeBytes(of: pixel.littleEndian, toByteOffset: 4 * x, as: UInt32.self)
          } else {
            row.storeBytes(of: UInt8(truncatingIfNeeded: pixel >> 16), toByteOffset: 3 * x, as: UInt8.self)
            row.storeBytes(of: UInt8(truncatingIfNeeded: pixel >> 8), toByteOffset: 3 * x + 1, as: UInt8.self)
            row.storeBytes(of: UInt8(truncatingIfNeeded: pixel), toByteOffset: 3 * x + 2, as: UInt8.self)
          }
        }
      }
    }
    frame.pointer.pointee.pts = 0
    let packet = try PacketHandle()
    var bytes: [UInt8] = []
    for input in [frame.pointer, nil] {
      let status = avcodec_send_frame(fields, input)
      guard status >= 0 else { throw LibAV.failure(status, failed) }
      try encoder.receive(into: packet, failure: { LibAV.failure($0, failed) }) { bytes += $0.bytes }
    }
    guard !bytes.isEmpty else { throw failed }
    return bytes
  }
}
