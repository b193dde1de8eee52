import Basics
internal import CFFmpeg
import EditModel
import Rendering

/// A track converter that decodes a video track in any codec and re-encodes the frames.
final class VideoRecoding: TrackConverter {
  /// The number of encoded frames.
  private(set) var count = 0
  private let source: UnsafeMutablePointer<AVStream>
  private let trim: Trim?
  private let target: UnsafeMutablePointer<AVStream>
  private let muxer: MovieMuxer
  private let decoder: GeneralVideoDecoder
  private let converter: FrameConverter
  private let encoder: VideoEncoder
  private let timeScale: Int32
  /// The converter for each frame, or nil to leave the frames unchanged.
  private let playable: PlayableVideo?
  private let output: PacketHandle
  private var lastTime: Int64?
  private var lastDuration: Int64 = 0
  private let end: TrackEnd

  /// The HDR transfer functions PQ and HLG (ISO/IEC 23091-2, transfer characteristics 16 and 18).
  private static let hdrTransfers = [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67]

  /// - Parameters:
  ///   - source: The track.
  ///   - reader: The movie.
  ///   - trim: The part to keep, or nil to keep the entire track.
  ///   - playable: The converter that makes frames playable in every player, or nil to leave the frames and their
  ///     rotation unchanged.
  ///   - muxer: The new movie.
  init(
    _ source: UnsafeMutablePointer<AVStream>, of reader: MovieReader, _ trim: Trim?,
    as playable: PlayableVideo? = nil, to muxer: MovieMuxer
  ) throws {
    self.source = source
    self.trim = trim
    self.playable = playable
    self.muxer = muxer
    decoder = try GeneralVideoDecoder(source, start: reader.start(in: source))
    output = try PacketHandle()
    guard let parameters = source.pointee.codecpar else { throw MediaError.noMemory }
    let isHDR = Self.hdrTransfers.contains(parameters.pointee.color_trc)
    let pixelFormat = playable?.pixelFormat ?? (isHDR ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P)
    converter = FrameConverter(to: pixelFormat)
    let base = source.pointee.time_base
    end = TrackEnd(of: source, in: reader, trim)
    timeScale = base.num == 1 && base.den >= 600 && base.den <= 1_000_000 ? base.den : 90_000
    let guess = av_guess_frame_rate(reader.context, source, nil)
    let rate = guess.den > 0 ? av_q2d(guess) : 30
    let sample = try? FrameHandle(
      width: parameters.pointee.width & ~1, height: parameters.pointee.height & ~1, format: pixelFormat)
    sample?.color(like: parameters)
    guard let stored = sample?.picture()?.format else {
      throw MediaError.unsupported("the frame size is not supported")
    }
    let format = playable?.format ?? stored
    let aspect = playable == nil ? parameters.pointee.sample_aspect_ratio : AVRational(num: 1, den: 1)
    let codec: RenderSettings.VideoCodec = isHDR && playable == nil ? .hevc : .h264
    encoder = try VideoEncoder(
      format: format, timeScale: Int(timeScale), frameRate: min(max(rate, 1), 240), pixelAspect: aspect,
      codec: codec,
      parameters: VideoEncoderParameters(
        codec: codec, quality: playable?.quality ?? .high, speed: playable?.speed ?? .medium,
        width: format.width, finer: playable?.isForEdits == true ? 6 : 0))
    target = try muxer.addStream()
    try describe(codec, format, aspect)
    if playable == nil { try target.copyDisplayMatrix(of: source) }
  }

  private func describe(
    _ codec: RenderSettings.VideoCodec, _ format: FrameFormat, _ aspect: AVRational
  ) throws {
    guard let new = target.pointee.codecpar else { throw MediaError.noMemory }
    new.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    new.pointee.codec_id = codec == .h264 ? AV_CODEC_ID_H264 : AV_CODEC_ID_HEVC
    new.pointee.codec_tag = codec == .h264 ? liveedit_tag_avc1 : liveedit_tag_hvc1
    new.pointee.width = Int32(format.width)
    new.pointee.height = Int32(format.height)
    new.pointee.sample_aspect_ratio = aspect
    new.pointee.color_primaries = AVColorPrimaries(UInt32(clamping: format.color.primaries))
    new.pointee.color_trc = AVColorTransferCharacteristic(UInt32(clamping: format.color.transfer))
    new.pointee.color_space = AVColorSpace(UInt32(clamping: format.color.matrix))
    new.pointee.color_range =
      format.color.isFullRange.map { $0 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG } ?? AVCOL_RANGE_UNSPECIFIED
    new.pointee.extradata = try LibAV.extradata(encoder.configuration)
    new.pointee.extradata_size = Int32(encoder.configuration.count)
    target.pointee.time_base = AVRational(num: 1, den: timeScale)
  }

  func take(_ packet: PacketHandle) throws {
    try decoder.decode(packet, onFrame: encode)
  }

  func finish() throws {
    try decoder.decode(nil, onFrame: encode)
    try encoder.finish(onPacket: write)
  }

  private func encode(_ frame: FrameHandle, _ ticks: Int64) throws {
    guard trim?.keeps(frameAt: Double(ticks) * av_q2d(source.pointee.time_base)) ?? true else { return }
    let shift = trim?.seconds.lowerBound ?? 0
    let scale = AVRational(num: 1, den: timeScale)
    var time = av_rescale_q(ticks, source.pointee.time_base, scale)
    time = max(0, time - (try MediaTime.ticks(shift, scale: Double(timeScale))))
    if let lastTime, time <= lastTime { return }
    lastTime = time
    lastDuration = av_rescale_q(
      end.duration(at: ticks, own: frame.pointer.pointee.pkt_duration), source.pointee.time_base, scale)
    let converted = try converter.converted(frame)
    converted.color(like: source.pointee.codecpar)
    guard let picture = converted.picture() else {
      throw MediaError.unsupported("the video's pixel format is not supported")
    }
    try encoder.encode(playable?.applied(to: picture) ?? picture, time: time, onPacket: write)
    count += 1
  }

