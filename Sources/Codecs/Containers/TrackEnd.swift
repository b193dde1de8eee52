internal import CFFmpeg
import EditModel

/// The end time of a video track. The last frame is shown until this time, because the duration stated in the last
/// packet is not always correct.
struct TrackEnd {
  /// The end time of the track in ticks of the track's time base, counted from the start of the movie, or nil if the
  /// end is unknown.
  private let end: Int64?
  private let base: AVRational
  /// The maximum time in seconds for which the last frame is extended to reach the end of the track.
  private static let longestFrame = 60.0

  /// - Parameters:
  ///   - stream: The track.
  ///   - reader: The movie.
  ///   - trim: The part to keep, or nil to keep the entire track.
  init(of stream: UnsafeMutablePointer<AVStream>, in reader: MovieReader, _ trim: Trim?) {
    let base = stream.pointee.time_base
    self.base = base
    let first = stream.pointee.start_time == liveedit_nopts ? 0 : stream.pointee.start_time
    let (sum, isTooLate) = first.addingReportingOverflow(stream.pointee.duration)
    guard stream.pointee.duration > 0, !isTooLate,
      let end = try? MediaTime.elapsed(sum, since: reader.start(in: stream), base)
    else {
      self.end = nil
      return
    }
    let kept = trim.flatMap { try? MediaTime.ticks($0.seconds.upperBound, scale: 1 / av_q2d(base)) }
    self.end = kept.map { min(end, $0) } ?? end
  }

  /// Returns the duration of the track's last frame, in ticks.
  ///
  /// - Parameters:
  ///   - ticks: The time at which the frame is first shown.
  ///   - own: The duration stated in the frame's packet.
  func duration(at ticks: Int64, own: Int64) -> Int64 {
    guard let end, end > ticks, Double(end - ticks) * av_q2d(base) <= Self.longestFrame else {
      return max(0, own)
    }
    return end - ticks
  }
}
