import Basics
internal import CFFmpeg

/// Makes AAC audio quieter. Each packet is decoded, its samples are multiplied by a factor, and the result is encoded
/// again.
///
/// Each new packet covers the same time as the packet that it replaces, so the sample tables, the edit list and the
/// sample description remain valid. The encoder's extra first packet is dropped, so the audio at the overlap between
/// the first packet and the second packet is missing. Players skip the second packet as priming.
package enum SoundTranscoder {
  /// The maximum size of the processed audio in bytes. An hour of a Live Photo's audio takes up 60 MB.
  private static let largest = 256 << 20

  /// Re-encodes packets of a track at a lower volume.
  ///
  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - trackID: The ID of the audio track, as stated in its `tkhd` box.
  ///   - factor: The factor by which every sample is multiplied.
  ///   - range: The packets to return, counted from 0.
  ///   - isCancelled: A function that is called before every packet. If the function returns true, the work stops.
  /// - Returns: One new packet for each packet in the range.
  /// - Throws: `CancellationError` if the work was cancelled, or ``MediaError`` if the audio is damaged or is not plain
  ///   AAC.
  package static func scaledPackets(
    path: String, trackID: Int, by factor: Double, packets range: Range<Int>, isCancelled: () -> Bool
  ) throws -> [[UInt8]] {
    let run = try Run(path, trackID, range)
    try run.all(factor, isCancelled)
    guard run.packets.count == run.taken.count + 1 else {
      throw MediaError(
        "the audio encoder produced \(run.packets.count) packets from \(run.taken.count) input packets")
    }
    return Array(run.packets.suffix(range.count))
  }

  /// The decoder, the encoder and the progress for a track.
  private final class Run {
    private let input: CodecHandle
    private let output: CodecHandle
    private let demuxer: MovieDemuxer
    private let packet: PacketHandle
    private let frame: FrameHandle
    /// The requested packets and the packet before them, which overlaps the first requested packet.
    let taken: Range<Int>
    private let sampleCount: Int
    private var read = 0
    private var time: Int64 = 0
    private var size = 0
    private(set) var packets: [[UInt8]] = []

    init(_ path: String, _ trackID: Int, _ range: Range<Int>) throws {
      demuxer = try MovieDemuxer(path: path, trackID: trackID)
      guard let parameters = demuxer.stream.pointee.codecpar else {
        throw MediaError.damaged("the audio is damaged")
      }
      guard parameters.pointee.codec_id == AV_CODEC_ID_AAC,
        let decoder = avcodec_find_decoder(AV_CODEC_ID_AAC)
      else {
        throw MediaError.unsupported(
          "the volume of \(VideoDecoder.name(parameters.pointee.codec_id)) audio cannot be lowered",
          remedy: "keep the volume unchanged, or remove the audio")
      }
      input = try CodecHandle(decoder, of: demuxer.stream, threads: 1)
      input.pointer.pointee.flags2 |= Int32(AV_CODEC_FLAG2_SKIP_MANUAL)
      guard avcodec_open2(input.pointer, nil, nil) >= 0 else {
        throw MediaError.damaged("the audio cannot be decoded")
      }
      sampleCount = Int(avformat_index_get_entries_count(demuxer.stream))
      guard !range.isEmpty, (0...sampleCount).contains(range.upperBound), range.lowerBound >= 0 else {
        throw MediaError.damaged("the audio does not contain packets \(range)")
      }
      taken = max(0, range.lowerBound - 1)..<range.upperBound
      packet = try PacketHandle()
      frame = try FrameHandle()
      output = try CodecHandle.encodingAAC(rate: parameters.pointee.sample_rate)
      let fields = output.pointer
      let channels = Int64(max(1, min(parameters.pointee.ch_layout.nb_channels, 8)))
      fields.pointee.bit_rate = max(parameters.pointee.bit_rate, 64_000 * channels)
      if parameters.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
        // Only QuickTime's “chan” atom specifies a channel order. Without this atom, AAC's default order for the number
        // of channels applies.
        av_channel_layout_default(&fields.pointee.ch_layout, Int32(channels))
      } else if av_channel_layout_copy(&fields.pointee.ch_layout, &parameters.pointee.ch_layout) < 0 {
        throw MediaError.noMemory
      }
      // The old sample description applies to the new packets only if it declares AAC-LC with the same sample rate and
      // channels. The type, rate and channels are the first 13 bits (ISO/IEC 14496-3, 1.6.2.1).
      guard avcodec_open2(fields, nil, nil) >= 0, fields.pointee.frame_size == 1024,
        let old = parameters.pointee.extradata, parameters.pointee.extradata_size >= 2,
        let new = fields.pointee.extradata, fields.pointee.extradata_size >= 2,
        old[0] == new[0], old[1] & 0xF8 == new[1] & 0xF8
      else {
        throw MediaError.unsupported(
          "the volume of this type of AAC audio cannot be lowered",
          remedy: "keep the volume unchanged, or remove the audio")
      }
    }

    func all(_ factor: Double, _ isCancelled: () -> Bool) throws {
      while true {
        if isCancelled() { throw CancellationError() }
        let status = avcodec_receive_frame(input.pointer, frame.pointer)
        if status == liveedit_averror_eof { break }
        if status == liveedit_averror_eagain {
          try feed()
          continue
        }
        guard status >= 0 else { throw LibAV.failure(status, damaged) }
        defer { av_frame_unref(frame.pointer) }
        try multiply(factor)
        guard avcodec_send_frame(output.pointer, frame.pointer) >= 0 else { throw failed }
        try drain()
      }
      guard avcodec_send_frame(output.pointer, nil) >= 0 else { throw failed }
      try drain()
    }

    private var damaged: MediaError {
      MediaError.damaged("the audio is damaged near packet \(read) of \(sampleCount)")
    }
    private var failed: MediaError { MediaError("the audio encoder failed") }

    private func feed() throws {
      while read < taken.upperBound {
        guard try demuxer.read(into: packet, failure: damaged) else { throw damaged }
        defer { av_packet_unref(packet.pointer) }
        read += 1
        guard read > taken.lowerBound else { continue }
        let sent = avcodec_send_packet(input.pointer, packet.pointer)
        guard sent >= 0 else { throw LibAV.failure(sent, damaged) }
        return
      }
      guard avcodec_send_packet(input.pointer, nil) >= 0 else { throw damaged }
    }

    private func multiply(_ factor: Double) throws {
      let fields = frame.pointer
      let channels = Int(fields.pointee.ch_layout.nb_channels)
      let count = Int(fields.pointee.nb_samples)
      guard fields.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue, count == 1024, channels > 0,
        fields.pointee.ch_layout.nb_channels == output.pointer.pointee.ch_layout.nb_channels,
        fields.pointee.sample_rate == output.pointer.pointee.sample_rate,
        av_frame_make_writable(fields) >= 0, let planes = fields.pointee.extended_data
      else { throw damaged }
      for channel in 0..<channels {
        guard let plane = planes[channel], Int(fields.pointee.linesize.0) >= count * 4 else { throw damaged }
        plane.withMemoryRebound(to: Float.self, capacity: count) { samples in
          for index in 0..<count { samples[index] *= Float(factor) }
        }
      }
      fields.pointee.pts = time
      time += Int64(count)
    }

    private func drain() throws {
      try output.receive(into: packet, failure: { _ in failed }) { packet in
        size += Int(packet.pointer.pointee.size)
        guard size <= SoundTranscoder.largest else {
          throw MediaError("the audio is too long", isUnsupported: true)
        }
        packets.append(packet.bytes)
      }
    }
  }
}
