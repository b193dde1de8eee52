import Basics
import Codecs
public import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Decodes pictures to see whether they can be.
///
/// - Parameters:
///   - job: the files.
///   - isCancelled: asked before every frame; true stops the work.
/// - Returns: what decoding showed. A damaged file is no error.
/// - Throws: ``EditError`` when a file cannot be opened, or when the work was stopped.
public func checkPictures(
  _ job: PictureCheckJob, isCancelled: () -> Bool
) throws(EditError) -> PictureCheck {
  var check = PictureCheck()
  if let photo = job.photo {
    do {
      check.photo = try checkPhoto(photo)
    } catch {
      throw EditError(reading: photo, error)
    }
  }
  if let movie = job.movie {
    do {
      check.movie = try checkMovie(movie, track: job.videoTrack, isCancelled: isCancelled)
    } catch is CancellationError {
      throw EditError(.cancelled, file: movie, "was not checked: stopped on request")
    } catch {
      throw EditError(reading: movie, error)
    }
  }
  return check
}

extension InProcessRenderer: PictureChecker {
  /// See `PictureChecker`. Blocks, so call it from a thread that may.
  public func check(
    _ job: PictureCheckJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> PictureCheck {
    try checkPictures(job, isCancelled: isCancelled)
  }
}

func checkPhoto(_ path: String) throws -> PictureCheck.Photo {
  let photo = try Photo(FileByteSource(path: path))
  do {
    return try (photo.kind ?? .jpeg).codec.check(photo)
  } catch let error as MediaError {
    return PictureCheck.Photo(outcome: PictureCheck.Outcome(error))
  }
}

private func checkMovie(
  _ path: String, track: Int, isCancelled: () -> Bool
) throws -> PictureCheck.Movie {
  do {
    let files = try MotionPhotoFiles(path: path)
    let frames = try VideoCheck.decode(
      path: files?.movie.path ?? path, trackID: track, isCancelled: isCancelled)
    return PictureCheck.Movie(
      outcome: .decoded, frameCount: frames.frameCount, keyFrames: frames.keyFrames)
  } catch let error as MediaError {
    return PictureCheck.Movie(outcome: PictureCheck.Outcome(error))
  }
}

extension PictureCheck.Outcome {
  /// The outcome that a codec's complaint stands for.
  init(_ error: MediaError) {
    self = error.isUnsupported ? .unsupported(error.problem) : .damaged(error.problem)
  }
}
