import Basics
internal import CFFmpeg
import FileSystem

/// Owns an `AVFrame`.
final class FrameHandle {
  let pointer: UnsafeMutablePointer<AVFrame>

  init() throws {
    guard let pointer = av_frame_alloc() else { throw LibAV.noMemory }
    self.pointer = pointer
  }

  /// Makes a picture with memory of its own.
  convenience init(width: Int32, height: Int32, format: AVPixelFormat) throws {
    try self.init()
    (pointer.pointee.width, pointer.pointee.height) = (width, height)
    pointer.pointee.format = format.rawValue
    guard av_frame_get_buffer(pointer, 0) >= 0 else { throw LibAV.noMemory }
  }

  /// Makes room for some sound of the kind that an encoder takes.
  convenience init(sampleCount: Int32, for encoder: CodecHandle) throws {
    try self.init()
    pointer.pointee.format = encoder.pointer.pointee.sample_fmt.rawValue
    pointer.pointee.nb_samples = sampleCount
    pointer.pointee.sample_rate = encoder.pointer.pointee.sample_rate
    guard av_channel_layout_copy(&pointer.pointee.ch_layout, &encoder.pointer.pointee.ch_layout) >= 0,
      av_frame_get_buffer(pointer, 0) >= 0
    else { throw LibAV.noMemory }
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }
}

/// Owns an `AVPacket`.
final class PacketHandle {
  let pointer: UnsafeMutablePointer<AVPacket>

  init() throws {
    guard let pointer = av_packet_alloc() else { throw LibAV.noMemory }
    self.pointer = pointer
  }

  /// The packet's data.
  var bytes: [UInt8] {
    Array(UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size)))
  }

  /// Fills the packet, which is empty before.
  func fill(_ bytes: [UInt8]) throws {
    guard let size = Int32(exactly: bytes.count), av_new_packet(pointer, size) >= 0,
      let data = pointer.pointee.data
    else { throw LibAV.noMemory }
    UnsafeMutableRawPointer(data).copyMemory(from: bytes, byteCount: bytes.count)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }
}

/// Owns an `AVCodecContext`.
final class CodecHandle {
  let pointer: UnsafeMutablePointer<AVCodecContext>

  init(_ codec: UnsafePointer<AVCodec>) throws {
    guard let pointer = avcodec_alloc_context3(codec) else { throw LibAV.noMemory }
    self.pointer = pointer
  }

  /// Takes out the packets that an encoder has ready.
  ///
  /// - Parameters:
  ///   - packet: holds one after the other.
  ///   - failure: the error of a call that failed with a status.
  ///   - body: called for each.
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

/// Owns an open file that libavformat reads.
final class MediaInput {
  let context: UnsafeMutablePointer<AVFormatContext>

  /// - Parameters:
  ///   - path: the file.
  ///   - format: libavformat's name of its format; nil finds it out.
  ///   - flags: flags of the context, `AVFMT_FLAG_NOPARSE` say.
  ///   - options: options of the context and the format.
  ///   - failure: the error of a file that cannot be read, for the library's status.
  init(
    path: String, format: String? = nil, flags: Int32 = 0, options: KeyValuePairs<String, String>,
    failure: (Int32) -> MediaError
  ) throws {
    _ = LibAV.setUp
    var opened: UnsafeMutablePointer<AVFormatContext>? = avformat_alloc_context()
    defer { avformat_close_input(&opened) }
    guard let context = opened else { throw LibAV.noMemory }
    context.pointee.flags |= flags
    let file = try FileByteSource(path: path)
    try LibAV.withOptions(options) { options in
      let status = withExtendedLifetime(file) {
        avformat_open_input(
          &opened, "file:" + file.path, format.flatMap { av_find_input_format($0) }, &options)
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
