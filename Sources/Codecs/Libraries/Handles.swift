import Basics
internal import CFFmpeg
import FileSystem
import Rendering

/// An owner of an `AVFrame`.
final class FrameHandle {
  let pointer: UnsafeMutablePointer<AVFrame>

  init() throws {
    guard let pointer = av_frame_alloc() else { throw MediaError.noMemory }
    self.pointer = pointer
  }

  /// Creates a picture with memory of its own.
  convenience init(width: Int32, height: Int32, format: AVPixelFormat) throws {
    try self.init()
    (pointer.pointee.width, pointer.pointee.height) = (width, height)
    pointer.pointee.format = format.rawValue
    guard av_frame_get_buffer(pointer, 0) >= 0 else { throw MediaError.noMemory }
  }

  /// Creates an audio frame in a sample format that an encoder accepts.
  convenience init(sampleCount: Int32, for encoder: CodecHandle) throws {
    try self.init()
    pointer.pointee.format = encoder.pointer.pointee.sample_fmt.rawValue
    pointer.pointee.nb_samples = sampleCount
    pointer.pointee.sample_rate = encoder.pointer.pointee.sample_rate
    guard av_channel_layout_copy(&pointer.pointee.ch_layout, &encoder.pointer.pointee.ch_layout) >= 0,
      av_frame_get_buffer(pointer, 0) >= 0
    else { throw MediaError.noMemory }
  }

  /// The address of the first row of each plane.
  var bases: [UnsafeMutablePointer<UInt8>?] {
    withUnsafeBytes(of: pointer.pointee.data) { Array($0.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)) }
  }

  /// The stride of each plane: the distance between rows in bytes.
  var strides: [Int32] {
    withUnsafeBytes(of: pointer.pointee.linesize) { Array($0.bindMemory(to: Int32.self)) }
  }

  /// Returns the decoded picture, which shares the memory of this frame.
  ///
  /// - Returns: The picture, or nil if its pixel format or size is not supported.
  func picture() -> PlanarFrame? {
    let frame = pointer.pointee
    guard let layout = PixelFormat.layout(AVPixelFormat(rawValue: frame.format)) else { return nil }
    let format = FrameFormat(
      width: Int(frame.width), height: Int(frame.height), sampling: layout.sampling,
      bitDepth: layout.bitDepth, color: PixelFormat.color(frame))
    guard format.isValid else { return nil }
    var rows: [(base: UnsafeMutableRawPointer, stride: Int)] = []
    let (bases, strides) = (bases, strides)
    for plane in 0..<layout.sampling.planeCount {
      let (width, _) = format.planeSize(plane)
      guard let base = bases[plane], Int(strides[plane]) >= width * format.bytesPerSample else { return nil }
      rows.append((UnsafeMutableRawPointer(base), Int(strides[plane])))
    }
    return PlanarFrame(format: format, rows: rows, owner: self)
  }

  /// Whether the decoder has marked the frame as damaged.
  var isDamaged: Bool {
    pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || pointer.pointee.decode_error_flags != 0
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }
}

/// An owner of an `AVPacket`.
final class PacketHandle {
  let pointer: UnsafeMutablePointer<AVPacket>

  init() throws {
    guard let pointer = av_packet_alloc() else { throw MediaError.noMemory }
    self.pointer = pointer
  }

  /// The data of the packet.
  var bytes: [UInt8] {
    Array(UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size)))
  }

  /// Fills an empty packet with bytes.
  func fill(_ bytes: [UInt8]) throws {
    guard let size = Int32(exactly: bytes.count), av_new_packet(pointer, size) >= 0,
      let data = pointer.pointee.data
    else { throw MediaError.noMemory }
    UnsafeMutableRawPointer(data).copyMemory(from: bytes, byteCount: bytes.count)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }
}

/// An owner of an `AVCodecContext`.
final class CodecHandle {
  let pointer: UnsafeMutablePointer<AVCodecContext>

  init(_ codec: UnsafePointer<AVCodec>) throws {
    guard let pointer = avcodec_alloc_context3(codec) else { throw MediaError.noMemory }
    self.pointer = pointer
  }

