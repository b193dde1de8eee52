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
    return try photo.kind == .heif ? checkHEIF(photo) : checkJPEG(photo)
  } catch let error as MediaError {
    return PictureCheck.Photo(outcome: PictureCheck.Outcome(error))
  }
}

/// Makes sure that a rendered photo can be shown, as far as that is seen without decoding: a copied picture is as sound as
/// its original, and a turn without loss decodes no pixel.
///
/// - Throws: ``MediaError`` when it cannot.
func checkRendered(photo path: String) throws {
  try LivePhotoVerification.checkShowing(photo: FileByteSource(path: path))
}

/// The same for a rendered movie.
func checkRendered(movie path: String) throws {
  try LivePhotoVerification.checkShowing(movie: FileByteSource(path: path))
}

private func checkMovie(
  _ path: String, track: Int, isCancelled: () -> Bool
) throws -> PictureCheck.Movie {
  do {
    let frames = try VideoCheck.decode(path: path, trackID: track, isCancelled: isCancelled)
    return PictureCheck.Movie(
      outcome: .decoded, frameCount: frames.frameCount, keyFrames: frames.keyFrames)
  } catch let error as MediaError {
    return PictureCheck.Movie(outcome: PictureCheck.Outcome(error))
  }
}

private func checkJPEG(_ photo: Photo) throws -> PictureCheck.Photo {
  try photo.checkSize()
  let picture = try JPEGCodec.decode(photo.source.read(at: 0, count: photo.source.count))
  guard let thumbnail = try? JPEGSurgery(photo).embeddedThumbnail else {
    return PictureCheck.Photo(outcome: .decoded)
  }
  let likeness = (try? JPEGCodec.decode(thumbnail)).map { PictureLikeness.decibels($0, picture) }
  return PictureCheck.Photo(outcome: .decoded, thumbnail: likeness.map { .likeness($0) } ?? .unreadable)
}

private func checkHEIF(_ photo: Photo) throws -> PictureCheck.Photo {
  let (surgery, source) = (try HEIFSurgery(photo), photo.source)
  let primary = try surgery.picture()
  let picture = try primary.decoded(from: source)
  guard let item = surgery.file.thumbnails.first else { return PictureCheck.Photo(outcome: .decoded) }
  let thumbnail: PictureCheck.Thumbnail?
  do {
    let small = try surgery.picture(item)
    let turn = small.orientation.then(primary.orientation.inverse)
    let shown = try small.decoded(from: source).turned(by: turn)
    // Whether a thumbnail shows what a clean aperture cuts off is nowhere said.
    thumbnail = primary.aperture == nil ? .likeness(PictureLikeness.decibels(shown, picture)) : nil
  } catch let error as MediaError {
    thumbnail = error.isUnsupported ? nil : .unreadable
  }
  return PictureCheck.Photo(outcome: .decoded, thumbnail: thumbnail)
}

extension PictureCheck.Outcome {
  /// The outcome that a codec's complaint stands for.
  init(_ error: MediaError) {
    self = error.isUnsupported ? .unsupported(error.problem) : .damaged(error.problem)
  }
}
