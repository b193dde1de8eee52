import Basics
internal import CFFmpeg
import EditModel
import Rendering

/// Finds the damaged frames of a video track.
///
/// Every sample is decoded twice. The strict decoder rejects a sample at the first fault. The tolerant decoder produces
/// the picture that players would show. A frame counts as damaged if the strict decoder rejects it, if the tolerant
/// decoder reports missing or concealed data, or if the picture does not match the hash in the stream
/// (``PictureHash``).
package final class FrameDamage {
  private let demuxer: MovieDemuxer
  private let strict: CodecHandle
  private let forgiving: CodecHandle
  private let packet: PacketHandle
  private var hashes: PictureHashes?
  /// The presentation time of each sample, in decode order.
  private var times: [Int64] = []
  private var shown: Set<Int64> = []
  private var damaged: Set<Int64> = []

  /// Decodes the entire track and returns the damaged frames.
  ///
  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - trackID: The ID of the video track, as stated in its `tkhd` box.
  ///   - isCancelled: A function that is called before every sample. If the function returns true, the work stops.
  /// - Returns: The damaged frames in presentation order.
  /// - Throws: ``MediaError`` if the track cannot be read at all or if memory runs out, or `CancellationError` if the
  ///   search was cancelled.
  package static func find(path: String, trackID: Int, isCancelled: () -> Bool) throws -> MediaDamage {
    let search = try FrameDamage(path, trackID)
    try search.run(isCancelled)
    return search.result
  }

  private init(_ path: String, _ trackID: Int) throws {
    demuxer = try MovieDemuxer(path: path, trackID: trackID)
    strict = try VideoDecoder.decoder(of: demuxer.stream, errors: AV_EF_EXPLODE | AV_EF_CAREFUL)
    forgiving = try VideoDecoder.decoder(of: demuxer.stream, errors: 0)
    forgiving.pointer.pointee.flags |= Int32(AV_CODEC_FLAG_OUTPUT_CORRUPT)
    forgiving.pointer.pointee.apply_cropping = 0
    packet = try PacketHandle()
    hashes = demuxer.stream.pointee.codecpar.flatMap { PictureHashes($0) }
  }

  private func run(_ isCancelled: () -> Bool) throws {
    while try demuxer.readUpToDamage(into: packet) {
      defer { av_packet_unref(packet.pointer) }
      if isCancelled() { throw CancellationError() }
      let fields = packet.pointer.pointee
      guard fields.pts != liveedit_nopts else { continue }
      times.append(fields.pts)
      hashes?.note(packet)
      let isWhole = fields.flags & AV_PKT_FLAG_CORRUPT == 0 && fields.size > 0
      if try !decode(strict, packet, { _ in }) || !isWhole { damaged.insert(fields.pts) }
      _ = try decode(forgiving, packet, look)
    }
    _ = try decode(forgiving, nil, look)
  }

  /// Passes a sample or the end of the track to a decoder, and receives the decoded frames.
  ///
  /// - Returns: False if the decoder found a fault.
  private func decode(
    _ decoder: CodecHandle, _ packet: PacketHandle?, _ look: (FrameHandle) -> Void
  ) throws -> Bool {
    var isSound = true
    func isGood(_ status: Int32) throws -> Bool {
      if status == liveedit_averror_enomem { throw MediaError.noMemory }
      if status == liveedit_averror_eagain || status == liveedit_averror_eof { return false }
      if status < 0 { isSound = false }
      return status >= 0
    }
    _ = try isGood(avcodec_send_packet(decoder.pointer, packet?.pointer))
    // A fault may be reported before a frame that was decoded earlier.
    var faults = 0
    while faults < 4 {
      let frame = try FrameHandle()
      let status = avcodec_receive_frame(decoder.pointer, frame.pointer)
      if status == liveedit_averror_eagain || status == liveedit_averror_eof { break }
      if try isGood(status) { look(frame) } else { faults += 1 }
    }
    return isSound
  }

  private func look(_ frame: FrameHandle) {
    let time = frame.pointer.pointee.pts
    shown.insert(time)
    let isTrue = frame.picture().map { hashes?.agree(with: $0, at: time) ?? true } ?? true
    if frame.isDamaged || !isTrue { damaged.insert(time) }
  }

  private var result: MediaDamage {
    var damage = MediaDamage()
    let base = demuxer.stream.pointee.time_base
    let ordered = times.sorted()
    for (number, time) in ordered.enumerated() where damaged.contains(time) || !shown.contains(time) {
      damage.add(number, at: (Double(time) - Double(ordered[0])) * av_q2d(base))
    }
    return damage
  }
}
