import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Finds the movie frame that makes the best photo; see ``FrameRating``.
///
/// - Parameters:
///   - path: The path of the movie or Motion Photo.
///   - part: The part of the movie to search, in seconds, or nil for the whole movie.
///   - moment: The preferred time in seconds, or nil for the time at which the photo was taken.
/// - Returns: The time of the frame in seconds on the movie's timeline.
/// - Throws: ``MediaError`` if the searched part shows no frame, or if a frame cannot be decoded; `CancellationError`
///   if the search was cancelled.
func bestFrame(
  of path: String, in part: ClosedRange<Double>?, near moment: Double?, isCancelled: () -> Bool
) throws -> Double {
  let files = try MotionPhotoFiles(path: path)
  let path = files?.movie.path ?? path
  let movie = try Movie(
    FileByteSource(path: path), photoAt: files.map { StillPlace(seconds: $0.stillTime) })
  let kept = try part.map { try Trim(from: $0.lowerBound, to: $0.upperBound) }
  let shown = Dictionary(
    try movie.shownFrames.lazy.filter { kept?.keeps(frameAt: $0.seconds) ?? true }.map {
      ($0.number, $0.seconds)
    }
  ) { first, _ in first }
  let length = try movie.shownSeconds
  var ratings: [FrameRating] = []
  try VideoCheck.decode(
    path: path, trackID: MovieSummary(movie).videoTrackID, isCancelled: isCancelled
  ) { number, picture in
    guard let seconds = shown[number] else { return }
    ratings.append(FrameRating(picture, seconds: seconds))
  }
  let best = FrameRating.best(of: ratings, near: moment ?? movie.stillImageTime, length: length)
  guard let best else { throw MediaError("the movie shows no frames in the selected part") }
  return ratings[best].seconds
}
