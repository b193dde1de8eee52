internal import CFFmpeg
import EditModel

/// The end of a video track, until which the last frame is shown: the lengths that packets have do not always say it.
struct TrackEnd {
  /// When the track ends, in its ticks from the beginning of the movie; nil where that is not known.
  private let end: Int64?
  private let base: AVRational
  /// No frame is shown longer because its track ends later, in seconds.
  private static let longestFrame = 60.0

  /// - Parameters:
  ///   - stream: the track.
  ///   - reader: the movie.
  ///   - trim: the part that is kept; nil keeps all.
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

  /// How long a frame is shown if it is the last one, in ticks.
  ///
  /// - Parameters:
  ///   - ticks: when it begins to be shown.
  ///   - own: how long it is shown as its packet says.
  func duration(at ticks: Int64, own: Int64) -> Int64 {
    guard let end, end > ticks, Double(end - ticks) * av_q2d(base) <= Self.longestFrame else {
      return max(0, own)
    }
    return end - ticks
  }
}
