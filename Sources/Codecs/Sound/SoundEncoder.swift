import Basics
internal import CFFmpeg

/// Decodes an audio track and encodes the audio as AAC.
final class SoundEncoder {
  /// The sample format of a frame. The format may change in the middle of a broadcast.
  private struct Kind: Equatable {
    let format: Int32
    let rate: Int32
    let channels: Int32
    let mask: UInt64

    init(_ frame: AVFrame) {
      (format, rate) = (frame.format, frame.sample_rate)
      (channels, mask) = (frame.ch_layout.nb_channels, frame.ch_layout.u.mask)
    }
  }

  private let decoder: CodecHandle
  private let encoder: CodecHandle
  private let packet: PacketHandle
  private let frame: FrameHandle
  private var resampler: OpaquePointer?
  /// The sample format for which the resampler is configured.
  private var kind: Kind?
  private var fifo: OpaquePointer?
  private var written: Int64 = 0
  private var start: Int64?

  /// The sample rates supported by players.
  private static let rates: Set<Int32> = [8000, 16000, 22050, 24000, 32000, 44100, 48000]

  /// The output sample rate in samples per second.
  var rate: Int32 { encoder.pointer.pointee.sample_rate }
  /// Writes the description of the encoded packets to a track's parameters.
  func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws {
    guard avcodec_parameters_from_context(parameters, encoder.pointer) >= 0 else { throw MediaError.noMemory }
    parameters.pointee.codec_tag = 0
  }

  /// - Parameter stream: The audio track to decode.
  init(_ stream: UnsafeMutablePointer<AVStream>) throws {
    guard let parameters = stream.pointee.codecpar,
      let codec = avcodec_find_decoder(parameters.pointee.codec_id)
    else { throw MediaError.unsupported("the audio codec is not supported") }
    decoder = try CodecHandle(codec, of: stream, threads: 1)
    packet = try PacketHandle()
    frame = try FrameHandle()
    guard avcodec_open2(decoder.pointer, codec, nil) >= 0, decoder.pointer.pointee.sample_rate > 0 else {
      throw MediaError.damaged("the audio cannot be decoded")
    }
    let rate = decoder.pointer.pointee.sample_rate
    encoder = try CodecHandle.encodingAAC(rate: Self.rates.contains(rate) ? rate : 48000)
    let fields = encoder.pointer
    fields.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    let channels = decoder.pointer.pointee.ch_layout.nb_channels > 1 ? Int32(2) : 1
    fields.pointee.bit_rate = Int64(channels) * 96_000
    av_channel_layout_default(&fields.pointee.ch_layout, channels)
    guard avcodec_open2(fields, nil, nil) >= 0 else { throw MediaError("the audio encoder failed") }
    fifo = av_audio_fifo_alloc(AV_SAMPLE_FMT_FLTP, channels, 4096)
    guard fifo != nil else { throw MediaError.noMemory }
  }

  deinit {
    swr_free(&resampler)
    av_audio_fifo_free(fifo)
  }

  /// Decodes a packet and encodes the decoded audio. Without a packet, finishes the track.
  ///
  /// - Parameters:
  ///   - input: The next packet of the track, or nil at the end.
  ///   - offset: The number of seconds to subtract from times.
  ///   - onPacket: A function that receives each encoded packet, with times in ticks of ``rate``.
  func encode(
    _ input: PacketHandle?, offset: Double, onPacket: (PacketHandle) throws -> Void
  ) throws {
    // Damaged audio packets are skipped, as in media players.
    _ = avcodec_send_packet(decoder.pointer, input?.pointer)
    while avcodec_receive_frame(decoder.pointer, frame.pointer) >= 0 {
      defer { av_frame_unref(frame.pointer) }
      if start == nil {
        let base = decoder.pointer.pointee.pkt_timebase
        let time = frame.pointer.pointee.pts == liveedit_nopts ? 0 : frame.pointer.pointee.pts
        start = try MediaTime.ticks(Double(time) * av_q2d(base) - offset, scale: Double(rate))
      }
      try resample()
      try drain(isEnd: false, onPacket)
    }
    if input == nil {
      try resample(isEnd: true)
      try drain(isEnd: true, onPacket)
    }
  }

  private var failed: MediaError { MediaError("the audio encoder failed") }

  private func resample(isEnd: Bool = false) throws {
    let fields = frame.pointer
    if !isEnd, resampler != nil, kind != Kind(fields.pointee) {
      // Finishes the samples in the old format. A new resampler handles the samples in the new format.
      try resample(isEnd: true)
      swr_free(&resampler)
    }
    if resampler == nil {
      if isEnd { return }
      kind = Kind(fields.pointee)
      var made: OpaquePointer?
      guard
        swr_alloc_set_opts2(
          &made, &encoder.pointer.pointee.ch_layout, AV_SAMPLE_FMT_FLTP, rate, &fields.pointee.ch_layout,
          AVSampleFormat(fields.pointee.format), fields.pointee.sample_rate, 0, nil) >= 0,
        swr_init(made) >= 0
      else {
        swr_free(&made)
        throw MediaError.unsupported("the audio format is not supported")
      }
      resampler = made
    }
    let count = isEnd ? 0 : fields.pointee.nb_samples
    let room = swr_get_out_samples(resampler, count)
    guard room > 0 else { return }
    let output = try FrameHandle(sampleCount: room, for: encoder)
    guard let planes = output.pointer.pointee.extended_data else { throw MediaError.noMemory }
    let made: Int32 =
      if isEnd {
        swr_convert(resampler, planes, room, nil, 0)
      } else {
        fields.pointee.extended_data.withMemoryRebound(
          to: UnsafePointer<UInt8>?.self, capacity: Int(max(1, fields.pointee.ch_layout.nb_channels))
        ) { swr_convert(resampler, planes, room, $0, count) }
      }
    guard made >= 0 else { throw failed }
    let stored = UnsafeMutableRawPointer(planes).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    guard av_audio_fifo_write(fifo, stored, made) >= made else { throw MediaError.noMemory }
  }

  private func drain(isEnd: Bool, _ onPacket: (PacketHandle) throws -> Void) throws {
    let size = encoder.pointer.pointee.frame_size
    while av_audio_fifo_size(fifo) >= size || (isEnd && av_audio_fifo_size(fifo) > 0) {
      let output = try FrameHandle(sampleCount: min(size, av_audio_fifo_size(fifo)), for: encoder)
      guard let planes = output.pointer.pointee.extended_data else { throw MediaError.noMemory }
      let stored = UnsafeMutableRawPointer(planes).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
      guard av_audio_fifo_read(fifo, stored, output.pointer.pointee.nb_samples) >= 0 else { throw failed }
      output.pointer.pointee.pts = (start ?? 0) + written
      written += Int64(output.pointer.pointee.nb_samples)
      guard avcodec_send_frame(encoder.pointer, output.pointer) >= 0 else { throw failed }
      try encoder.receive(into: packet, failure: { _ in failed }, onPacket)
    }
    if isEnd {
      guard avcodec_send_frame(encoder.pointer, nil) >= 0 else { throw failed }
      try encoder.receive(into: packet, failure: { _ in failed }, onPacket)
    }
  }
}
