import Basics
internal import CFFmpeg
import FileSystem

/// Owns an open QuickTime movie of which one track is read, every sample of it, whatever its edit list says.
final class MovieDemuxer {
  let context: UnsafeMutablePointer<AVFormatContext>
  let stream: UnsafeMutablePointer<AVStream>

  /// - Parameters:
  ///   - path: the movie.
  ///   - trackID: which track: the number in its `tkhd`.
  init(path: String, trackID: Int) throws {
    _ = LibAV.setUp
    var demuxer: UnsafeMutablePointer<AVFormatContext>? = avformat_alloc_context()
    guard let allocated = demuxer else { throw LibAV.noMemory }
    // Times come from the sample tables alone.
    allocated.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
    defer { avformat_close_input(&demuxer) }
    let file = try FileByteSource(path: path)
    try LibAV.withOptions([
      "ignore_editlist": "1", "advanced_editlist": "0", "enable_drefs": "0",
      "protocol_whitelist": "file", "format_whitelist": "mov,mp4,m4a,3gp,3g2,mj2",
    ]) { options in
      let status = withExtendedLifetime(file) {
        avformat_open_input(&demuxer, "file:" + file.path, av_find_input_format("mov"), &options)
      }
      guard status >= 0 else {
        throw LibAV.failure(status, .damaged("it cannot be read as a movie (\(LibAV.message(status)))"))
      }
    }
    guard let opened = demuxer else { throw LibAV.noMemory }
    var found: UnsafeMutablePointer<AVStream>?
    for index in 0..<Int(opened.pointee.nb_streams) {
      guard let candidate = opened.pointee.streams[index] else { continue }
      if Int(candidate.pointee.id) == trackID, found == nil {
        found = candidate
      } else {
        candidate.pointee.discard = AVDISCARD_ALL
      }
    }
    guard let found, found.pointee.codecpar != nil else {
      throw MediaError.damaged("track \(trackID) of it cannot be read")
    }
    stream = found
    context = opened
    demuxer = nil  // owned by self from here
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
  }
}