  private func write(_ packet: EncodedPacket) throws {
    let fields = output.pointer
    try output.fill(packet.data)
    fields.pointee.pts = packet.presentationTime
    fields.pointee.dts = packet.decodeTime
    fields.pointee.duration = lastDuration
    fields.pointee.flags = packet.isSync ? AV_PKT_FLAG_KEY : 0
    try muxer.write(output, to: target, base: AVRational(num: 1, den: timeScale))
    av_packet_unref(fields)
  }
}

/// A decoder for video tracks in any codec that libavcodec supports.
final class GeneralVideoDecoder {
  private let context: CodecHandle
  private let start: Int64
  private let base: AVRational
  private let isStill: Bool
  private var delivered = 0
  /// The time of the last frame, and the distance between this time and the previous frame's time. The distance is 0 if
  /// unknown.
  private var last: (time: Int64, step: Int64)?

  /// - Parameters:
  ///   - stream: The track.
  ///   - start: The time to subtract from all times, in ticks of the track's time base.
  ///   - mostSamples: The maximum number of samples in a decoded frame.
  ///   - isStill: Whether the input is a single picture, for which the time may be missing.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, start: Int64, mostSamples: Int = LibAV.maximumSamples,
    isStill: Bool = false
  ) throws {
    self.start = start
    base = stream.pointee.time_base
    self.isStill = isStill
    guard let parameters = stream.pointee.codecpar,
      let codec = avcodec_find_decoder(parameters.pointee.codec_id)
    else { throw MediaError.unsupported("the video codec is not supported") }
    context = try CodecHandle(codec, of: stream, threads: 2)
    context.pointer.pointee.max_pixels = Int64(mostSamples)
    let status = avcodec_open2(context.pointer, codec, nil)
    guard status >= 0 else { throw LibAV.failure(status, .damaged("the video cannot be decoded")) }
  }

  /// Passes a packet or the end of the track to the decoder.
  ///
  /// - Parameters:
  ///   - packet: The next packet, or nil at the end.
  ///   - onFrame: A function that receives each decoded frame and the frame's time in ticks of the track's time base.
  func decode(_ packet: PacketHandle?, onFrame: (FrameHandle, Int64) throws -> Void) throws {
    let status = avcodec_send_packet(context.pointer, packet?.pointer)
    guard status >= 0 || status == liveedit_averror_eof else { throw LibAV.failure(status, damaged) }
    while true {
      let frame = try FrameHandle()
      let status = avcodec_receive_frame(context.pointer, frame.pointer)
      if status == liveedit_averror_eagain || status == liveedit_averror_eof { return }
      guard status >= 0, !frame.isDamaged else { throw LibAV.failure(status, damaged) }
      guard let time = isStill ? 0 : time(of: frame) else { throw damaged }
      guard frame.pointer.pointee.interlaced_frame == 0 else {
        throw MediaError.unsupported("the video is interlaced", remedy: "deinterlace it first")
      }
      delivered += 1
      try onFrame(frame, isStill ? 0 : MediaTime.elapsed(time, since: start, base))
    }
  }

  /// Returns the time of a frame. If the frame has no time of its own, the time is calculated from the time of the
  /// previous frame and the distance between the two previous frames. A program stream need not state the time of every
  /// frame (ISO/IEC 13818-1, section 2.7.4).
  private func time(of frame: FrameHandle) -> Int64? {
    var time = frame.pointer.pointee.best_effort_timestamp
    if time == liveedit_nopts {
      guard let last, last.step > 0 else { return nil }
      let (next, isTooLate) = last.time.addingReportingOverflow(last.step)
      guard !isTooLate else { return nil }
      time = next
    }
    let (step, isTooLong) = time.subtractingReportingOverflow(last?.time ?? time)
    last = (time, isTooLong ? 0 : step)
    return time
  }

  private var damaged: MediaError { .damaged("the video is damaged near frame \(delivered + 1)") }
}

extension FrameHandle {
  /// Sets the matrix that players assume if the frame does not specify a matrix. Frames up to the size of
  /// standard-definition television get BT.601. For larger frames, the matrix remains unspecified, and all other code
  /// in this module treats an unspecified matrix as BT.709.
  func guessMatrix() {
    let isUntold =
      pointer.pointee.colorspace == AVCOL_SPC_UNSPECIFIED
      && pointer.pointee.color_primaries == AVCOL_PRI_UNSPECIFIED
    if isUntold, pointer.pointee.width < 1280, pointer.pointee.height <= 576 {
      pointer.pointee.colorspace = AVCOL_SPC_SMPTE170M
    }
  }

  /// Copies the colour description from a track's parameters to a frame that ``FrameConverter`` created.
  func color(like parameters: UnsafeMutablePointer<AVCodecParameters>) {
    pointer.pointee.color_primaries = parameters.pointee.color_primaries
    pointer.pointee.color_trc = parameters.pointee.color_trc
    pointer.pointee.colorspace = parameters.pointee.color_space
    pointer.pointee.color_range = parameters.pointee.color_range
    pointer.pointee.chroma_location = parameters.pointee.chroma_location
    if PixelFormat.isRGB(AVPixelFormat(rawValue: parameters.pointee.format)) { describeAsRecodedRGB() }
  }
}
