import Basics
internal import CFFmpeg
import FileSystem

/// Owns a movie file that libavformat writes.
final class MovieMuxer {
  private let context: UnsafeMutablePointer<AVFormatContext>
  /// The file: libavformat opens by a name alone, and would write over what has it.
  private let file: FileByteSink
  private let path: String
  /// The last packet of each track, by the number of its stream.
  private var tracks: [Int32: Track] = [:]

  /// A track whose last packet waits for the next one.
  private struct Track {
    /// The packet, with times in ticks of the stream.
    let last: PacketHandle
    /// When its first packet is decoded.
    let firstDecodeTime: Int64
    /// When it begins to be shown or heard.
    var start: Int64
    /// When it ends.
    var end: Int64
  }

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: a name that nothing has.
  ///   - container: libavformat's name of the format: `mov`, `mp4`, `webp`, `gif`.
  init(path: String, container: String) throws {
    _ = LibAV.setUp
    file = try FileByteSink(path: path)
    var made: UnsafeMutablePointer<AVFormatContext>?
    guard avformat_alloc_output_context2(&made, nil, container, "file:" + path) >= 0, let made else {
      throw MediaError("the installed FFmpeg libraries cannot write \(container)")
    }
    context = made
    self.path = path
    // No names of programs, and no clock.
    context.pointee.flags |= AVFMT_FLAG_BITEXACT
    let status = avio_open(&context.pointee.pb, "file:" + file.descriptorPath, AVIO_FLAG_WRITE)
    guard status >= 0 else { throw failure(status) }
  }

  /// The error about the new file of a call that failed to write.
  private func failure(_ status: Int32) -> EditError {
    // Errors of the system are its numbers, negative (libavutil/error.h).
    (-4095...(-1)).contains(status)
      ? EditError(writing: path, SystemError(-status))
      : EditError(.fileSystem, file: path, "cannot be written (\(LibAV.message(status)))")
  }

  deinit {
    avio_closep(&context.pointee.pb)
    avformat_free_context(context)
  }

  /// Adds a track.
  ///
  /// - Returns: its stream; the caller sets parameters and time base.
  func addStream() throws -> UnsafeMutablePointer<AVStream> {
    guard let stream = avformat_new_stream(context, nil) else { throw MediaError.noMemory }
    return stream
  }

  /// Sets a piece of metadata of the whole file.
  func set(_ key: String, _ value: String) {
    av_dict_set(&context.pointee.metadata, key, value, 0)
  }

  /// Writes the header; streams have their final time bases afterwards.
  func begin(_ options: KeyValuePairs<String, String> = [:]) throws {
    try LibAV.withOptions(options) { options in
      let status = avformat_write_header(context, &options)
      guard status >= 0 else {
        if let problem = context.pointee.pb?.pointee.error, problem < 0 { throw failure(problem) }
        throw MediaError.unsupported("the tracks cannot be stored in the new file (\(LibAV.message(status)))")
      }
    }
  }

  /// Writes a packet, which is taken over; its times are in `base`. Its duration is how long it is shown or heard if no later
  /// one follows.
  func write(
    _ packet: PacketHandle, to stream: UnsafeMutablePointer<AVStream>, base: AVRational
  ) throws {
    let number = stream.pointee.index
    packet.pointer.pointee.stream_index = number
    packet.pointer.pointee.pos = -1
    av_packet_rescale_ts(packet.pointer, base, stream.pointee.time_base)
    let fields = packet.pointer.pointee
    guard fields.pts != liveedit_nopts, fields.dts != liveedit_nopts else { return try write(packet) }
    let (ownEnd, isTooLate) = fields.pts.addingReportingOverflow(fields.duration)
    guard !isTooLate else { throw MediaError.damaged("a track contains an impossible time") }
    let held = try PacketHandle()
    av_packet_move_ref(held.pointer, packet.pointer)
    guard let track = tracks[number] else {
      tracks[number] = Track(last: held, firstDecodeTime: fields.dts, start: fields.pts, end: ownEnd)
      return
    }
    try write(track.last)
    tracks[number] = Track(
      last: held, firstDecodeTime: track.firstDecodeTime, start: min(track.start, fields.pts),
      end: max(track.end, ownEnd))
  }

  private func write(_ packet: PacketHandle) throws {
    let status = av_interleaved_write_frame(context, packet.pointer)
    guard status >= 0 else { throw failure(status) }
  }

  /// Writes the packets that wait. The length of a track's last one in the order of decoding ends its sample table (`stts`), so
  /// it is such that the track lasts as long as it is shown: where frames are reordered, the last one that is decoded is not the
  /// last one that is shown.
  private func writeLastPackets() throws {
    for (_, track) in tracks.sorted(by: { $0.key < $1.key }) {
      let fields = track.last.pointer
      let (shown, isTooLong) = track.end.subtractingReportingOverflow(track.start)
      let (before, isTooLate) = fields.pointee.dts.subtractingReportingOverflow(track.firstDecodeTime)
      if !isTooLong, !isTooLate, shown > before, before >= 0 { fields.pointee.duration = shown - before }
      try write(track.last)
    }
    tracks = [:]
  }

  /// Writes the packets that wait, and what follows the packets.
  func finish() throws {
    try writeLastPackets()
    let written = av_write_trailer(context)
    let closed = avio_closep(&context.pointee.pb)
    guard written >= 0, closed >= 0 else { throw failure(min(written, closed)) }
  }
}
