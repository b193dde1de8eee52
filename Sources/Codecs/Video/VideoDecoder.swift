import Basics
internal import CFFmpeg
import Rendering

/// A reader for the frames of a video track in a QuickTime movie. The reader reads every sample and ignores the edit
/// list.
///
/// The reader is strict. A frame that is damaged, missing or of a different size causes an error.
final class VideoDecoder: @unchecked Sendable {
  private let demuxer: MovieDemuxer
  private let context: CodecHandle
  private let packet: PacketHandle
  private var format: FrameFormat?
  private var packetsRead = 0
  /// The number of frames returned so far.
  private(set) var framesDelivered = 0
  private var lastTime: Int64?
  private var isDraining = false
  /// Whether all frames are decoded, starting with the first frame.
  private var isWhole = true
  /// The hashes in the stream with which frames are compared, or nil if the comparison was not requested.
  private var hashes: PictureHashes?

  /// The size in bytes of the last decoded frame, or 0 before the first frame is decoded.
  var frameBytes: Int {
    guard let format else { return 0 }
    return (0..<format.sampling.planeCount).reduce(0) {
      let (width, height) = format.planeSize($1)
      return $0 + width * height * format.bytesPerSample
    }
  }
  /// The number of frames in the track.
  let frameCount: Int
  /// The track's media time scale in ticks per second.
  let timeScale: Int
  /// The average number of frames per second.
  let frameRate: Double
  /// The codec of the track.
  let codec: AVCodecID
  /// The converter for frames in pixel formats other than Y′CbCr, or nil before the first such frame.
  private var converter: FrameConverter?

  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - trackID: The ID of the track, as stated in its `tkhd` box.
  ///   - checksHashes: Whether a frame counts as damaged if it does not match its hash in the stream. If this check is
  ///     enabled, frames have their full coded size.
  init(path: String, trackID: Int, checksHashes: Bool = false) throws {
    demuxer = try MovieDemuxer(path: path, trackID: trackID)
    let stream = demuxer.stream
    guard let parameters = stream.pointee.codecpar,
      parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    else { throw MediaError.damaged("the video track cannot be read") }
    codec = parameters.pointee.codec_id
    let base = stream.pointee.time_base
    frameCount = Int(avformat_index_get_entries_count(stream))
    guard base.num == 1, base.den > 0, frameCount > 0,
      stream.pointee.nb_frames == Int64(frameCount)
    else { throw MediaError.damaged("the tables of the video track contradict each other") }
    timeScale = Int(base.den)
    let seconds = Double(max(stream.pointee.duration, 1)) / Double(timeScale)
    frameRate = min(max(Double(frameCount) / seconds, 1), 240)

    context = try Self.decoder(of: stream, errors: AV_EF_EXPLODE | AV_EF_CAREFUL)
    packet = try PacketHandle()
    if checksHashes, let hashes = PictureHashes(parameters) {
      self.hashes = hashes
      context.pointer.pointee.apply_cropping = 0
    }
  }

  /// Opens a decoder for a video track.
  ///
  /// - Parameters:
  ///   - stream: The track.
  ///   - errors: The conditions that the decoder treats as errors (`AV_EF_…`).
  static func decoder(of stream: UnsafeMutablePointer<AVStream>, errors: Int32) throws -> CodecHandle {
    let codec = stream.pointee.codecpar.pointee.codec_id
    guard let decoder = avcodec_find_decoder(codec), AllowedFormats.has(decoder) else {
      throw MediaError.unsupported(
        "the video codec is not supported (\(name(codec)))", remedy: "rotate the movie with --lossless")
    }
    try LibAV.checkSize(
      Int(stream.pointee.codecpar.pointee.width), Int(stream.pointee.codecpar.pointee.height))
    // With several threads, libavcodec returns frames before all damage in them has been marked.
    let context = try CodecHandle(decoder, of: stream, threads: 1)
    context.pointer.pointee.max_pixels = Int64(LibAV.maximumSamples)
    context.pointer.pointee.err_recognition = errors
    // Without this setting, frames would be lost from H.264 streams that do not declare their reordering depth.
    context.pointer.pointee.strict_std_compliance = FF_COMPLIANCE_STRICT
    let status = avcodec_open2(context.pointer, decoder, nil)
    guard status >= 0 else {
      throw LibAV.failure(status, .damaged("the video cannot be decoded (\(LibAV.message(status)))"))
    }
    return context
  }

  /// Returns FFmpeg's name for a codec.
  static func name(_ codec: AVCodecID) -> String {
    avcodec_get_name(codec).map { String(cString: $0) } ?? "unknown"
  }

  /// A decoded frame. It consists of the picture, the presentation time in ticks of the track's media (ignoring the
  /// edit list), the pixel aspect ratio (0:1 if unknown), and whether decoding can begin with the frame.
  struct Frame {
    var picture: PlanarFrame
    let time: Int64
    let pixelAspect: AVRational
    let isKey: Bool
  }

