import Basics
import Codecs
public import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Decodes pictures and audio to find out whether they are damaged.
///
/// - Parameters:
///   - job: The files.
///   - isCancelled: Called before every frame. The work stops if the result is true.
/// - Returns: The result of decoding. Damage to a file is reported as a result, not as an error.
/// - Throws: ``EditError`` if a file cannot be opened, or if the work was cancelled.
package func checkPictures(
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
      check.movie = try checkMovie(movie, job, isCancelled: isCancelled)
    } catch is CancellationError {
      throw EditError(.cancelled, file: movie, "was not checked: the operation was cancelled")
    } catch {
      throw EditError(reading: movie, error)
    }
  }
  return check
}

extension InProcessRenderer: PictureChecker {
  /// Checks files; see `PictureChecker`. This method blocks, so call it from a thread that may block.
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
  _ path: String, _ job: PictureCheckJob, isCancelled: () -> Bool
) throws -> PictureCheck.Movie {
  let files: MotionPhotoFiles?
  do { files = try MotionPhotoFiles(path: path) } catch let error as MediaError {
    return PictureCheck.Movie(outcome: PictureCheck.Outcome(error))
  }
  let path = files?.movie.path ?? path
  var movie = try checkFrames(path, track: job.videoTrack, isCancelled: isCancelled)
  movie.sound = try job.soundTracks.map {
    try SoundCheck.decode(path: path, trackID: $0, isCancelled: isCancelled)
  }
  return movie
}

/// Decodes the frames of a movie. If that fails, searches for the damaged frames.
private func checkFrames(
  _ path: String, track: Int, isCancelled: () -> Bool
) throws -> PictureCheck.Movie {
  do {
    let frames = try VideoCheck.decode(
      path: path, trackID: track, checksHashes: true, isCancelled: isCancelled)
    return PictureCheck.Movie(
      outcome: .decoded, frameCount: frames.frameCount, keyFrames: frames.keyFrames)
  } catch let error as MediaError {
    var movie = PictureCheck.Movie(outcome: PictureCheck.Outcome(error))
    if !error.isUnsupported, let damage = try damage(in: path, track: track, isCancelled: isCancelled) {
      movie.damage = damage
    }
    return movie
  }
}

/// Returns the damaged frames of a movie, or nil if these frames cannot be determined.
private func damage(in path: String, track: Int, isCancelled: () -> Bool) throws -> MediaDamage? {
  do {
    return try FrameDamage.find(path: path, trackID: track, isCancelled: isCancelled)
  } catch is MediaError {
    return nil
  }
}

extension PictureCheck.Outcome {
  /// Creates the outcome that corresponds to a codec's error.
  init(_ error: MediaError) {
    self = error.isUnsupported ? .unsupported(error.problem.description) : .damaged(error.problem.description)
  }
}
