import Basics
internal import CFFmpeg

/// Owns an open movie of any container, of which the best video track and the best sound track are read.
final class MovieReader {
  private let input: MediaInput
  let video: UnsafeMutablePointer<AVStream>
  let sound: UnsafeMutablePointer<AVStream>?

  var context: UnsafeMutablePointer<AVFormatContext> { input.context }

  /// The seconds that the movie lasts; 0 where that is not known.
  var duration: Double { Double(max(0, context.pointee.duration)) / Double(AV_TIME_BASE) }

  /// - Parameter path: the movie.
  /// - Throws: ``MediaError`` when it is no movie, has no video, or is encrypted.
  init(path: String) throws {
    // The option enable_drefs, for other files that a movie names, is off where nobody sets it.
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

  /// When the movie begins, in ticks of a stream.
  ///
  /// The tables of QuickTime and MP4 count from the beginning of the movie's timeline, at which not even the earliest track
  /// need begin. Elsewhere, and in fragments, the clock may be that of a broadcast: there the movie begins with its earliest
  /// track.
  func start(in stream: UnsafeMutablePointer<AVStream>) -> Int64 {
    hasTables ? min(earliest(in: stream), 0) : earliest(in: stream)
  }

  /// How much later than the beginning of a QuickTime or MP4 movie's timeline the times of its frames begin to count, in
  /// seconds.
  var delay: Double {
    guard isQuickTime else { return 0 }
    return Double(max(start(in: video), 0)) * av_q2d(video.pointee.time_base)
  }

  /// When the earliest track begins, in ticks of a stream.
  private func earliest(in stream: UnsafeMutablePointer<AVStream>) -> Int64 {
    let start = context.pointee.start_time
    guard start != liveedit_nopts else { return 0 }
    return av_rescale_q(start, AVRational(num: 1, den: AV_TIME_BASE), stream.pointee.time_base)
  }

  /// True for QuickTime and MP4.
  private var isQuickTime: Bool {
    context.pointee.iformat?.pointee.name.map { String(cString: $0).hasPrefix("mov,") } ?? false
  }

  /// True if sample tables list the frames. Those of fragments are not counted.
  private var hasTables: Bool { isQuickTime && video.pointee.nb_frames > 0 }

  /// Reads the next packet of either track.
  ///
  /// - Returns: false at the end.
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
