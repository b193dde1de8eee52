import Rendering

/// Decodes a video track to find out whether it is damaged and what it shows.
package enum VideoCheck {
  /// Decodes every frame on a separate thread, in presentation order, while earlier frames are examined.
  ///
  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - trackID: The number of the video track, as in its `tkhd` box.
  ///   - checksHashes: Whether to compare frames with the hashes in the stream, if it contains any. The frames then
  ///     have their full coded size, including the edges that are normally cropped.
  ///   - numbers: The numbers of the frames to examine, counted from 0; nil examines all frames. No frame after the
  ///     last of them is decoded.
  ///   - isCancelled: Called before every frame; the work stops if the result is true.
  ///   - look: Receives each frame, as stored, and its number from 0. The closure must neither write to the frame nor
  ///     keep it.
  /// - Returns: The number of frames and the numbers of the keyframes, counted from 0 in presentation order.
  /// - Throws: ``MediaError`` if a frame is damaged, missing or of another size; `CancellationError` if the check was
  ///   cancelled.
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
