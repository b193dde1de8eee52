import Basics
import EditModel
import Rendering

/// Decodes individual frames of a movie's video track.
package enum MovieFrames {
  /// Decodes a frame as it is stored.
  ///
  /// - Parameters:
  ///   - number: The number of the frame in presentation order, counted from 0.
  ///   - source: All frames of the track.
  ///   - path: The path of the movie.
  ///   - trackID: The ID of the video track, as stated in its `tkhd` box.
  /// - Throws: ``MediaError`` if the frame does not exist or cannot be decoded.
  package static func frame(
    _ number: Int, of source: [SourceFrame], path: String, trackID: Int
  ) throws -> PlanarFrame {
    let plan = try MotionPlan(frames: [.init(number, duration: 1)], of: source, sound: nil, still: nil)
    let frames = try PlannedFrames(VideoDecoder(path: path, trackID: trackID), plan)
    guard let frame = try frames.next() else { throw MediaError("the movie has no video frames") }
    return frame.picture
  }
}
