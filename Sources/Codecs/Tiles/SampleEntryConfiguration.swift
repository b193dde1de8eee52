import Basics
internal import CFFmpeg
import EditModel

/// Creates an encoder's `avcC` or `hvcC` box with FFmpeg's MOV muxer (ISO/IEC 14496-15 sections 5.3.3.1 and 8.3.3.1).
/// The header of a movie without samples is written to memory, and the box is extracted from the header. Timing
/// information is omitted, because the movie itself states the times of the frames.
enum SampleEntryConfiguration {
  /// - Parameters:
  ///   - encoder: An open encoder with global headers.
  ///   - codec: The codec of the encoder.
  /// - Returns: The content of the box, without the box's size and type.
  static func make(for encoder: CodecHandle, codec: RenderSettings.VideoCodec) throws -> [UInt8] {
    let header = try movieHeader(encoder, codec)
    let type = Array((codec == .h264 ? "avcC" : "hvcC").utf8)
    var at = 4
    while at + 4 <= header.count {
      if header[at] == type[0], Array(header[at..<at + 4]) == type {
        let size = header[at - 4..<at].reduce(0) { $0 << 8 | Int($1) }
        if size > 8, size <= header.count - at + 4 {
          let box = Array(header[at + 4..<at - 4 + size])
          return try SequenceParameterSet.removeTiming(fromConfiguration: box, codec: codec)
        }
      }
      at += 1
    }
    throw MediaError("the video encoder produced no parameter sets")
  }

  private static func movieHeader(
    _ encoder: CodecHandle, _ codec: RenderSettings.VideoCodec
  ) throws -> [UInt8] {
    var muxer: UnsafeMutablePointer<AVFormatContext>?
    guard avformat_alloc_output_context2(&muxer, nil, "mp4", nil) >= 0, let muxer else {
      throw MediaError.noMemory
    }
    defer { avformat_free_context(muxer) }
    guard let stream = avformat_new_stream(muxer, nil), let parameters = stream.pointee.codecpar,
      avcodec_parameters_from_context(parameters, encoder.pointer) >= 0
    else { throw MediaError.noMemory }
    parameters.pointee.codec_tag = codec == .h264 ? liveedit_tag_avc1 : liveedit_tag_hvc1
    stream.pointee.time_base = encoder.pointer.pointee.time_base
    var output: UnsafeMutablePointer<AVIOContext>?
    guard avio_open_dyn_buf(&output) >= 0 else { throw MediaError.noMemory }
    muxer.pointee.pb = output
    var bytes: UnsafeMutablePointer<UInt8>?
    defer { av_free(bytes) }
    do {
      try LibAV.withOptions(["movflags": "empty_moov+default_base_moof", "fflags": "bitexact"]) { options in
        let status = avformat_write_header(muxer, &options)
        guard status >= 0 else {
          throw MediaError("the video encoder's parameter sets were rejected (\(LibAV.message(status)))")
        }
      }
    } catch {
      _ = avio_close_dyn_buf(output, &bytes)
      throw error
    }
    let count = Int(avio_close_dyn_buf(output, &bytes))
    muxer.pointee.pb = nil
    guard let bytes, count > 0 else { throw MediaError.noMemory }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}