  /// Returns the next frame in presentation order.
  ///
  /// - Returns: The next frame, or nil after the last frame.
  func next() throws -> Frame? {
    while true {
      let handle = try FrameHandle()
      let status = avcodec_receive_frame(context.pointer, handle.pointer)
      if status == liveedit_averror_eof {
        guard !isWhole || framesDelivered == frameCount else {
          throw MediaError.damaged(
            "only \(framesDelivered) of the movie's \(frameCount) video frames can be decoded")
        }
        return nil
      }
      if status == liveedit_averror_eagain {
        try feed()
        continue
      }
      guard status >= 0 else { throw LibAV.failure(status, damagedFrame) }
      return try checked(handle)
    }
  }

  /// Restarts decoding at a given sample or at an earlier sample.
  ///
  /// - Parameter sample: The number, counted from 0 in decode order, of a sample that can be decoded on its own.
  func seek(to sample: Int) throws {
    guard let entry = avformat_index_get_entry(demuxer.stream, Int32(clamping: sample)),
      av_seek_frame(
        demuxer.context, demuxer.stream.pointee.index, entry.pointee.timestamp, AVSEEK_FLAG_BACKWARD) >= 0
    else { throw damagedFrame }
    avcodec_flush_buffers(context.pointer)
    (lastTime, isDraining, isWhole) = (nil, false, false)
  }

  /// Whether the codec is H.264 or HEVC, the codecs in which phones record.
  var isOfPhones: Bool { [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(codec) }

  private var damagedFrame: MediaError {
    MediaError.damaged("the video is damaged near frame \(framesDelivered + 1) of \(frameCount)")
  }

  /// Passes the next sample, or the end of the track, to the decoder.
  private func feed() throws {
    guard !isDraining else { throw damagedFrame }
    let cutOff = MediaError.damaged("the movie ends after \(packetsRead) of its \(frameCount) video frames")
    guard try demuxer.read(into: packet, failure: cutOff) else {
      guard !isWhole || packetsRead == frameCount else { throw cutOff }
      isDraining = true
      guard avcodec_send_packet(context.pointer, nil) >= 0 else { throw damagedFrame }
      return
    }
    defer { av_packet_unref(packet.pointer) }
    packetsRead += 1
    guard packet.pointer.pointee.flags & AV_PKT_FLAG_CORRUPT == 0, packet.pointer.pointee.size > 0,
      packet.pointer.pointee.pts != liveedit_nopts
    else { throw damagedFrame }
    hashes?.note(packet)
    let sent = avcodec_send_packet(context.pointer, packet.pointer)
    guard sent >= 0 else { throw LibAV.failure(sent, damagedFrame) }
  }

  private func checked(_ handle: FrameHandle) throws -> Frame {
    let frame = handle.pointer.pointee
    guard !handle.isDamaged, frame.pts != liveedit_nopts else { throw damagedFrame }
    if let lastTime, frame.pts <= lastTime {
      throw MediaError.unsupported(
        "two video frames have the same presentation time", remedy: "rotate the movie with --lossless")
    }
    guard frame.interlaced_frame == 0 else {
      throw MediaError.unsupported(
        "the video is interlaced", remedy: "deinterlace the movie first, or rotate it with --lossless")
    }
    guard let picture = try handle.picture() ?? recoded(handle)?.picture() else {
      throw MediaError.unsupported(
        "the video's pixel format is not supported", remedy: "rotate the movie with --lossless")
    }
    guard format == nil || format == picture.format else {
      throw MediaError.unsupported("the video changes size or colours partway through")
    }
    guard hashes?.agree(with: picture, at: frame.pts) ?? true else { throw damagedFrame }
    format = picture.format
    lastTime = frame.pts
    framesDelivered += 1
    return Frame(
      picture: picture, time: frame.pts, pixelAspect: frame.sample_aspect_ratio, isKey: frame.key_frame != 0)
  }

  /// Converts a frame that is RGB, is packed or has transparency to Y′CbCr with full-resolution chroma (4:4:4). The
  /// result is nil for H.264 and HEVC frames. These frames usually keep their codec, and their pixel format should not
  /// change unless the user requests the change.
  private func recoded(_ frame: FrameHandle) throws -> FrameHandle? {
    guard !isOfPhones else { return nil }
    let fields = frame.pointer.pointee
    let depth = av_pix_fmt_desc_get(AVPixelFormat(rawValue: fields.format))?.pointee.comp.0.depth ?? 0
    // The converter would crop an odd column or row of pixels.
    guard depth > 0, fields.width % 2 == 0, fields.height % 2 == 0 else { return nil }
    let converter = converter ?? FrameConverter(to: depth > 8 ? AV_PIX_FMT_YUV444P10LE : AV_PIX_FMT_YUV444P)
    self.converter = converter
    return try converter.converted(frame)
  }
}
