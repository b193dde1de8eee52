import Basics
internal import CFFmpeg

/// An open movie in any supported container, from which the best video track and the best audio track are read.
final class MovieReader {
  private let input: MediaInput
  let video: UnsafeMutablePointer<AVStream>
  let sound: UnsafeMutablePointer<AVStream>?

  var context: UnsafeMutablePointer<AVFormatContext> { input.context }

  /// The duration of the movie in seconds, or 0 if the duration is unknown.
  var duration: Double { Double(max(0, context.pointee.duration)) / Double(AV_TIME_BASE) }

  /// - Parameter path: The path of the movie.
  /// - Throws: ``MediaError`` if the file is not a movie, has no video or is encrypted.
  init(path: String) throws {
    // The option enable_drefs is off by default. With this option, libavformat would open other files to which a movie
    // refers.
    input = try MediaInput(path: path) {
      .damaged("the file cannot be read as a movie (\(LibAV.message($0)))")
    }
    let found = input.context
    let status = avformat_find_stream_info(found, nil)
    guard status >= 0 else { throw LibAV.failure(status, .damaged("the movie's tracks cannot be read")) }
    let best = av_find_best_stream(found, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    guard best >= 0, let stream = found.pointee.streams[Int(best)], let parameters = stream.pointee.codecpar,
      stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    else { throw MediaError("the file contains no video", remedy: "specify a movie") }
    let tag = parameters.pointee.codec_tag
    let encrypted =
      [liveedit_tag_encv, liveedit_tag_drmi].contains(tag)
      || av_stream_get_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, nil) != nil
    guard !encrypted else {
      throw MediaError(
        "the video is encrypted", remedy: "use a movie without copy protection", isUnsupported: true)
    }
    guard parameters.pointee.codec_id != AV_CODEC_ID_NONE, parameters.pointee.width > 0 else {
      throw MediaError("the video is encrypted or of an unknown type", isUnsupported: true)
    }
    try LibAV.checkSize(Int(parameters.pointee.width), Int(parameters.pointee.height))
    video = stream
    let heard = av_find_best_stream(found, AVMEDIA_TYPE_AUDIO, -1, best, nil, 0)
    sound = heard >= 0 ? found.pointee.streams[Int(heard)] : nil
    for index in 0..<Int(found.pointee.nb_streams) where index != Int(best) && index != Int(heard) {
      found.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
    }
  }

  /// Returns the start time of the movie in ticks of a stream's time base.
  ///
  /// In QuickTime and MP4 files, the times in sample tables are counted from the start of the movie's timeline, and all
  /// tracks may begin after that start. In other containers and in fragments, the times may come from a broadcast
  /// clock, so the start of the earliest track is used.
  func start(in stream: UnsafeMutablePointer<AVStream>) -> Int64 {
    hasTables ? min(earliest(in: stream), 0) : earliest(in: stream)
  }

  /// The offset in seconds between the start of a QuickTime or MP4 movie's timeline and the zero point of the movie's
  /// frame times.
  var delay: Double {
    guard isQuickTime else { return 0 }
    return Double(max(start(in: video), 0)) * av_q2d(video.pointee.time_base)
  }

  /// Returns the start time of the earliest track in ticks of a stream's time base.
  private func earliest(in stream: UnsafeMutablePointer<AVStream>) -> Int64 {
    let start = context.pointee.start_time
    guard start != liveedit_nopts else { return 0 }
    return av_rescale_q(start, AVRational(num: 1, den: AV_TIME_BASE), stream.pointee.time_base)
  }

  /// Whether the container is QuickTime or MP4.
  private var isQuickTime: Bool {
    context.pointee.iformat?.pointee.name.map { String(cString: $0).hasPrefix("mov,") } ?? false
  }

  /// Whether sample tables list the frames. Frames in fragments are not counted.
  private var hasTables: Bool { isQuickTime && video.pointee.nb_frames > 0 }

  /// Reads the next packet of the video track or the audio track.
  ///
  /// - Returns: False at the end of the movie.
  func read(into packet: PacketHandle) throws -> Bool {
    let status = av_read_frame(context, packet.pointer)
    if status == liveedit_averror_eof { return false }
    guard status >= 0 else {
      throw LibAV.failure(status, .damaged("the movie is cut off (\(LibAV.message(status)))"))
    }
    guard av_packet_get_side_data(packet.pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) == nil else {
      av_packet_unref(packet.pointer)
      throw MediaError(
        "the tracks are encrypted", remedy: "use a movie without copy protection", isUnsupported: true)
    }
    return true
  }
}
