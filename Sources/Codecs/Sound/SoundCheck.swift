import Basics
internal import CFFmpeg
import EditModel

/// Decodes an audio track to determine whether the track is damaged. The decoded audio is discarded.
package final class SoundCheck {
  private let demuxer: MovieDemuxer
  private let decoder: CodecHandle
  private let packet: PacketHandle
  private let frame: FrameHandle
  private var damage = MediaDamage()
  private var packetCount = 0
  /// The time of the first packet and the end of the decoded audio, in seconds on the track's media timeline.
  private var (begin, end): (Double?, Double) = (nil, 0)
  /// The duration of the longest frame in seconds.
  private var longest = 0.0

  /// The codecs in which each packet is a complete frame. A packet that does not produce a frame is damaged, even if
  /// the decoder does not report an error.
  private static let framed = [AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC]

  /// Decodes every packet of a track.
  ///
  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - trackID: The ID of the audio track, as stated in its `tkhd` box.
  ///   - isCancelled: A function that is called before every packet. If the function returns true, the work stops.
  /// - Returns: The result of decoding. Damage to the track is part of the result and does not cause an error.
  /// - Throws: An error if the file cannot be opened, or `CancellationError` if the check was cancelled.
  package static func decode(
    path: String, trackID: Int, isCancelled: () -> Bool
  ) throws -> PictureCheck.Sound {
    do {
      let check = try SoundCheck(path, trackID)
      try check.run(isCancelled)
      var sound = PictureCheck.Sound(track: trackID, outcome: .decoded)
      (sound.packetCount, sound.damage, sound.stop) = (check.packetCount, check.damage, check.stop)
      return sound
    } catch let error as MediaError {
      let problem = error.problem.description
      return PictureCheck.Sound(
        track: trackID, outcome: error.isUnsupported ? .unsupported(problem) : .damaged(problem))
    }
  }

  private init(_ path: String, _ trackID: Int) throws {
    demuxer = try MovieDemuxer(path: path, trackID: trackID)
    guard let parameters = demuxer.stream.pointee.codecpar,
      parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    else { throw MediaError.damaged("the track is not described as audio") }
    guard let codec = avcodec_find_decoder(parameters.pointee.codec_id), AllowedFormats.has(codec) else {
      throw MediaError.unsupported(
        "the audio codec is not supported (\(Self.name(parameters)))")
    }
    decoder = try CodecHandle(codec, of: demuxer.stream, threads: 1)
    decoder.pointer.pointee.err_recognition = AV_EF_EXPLODE | AV_EF_CAREFUL | AV_EF_CRCCHECK
    // The priming samples are also checked.
    decoder.pointer.pointee.flags2 |= Int32(AV_CODEC_FLAG2_SKIP_MANUAL)
    packet = try PacketHandle()
    frame = try FrameHandle()
    let status = avcodec_open2(decoder.pointer, codec, nil)
    guard status >= 0 else {
      throw LibAV.failure(status, .damaged("the audio description cannot be read (\(LibAV.message(status)))"))
    }
  }

  /// Returns the codec's name, or the four-character code if the libraries do not recognise the codec.
  private static func name(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> String {
    guard parameters.pointee.codec_id == AV_CODEC_ID_NONE else {
      return VideoDecoder.name(parameters.pointee.codec_id)
    }
    let tag = parameters.pointee.codec_tag
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * UInt32($0))) }
    return bytes.allSatisfy { 0x20..<0x7F ~= $0 } ? String(decoding: bytes, as: UTF8.self) : "unknown"
  }

  private func run(_ isCancelled: () -> Bool) throws {
    packetCount = Int(avformat_index_get_entries_count(demuxer.stream))
    let base = av_q2d(demuxer.stream.pointee.time_base)
    let isFramed = Self.framed.contains(decoder.pointer.pointee.codec_id)
    var number = 0
    while try demuxer.readUpToDamage(into: packet) {
      defer {
        av_packet_unref(packet.pointer)
        number += 1
      }
      if isCancelled() { throw CancellationError() }
      let fields = packet.pointer.pointee
      let seconds = Double(fields.pts == liveedit_nopts ? fields.dts : fields.pts) * base
      if begin == nil { begin = seconds }
      // An empty packet is skipped, because the decoder would treat it as the end of the track.
      let frames = fields.size > 0 ? try decode(packet) : nil
      if frames == nil || fields.flags & AV_PKT_FLAG_CORRUPT != 0 || (isFramed && frames == 0) {
        damage.add(number, at: seconds - (begin ?? 0))
      }
    }
    packetCount = max(packetCount, number)
    _ = try decode(nil)
  }

  /// Passes a packet, or the end of the track, to the decoder.
  ///
  /// - Returns: The number of decoded frames, or nil if the decoder found a fault.
  private func decode(_ packet: PacketHandle?) throws -> Int? {
    let base = av_q2d(demuxer.stream.pointee.time_base)
    var status = avcodec_send_packet(decoder.pointer, packet?.pointer)
    var isSound = status >= 0
    var count = 0
    while status >= 0 {
      status = avcodec_receive_frame(decoder.pointer, frame.pointer)
      if status == liveedit_averror_eagain || status == liveedit_averror_eof { break }
      guard status >= 0 else {
        isSound = false
        break
      }
      let fields = frame.pointer.pointee
      if fields.sample_rate > 0, fields.nb_samples > 0 {
        let length = Double(fields.nb_samples) / Double(fields.sample_rate)
        let start = fields.pts == liveedit_nopts ? end : Double(fields.pts) * base
        (end, longest) = (max(end, start + length), max(longest, length))
      }
      if frame.isDamaged { isSound = false }
      count += 1
      av_frame_unref(frame.pointer)
    }
    if status == liveedit_averror_enomem { throw MediaError.noMemory }
    return isSound ? count : nil
  }

  /// The point at which the decoded audio ends, or nil if at most two frames are missing before the end of the track.
  private var stop: PictureCheck.Sound.Stop? {
    let duration = Double(demuxer.stream.pointee.duration) * av_q2d(demuxer.stream.pointee.time_base)
    let heard = max(0, end - (begin ?? 0))
    guard demuxer.stream.pointee.duration > 0, duration - heard > max(2 * longest, 0.05) else { return nil }
    return PictureCheck.Sound.Stop(seconds: heard, end: duration)
  }
}
