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
      let frames = try VideoCheck.decode(path: movie, trackID: job.videoTrack, isCancelled: isCancelled)
      check.movie = PictureCheck.Movie(
        outcome: .decoded, frameCount: frames.frameCount, keyFrames: frames.keyFrames)
    } catch let error as MediaError {
      check.movie = PictureCheck.Movie(outcome: PictureCheck.Outcome(error))
    } catch is CancellationError {
      throw EditError(.cancelled, file: movie, "was not checked: stopped on request")
    } catch {
      throw EditError(reading: movie, error)
    }
  }
  return check
}

private func checkPhoto(_ path: String) throws -> PictureCheck.Photo {
  let source = try FileByteSource(path: path)
  guard source.count <= 1 << 29 else { throw MediaError("it is larger than 512 MB", isUnsupported: true) }
  let bytes = try source.read(at: 0, count: source.count)
  guard PhotoKind.detect(bytes) == .jpeg else {
    return PictureCheck.Photo(outcome: .unsupported("only JPEG pictures are decoded"))
  }
  let picture: PlanarFrame
  do {
    picture = try JPEGCodec.decode(bytes)
  } catch let error as MediaError {
    return PictureCheck.Photo(outcome: PictureCheck.Outcome(error))
  }
  guard let thumbnail = try? JPEGSurgery(bytes).embeddedThumbnail else {
    return PictureCheck.Photo(outcome: .decoded)
  }
  let likeness = (try? JPEGCodec.decode(thumbnail)).map { PictureLikeness.decibels($0, picture) }
  return PictureCheck.Photo(outcome: .decoded, thumbnail: likeness.map { .likeness($0) } ?? .unreadable)
}

extension PictureCheck.Outcome {
  /// What a codec's complaint means.
  init(_ error: MediaError) {
    self = error.isUnsupported ? .unsupported(error.problem) : .damaged(error.problem)
  }
}
