import Basics
internal import CFFmpeg
import FileSystem

/// A movie file written by libavformat.
final class MovieMuxer {
  private let context: UnsafeMutablePointer<AVFormatContext>
  /// The output file. The file is opened by this class because libavformat opens files only by name and would overwrite
  /// an existing file.
  private let file: FileByteSink
  private let path: String
  /// The last packet of each track, by stream number.
  private var tracks: [Int32: Track] = [:]

  /// A track whose last packet is held until the next packet arrives.
  private struct Track {
    /// The packet that is being held, with times in ticks of the stream's time base.
    let last: PacketHandle
    /// The decode time of the track's first packet.
    let firstDecodeTime: Int64
    /// The presentation time at which the track begins.
    var start: Int64
    /// The presentation time at which the track ends.
    var end: Int64
  }

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: The path of the new file, at which no file may exist yet.
  ///   - container: libavformat's name for the format: `mov`, `mp4`, `webp` or `gif`.
  init(path: String, container: String) throws {
    _ = LibAV.setUp
    file = try FileByteSink(path: path)
    var made: UnsafeMutablePointer<AVFormatContext>?
    guard avformat_alloc_output_context2(&made, nil, container, "file:" + path) >= 0, let made else {
      throw MediaError("the installed FFmpeg libraries cannot write \(container)")
    }
    context = made
    self.path = path
    // Prevents libavformat from writing program names and the current time.
    context.pointee.flags |= AVFMT_FLAG_BITEXACT
    let status = avio_open(&context.pointee.pb, "file:" + file.descriptorPath, AVIO_FLAG_WRITE)
    guard status >= 0 else { throw failure(status) }
  }

  /// Returns the error for a failed attempt to write the new file.
  private func failure(_ status: Int32) -> EditError {
    // libavutil reports system errors as negative errno values (libavutil/error.h).
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
  /// - Returns: The track's stream. The caller must set the stream's parameters and time base.
  func addStream() throws -> UnsafeMutablePointer<AVStream> {
    guard let stream = avformat_new_stream(context, nil) else { throw MediaError.noMemory }
    return stream
  }

  /// Sets a metadata entry that applies to the complete file.
  func set(_ key: String, _ value: String) {
    av_dict_set(&context.pointee.metadata, key, value, 0)
  }

  /// Writes the header. Afterwards, the time bases of the streams no longer change.
  func begin(_ options: KeyValuePairs<String, String> = [:]) throws {
    try LibAV.withOptions(options) { options in
      let status = avformat_write_header(context, &options)
      guard status >= 0 else {
        if let problem = context.pointee.pb?.pointee.error, problem < 0 { throw failure(problem) }
        throw MediaError.unsupported("the tracks cannot be stored in the new file (\(LibAV.message(status)))")
      }
    }
  }

  /// Takes ownership of a packet and writes the packet. The packet's times are in units of `base`. The packet's
  /// duration is used only if no later packet follows in the track.
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
    guard !isTooLate else { throw MediaError.damaged("a track contains an invalid timestamp") }
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

  /// Writes the packets that are being held. In the sample table (`stts`), the track ends with the duration of the
  /// packet that is decoded last. This duration is therefore chosen so that the track lasts until the end of its
  /// presentation. If frames are reordered, the frame that is decoded last is not the frame that is shown last.
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

  /// Writes the packets that are being held, and then the end of the file.
  func finish() throws {
    try writeLastPackets()
    let written = av_write_trailer(context)
    let closed = avio_closep(&context.pointee.pb)
    guard written >= 0, closed >= 0 else { throw failure(min(written, closed)) }
  }
}
