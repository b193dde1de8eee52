import Rendering

/// Decodes a video track to see whether it can be, and what it shows.
package enum VideoCheck {
  /// Decodes every frame, in the order of showing, on a thread of its own while those before are looked at.
  ///
  /// - Parameters:
  ///   - path: the movie.
  ///   - trackID: its video track, by the number in `tkhd`.
  ///   - checksHashes: whether frames must be those that the stream says they are, where it says so. They are then shown as they are
  ///     coded, with what is cut off at their edges.
  ///   - numbers: the frames that are looked at, counted from 0; nil for all. Nothing behind the last of them is decoded.
  ///   - isCancelled: asked before every frame; true stops the work.
  ///   - look: shown each frame as it is stored, with its number from 0. The frame may not be written to, nor kept.
  /// - Returns: how many frames there are, and which are key frames, counted from 0 in the order of showing.
  /// - Throws: ``MediaError`` when a frame is damaged, missing or of another size; `CancellationError`.
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
