import Basics
internal import CFFmpeg

/// Owns an open QuickTime movie of which one track is read, every sample of it, whatever its edit list says.
final class MovieDemuxer {
  private let input: MediaInput
  let stream: UnsafeMutablePointer<AVStream>

  var context: UnsafeMutablePointer<AVFormatContext> { input.context }

  /// - Parameters:
  ///   - path: the movie.
  ///   - trackID: which track: the number in its `tkhd`.
  init(path: String, trackID: Int) throws {
    input = try MediaInput(
      // Times come from the sample tables alone.
      path: path, format: "mov", flags: AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN,
      options: [
        "ignore_editlist": "1", "advanced_editlist": "0", "enable_drefs": "0",
        "protocol_whitelist": "file", "format_whitelist": "mov,mp4,m4a,3gp,3g2,mj2",
      ]
    ) { .damaged("it cannot be read as a movie (\(LibAV.message($0)))") }
    let streams = (0..<Int(input.context.pointee.nb_streams)).compactMap { [input] in
      input.context.pointee.streams[$0]
    }
    guard let found = streams.first(where: { Int($0.pointee.id) == trackID }),
      found.pointee.codecpar != nil
    else { throw MediaError.damaged("track \(trackID) of it cannot be read") }
    for other in streams where other != found { other.pointee.discard = AVDISCARD_ALL }
    stream = found
  }

  /// Reads the next packet of the track.
  ///
  /// - Parameters:
  ///   - packet: where it goes; empty before.
  ///   - failure: the error of a movie that cannot be read on.
  /// - Returns: false at the end.
  func read(into packet: PacketHandle, failure: @autoclosure () -> MediaError) throws -> Bool {
    while true {
      let status = av_read_frame(context, packet.pointer)
      if status == liveedit_averror_eof { return false }
      guard status >= 0 else { throw LibAV.failure(status, failure()) }
      if packet.pointer.pointee.stream_index == stream.pointee.index { return true }
      av_packet_unref(packet.pointer)
    }
  }
}
