import Basics
import EditModel
import Rendering

/// Single frames of a movie's video track.
package enum MovieFrames {
  /// Decodes a frame as it is stored.
  ///
  /// - Parameters:
  ///   - number: its number in the order of showing, from 0.
  ///   - source: all frames of the track.
  ///   - path: the movie.
  ///   - trackID: its video track, by the number in `tkhd`.
  /// - Throws: ``MediaError`` when there is no such frame, or when it cannot be decoded.
  package static func frame(
    _ number: Int, of source: [SourceFrame], path: String, trackID: Int
  ) throws -> PlanarFrame {
    let plan = try MotionPlan(frames: [.init(number, duration: 1)], of: source, sound: nil, still: nil)
    let frames = try PlannedFrames(VideoDecoder(path: path, trackID: trackID), plan)
    guard let frame = try frames.next() else { throw MediaError("the movie has no video frames") }
    return frame.picture
  }
}
