import EditModel

/// Decodes a video track to see whether it can be.
public enum VideoCheck {
  private static let threads = 2

  /// Decodes every frame and keeps none.
  ///
  /// - Parameters:
  ///   - path: the movie.
  ///   - trackID: its video track, by the number in `tkhd`.
  ///   - isCancelled: asked before every frame; true stops the work.
  /// - Returns: how many frames there are, and which are key frames, counted from 0 in the order of showing.
  /// - Throws: ``MediaError`` when a frame is damaged, missing or of another size; `CancellationError`.
  public static func decode(
    path: String, trackID: Int, isCancelled: () -> Bool
  ) throws -> (frameCount: Int, keyFrames: [Int]) {
    let decoder = try VideoDecoder(path: path, trackID: trackID, threads: threads)
    var count = 0
    var keys: [Int] = []
    while let frame = try decoder.next() {
      if isCancelled() { throw CancellationError() }
      if frame.isKey { keys.append(count) }
      count += 1
    }
    return (count, keys)
  }
}