  /// Creates a decoder for a track without opening it.
  ///
  /// - Parameters:
  ///   - codec: The decoder.
  ///   - stream: The track, whose parameters must be set.
  ///   - threads: The number of decoding threads.
  convenience init(
    _ codec: UnsafePointer<AVCodec>, of stream: UnsafeMutablePointer<AVStream>, threads: Int
  ) throws {
    try self.init(codec)
    guard avcodec_parameters_to_context(pointer, stream.pointee.codecpar) >= 0 else {
      throw MediaError.noMemory
    }
    pointer.pointee.pkt_timebase = stream.pointee.time_base
    pointer.pointee.thread_count = Int32(threads)
    AllowedFormats.restrict(pointer)
  }

  /// Creates an AAC encoder without opening it. The caller must set the encoder's channels and bit rate.
  ///
  /// - Parameter rate: The number of samples per second.
  static func encodingAAC(rate: Int32) throws -> CodecHandle {
    guard let codec = avcodec_find_encoder(AV_CODEC_ID_AAC) else { throw MediaError.missing("AAC encoder") }
    let encoder = try CodecHandle(codec)
    let fields = encoder.pointer
    fields.pointee.sample_rate = rate
    fields.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    fields.pointee.time_base = AVRational(num: 1, den: max(rate, 1))
    fields.pointee.thread_count = 1
    fields.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    return encoder
  }

  /// Fetches all packets that an encoder has finished.
  ///
  /// - Parameters:
  ///   - packet: The packet that successively receives each result.
  ///   - failure: A function that returns the error for the status of a failed call.
  ///   - body: A function that is called for each packet.
  func receive(
    into packet: PacketHandle, failure: (Int32) -> MediaError, _ body: (PacketHandle) throws -> Void
  ) throws {
    while true {
      let status = avcodec_receive_packet(pointer, packet.pointer)
      if status == liveedit_averror_eagain || status == liveedit_averror_eof { return }
      guard status >= 0 else { throw failure(status) }
      defer { av_packet_unref(packet.pointer) }
      try body(packet)
    }
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&pointer)
  }
}

/// An open file that is read by libavformat.
final class MediaInput {
  let context: UnsafeMutablePointer<AVFormatContext>

  /// - Parameters:
  ///   - path: The path of the file.
  ///   - format: libavformat's name for the file's format, or nil for a movie in any container that ``AllowedFormats``
  ///     recognises.
  ///   - flags: The flags of the context, for example `AVFMT_FLAG_NOPARSE`.
  ///   - options: The options of the context and the format.
  ///   - failure: A function that returns the error for an unreadable file, based on the library's status.
  init(
    path: String, format: String? = nil, flags: Int32 = 0, options: KeyValuePairs<String, String> = [:],
    failure: (Int32) -> MediaError
  ) throws {
    _ = LibAV.setUp
    var opened: UnsafeMutablePointer<AVFormatContext>? = avformat_alloc_context()
    defer { avformat_close_input(&opened) }
    guard let context = opened else { throw MediaError.noMemory }
    context.pointee.flags |= flags
    // The context owns the copied strings and frees them together with the context's other options.
    context.pointee.protocol_whitelist = av_strdup(AllowedFormats.protocols)
    context.pointee.codec_whitelist = av_strdup(AllowedFormats.decoders)
    let file = try FileByteSource(path: path)
    let name = try format ?? AllowedFormats.container(of: file.read(at: 0, count: min(file.count, 4096)))
    guard let name, let demuxer = av_find_input_format(name) else {
      throw failure(liveedit_averror_invalid_data)
    }
    // A demuxer may pass content that it does not support to another demuxer.
    context.pointee.format_whitelist = av_strdup(name)
    try LibAV.withOptions(options) { options in
      let status = withExtendedLifetime(file) {
        avformat_open_input(&opened, "file:" + file.path, demuxer, &options)
      }
      guard status >= 0 else { throw LibAV.failure(status, failure(status)) }
    }
    self.context = context
    opened = nil  // owned by self from here
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
  }
}
