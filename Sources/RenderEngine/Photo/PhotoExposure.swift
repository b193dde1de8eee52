import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

extension PhotoRender {
  /// Returns the stage that blends all frames of the movie into the photo, or nil if the edit has no long exposure.
  ///
  /// - Parameter display: The display orientation that the picture passed to the stage had before the edit.
  func exposure(displayedBy display: Orientation) throws -> FrameStage? {
    guard job.edit.motion.effect == .longExposure else { return nil }
    guard let path = job.movie?.source ?? job.frameSource else {
      throw MediaError("the movie needed for the long exposure is missing", remedy: "specify a Live Photo")
    }
    let isRehearsal = isRehearsal
    return { frame, _ in
      let (mean, orientation) = try meanFrame(of: path)
      guard !isRehearsal, let mean else { return frame }
      try LongExposure(mean).expose(
        frame, turnedBy: display.then(orientation.inverse), profile: try photo.iccProfile(),
        pieces: HostSystem.processors, by: WorkerThread.runSideBySide)
      return frame
    }
  }

  /// Returns the mean of the movie frames that the edit keeps, and the display orientation of these frames. A rehearsal
  /// returns no mean.
  private func meanFrame(of path: String) throws -> (FrameMean?, Orientation) {
    do {
      let movie = try Movie(FileByteSource(path: path), photoAt: job.stillPlace)
      let summary = try MovieSummary(movie)
      guard let plan = try movie.framesOfEffect(of: job.edit.motion) else { return (nil, .identity) }
      if isRehearsal { return (nil, summary.orientation) }
      let frames = try EffectFrames(
        plan, of: path, summary, scene: geometry.moviePicture(summary, turnedBy: .identity).scene, stop: stop,
        onProgress: { meter.photo(0.3 * $0) })
      let mean = try frames.mean(of: path, stop: stop) { meter.photo(0.3 + 0.3 * $0) }
      return (mean, summary.orientation)
    } catch {
      try stop.check()
      // All other errors concern the movie.
      throw EditError(reading: path, error)
    }
  }
}

extension EffectFrames {
  /// The camera movement, as a fraction of the longer side, up to which a frame is included in the mean. A similarity
  /// transformation cannot compensate for larger movements.
  private static let farthest = 1.0 / 20

  /// Returns the mean of the frames near the key frame, each aligned with the key frame.
  ///
  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - stop: The signal that stops the work.
  ///   - onProgress: Receives the completed fraction of the work.
  fileprivate func mean(
    of path: String, stop: StopSignal, onProgress: (Double) -> Void
  ) throws -> FrameMean {
    let moves = tracking.path.map { tracking.path[key].inverse.then($0) }
    let reach = Self.farthest * Double(max(summary.storedWidth, summary.storedHeight))
    var result: Result<FrameMean, any Error>?
    try VideoCheck.decode(
      path: path, trackID: summary.videoTrackID, numbers: first..<first + moves.count,
      isCancelled: { stop.isStopped }
    ) { number, frame in
      let index = number - first
      guard max(abs(moves[index].x), abs(moves[index].y)) <= reach else { return }
      result = Result {
        var mean = try result?.get() ?? FrameMean(frame.format)
        result = nil
        try mean.add(frame, moved: moves[index], isKey: index == key)
        return mean
      }
      onProgress(Double(index + 1) / Double(moves.count))
    }
    guard let mean = try result?.get() else { throw MediaError("the video track has no frames") }
    return mean
  }
}
