import Rendering

/// Decodes a video track to determine whether the track is damaged and what it shows.
package enum VideoCheck {
  /// Decodes every frame in presentation order on a separate thread. Earlier frames are examined at the same time.
  ///
  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - trackID: The ID of the video track, as stated in its `tkhd` box.
  ///   - checksHashes: Whether frames are compared with the hashes in the stream, if the stream contains hashes. If so,
  ///     frames have their full coded size, including the edges that are normally cropped.
  ///   - numbers: The numbers of the frames to examine, counted from 0, or nil to examine all frames. Decoding stops
  ///     after the last of these frames.
  ///   - isCancelled: A function that is called before every frame. If the function returns true, the work stops.
  ///   - look: A function that receives each stored frame and the frame's number, counted from 0. The function must not
  ///     write to the frame or keep it.
  /// - Returns: The number of frames and the numbers of the keyframes, counted from 0 in presentation order.
  /// - Throws: ``MediaError`` if a frame is damaged, is missing or has a different size, or `CancellationError` if the
  ///   check was cancelled.
  @discardableResult
  package static func decode(
    path: String, trackID: Int, checksHashes: Bool = false, numbers: Range<Int>? = nil,
    isCancelled: () -> Bool, look: (Int, PlanarFrame) -> Void = { _, _ in }
  ) throws -> (frameCount: Int, keyFrames: [Int]) {
    let decoder = try VideoDecoder(path: path, trackID: trackID, checksHashes: checksHashes)
    let end = numbers?.upperBound ?? .max
    var count = 0
    var keys: [Int] = []
    try FrameQueue.run { _ in
      try decoder.framesDelivered < end ? decoder.next() : nil
    } use: { frame in
      if isCancelled() { throw CancellationError() }
      if frame.isKey { keys.append(count) }
      if numbers?.contains(count) ?? true { look(count, frame.picture) }
      count += 1
    }
    return (count, keys)
  }
}
