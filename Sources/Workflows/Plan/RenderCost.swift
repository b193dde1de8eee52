import EditModel
import FileSystem
import LivePhotoFormat

/// The estimated time of a render, based on its files' headers.
///
/// The cost of a photo depends on its number of pixels, and the cost of a movie on the number of pixels in all frames,
/// each with a factor for the codec. The factors were measured on real Live Photos (Documentation/Scale.md). The
/// factors serve only to divide work into parts of similar duration, and do not need to be accurate on other computers.
enum RenderCost {
  /// Processor time in seconds: for the start of a render, per million pixels of a photo, and per million pixels of
  /// movie frames.
  private static let start = 0.1
  private static let (jpeg, otherPhoto) = (0.04, 0.1)
  private static let (h264, otherMovie) = (0.025, 0.07)

  /// - Returns: The estimated time in seconds on one processor.
  static func seconds(of job: RenderJob) -> Double {
    var seconds = start
    if let path = job.photo?.source { seconds += photo(path) }
    if let path = job.movie?.source ?? job.frameSource { seconds += movie(path) }
    return seconds
  }

  private static func photo(_ path: String) -> Double {
    guard let photo = try? Photo(FileByteSource(path: path)), let metadata = try? photo.metadata() else {
      return 0
    }
    let millions = Double(max(metadata.storedWidth, 0)) * Double(max(metadata.storedHeight, 0)) / 1e6
    return min(millions, 1000) * (photo.kind == .jpeg ? jpeg : otherPhoto)
  }

  private static func movie(_ path: String) -> Double {
    guard let movie = try? MovieSummary(FileByteSource(path: path)) else { return 0 }
    let pixels = Double(max(movie.storedWidth, 0)) * Double(max(movie.storedHeight, 0))
    let millions = pixels * Double(max(movie.frameCount, 0)) / 1e6
    return min(millions, 1e6) * (movie.videoFormat == "avc1" ? h264 : otherMovie)
  }
}
